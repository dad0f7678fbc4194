"""The memory of a day: its list and its search answer from the versions that were current when the day ended."""

from datetime import UTC, date, datetime, timedelta
from typing import Any, Protocol

import psycopg
import pytest

from shared.all_ports import Ports
from shared.services.memories.edit import Expected, archive_memory
from shared.services.memories.read import get_memory
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.support.builders import write

TODAY = datetime.now(UTC).date()
WEEK_AGO, YESTERDAY, TOMORROW = (TODAY + timedelta(days=away) for away in (-7, -1, 1))


class Ask(Protocol):
    """Gets a list of the API."""

    def __call__(self, what: str, **query: object) -> list[dict[str, Any]]: ...


def move(owner: psycopg.Connection, tenant: str) -> None:
    owner.execute("UPDATE memory_versions SET created_at = now() - interval '3 days' WHERE tenant_id = %s", [tenant])


@pytest.fixture
def past(ports: Ports, tenant: str, owner_connection: psycopg.Connection) -> None:
    """Three days ago there were two memories; since then the one was rewritten, the other archived, and a third came."""
    write(ports, tenant, {"ops/port.md": "# Port\n\nThe port is 80.\n", "ops/rota.md": "# Rota\n\nAda is on call.\n"})
    move(owner_connection, tenant)
    write(ports, tenant, {"ops/port.md": "# Port\n\nThe port is 443.\n", "ops/new.md": "# New\n\nThe port opens.\n"})
    rota = get_memory(ports.db, tenant, "default", "ops/rota.md")
    archive_memory(ports.db, tenant, "default", rota.id, expected=Expected(), actor="ada")


@pytest.fixture
def ask(ports: Ports, tenant: str) -> Ask:
    client, key = a_client(an_app(ports)), bearer(a_token(ports, tenant))

    def get(what: str, **query: object) -> list[dict[str, Any]]:
        answer = client.get(
            f"/api/stores/default/{what}", params={name: str(value) for name, value in query.items()}, headers=key
        )
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["data"]
        return found

    return get


@pytest.mark.usefixtures("past")
def test_a_list_of_a_day_holds_what_was_live_then_in_the_version_of_that_day(ask: Ask) -> None:
    def versions(day: date, **query: object) -> list[tuple[str, int]]:
        return [(one["path"], one["version"]) for one in ask("memories", as_of=day, **query)]

    assert versions(WEEK_AGO) == []
    assert versions(YESTERDAY) == [("ops/port.md", 1), ("ops/rota.md", 1)]
    assert versions(YESTERDAY, prefix="ops/r") == [("ops/rota.md", 1)]
    assert versions(TOMORROW) == [("ops/new.md", 1), ("ops/port.md", 2)]
    assert len(versions(date.max, limit=1)) == 1


@pytest.mark.usefixtures("past")
def test_a_search_of_a_day_finds_what_was_said_then_and_not_what_was_said_later(ask: Ask) -> None:
    def finds(words: str, day: date) -> list[str]:
        return [one["path"] for one in ask("search", q=words, as_of=day)]

    assert [finds(words, YESTERDAY) for words in ("80", "443", "Ada")] == [["ops/port.md"], [], ["ops/rota.md"]]
    assert [finds(words, TOMORROW) for words in ("80", "443", "Ada")] == [[], ["ops/port.md"], []]


def test_a_search_of_a_day_leaves_out_what_had_expired_by_then(
    ask: Ask, ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    write(ports, tenant, {"ops/freeze.md": f"---\nexpires: {YESTERDAY}\n---\n# Freeze\n\nNothing is deployed.\n"})
    move(owner_connection, tenant)
    assert [len(ask("search", q="deployed", as_of=day)) for day in (YESTERDAY, TOMORROW)] == [1, 0]


def test_a_day_before_a_memory_came_here_is_answered_from_what_it_says_held_until_after_that_day(
    ask: Ask, ports: Ports, tenant: str
) -> None:
    told = f"- “The port is 80.” — until {YESTERDAY}\n- “The port is 70.” — no longer so on {WEEK_AGO}, see old.md\n"
    write(ports, tenant, {"ops/port.md": f"# Port\n\nThe port is 443.\n\n## Superseded\n\n{told}"})
    found = {words: ask("search", q=words, as_of=WEEK_AGO) for words in ("80", "70", "443")}
    assert {words: len(hits) for words, hits in found.items()} == {"80": 1, "70": 0, "443": 0}
    assert [one["path"] for one in ask("memories", as_of=WEEK_AGO)] == ["ops/port.md"]
    assert ask("memories", as_of=YESTERDAY) == []
