"""Evaluations that run in this process, and all rows of a tenant as they are."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import psycopg

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.evaluation.model import Evaluation, EvaluationOrder
from shared.ports.llm import Llm
from shared.services.evaluation.evaluations import get_evaluation, start_evaluation
from shared.settings import Settings
from tests.integration.tenancy.isolation_support import TENANT_TABLES
from tests.support.builders import LONG_AGO, run_dream, texts, write
from tests.support.servers import plain_url
from workers.evaluation.advance import advance_evaluation
from workers.phases import CATALOG

#: More messages than any evaluation of these tests takes.
_MOST_MESSAGES = 60


def fill(ports: Ports, tenant: str, store: str = "bot", notes: int = 6) -> None:
    """Write a store in which a dream has something to do: notes, and one of them twice."""
    contents = {
        f"ops/service-{number}.md": f"# Service {number}\n\nService Ariane{number} listens on port 90{number:02}, owned by Team-{number}.\n"
        for number in range(notes)
    }
    contents["ops/again.md"] = contents["ops/service-1.md"]
    write(ports, tenant, texts(contents, at=LONG_AGO), store=store)


def begin(ports: Ports, tenant: str, **order: Any) -> Evaluation:
    quiet = replace(ports, dispatch=RecordingDispatch())
    return start_evaluation(quiet, tenant, EvaluationOrder(**{"store": "bot", "actor": "a test", **order}), CATALOG)


def drive(ports: Ports, tenant: str, evaluation_id: str, llm: Llm | None = None) -> Evaluation:
    """Carry out all messages of an evaluation until it has ended, and its dreams."""
    dispatch = RecordingDispatch()
    here = replace(ports, dispatch=dispatch)
    for _ in range(_MOST_MESSAGES):
        advance_evaluation(here, tenant, evaluation_id)
        evaluation = get_evaluation(ports.db, tenant, evaluation_id)
        if not evaluation.is_active:
            return evaluation
        dream_queued(ports, tenant, dispatch, llm)
    raise AssertionError(f"It did not end: {evaluation.progress}")


def dream_queued(ports: Ports, tenant: str, dispatch: RecordingDispatch, llm: Llm | None = None) -> None:
    """Run the dreams of copies that were sent."""
    sent, dispatch.dreams = list(dispatch.dreams), []
    for _, store, dream_id in sent:
        run_dream(replace(ports, db=ports.db.with_shadows()), tenant, llm, store=store, dream_id=dream_id)


@contextmanager
def all_rows(settings: Settings) -> Iterator[psycopg.Connection]:
    """Open a connection that sees every row."""
    with psycopg.connect(plain_url(settings.owner_database_url), autocommit=True) as connection:
        connection.execute("SET ROLE slowwave_backup")
        yield connection


def rows_of(connection: psycopg.Connection, tenant: str, without: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """Return all rows of a tenant as texts, by table; tables without rows are left out."""
    found = {}
    for table in TENANT_TABLES:
        if table not in without:
            rows = connection.execute(f"SELECT t::text FROM {table} t WHERE tenant_id = %s ORDER BY 1", [tenant])
            found[table] = [text for (text,) in rows.fetchall()]
    return {table: rows for table, rows in found.items() if rows}
