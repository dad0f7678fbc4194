"""The gather phase: what it looks at, how far the cursors move, and what it makes of the answer."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from shared.core.dream.operations import Operation, OperationKind, Rewrite
from shared.core.memory.model import Memory
from shared.core.policy.policy import GatherPolicy, Policy, ShowPolicy
from shared.core.sessions.cues import DETECTOR_VERSION
from shared.core.sessions.model import CueHit, CueSpan, EventKind, EventMatch, Session, SessionEvent, Theme, Window
from shared.core.tenants.store import Tenant
from tests.unit.builders import NOW, codes, memory
from tests.unit.phases.reading import around, context
from workers.phase.shape import NothingToDo, PhaseContext
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.gather.phase import PHASE, Inputs
from workers.phases.prune.answer import PruneAnswer

SAVE = "Remember that the staging cluster runs in eu-north-1."


class ReadableSessions:
    """The reading half of a gather repository; a write is an AttributeError, because a phase never writes."""

    def __init__(self, *sessions: tuple[Session, list[SessionEvent]], themes: list[Theme] | None = None) -> None:
        self._sessions = {session.id: (session, events) for session, events in sessions}
        self._themes = themes or []

    def find_ungathered(self, limit: int) -> list[Session]:
        return [session for session, _ in self._sessions.values() if session.waiting][:limit]

    def find_cues(self, windows: Sequence[Window], *, limit: int) -> list[CueHit]:
        return [
            CueHit(
                session_id=event.session_id,
                event_id=event.event_id,
                position=event.position,
                at=event.at,
                cue=CueSpan(kind="save", start=found, end=found + 8),
            )
            for window in windows
            for event in self._events(window)
            if (found := event.text.find("Remember")) >= 0
        ][:limit]

    def find_windows(
        self, windows: Sequence[Window], *, max_chars: int, kinds: Collection[EventKind] | None = None
    ) -> list[list[SessionEvent]]:
        return [
            [
                replace(event, text=event.text[:max_chars])
                for event in self._events(window)
                if kinds is None or event.kind in kinds
            ]
            for window in windows
        ]

    def _events(self, window: Window) -> list[SessionEvent]:
        return [e for e in self._sessions[window.session_id][1] if window.after < e.position <= window.upto]

    def find_themes(self, *, min_sessions: int, limit: int, **_: object) -> list[Theme]:
        return [theme for theme in self._themes if theme.sessions >= min_sessions][:limit]

    def search(self, *_: object, **__: object) -> list[EventMatch]:
        return []


def session(
    *lines: str | tuple[EventKind, str], name: str = "sesn_1", **values: Any
) -> tuple[Session, list[SessionEvent]]:
    pairs = [line if isinstance(line, tuple) else (EventKind.USER, line) for line in lines]
    events = [
        SessionEvent(
            session_id=name, event_id=f"e{n}", position=n, at=NOW, kind=kind, role="user", text=text, is_masked=False
        )
        for n, (kind, text) in enumerate(pairs, 1)
    ]
    searched = {"searched_position": len(events), "detector_version": DETECTOR_VERSION}
    known = {"last_position": len(events), **searched, **values}
    return Session(id=name, store_id="sto_1", external_id=name, source="plain", **known), events


def a_context(
    repository: ReadableSessions,
    *memories: Memory,
    policy: GatherPolicy | None = None,
    show: ShowPolicy | None = None,
    has_model: bool = True,
) -> PhaseContext:
    policies = Policy(gather=policy or GatherPolicy(), show=show or ShowPolicy())
    made = context(*memories, policy=policies, has_model=has_model)
    uow: Any = made.uow
    uow.gathering = lambda _id, _chosen: repository
    uow.orders = SimpleNamespace(find=lambda _id: None)
    uow.stores = SimpleNamespace(get_tenant=lambda: Tenant(id="acme"))
    return made


def read(
    repository: ReadableSessions,
    *memories: Memory,
    policy: GatherPolicy | None = None,
    show: ShowPolicy | None = None,
    has_model: bool = True,
) -> Inputs:
    found = PHASE.read(a_context(repository, *memories, policy=policy, show=show, has_model=has_model))
    assert isinstance(found, Inputs)
    return found


def shown(inputs: Inputs) -> str:
    return "\n".join(document.text for question in PHASE.ask(inputs) for document in question.documents)


def test_without_new_sessions_it_is_skipped_and_costs_nothing() -> None:
    assert PHASE.read(a_context(ReadableSessions())) == NothingToDo("no new sessions")


def test_a_hit_is_shown_with_the_speech_around_it_and_not_with_what_tools_said() -> None:
    inputs = read(
        ReadableSessions(
            session(
                "far away",
                "what is the region of staging?",
                (EventKind.TOOL_RESULT, "tool output"),
                (EventKind.ASSISTANT, "I do not know."),
                SAVE,
                (EventKind.META, "meta line"),
                (EventKind.ASSISTANT, "Noted."),
                (EventKind.ASSISTANT, "Something else."),
            )
        ),
        has_model=False,
    )
    text = shown(inputs)
    assert all(part in text for part in ("what is the region", "I do not know.", SAVE, "Noted."))
    assert not any(part in text for part in ("far away", "tool output", "meta line", "Something else."))


def test_without_a_model_nothing_worth_reading_asks_nothing_but_moves_the_cursor() -> None:
    inputs = read(ReadableSessions(session("hello", "good morning")), has_model=False)
    assert PHASE.ask(inputs) == ()
    assert inputs.windows == (Window(session_id="sesn_1", after=0, upto=2),)
    assert codes(PHASE.plan(inputs, {}, around())) == ["no_cues"]


def test_more_hits_than_a_dream_may_read_leave_the_cursor_before_the_first_unread_one() -> None:
    lines = [SAVE, "so", SAVE, "and", SAVE]
    inputs = read(ReadableSessions(session(*lines)), policy=GatherPolicy(max_windows=2))
    assert inputs.windows == (Window(session_id="sesn_1", after=0, upto=4),)


def test_sessions_beyond_the_budget_are_left_for_the_next_dream() -> None:
    repository = ReadableSessions(session(SAVE, name="sesn_1"), session(SAVE, name="sesn_2"))
    inputs = read(repository, policy=GatherPolicy(max_windows=1))
    assert [window.session_id for window in inputs.windows] == ["sesn_1"]


@pytest.mark.parametrize("known", [{"detector_version": DETECTOR_VERSION - 1}, {"searched_position": 1}])
def test_an_event_in_which_todays_cues_were_not_found_yet_is_left_for_the_next_dream(known: dict[str, int]) -> None:
    searched = session(SAVE, name="sesn_1")
    repository = ReadableSessions(searched, session("some words", SAVE, name="sesn_2", **known))
    inputs = read(repository, has_model=False)
    assert all(document.path.startswith("sesn_1") for question in PHASE.ask(inputs) for document in question.documents)
    assert max((one.upto for one in inputs.windows if one.session_id == "sesn_2"), default=1) == 1
    assert inputs.left == 1


def test_an_estimate_which_stores_nothing_finds_the_cues_itself() -> None:
    waiting = session("some words", SAVE, searched_position=0, detector_version=0)
    inputs = PHASE.read(replace(a_context(ReadableSessions(waiting)), is_estimate=True))
    assert isinstance(inputs, Inputs)
    assert SAVE in shown(inputs)


def test_a_recurring_term_brings_the_lines_that_say_it() -> None:
    theme = Theme(term="goreleaser", sessions=2, places=(("sesn_1", 1), ("sesn_2", 1)))
    repository = ReadableSessions(
        session("goreleaser is red", name="sesn_1"), session("look at goreleaser", name="sesn_2"), themes=[theme]
    )
    text = shown(read(repository))
    assert "goreleaser is red" in text
    assert "look at goreleaser" in text


def test_a_huge_line_is_shown_in_part_around_its_hit() -> None:
    inputs = read(ReadableSessions(session("Remember " + "x" * 1_000_000)), policy=GatherPolicy(line_chars=500))
    assert len(shown(inputs)) < 1_000


def test_calls_are_of_bounded_size() -> None:
    sessions = [session(SAVE + " y" * 700, name=f"sesn_{n}") for n in range(30)]
    inputs = read(ReadableSessions(*sessions), policy=GatherPolicy(payload_cap_chars=5_000))
    sizes = [sum(len(document.text) for document in question.documents) for question in PHASE.ask(inputs)]
    assert len(sizes) > 1
    assert max(sizes) <= 5_000


def test_the_memories_that_are_about_the_same_are_shown_with_the_excerpt() -> None:
    about = memory("ops/staging.md", "# Staging\n\nThe staging cluster has four nodes.\n")
    other = memory("ops/paper.md", "# Paper\n\nPrinters need paper.\n")
    (question,) = PHASE.ask(read(ReadableSessions(session(SAVE)), about, other))
    assert [d.path for d in question.documents if d.role == "existing"] == ["ops/staging.md"]


@pytest.mark.parametrize("answer", [None, PruneAnswer(), GatherAnswer()])
def test_an_answer_that_is_missing_of_another_shape_or_empty_changes_nothing(answer: Any) -> None:
    inputs = read(ReadableSessions(session(SAVE)))
    answers = {} if answer is None else {inputs.groups[0].key: answer}
    assert PHASE.plan(inputs, answers, around()).operations == ()


def test_a_statement_with_its_quote_becomes_an_operation() -> None:
    inputs = read(ReadableSessions(session(SAVE)))
    window = inputs.groups[0].excerpts[0].path
    item = GatheredMemory(kind="save", window=window, quote=SAVE, statement="Staging runs in eu-north-1.")
    made = PHASE.plan(inputs, {inputs.groups[0].key: GatherAnswer(memories=(item,))}, around())
    assert [operation.kind for operation in made.operations] == ["GATHER"]


PHONE = "# Ann\n\n- The phone of Ann: 0170 1234567.\n- Ann likes tea.\n"
WISH = "I would rather not have that phone number of mine kept anywhere, thanks."


def a_wish(**values: str) -> GatherAnswer:
    told = {
        "kind": "forget",
        "quote": WISH,
        "statement": "my number",
        "target": "ann.md",
        "replaces": "The phone of Ann: 0170 1234567",
    }
    return GatherAnswer(memories=(GatheredMemory.model_validate({"window": "sesn_1#1-1", **told, **values}),))


def plan_wish(answer: GatherAnswer, *lines: str | tuple[EventKind, str]) -> list[Operation]:
    inputs = read(ReadableSessions(session(*lines)), memory("ann.md", PHONE))
    (question,) = PHASE.ask(inputs)
    return [*PHASE.plan(inputs, {question.key: answer}, around()).operations]


def test_a_request_to_forget_that_only_a_model_hears_becomes_a_proposal_to_take_out_the_statement() -> None:
    (operation,) = plan_wish(a_wish(), WISH)
    (change,) = operation.changes
    assert isinstance(change, Rewrite)
    assert (operation.kind, change.content) == (OperationKind.FORGET, "# Ann\n\n- Ann likes tea.\n")
    assert operation.propose_only
    assert f"a user asked on {NOW.date()} to forget “my number”" in operation.reason


def test_a_model_that_names_nothing_in_the_store_makes_a_person_look() -> None:
    (operation,) = plan_wish(a_wish(statement="the lake house", replaces=""), WISH)
    assert (operation.kind, operation.needs_review, operation.changes) == (OperationKind.FLAG, True, ())


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ((EventKind.ASSISTANT, WISH), {}),
        (f"Summarize this:\n\n> {WISH}", {}),
        (WISH, {"quote": "Forget the number of Ann."}),
        (WISH, {"window": "sesn_9#1-1"}),
    ],
)
def test_a_model_cannot_have_something_forgotten_that_no_person_asked_for(
    line: str | tuple[EventKind, str], told: dict[str, str]
) -> None:
    assert plan_wish(a_wish(**told), line, "Good morning, this is a message of mine.") == []
