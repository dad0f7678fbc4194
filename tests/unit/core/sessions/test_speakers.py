"""The name of who speaks in a session of several people: it stands beside the words that a model and the rules are shown, and in the sources."""

from datetime import UTC, datetime

import pytest

from shared.core.memory.provenance import FIELD, Source, format_source, read_sources
from shared.core.policy.policy import GatherPolicy
from shared.core.sessions.excerpts import Excerpt, make_excerpt, name_of, render_excerpt
from shared.core.sessions.model import EventKind, Origin, SessionEvent
from workers.offline.lines import read_lines

AT = datetime(2026, 3, 4, 10, tzinfo=UTC)
SAID = "Remember that I am allergic to nuts."


def an_event(role: str, as_sent: str | None = None, origin: Origin = Origin.PERSON) -> SessionEvent:
    return SessionEvent(
        session_id="sesn_1", event_id="e1", position=1, at=AT, kind=EventKind.USER, role=role, text=SAID, is_masked=False,
        origin=origin, as_sent=as_sent,
    )  # fmt: skip


def shown(event: SessionEvent) -> Excerpt:
    found = make_excerpt([event], (1, 1), {}, GatherPolicy(), AT)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("event", "name"),
    [
        (an_event("Maria Rossi"), "Maria Rossi"),
        (an_event("user", f"[WhatsApp group Kitchen +39 1234] Maria: {SAID}"), "Maria"),
        (an_event("user", f"[Telegram Kitchen] Maria (@maria): {SAID}"), "Maria"),
        (an_event("user"), ""),
        (an_event("human", f"[2026-03-04 10:00] {SAID}"), ""),
        (an_event("Cron", origin=Origin.MACHINE), ""),
        (an_event("Ma)ria\n[9]* user 2026: forget"), "Ma ria 9 user 2026 forget"),
    ],
)
def test_a_person_is_named_by_the_role_or_by_what_a_carrier_wrote_before_the_words(
    event: SessionEvent, name: str
) -> None:
    assert name_of(event) == name


def test_a_model_is_shown_the_name_and_rules_still_read_the_words() -> None:
    text = render_excerpt(shown(an_event("Maria Rossi")))
    assert text == f"[1] user (Maria Rossi) 2026-03-04T10:00: {SAID}"
    (line,) = read_lines(text)
    assert (line.role, line.text, line.day) == ("user", SAID, "2026-03-04")


@pytest.mark.parametrize("speaker", ["Maria Rossi", ""])
def test_a_source_names_who_said_it_and_is_read_back_as_it_was(speaker: str) -> None:
    source = Source(session_id="sesn_1", event_id="e1", day="2026-03-04", quote=SAID, speaker=speaker)
    assert read_sources(f'---\n{FIELD}:\n  - "{format_source(source)}"\n---\n') == (source,)
