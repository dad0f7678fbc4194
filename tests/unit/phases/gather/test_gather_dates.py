"""The day of a statement from a session: that of the stamp in its message, else that of its time, where that is certain."""

from datetime import UTC, datetime

import pytest

from shared.core.dream.operations import Create, Rewrite
from shared.core.memory.model import Author, Memory
from shared.core.policy.policy import Policy
from shared.core.sessions.excerpts import Excerpt, ExcerptLine
from workers.phase.shape import Surroundings
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.gather.groups import GatherGroup
from workers.phases.gather.phase import Inputs, plan

DAY = datetime(2026, 3, 4, tzinfo=UTC)
BODY = "# Staging\n\nStaging broke down yesterday.\n"
STAGING = Memory(
    id="mem_1", path="ops/staging.md", content=BODY, author=Author.USER, created_at=DAY, updated_at=DAY, touched_at=DAY
)


def gathered(
    text: str,
    at: datetime,
    *,
    zone: str = "UTC",
    role: str = "user",
    target: str | None = None,
    replaces: str | None = None,
    statement: str = "",
) -> str:
    line = ExcerptLine(position=1, event_id="e1", role=role, at=at, text=text, is_hit=True)
    piece = Excerpt(session_id="sesn_1", lines=(line,), reasons=())
    group = GatherGroup(key="sessions#1", excerpts=(piece,), existing=(STAGING,))
    inputs = Inputs(groups=(group,), windows=(), live_paths=frozenset({STAGING.path}), time_zone=zone)
    words = text.rpartition("] ")[2].rpartition(" - ")[2]
    item = GatheredMemory(
        kind="fact", window=piece.path, quote=words, statement=statement or words, target=target, replaces=replaces, confidence=0.9
    )  # fmt: skip
    (operation,) = plan(inputs, {group.key: GatherAnswer(memories=(item,))}, AROUND).operations
    (change,) = operation.changes
    assert isinstance(change, Create | Rewrite)
    return change.content


AROUND = Surroundings(
    policy=Policy(), now=datetime(2026, 4, 1, tzinfo=UTC), dream_id="dream_1", live_memories=1, already_retired=0
)


SAID = "The van was sold yesterday."


def test_in_the_zone_of_its_tenant_a_late_message_has_the_local_day() -> None:
    assert "yesterday (2026-03-02)" in gathered(SAID, DAY.replace(hour=2), zone="America/New_York")
    assert "yesterday (2026-03-04)" in gathered(SAID, DAY.replace(hour=20), zone="Asia/Tokyo")


def test_without_a_zone_a_message_of_the_evening_gets_no_date() -> None:
    assert SAID in gathered(SAID, DAY.replace(hour=2))
    assert SAID in gathered(SAID, DAY.replace(hour=20))
    assert "yesterday (2026-03-03)" in gathered(SAID, DAY.replace(hour=10))


def test_a_stamp_in_the_message_goes_before_the_time_of_its_event() -> None:
    text = f"[Tue 2026-03-03 21:05 EST] {SAID}"
    assert "yesterday (2026-03-02)" in gathered(text, DAY.replace(hour=2, minute=5))


def test_a_stamp_far_from_the_time_of_its_message_was_pasted_and_dates_nothing() -> None:
    assert SAID in gathered(f"[2026-01-03 21:05] {SAID}", DAY.replace(hour=10))


def test_an_entry_of_a_log_is_of_the_day_of_its_log_at_any_hour() -> None:
    text = f"- 23:30 - {SAID}"
    assert "yesterday (2026-03-03)" in gathered(text, DAY.replace(hour=23), zone="Asia/Tokyo", role="log")
    assert SAID in gathered(f"- 23:30 UTC - {SAID}", DAY.replace(hour=23), role="log")


def test_adding_to_a_note_dates_none_of_its_own_words() -> None:
    text = gathered("Staging runs in eu-north-1.", DAY.replace(hour=10), target=STAGING.path)
    assert "Staging broke down yesterday.\n" in text
    assert "eu-north-1" in text


OLD = "Staging broke down yesterday."


@pytest.mark.parametrize(
    ("said", "statement", "day"),
    [
        ("Staging works again since 2 March.", "", "2026-03-02"),
        ("From Monday on staging is switched off.", "", "2026-03-09"),
        ("Staging works again since 2 March.", "Staging works again.", "2026-03-02"),
        ("Staging works again, and the release is on 2 March.", "", "2026-03-04"),
        ("Staging works again. Ana looks after it since 2 March.", "Staging works again.", "2026-03-04"),
    ],
)
def test_what_is_superseded_was_so_until_the_day_that_the_message_names_or_else_until_its_own(
    said: str, statement: str, day: str
) -> None:
    text = gathered(said, DAY.replace(hour=10), target=STAGING.path, replaces=OLD, statement=statement)
    assert f"“{OLD}” — until {day}, changed since" in text


def test_a_day_that_a_message_names_is_counted_from_the_speakers_own_day() -> None:
    text = gathered(
        "Since Monday staging works again.",
        DAY.replace(hour=23),
        zone="Asia/Tokyo",
        target=STAGING.path,
        replaces=OLD,
    )
    assert f"“{OLD}” — until 2026-03-02, changed since" in text
