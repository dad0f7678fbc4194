"""A request to remember something for a while: it is kept with its last day, and in no memory that lasts."""

from datetime import UTC, date, datetime

import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.memory.expiry import read_expiry
from shared.core.memory.model import Memory, MemoryKind, kind_of
from tests.support.builders import run_dream, take_picture, write
from tests.support.session_builders import tell

#: A Wednesday, at an hour at which the day is certain without a time zone.
SAID_AT = datetime(2026, 3, 4, 10, tzinfo=UTC)


def knowledge(ports: Ports, tenant: str) -> list[Memory]:
    found = take_picture(ports, tenant).memories.values()
    return [one for one in found if kind_of(one.path) is MemoryKind.TOPIC]


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("Remember until 12 October 2099 that the staging database is read only.", date(2099, 10, 12)),
        ("Remember that the staging database is read only until 12 October 2099.", date(2099, 10, 12)),
        ("Remember that the staging database is read only.", None),
        ("Remember that the licence of the staging database is valid until 12 October 2099.", None),
    ],
)
def test_a_request_becomes_a_memory_with_the_day_that_it_names(
    said: str, day: date | None, ports: Ports, tenant: str
) -> None:
    tell(ports, tenant, "s1", said)
    run_dream(ports, tenant, OfflineLlm())
    (made,) = knowledge(ports, tenant)
    assert "read only" in made.content or "licence" in made.content
    assert read_expiry(made.content) == day


def test_what_was_asked_for_one_week_is_over_when_the_week_is(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "s1", "Remember for one week that the staging database is read only.", at=SAID_AT)
    run_dream(ports, tenant, OfflineLlm())
    (made,) = knowledge(ports, tenant)
    assert read_expiry(made.content) == date(2026, 3, 11)


def test_what_lasts_and_what_holds_for_a_while_do_not_share_a_memory(ports: Ports, tenant: str) -> None:
    lasting = "# Staging database\n\nThe staging database runs PostgreSQL 17.\n"
    write(ports, tenant, {"ops/staging-database.md": lasting})
    tell(ports, tenant, "s1", "Remember until 12 October 2099 that the staging database is read only.")
    run_dream(ports, tenant, OfflineLlm())
    tell(ports, tenant, "s2", "Remember that the staging database is read only for guests.")
    run_dream(ports, tenant, OfflineLlm())
    ends = {read_expiry(one.content): one.content for one in knowledge(ports, tenant)}
    assert set(ends) == {None, date(2099, 10, 12)}
    assert "guests" not in ends[date(2099, 10, 12)]
