"""The rows of a store's log of searches, as the owner of the tables sees them."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

import psycopg

from shared.all_ports import Ports
from shared.ports.evidence.search_log import Searched
from tests.support.builders import get_store

#: A Wednesday.
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


class Logged(NamedTuple):
    """The columns of a row that tests compare."""

    surface: str
    query: str
    shown: list[str]
    read_ids: list[str]
    outcome: str


def find_logged(owner: psycopg.Connection, tenant: str) -> list[Logged]:
    query = "SELECT surface, query, shown, read_ids, outcome FROM search_log WHERE tenant_id = %s ORDER BY asked_at, id"
    return [Logged(*row) for row in owner.execute(query, [tenant])]


def count_by_week(owner: psycopg.Connection, tenant: str) -> dict[date, int]:
    rows = owner.execute("SELECT week, count(*) FROM search_log WHERE tenant_id = %s GROUP BY week", [tenant])
    return dict(rows.fetchall())


def a_search(at: datetime = NOON, query: str = "cookies", key: str = "key_1", shown: tuple[str, ...] = ()) -> Searched:
    return Searched(key_id=key, surface="api", query=query, shown=shown, at=at)


def log_searches(ports: Ports, tenant: str, searches: list[Searched], **noted: Any) -> None:
    store = get_store(ports, tenant)
    with ports.db.transaction(tenant) as uow:
        given = [(ports.ids.new("srch"), one) for one in searches]
        uow.search_log(store.id).write(given, noted.get("reads", []), noted.get("told", []))


def weeks_before(weeks: int) -> datetime:
    return NOON - timedelta(weeks=weeks)
