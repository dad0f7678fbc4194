"""One tenant with one of everything, and for every route that changes something what makes it do so."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import uuid4

from starlette.testclient import TestClient

from shared.all_ports import Ports
from shared.core.dream.model import ReviewState, Trigger
from shared.core.errors import ConflictError
from shared.core.listings.saved_filters import FilteredList, SavedFilter
from shared.core.tenants.roles import Role
from shared.core.webhooks.endpoint import LISTEN
from shared.ports.tenants import AuditFilter
from shared.services.dreams.saved_filters import save_filter
from shared.services.dreams.start import start_dream
from shared.services.operations.review import reject_operation, reopen_operation
from shared.services.operations.undo import undo_dream
from shared.services.tenants.audit import find_audit_of_all
from shared.services.tenants.keys import find_keys
from shared.services.webhooks.endpoints import NewEndpoint, create_endpoint, queue_test
from tests.integration.access.api_routes import NEEDS
from tests.integration.api.api_support import (
    Everything,
    a_client,
    a_tenant_with_everything,
    a_token,
    bearer,
    id_of,
)
from tests.integration.mcp.mcp_support import a_server
from tests.support.builders import a_store, get_operations, write
from tests.support.evaluation.reports import store_evaluation
from tests.support.session_builders import tell

CANARY = "plumbus-of-the-canary"
#: Every route that changes something. One that leaves no entry fails its test; so does a new one that needs a recipe.
CHANGING = [route for route in NEEDS if route[0] != "get"]


class Scene:
    """One tenant with one of everything, and an operator who acts for it."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self.app = a_server(ports)
        self.client: TestClient = a_client(self.app)
        self.all: Everything = a_tenant_with_everything(ports)
        token = a_token(ports, "auditing-operators", Role.OPERATOR, rate_per_minute=100_000)
        self.actor = f"key:{id_of(token)}"
        whose = self.all.tenant
        self.headers = bearer(token) | {"Slowwave-Tenant": whose, "anthropic-workspace-id": whose}

    def store(self) -> str:
        name = f"s{uuid4().hex}"
        a_store(self.ports, self.all.tenant, name)
        return name

    def session(self) -> str:
        """A session of a store in which no dream is at work."""
        return tell(self.ports, self.all.tenant, f"chat-{uuid4().hex}", CANARY, store="chats").id

    def resource(self) -> dict[str, str]:
        """A file of a session."""
        session = self.session()
        file = {"type": "file", "file_id": "file_1"}
        made = self.client.post(f"/v1/sessions/{session}/resources", headers=self.headers, json=file)
        return {"session_id": session, "resource_id": made.json()["id"]}

    def dream(self) -> str:
        started = start_dream(self.ports.db, self.all.tenant, self.store(), trigger=Trigger.API, force=True)
        assert started.dream is not None, started.verdict
        return started.dream.id

    def undone(self) -> dict[str, Any]:
        """Undo the tenant's dream."""
        undo_dream(self.ports.db, self.all.tenant, self.all.dream_id, actor="a test", force=True)
        return {}

    def memory(self) -> str:
        path = f"a/{uuid4().hex}.md"
        write(self.ports, self.all.tenant, {path: "# Old\n"})
        with self.ports.db.transaction(self.all.tenant) as uow:
            found = uow.memories(self.all.memory_store_id).find_by_path(path)
        assert found is not None
        return found.id

    def rewritten(self) -> str:
        """A memory with a version that is no longer the current one."""
        memory_id = self.memory()
        self.client.patch(
            f"/api/stores/{self.all.store}/memories/{memory_id}", headers=self.headers, json={"content": "# New\n"}
        )
        return memory_id

    def pending(self) -> str:
        found = get_operations(self.ports, self.all.tenant, self.all.dream_id)
        waiting = next((one.id for one in found if one.review is ReviewState.PENDING), None)
        return waiting or self.reopened(one.id for one in found if one.review is ReviewState.REJECTED)

    def reopened(self, rejected: Iterable[str]) -> str:
        """A change that waits again, of those that other tests rejected."""
        for operation_id in rejected:
            with suppress(ConflictError):
                reopen_operation(self.ports.db, self.all.tenant, operation_id, actor="a test")
                return operation_id
        raise AssertionError("no change waits for a review, nor can one be made to")

    def rejected(self) -> str:
        operation_id = self.pending()
        reject_operation(self.ports.db, self.all.tenant, operation_id, actor="a test")
        return operation_id

    def entries(self) -> int:
        return len(find_audit_of_all(self.ports.db, AuditFilter(actor=self.actor), limit=10_000))


def _vault(scene: Scene) -> dict[str, Any]:
    answer = scene.client.post("/v1/memory_stores", headers=scene.headers, json={"name": "Vault"})
    return {"memory_store_id": answer.json()["id"]}


def _v1_memory(scene: Scene) -> dict[str, Any]:
    return {"memory_store_id": scene.all.memory_store_id, "memory_id": scene.memory()}


def an_evaluation(scene: Scene) -> dict[str, Any]:
    store = scene.store()
    return {"store": store, "evaluation_id": store_evaluation(scene.ports, scene.all.tenant, store).id}


#: What a route needs beyond the ids that every tenant of the tests has, made again where the route uses it up.
IDS: dict[tuple[str, str], Callable[[Scene], dict[str, Any]]] = {
    ("post", "/api/dreams/{dream_id}/cancel"): lambda s: {"dream_id": s.dream()},
    ("post", "/v1/dreams/{dream_id}/cancel"): lambda s: {"dream_id": s.dream()},
    ("post", "/api/reviews/{operation_id}/approve"): lambda s: {"operation_id": s.pending()},
    ("post", "/api/reviews/{operation_id}/reject"): lambda s: {"operation_id": s.pending()},
    ("post", "/api/reviews/{operation_id}/assign"): lambda s: {"operation_id": s.pending()},
    ("post", "/api/reviews/{operation_id}/comment"): lambda s: {"operation_id": s.pending()},
    ("post", "/api/reviews/{operation_id}/reopen"): lambda s: {"operation_id": s.rejected()},
    ("patch", "/api/stores/{store}/memories/{memory_id}"): lambda s: {"memory_id": s.memory()},
    ("delete", "/api/stores/{store}/memories/{memory_id}"): lambda s: {"memory_id": s.memory()},
    ("post", "/v1/memory_stores/{memory_store_id}/memories/{memory_id}"): _v1_memory,
    ("delete", "/v1/memory_stores/{memory_store_id}/memories/{memory_id}"): _v1_memory,
    ("post", "/v1/memory_stores/{memory_store_id}/archive"): _vault,
    ("delete", "/v1/memory_stores/{memory_store_id}"): _vault,
    ("delete", "/api/stores/{store}"): lambda s: {"store": s.store()},
    ("delete", "/v1/sessions/{session_id}"): lambda s: {"session_id": s.session()},
    ("delete", "/api/stores/{store}/sessions/{session_id}"): lambda s: {"store": "chats", "session_id": s.session()},
    ("delete", "/v1/sessions/{session_id}/resources/{resource_id}"): lambda s: s.resource(),
    ("post", "/api/keys/{key_id}/rotate"): lambda s: {"key_id": id_of(a_token(s.ports, s.all.tenant))},
    ("delete", "/api/keys/{key_id}"): lambda s: {"key_id": id_of(a_token(s.ports, s.all.tenant))},
    ("post", "/api/webhooks/{endpoint_id}/take"): lambda s: {"endpoint_id": listening_endpoint(s)},
    ("post", "/api/webhooks/{endpoint_id}/enable"): lambda s: {"endpoint_id": disabled_endpoint(s)},
    ("post", "/api/stores/{store}/evaluations"): lambda s: {"store": s.store()},
    ("post", "/api/stores/{store}/evaluations/{evaluation_id}/cancel"): an_evaluation,
    ("delete", "/api/directives/{directive}"): lambda s: {"directive": own_prompt(s)},
}
#: Bodies that change something; the others are those of the table of routes.
SENT: dict[tuple[str, str], Callable[[Scene], dict[str, Any]]] = {
    ("post", "/api/dreams"): lambda s: {"store": s.store(), "force": True, "dry_run": True},
    ("post", "/api/memory/dream"): lambda s: {"agentId": _eager_store(s)},
    ("post", "/api/dreams/{dream_id}/undo"): lambda _: {"force": True},
    ("post", "/api/dreams/{dream_id}/redo"): lambda _: {"force": True},
    ("post", "/api/reviews/approve"): lambda s: {"ids": [s.pending()]},
    ("post", "/api/reviews/{operation_id}/assign"): lambda _: {"to": "me"},
    ("post", "/api/reviews/{operation_id}/comment"): lambda _: {"text": "Ask Mara."},
    ("post", "/api/reviews/reject"): lambda s: {"ids": [s.pending()]},
    ("post", "/api/stores"): lambda _: {"name": f"n{uuid4().hex}"},
    ("patch", "/api/stores/{store}"): lambda _: {"overrides": {"gates.min_hours": 4}},
    ("put", "/api/stores/{store}/activity"): lambda _: {"busy_seconds": 5},
    ("post", "/api/stores/{store}/memories"): lambda _: {"path": f"{CANARY}/{uuid4().hex}.md", "content": CANARY},
    ("patch", "/api/stores/{store}/memories/{memory_id}"): lambda _: {"content": CANARY, "importance": 70},
    ("post", "/api/stores/{store}/feedback"): lambda _: {"feedback": [{"kind": "correction", "text": CANARY}]},
    ("put", "/api/stores/{store}/skills/{skill}"): lambda _: {"content": CANARY + uuid4().hex},
    ("post", "/api/stores/{store}/skill-uses"): lambda s: {"skill": s.all.skill, "session": "chat-1"},
    ("patch", "/api/agents/{store}/dream"): lambda _: {"dreamConfig": {"cooldownMinutes": 60}},
    ("put", "/api/directives/{directive}"): lambda _: {"content": CANARY + uuid4().hex},
    ("put", "/api/stores/{store}/probes"): lambda _: {"probes": [{"question": CANARY + uuid4().hex, "evidence": CANARY}]},
    ("post", "/api/webhooks/{endpoint_id}/replay"): lambda _: {"failed_since": "2026-01-01T00:00:00Z"},
    ("patch", "/api/settings"): lambda _: {"time_zone": "Asia/Tokyo"},
    ("patch", "/api/retention"): lambda _: {"days": {"versions": 90}},
    ("patch", "/api/installation"): lambda _: {"defer_percent": 0},
    ("post", "/api/tenants"): lambda _: {"id": f"t{uuid4().hex}"},
    ("patch", "/api/tenants/{tenant}"): lambda _: {"tokens_per_day": 500_000_000},
    ("post", "/v1/dreams"): lambda s: {
        "inputs": [
            {"type": "memory_store", "memory_store_id": s.all.memory_store_id},
            {"type": "sessions", "session_ids": [s.all.session_id]},
        ],
        "model": "any",
        "instructions": CANARY,
    },
    ("post", "/v1/memory_stores/{memory_store_id}"): lambda _: {"name": "Mine", "description": CANARY},
    ("post", "/v1/memory_stores/{memory_store_id}/memories"): lambda _: {"path": f"/{uuid4().hex}.md", "content": CANARY},
    ("post", "/v1/memory_stores/{memory_store_id}/memories/{memory_id}"): lambda _: {"content": CANARY},
    ("post", "/v1/sessions"): lambda s: {
        "agent": "a", "environment_id": "e", "title": CANARY,
        "resources": [{"type": "memory_store", "memory_store_id": s.all.memory_store_id}],
    },
    ("post", "/v1/sessions/{session_id}"): lambda _: {"title": CANARY},
    ("post", "/v1/sessions/{session_id}/events"): lambda _: {
        "events": [{"type": "user.message", "content": [{"type": "text", "text": CANARY}]}]
    },
}  # fmt: skip
#: These end what the others need, so that they come last.
LAST = (
    ("post", "/api/dreams/{dream_id}/undo"),
    ("post", "/api/dreams/{dream_id}/redo"),
    ("post", "/v1/memory_stores/{memory_store_id}/memory_versions/{memory_version_id}/redact"),
    ("post", "/v1/sessions/{session_id}/archive"),
    ("delete", "/api/webhooks/{endpoint_id}"),
)


def _eager_store(scene: Scene) -> str:
    name = scene.store()
    a_store(scene.ports, scene.all.tenant, name, profile="rockbot")
    write(scene.ports, scene.all.tenant, {"a.md": "# New\n"}, store=name)
    return name


def listening_endpoint(scene: Scene) -> str:
    """An endpoint from which messages are taken, with one that waits."""
    ports, tenant = scene.ports, scene.all.tenant
    made = create_endpoint(ports, tenant, NewEndpoint(url=LISTEN), actor="a test").endpoint
    return queue_test(ports, tenant, made.id, actor="a test").endpoint_id


def disabled_endpoint(scene: Scene) -> str:
    """An endpoint that a worker has given up."""
    with scene.ports.db.transaction(scene.all.tenant) as uow:
        endpoint = uow.webhooks.get(scene.all.endpoint_id)
        uow.webhooks.save(replace(endpoint, disabled_at=uow.now(), disabled_reason="it is dead"))
    return endpoint.id


def an_endpoint(scene: Scene) -> str:
    """An endpoint that may be deleted."""
    wanted = NewEndpoint(url="https://example.com/soon-gone")
    return create_endpoint(scene.ports, scene.all.tenant, wanted, actor="a test").endpoint.id


def saved_filter(scene: Scene) -> str:
    """The name of a filter of the person who signed in last."""
    name, owner = uuid4().hex, f"key:{find_keys(scene.ports.db, scene.all.tenant)[0].id}"
    kept = SavedFilter(name=name, query="kind=MERGE")
    save_filter(scene.ports.db, scene.all.tenant, FilteredList.REVIEWS, kept, owner=owner)
    return name


def own_prompt(scene: Scene) -> str:
    scene.client.put("/api/directives/dream.md", headers=scene.headers, json={"content": f"{CANARY} {uuid4().hex}"})
    return "dream.md"
