"""A fixed statement answers and writes what its expression does, and docs/sql.md lists each with its reason."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from psycopg._queries import MAX_CACHED_STATEMENT_LENGTH
from sqlalchemy import Connection, Table, UpdateBase, func, insert, select
from sqlmodel import SQLModel

import shared.adapters.postgres.repositories  # noqa: F401 - declares every fixed statement
from shared.adapters.postgres.memories.writes import memory_values
from shared.adapters.postgres.sql.statements import FIXED, Expression, Fixed, Row, execute, fetch
from shared.adapters.postgres.tables.dreams import DreamRow
from shared.adapters.postgres.tables.sessions import SearchLogRow, SessionRow
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, OperationState, ReviewState
from shared.core.dream.operations import Flag, Operation, OperationKind, Retire
from shared.core.dream.orders import DreamOrder, OutputBehavior
from shared.core.memory.model import Memory, MemoryState, Signals
from shared.core.questions.change_gate import Asked
from shared.core.tenants.store import PendingMerge
from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import MemoryWrite
from tests.support.builders import a_memory

_DOCS = Path(__file__).parents[3] / "docs" / "sql.md"
Values = dict[str, Any]


@pytest.fixture
def dream(ports: Ports, tenant: str, start_running: Callable[..., Dream]) -> Dream:
    """A dream in a store in which every fixed statement finds something."""
    dream = start_running()
    asked = Asked(phase="prune", fingerprint="f1", dream_id=dream.id, asked_at=datetime.now(UTC))
    merge = PendingMerge(source_path="a.md", target_path="b.md", reason="twins", suggested_by=dream.id)
    with ports.db.transaction(tenant) as uow:
        uow.phases.claim(dream.id, "prune", runner="run_a", lease_seconds=60)
        uow.merges(dream.store_id).add([merge])
        uow.asked(dream.store_id).record([asked])
        uow.operations.record(_operation(dream))
        uow.operations.record(_question(dream))
        uow.directives.add("prune", "Be careful", actor="an agent")
        uow.orders.add(_order(dream))
        connection: Connection = uow._connection  # type: ignore[attr-defined] # of PostgreSQL's unit of work
        execute(connection, insert(DreamRow), _ended_dream(dream))
        execute(connection, insert(SessionRow), _waiting_session(dream))
        uow.memories(dream.store_id).write([MemoryWrite(memory=_memory(dream), change="create")])
    return dream


def _ended_dream(dream: Dream) -> Values:
    same = {"tenant_id": dream.tenant_id, "store_id": dream.store_id, "trigger": dream.trigger}
    return same | {"id": f"{dream.id}_before", "state": DreamState.ERROR, "reason": "ü", "has_failed": True}


def _order(dream: Dream) -> DreamOrder:
    copying = OutputBehavior.CREATE_NEW
    return DreamOrder(dream_id=dream.id, input_store_id=dream.store_id, behavior=copying, session_ids=("sesn_1",))


def _waiting_session(dream: Dream) -> Values:
    keys = {"id": f"sesn_{dream.id}", "tenant_id": dream.tenant_id, "store_id": dream.store_id}
    return keys | {"external_id": "ü 1", "source": "api", "last_position": 2, "gathered_position": 1}


def _memory(dream: Dream, **values: object) -> Memory:
    content = "---\ntype: skill\n---\n\n# Ünï\n\n100 % :x [[b]]\n"
    return a_memory("api/auth.md", content, id=f"mem_{dream.id}", signals=Signals(pinned=True), **values)


def _find_values(dream: Dream, name: str) -> Values:
    """Return a value for each parameter: those of this statement's repository, then those of all."""
    memory = _memory(dream, version=2, stub="A cue")
    keys = {"tenant_id": dream.tenant_id, "store_id": dream.store_id, "dream_id": dream.id}
    of_repository: dict[str, Values] = {
        "calls": keys | _CALL,
        "verdicts": {"since": datetime(2026, 1, 1, tzinfo=UTC), "besides": ""},
        "memories": keys
        | memory_values(memory)
        | {"imported_hash": "h1", "memory_id": memory.id, "signals": {"pinned": True}, "change": "rewrite"}
        | {"operation_id": f"op_{dream.id}", "actor": "", "redacted_by": ""},
    }
    return (
        _KEYS
        | of_repository.get(name.split(".", maxsplit=1)[0], {})
        | {
            "tenant": dream.tenant_id,
            "store": dream.store_id,
            "store_name": dream.store,
            "dream": dream.id,
            "of_epoch": dream.epoch,
            "memory": memory.id,
            "ids": [memory.id],
            "numbers": [memory.version - 1],
        }
    )


def _operation(dream: Dream) -> RecordedOperation:
    change = Retire(memory_id="mem_1", version=1, path="b.md", state=MemoryState.ARCHIVED)
    wanted = Operation(kind=OperationKind.RETIRE, phase="prune", reason="ü", changes=(change,), confidence=None)
    return RecordedOperation(
        id=f"op_{dream.id}",
        dream_id=dream.id,
        store_id=dream.store_id,
        position=0,
        operation=wanted,
        state=OperationState.APPLIED,
        review=ReviewState.PENDING,
        effects=(),
    )


def _question(dream: Dream) -> RecordedOperation:
    asked = Flag(memory_id="mem_1", version=1, path="b.md")
    wanted = Operation(kind=OperationKind.FLAG, phase="revise", reason="ü?", changes=(asked,))
    return replace(_operation(dream), id=f"op_{dream.id}_asked", operation=wanted)


_KEYS: Values = {
    "of_phase": "prune",
    "of_runner": "run_a",
    "lease": timedelta(seconds=30),
    "idle": "30000",
    "with_tokens": True,
    "read": {"z": 1, "a": None},
    "wanted": [1, {"b": 2}],
    "runs": [
        {"phase": "index", "state": "skipped", "reason": "ü 100 %", "counts": {"kept": 1}, "inputs": None}
        | {"is_over": True, "microseconds_ago": 1}
    ],
    "ended": "done",
    "why": "ü 100 %",
    "counted": {"merged": 2},
    "fingerprints": ["f1", "f2"],
    "of_type": "skill",
    "folders": ["api/", "50 %/"],
    "places": [7],
    "ranks": [0],
    "targets": ["api/ünï 100 %.md"],
    "path": "api/auth.md",
    "states": ["queued", "running"],
    "limit": 2,
    "dirty": False,
    "since": 0,
    "more_curations": 2,
    "more_sessions": 1,
    "wait": timedelta(seconds=120),
    "digest_wait": timedelta(hours=1),
    "compaction_wait": timedelta(days=1),
    "verdict": {"gate": "time", "reason": "ü"},
    "next_check": datetime(2026, 1, 2, tzinfo=UTC),
    "quarantined": True,
    "fully_checked": datetime(2026, 1, 1, tzinfo=UTC),
}
_CALL: Values = {
    "id": "call_1",
    "phase": "prune",
    "key": "q1",
    "model": "scripted",
    "outcome": "ok",
    "detail": "",
    "answer": {"keep": [True, None]},
    "input_tokens": 1,
    "output_tokens": 2,
    "cached_tokens": 3,
    "cache_write_tokens": 4,
    "cost_usd": 0.25,
    "latency_ms": 5,
    "saved_usd": None,
    "prompt": {"system": ["Rules"], "question": ["A text"]},
}


@pytest.mark.parametrize("name", sorted(FIXED))
def test_a_fixed_statement_does_what_its_expression_does(ports: Ports, tenant: str, dream: Dream, name: str) -> None:
    fixed, values = FIXED[name], _find_values(dream, name)
    given = {parameter: values[parameter] for parameter in fixed.parameters}
    with ports.db.transaction(tenant) as uow:
        expected = _outcome(uow, fixed.expression, given)
        found = _outcome(uow, fixed, given)
    assert expected[0], f"{name} did nothing with this data, so that nothing was compared"
    assert found == expected


def _outcome(uow: UnitOfWork, statement: Expression | Fixed, values: Values) -> tuple[object, dict[str, list[object]]]:
    """Return the rows, or the number of rows written, and what all tables hold then; all of it is rolled back."""
    connection: Connection = uow._connection  # type: ignore[attr-defined] # of PostgreSQL's unit of work
    expression = statement.expression if isinstance(statement, Fixed) else statement
    savepoint = connection.begin_nested()
    try:
        is_silent = isinstance(expression, UpdateBase) and not len(expression.exported_columns)
        answer = (
            execute(connection, statement, values)
            if is_silent
            else [_without_mark(row) for row in fetch(connection, statement, values)]
        )
        begun, ended = connection.execute(select(func.now(), func.clock_timestamp())).one()
        readable = [one for one in SQLModel.metadata.sorted_tables if one.name != SearchLogRow.__tablename__]
        return answer, {table.name: _rows(connection, table, begun, ended) for table in readable}
    finally:
        savepoint.rollback()


def _without_mark(row: Row) -> dict[str, object]:
    """Leave out the oldest open transaction: another connection may have begun or ended one between two statements."""
    return {name: value for name, value in row.items() if name != "mark"}


def _rows(connection: Connection, table: Table, begun: datetime, ended: datetime) -> list[object]:
    """Return the rows; a moment that was read from the clock since the transaction began differs from run to run."""

    def known(value: object) -> object:
        return "by the clock" if isinstance(value, datetime) and begun < value <= ended else value

    return sorted((tuple(map(known, row)) for row in connection.execute(select(table))), key=repr)


@pytest.mark.parametrize("name", sorted(FIXED))
def test_psycopg_keeps_the_text_of_a_fixed_statement(name: str) -> None:
    """psycopg parses a text that is longer than this with every call, which costs more than compiling it once saves."""
    assert len(FIXED[name].sql) <= MAX_CACHED_STATEMENT_LENGTH


def test_the_documentation_lists_each_fixed_statement_with_its_reason() -> None:
    listed = dict(re.findall(r"^\| `([\w.]+)` \| (.+) \|$", _DOCS.read_text(), re.MULTILINE))
    assert listed == {name: fixed.reason for name, fixed in FIXED.items()}
