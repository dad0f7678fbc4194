"""A worker may die at any instant: before a transaction, or after its commit. Each such instant is tried here."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, OperationState
from tests.integration.failures.crash_support import STRIDE, CountingLlm, Crash, CrashingDatabase, in_strides, let_lapse
from tests.support.builders import get_operations, run_dream, take_picture, texts, write
from tests.support.session_builders import get_session, tell

_NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After. "
    "Burst is 50.\n",
    "api/retry.md": "# Retry\n\nClients retry with exponential backoff and jitter, at most 5 times.\n",
    "billing/retry.md": "# Charges\n\nFailed charges retry with exponential backoff and jitter for 3 days.\n",
    "ops/retry.md": "# Jobs\n\nJobs retry with exponential backoff and jitter; after 8 tries they are parked.\n",
    "ops/outage.md": "# Outage\n\nThe printer farm was down yesterday from 10:15 to 11:40.\n",
}
#: Said after the notes were written, so that the correction holds. A session's id differs from tenant to tenant.
_SAID_AT = datetime(2100, 1, 1, 10, tzinfo=UTC) - timedelta(days=2)
_SAID = (
    "No, clients retry with exponential backoff and jitter, at most 7 times.",
    "let me run the tests",
    "Remember that the staging cluster was moved to eu-north-1 yesterday.",
)
_SESSION_ID = re.compile(r"sesn_\w+")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@in_strides
@pytest.mark.parametrize("after_commit", [False, True], ids=["before-a-transaction", "after-its-commit"])
def test_a_dream_whose_worker_dies_at_any_instant_ends_as_if_nothing_had_happened(
    ports: Ports, owner_connection: psycopg.Connection, after_commit: bool, first: int
) -> None:
    unharmed = _texts_after(ports, f"unharmed-{after_commit}-{first}".lower(), CountingLlm())
    crashes = 0
    for instant in range(1 + first, 300, STRIDE):
        tenant = f"crash-{after_commit}-{instant}".lower()
        dream_id = _crash(ports, tenant, instant, after_commit=after_commit)
        if dream_id is None:
            break
        crashes += 1
        _recover_and_check(ports, owner_connection, tenant, dream_id)
        assert _contents(ports, tenant) == unharmed, f"crash number {instant}"
    assert crashes > 3, "the dream never got as far as its phases"


def _texts_after(ports: Ports, tenant: str, llm: CountingLlm) -> dict[str, str]:
    _fill(ports, tenant)
    assert run_dream(ports, tenant, llm).state is DreamState.COMPLETED
    contents = _contents(ports, tenant)
    assert "at most 7 times" in contents["api/retry.md"]
    assert any("yesterday (2099-12-29)" in content for content in contents.values())
    return contents


def _fill(ports: Ports, tenant: str) -> None:
    write(ports, tenant, texts(_NOTES))
    tell(ports, tenant, "s1", *_SAID, at=_SAID_AT)


def _crash(ports: Ports, tenant: str, instant: int, *, after_commit: bool) -> str | None:
    """Run a dream that dies at an instant; return its id, or None when it was over before that."""
    _fill(ports, tenant)
    database = CrashingDatabase(ports.db, crash_at=instant, after_commit=after_commit)
    dying = replace(ports, db=database, dispatch=RecordingDispatch())
    try:
        run_dream(dying, tenant, CountingLlm())
    except Crash:
        with ports.db.transaction(tenant) as uow:
            found = uow.dreams.find_recent(limit=1)
        return found[0].id if found else "never queued"
    return None


def _recover_and_check(ports: Ports, owner: psycopg.Connection, tenant: str, dream_id: str) -> None:
    if dream_id == "never queued":
        run_dream(ports, tenant, CountingLlm())
        return
    llm = CountingLlm()
    with ports.db.transaction(tenant) as uow:
        dream = uow.dreams.get(dream_id)
        bought = {
            (p, key)
            for p in ("gather", "consolidate", "synthesize", "prune")
            for key in uow.calls.find_answers(dream_id, p)
        }
    if dream.state in {DreamState.QUEUED, DreamState.RUNNING}:
        let_lapse(owner, dream_id)
        dream = run_dream(ports, tenant, llm, dream_id=dream_id)
    assert dream.state is DreamState.COMPLETED, dream.reason
    assert not bought & set(llm.asked), "an answer was bought twice"
    _check_each_operation_once(ports, tenant, dream)
    session = get_session(ports, tenant, "s1")
    assert session.gathered_position == session.last_position


def _check_each_operation_once(ports: Ports, tenant: str, dream: Dream) -> None:
    operations = get_operations(ports, tenant, dream.id)
    applied = [(op.operation.phase, op.operation.kind, op.operation.changes) for op in operations]
    assert len(applied) == len({repr(entry) for entry in applied}), "an operation was recorded twice"
    assert all(op.state is OperationState.APPLIED for op in operations), [op.note for op in operations]


def _contents(ports: Ports, tenant: str) -> dict[str, str]:
    """Live texts by path, with the moments of the dream itself left out."""
    live = [m for m in take_picture(ports, tenant).memories.values() if m.state == "live"]
    return {memory.path: _SESSION_ID.sub("SESSION", _MOMENT.sub("MOMENT", memory.content)) for memory in live}
