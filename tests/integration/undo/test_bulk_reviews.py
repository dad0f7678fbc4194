"""One verdict on many operations is the server's: it goes on when the client that asked for it has left."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import uuid4

import httpx
import pytest

from shared.all_ports import Ports
from shared.bootstrap import environment_of
from shared.core.dream.effects import Effect
from shared.core.dream.model import Dream, OperationState, ReviewState, Trigger
from shared.core.dream.operations import Create, Operation, OperationKind
from shared.core.tenants.roles import Role
from shared.ports.dreams import RecordedOperation
from shared.ports.tenants import AuditFilter
from shared.settings import Settings
from tests.e2e.gateway.console_browser import a_key
from tests.e2e.workers.worker_support import eventually
from tests.support.builders import a_memory, a_store, get_operations, take_picture, write
from tests.support.clients.served import a_server

PROPOSED = 140


@pytest.fixture(scope="module")
def address(session_ports: Ports) -> Iterator[str]:
    with a_server(session_ports) as found:
        yield found


def _propose_many(ports: Ports, tenant: str) -> Dream:
    """A dream that proposed many memories, the last of them at a path that is taken by now."""
    write(ports, tenant, {"office/door.md": "# Door\n\nThe door sticks.\n"})
    store = a_store(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        dream = uow.dreams.add(store.id, trigger=Trigger.CLI, force=True, dry_run=False)
        for number in range(PROPOSED):
            path = f"made/{number}.md" if number < PROPOSED - 1 else "office/door.md"
            made = a_memory(path, content=f"# {number}\n\nRoom {number} has a window.\n")
            wanted = Operation(
                kind=OperationKind.CREATE, phase="synthesize", reason=f"the {number}th",
                changes=(Create(path=path, content=made.content),),
            )  # fmt: skip
            uow.operations.record(
                RecordedOperation(
                    id=ports.ids.new("op"),
                    dream_id=dream.id,
                    store_id=store.id,
                    position=number,
                    operation=wanted,
                    state=OperationState.PROPOSED,
                    review=ReviewState.PENDING,
                    effects=(Effect(before=None, after=made),),
                    created_at=datetime.now(UTC),
                )
            )
    return dream


def test_a_verdict_on_many_in_one_request_reaches_all_of_them_although_the_client_leaves(
    address: str, session_ports: Ports
) -> None:
    tenant = f"bulk-{uuid4().hex[:8]}"
    dream = _propose_many(session_ports, tenant)
    key = {"Authorization": f"Bearer {a_key(session_ports, tenant, Role.REVIEWER)}"}
    waiting = httpx.get(f"{address}/api/reviews", params={"limit": 200, "phase": "synthesize"}, headers=key).json()
    ids = [one["id"] for one in waiting["data"]]
    assert {one["store"] for one in waiting["data"]} == {"default"}
    assert len(ids) == PROPOSED
    assert httpx.get(f"{address}/api/reviews", params={"phase": "gather"}, headers=key).json()["data"] == []
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{address}/api/reviews/approve", json={"ids": ids[::-1]}, headers=key, timeout=0.1)

    def decided() -> bool:
        return not any(one.review is ReviewState.PENDING for one in get_operations(session_ports, tenant, dream.id))

    eventually(decided, "a verdict on all of them")
    *made, taken = get_operations(session_ports, tenant, dream.id)
    assert {(one.state, one.review) for one in made} == {(OperationState.APPLIED, ReviewState.APPROVED)}
    assert taken.state is OperationState.SKIPPED
    assert "office/door.md" in taken.note, "what was not decided has its reason"
    again = httpx.post(f"{address}/api/reviews/approve", json={"ids": [ids[0]]}, headers=key).json()
    assert (again["done"], again["results"][0]["problem"]) == (0, "conflict")


def test_a_verdict_on_many_by_the_command_line_is_whole_for_each_when_the_command_is_killed_and_goes_on_when_it_is_called_again(
    session_ports: Ports, settings: Settings
) -> None:
    ports, tenant = session_ports, f"bulk-{uuid4().hex[:8]}"
    dream = _propose_many(ports, tenant)
    command = [sys.executable, "-m", "gateway.cli", "review", "approve", tenant, "--all", "--yes"]
    environment = os.environ | environment_of(settings)
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        eventually(lambda: _count_decided(ports, tenant, dream) > 2, "the first verdicts")
        running.kill()
    decided = _count_decided(ports, tenant, dream)
    assert 2 < decided < PROPOSED, "it was killed on the way"
    _check_whole(ports, tenant, dream)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert "office/door.md" in done.stdout + done.stderr, "what cannot be approved is named"
    assert _count_decided(ports, tenant, dream) == PROPOSED
    _check_whole(ports, tenant, dream)


def _count_decided(ports: Ports, tenant: str, dream: Dream) -> int:
    return sum(one.review is not ReviewState.PENDING for one in get_operations(ports, tenant, dream.id))


def _check_whole(ports: Ports, tenant: str, dream: Dream) -> None:
    """Check that what is approved is live and stands in the audit log, and that nothing else is and does."""
    approved = {
        one.id: one.effects[0].after.path
        for one in get_operations(ports, tenant, dream.id)
        if one.review is ReviewState.APPROVED
    }
    live = {one.path for one in take_picture(ports, tenant).memories.values() if one.path.startswith("made/")}
    with ports.db.transaction(tenant) as uow:
        entries = uow.audit.find_page(AuditFilter(), start_after=None, limit=2 * PROPOSED)
    told = [str(one.detail["operation_id"]) for one in entries if one.action == "review.approve"]
    assert live == set(approved.values())
    assert sorted(told) == sorted(approved)
