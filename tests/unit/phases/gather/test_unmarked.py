"""With a model, what people said without a cue is shown as well: after every hit, within a budget, and in turns."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared.core.policy.policy import BYTES_A_TOKEN, GatherPolicy, ShowPolicy
from shared.core.questions.question import Document
from shared.core.sessions.model import EventKind, Origin, Session, SessionEvent
from tests.unit.builders import NOW, codes, memory
from tests.unit.phases.gather.test_gather import SAVE, ReadableSessions, a_context, read, session, shown
from tests.unit.phases.reading import around
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.gather.phase import PHASE, Inputs

PLAIN = "Od dziś bramka nasłuchuje na porcie 3007."
ASKED = (EventKind.ASSISTANT, "Which port is it now? " + "I looked everywhere. " * 100)


def pieces(inputs: Inputs) -> list[Document]:
    return [one for question in PHASE.ask(inputs) for one in question.documents if one.role == "session"]


def talks(count: int, words: str) -> list[tuple[Session, list[SessionEvent]]]:
    """Sessions of 30 messages each; the higher its number, the newer a session is."""
    lines = [f"{words} {number}" for number in range(30)]
    return [
        session(*lines, name=f"sesn_{number}", last_event_at=NOW + timedelta(hours=number)) for number in range(count)
    ]


def written_by(origin: Origin, one: tuple[Session, list[SessionEvent]]) -> tuple[Session, list[SessionEvent]]:
    return one[0], [replace(event, origin=origin) for event in one[1]]


def not_shown(inputs: Inputs) -> str:
    planned = PHASE.plan(inputs, {group.key: GatherAnswer() for group in inputs.groups}, around())
    return next((skip.detail for skip in planned.skips if skip.code == "not_shown"), "")


def test_a_plain_statement_is_shown_to_a_model_in_any_language_without_a_star_or_a_reason() -> None:
    (piece,) = pieces(read(ReadableSessions(session("cześć", PLAIN))))
    assert f"user 2026-03-10T12:00: {PLAIN}" in piece.text
    assert "*" not in piece.text
    assert piece.facts == ()


def test_without_a_model_only_hits_are_shown() -> None:
    inputs = read(ReadableSessions(session(PLAIN, *["so"] * 9, SAVE)), has_model=False)
    assert PLAIN not in shown(inputs)
    assert not_shown(inputs) == ""


def test_a_store_that_shows_hits_only_is_not_told_of_other_messages() -> None:
    inputs = read(ReadableSessions(session(PLAIN)), show=ShowPolicy(session_tokens=0))
    assert PHASE.ask(inputs) == ()
    assert codes(PHASE.plan(inputs, {}, around())) == ["no_cues"]


def test_an_estimate_prices_what_a_model_would_be_shown() -> None:
    inputs = PHASE.read(replace(a_context(ReadableSessions(session(PLAIN))), is_estimate=True))
    assert isinstance(inputs, Inputs)
    assert PLAIN in shown(inputs)


@pytest.mark.parametrize("tokens", [0, 60, 20_000])
def test_hits_are_shown_as_they_are_without_a_model_whatever_else_is(tokens: int) -> None:
    sessions = [session(*["plain words"] * 9, SAVE, ASKED, *["plain words"] * 9, name=f"sesn_{n}") for n in range(5)]

    def hits(inputs: Inputs) -> list[Document]:
        return [piece for piece in pieces(inputs) if piece.facts]

    alone = read(ReadableSessions(*sessions), has_model=False)
    beside = read(ReadableSessions(*sessions), show=ShowPolicy(session_tokens=tokens))
    assert len(hits(alone)) == 5
    assert hits(beside) == hits(alone) == pieces(beside)[:5]
    assert beside.windows == alone.windows


def test_a_message_beside_a_hit_is_not_shown_twice() -> None:
    inputs = read(ReadableSessions(session("the first words", SAVE)))
    assert shown(inputs).count("the first words") == 1


def test_the_budget_bounds_what_is_shown_and_the_dream_says_what_it_left_out() -> None:
    inputs = read(ReadableSessions(*talks(9, "some plain words")), show=ShowPolicy(session_tokens=1_000))
    text = shown(inputs)
    assert 500 < len(text) / BYTES_A_TOKEN <= 1_000
    left = 9 * 30 - text.count("some plain words")
    assert f"{left} messages of " in not_shown(inputs)
    assert "show.session_tokens" in not_shown(inputs)
    assert [window.upto for window in inputs.windows] == [30] * 9


def test_sessions_take_turns_the_newest_first_with_their_latest_messages() -> None:
    inputs = read(ReadableSessions(*talks(9, "some plain words")), show=ShowPolicy(session_tokens=1_000))
    ids = [one.path.partition("#")[0] for one in pieces(inputs)]
    assert ids == sorted(set(ids))
    assert ids[-1] == "sesn_8"
    assert all("some plain words 29" in one.text for one in pieces(inputs))
    assert not any("some plain words 0\n" in one.text for one in pieces(inputs))


@pytest.mark.parametrize("origin", [Origin.MACHINE, Origin.PASTED])
def test_what_no_person_wrote_is_not_chosen(origin: Origin) -> None:
    inputs = read(ReadableSessions(written_by(origin, session(PLAIN))))
    assert PHASE.ask(inputs) == ()
    assert codes(PHASE.plan(inputs, {}, around())) == ["no_cues"]


def test_a_message_that_is_pasted_as_a_whole_is_not_chosen() -> None:
    assert PHASE.ask(read(ReadableSessions(session("```\nserver:\n  port: 3007\n```")))) == ()


def test_neighbours_of_a_message_are_clipped_to_what_is_next_to_it() -> None:
    long = "Here is what I did. " * 100
    question = (EventKind.ASSISTANT, f"{long}Which port is it now?")
    (piece,) = pieces(
        read(ReadableSessions(session(question, "It's 3007 now", (EventKind.ASSISTANT, f"Noted. {long}"))))
    )
    assert "Which port is it now?" in piece.text
    assert "Noted." in piece.text
    assert len(piece.text) < 1_000


def test_of_a_long_message_the_own_words_are_shown() -> None:
    log = "```\n" + "INFO nothing happened\n" * 200 + "```\n"
    (piece,) = pieces(read(ReadableSessions(session(f"{log}The gateway listens on port 3007 since today."))))
    assert "port 3007 since today" in piece.text


def test_the_memory_that_a_statement_changes_is_offered() -> None:
    rota = memory("team/rituals.md", "# Rituals\n\nStand-up is at nine in the morning.\n")
    inputs = read(ReadableSessions(session("stand-up is at ten in the morning")), rota)
    assert inputs.groups[0].existing == (rota,)


def test_messages_without_a_hit_bring_no_more_memories_than_they_may_cost_themselves() -> None:
    many = [memory(f"ops/gateway-{n}.md", f"# Gateway {n}\n\n" + f"The gateway {n} listens. " * 40) for n in range(30)]
    inputs = read(
        ReadableSessions(*talks(5, "the gateway listens")), *many,
        policy=GatherPolicy(related_limit=20), show=ShowPolicy(session_tokens=1_000),
    )  # fmt: skip
    offered = {one.path: one for group in inputs.groups for one in group.existing}
    assert 0 < sum(len(one.content) for one in offered.values()) <= 1_000 * BYTES_A_TOKEN


def answer_for(inputs: Inputs, **values: Any) -> Sequence[str]:
    window = inputs.groups[0].excerpts[0].path
    item = GatheredMemory.model_validate({"window": window, "statement": PLAIN, "title": "Bramka", **values})
    made = PHASE.plan(inputs, {inputs.groups[0].key: GatherAnswer(memories=(item,))}, around())
    return [operation.kind for operation in made.operations] or codes(made)


def test_what_a_model_makes_of_a_message_without_a_hit_passes_the_same_checks() -> None:
    inputs = read(ReadableSessions(session((EventKind.ASSISTANT, "I always use port 3006."), PLAIN)))
    assert answer_for(inputs, kind="fact", quote=PLAIN) == ["GATHER"]
    assert answer_for(inputs, kind="fact", quote="these words were never said") == ["unfounded_quote"]
    assert answer_for(inputs, kind="preference", quote="I always use port 3006.") == ["not_the_users_words"]
