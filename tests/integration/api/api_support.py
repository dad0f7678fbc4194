"""The API in this process: clients, keys, and a tenant that has one of everything."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import uuid4

from fastapi import FastAPI
from starlette.testclient import TestClient

from gateway.api.app import create_app
from gateway.api.v1.shapes.ids import version_id
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.dreams.read import find_calls
from shared.services.evaluation.evaluations import cancel_evaluation
from shared.services.sessions.ingest import ImportTarget
from shared.services.sessions.live import open_live_session
from shared.services.tenants.keys import NewKey, create_key
from shared.services.webhooks.endpoints import NewEndpoint, create_endpoint, queue_test
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything
from tests.support.builders import a_store, get_operations, take_picture, write
from tests.support.evaluation.reports import store_evaluation
from tests.support.one_loop import on_one_loop

#: Applications by the ports that they stand on, the latest last. Building the routes of one takes half a second.
_BUILT: OrderedDict[tuple[Callable[[Ports], FastAPI], int], tuple[Ports, FastAPI]] = OrderedDict()
_KEPT = 8


def an_app(ports: Ports, create: Callable[[Ports], FastAPI] = create_app) -> FastAPI:
    """Return the application over these ports that other tests use, too; create one to run its lifespan or change it."""
    key = (create, id(ports))
    if key not in _BUILT:
        _BUILT[key] = (ports, create(ports))
        while len(_BUILT) > _KEPT:
            _BUILT.popitem(last=False)
    _BUILT.move_to_end(key)
    return _BUILT[key][1]


def a_client(app: FastAPI) -> TestClient:
    """A client that sees what an exception in the server looks like from outside."""
    return on_one_loop(TestClient(app, raise_server_exceptions=False))


def a_token(ports: Ports, tenant: str, role: Role = Role.ADMIN, **wanted: Any) -> str:
    a_store(ports, tenant, "mine")
    key = NewKey(name="a test", role=role, **wanted)
    return create_key(ports.db, ports.ids, tenant, key, actor="a test", actor_role=Role.OPERATOR).token


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def id_of(token: str) -> str:
    return f"key_{token.split('_')[1]}"


class Everything(NamedTuple):
    """One id of each kind, all of one tenant."""

    tenant: str
    store: str
    dream_id: str
    operation_id: str
    memory_id: str
    key_id: str
    session_id: str
    memory_store_id: str
    memory_version_id: str
    skill: str
    directive: str
    endpoint_id: str
    delivery_id: str
    call_id: str
    evaluation_id: str
    resource_id: str = "sesrsc_1"  # of no session: a file that a host has named


def a_tenant_with_everything(ports: Ports) -> Everything:
    tenant = f"t{uuid4().hex}"
    a_rich_store(ports, tenant)
    dream = dream_of_everything(ports, tenant)
    memory = next(iter(take_picture(ports, tenant).memories.values()))
    operation = get_operations(ports, tenant, dream.id)[0]
    target = ImportTarget(tenant_id=tenant, store=DEFAULT_STORE, source="api", is_current=True)
    session = open_live_session(ports.db, target, f"chat-of-{tenant}")
    key_id = id_of(a_token(ports, tenant))
    store_id, version = dream.store_id, version_id(memory.id, 1)
    skill = f"skill-of-{tenant}"
    write(ports, tenant, {f"skills/{skill}/SKILL.md": "Do it."})
    hook = create_endpoint(ports, tenant, NewEndpoint(url="https://example.com/hooks"), actor="a test").endpoint
    delivery = queue_test(ports, tenant, hook.id, actor="a test")
    ids = (dream.id, operation.id, memory.id, key_id, session.id, store_id, version, skill, "dream.md", hook.id)
    call_id = find_calls(ports.db, tenant, dream.id, limit=1)[0].id
    evaluation = store_evaluation(ports, tenant, DEFAULT_STORE)
    cancel_evaluation(ports, tenant, evaluation.id, actor="a test")  # while it runs, nothing can be forgotten
    return Everything(tenant, DEFAULT_STORE, *ids, delivery.id, call_id, evaluation.id)
