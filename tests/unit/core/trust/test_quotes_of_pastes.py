"""A quote counts as a person's if the person wrote it there, and not if its place shows that it was pasted."""

from datetime import UTC, datetime

import pytest

from shared.core.sessions.excerpts import Unsaid, find_unsaid, make_line
from shared.core.sessions.model import EventKind, SessionEvent
from shared.core.sessions.origin import find_origin
from tests.integration.trust.pasted_messages import ORDER, OWN, PASTED

AT = datetime(2026, 3, 2, tzinfo=UTC)


def find_in(message: str, quote: str = ORDER) -> Unsaid | None:
    found = find_origin(EventKind.USER, message)
    event = SessionEvent(
        session_id="s", event_id="e1", position=1, at=AT, kind=EventKind.USER, role="user", origin=found.origin,
        text=found.words, is_masked=False,
    )  # fmt: skip
    return find_unsaid(make_line(event, (0, 4_000), 4_000, AT, is_hit=True), quote)


@pytest.mark.parametrize("message", PASTED.values(), ids=PASTED)
def test_an_instruction_in_what_was_pasted_is_no_wish_of_a_person(message: str) -> None:
    assert find_in(message) is not None


@pytest.mark.parametrize("message", OWN.values(), ids=OWN)
def test_an_instruction_in_a_persons_own_words_is_theirs(message: str) -> None:
    assert find_in(message) is None


def test_a_quote_in_other_letters_is_not_taken_for_said_where_a_part_is_quoted() -> None:
    assert (
        find_in('He wrote "GROSSE Strassen sind immer gesperrt" to us.', "GROSSE Straßen sind immer gesperrt")
        is not None
    )
