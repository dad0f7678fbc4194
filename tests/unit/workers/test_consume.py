"""The end of a dream: what each phase has used up of its store, by how it ended, and how the parts add up."""

from collections.abc import Collection
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from shared.core.dream.model import PhaseRun, PhaseState
from shared.core.merging.calls import Group
from shared.core.sessions.excerpts import Excerpt, ExcerptLine
from shared.core.sessions.model import Window
from shared.core.tenants.store import PendingMerge
from shared.ports.database import UnitOfWork
from tests.unit.builders import NOW, memory
from tests.unit.phases.reading import DREAM
from workers.dream.consume import add_up
from workers.phase.shape import Consumed, Coverage, EndedPhase, Phase
from workers.phases.consolidate import phase as consolidate
from workers.phases.gather import phase as gather
from workers.phases.gather.groups import GatherGroup
from workers.phases.merge_skills import phase as merge_skills
from workers.phases.orient import phase as orient

DONE, PARTIAL, SKIPPED, FAILED, RUNNING = (
    PhaseState.DONE,
    PhaseState.PARTIAL,
    PhaseState.SKIPPED,
    PhaseState.FAILED,
    PhaseState.RUNNING,
)
HINT = PendingMerge(source_path="web/a.md", target_path="web/b.md", reason="the same", suggested_by="drm_0")


def ended(
    phase: Phase,
    state: PhaseState,
    inputs: object | None = None,
    *,
    answered: Collection[str] = (),
    spared: Collection[str] = (),
    ordered: bool = False,
    counts: dict[str, int] | None = None,
) -> Consumed:
    """Return what a phase has used up that ended so."""
    uow: Any = SimpleNamespace(
        calls=SimpleNamespace(find_answers=lambda _dream, _phase: {key: {} for key in answered}),
        orders=SimpleNamespace(find=lambda _dream: object() if ordered else None),
    )
    run = PhaseRun(dream_id=DREAM.id, phase=phase.name, state=state, counts=counts or {})
    one: EndedPhase[Any] = EndedPhase(
        uow=cast("UnitOfWork", uow), dream=DREAM, run=run, inputs=inputs, spared=frozenset(spared)
    )
    return phase.consume(one)


def group(key: str, *paths: str) -> Group:
    return Group(key=key, domain="web", changed=tuple(memory(path) for path in paths), related=())


CONSOLIDATED = consolidate.Inputs(
    groups=(group("one", "web/a.md"), group("two", "web/b.md")),
    live_paths=frozenset(),
    hints=(HINT,),
    changed=2,
    settled=0,
)


@pytest.mark.parametrize(
    ("state", "answered", "spared", "coverage", "unread"),
    [
        (DONE, (), (), Coverage.READ, set()),
        (SKIPPED, (), (), Coverage.READ, set()),
        (PARTIAL, ("one",), (), Coverage.READ, {"mem_web/b.md"}),
        (PARTIAL, ("one",), ("two",), Coverage.READ, set()),
        (FAILED, ("two",), (), Coverage.READ, {"mem_web/a.md"}),
        (FAILED, (), (), Coverage.MISSED, set()),
        (PARTIAL, (), ("two",), Coverage.MISSED, set()),
        (RUNNING, (), (), Coverage.MISSED, set()),
    ],
)
def test_a_changed_memory_stays_changed_until_an_answer_covers_it(
    state: PhaseState, answered: Collection[str], spared: Collection[str], coverage: Coverage, unread: set[str]
) -> None:
    found = ended(consolidate.PHASE, state, CONSOLIDATED, answered=answered, spared=spared)
    assert (found.memories, set(found.unread), found.hints) == (coverage, unread, (HINT,))


def test_memories_were_not_looked_at_when_the_time_was_up_before() -> None:
    assert ended(consolidate.PHASE, SKIPPED, counts={"missing_time_budget": 1}).memories is Coverage.MISSED


def excerpt(session: str) -> Excerpt:
    line = ExcerptLine(position=1, event_id="e1", role="user", at=NOW, text="Use tabs.", is_hit=True)
    return Excerpt(session_id=session, lines=(line,), reasons=("preference at [1]",))


WINDOWS = tuple(Window(session_id=name, after=0, upto=9) for name in ("s1", "s2", "s3"))
GATHERED = gather.Inputs(
    groups=(
        GatherGroup(key="one", excerpts=(excerpt("s1"), excerpt("s2")), existing=()),
        GatherGroup(key="two", excerpts=(excerpt("s2"),), existing=()),
    ),
    windows=WINDOWS,
    live_paths=frozenset(),
    time_zone="UTC",
)


@pytest.mark.parametrize(
    ("state", "answered", "advanced"),
    [(DONE, (), {"s1", "s2", "s3"}), (PARTIAL, ("one",), {"s1", "s3"}), (PARTIAL, (), {"s3"})],
)
def test_the_cursor_of_a_session_with_an_open_question_stays(
    state: PhaseState, answered: Collection[str], advanced: set[str]
) -> None:
    found = ended(gather.PHASE, state, GATHERED, answered=answered)
    assert found.sessions is Coverage.READ
    assert {window.session_id for window in found.windows} == advanced


def piece(session: str, position: int) -> Excerpt:
    """A piece of a session whose hit has this position, behind a line of context."""
    (line,) = excerpt(session).lines
    before = replace(line, position=position - 1, is_hit=False)
    return Excerpt(session_id=session, lines=(before, replace(line, position=position)), reasons=("save at [1]",))


@pytest.mark.parametrize(
    ("answered", "upto"),
    [
        (("one", "two", "three"), 9),
        (("one", "two"), 6),
        (("one",), 4),
        (("one", "three"), 4),
        (("two", "three"), None),
        ((), None),
    ],
)
def test_the_cursor_moves_to_the_first_piece_of_a_session_that_has_no_answer(
    answered: Collection[str], upto: int | None
) -> None:
    groups = tuple(
        GatherGroup(key=key, excerpts=(piece("s1", position),), existing=())
        for key, position in (("one", 2), ("two", 5), ("three", 7))
    )
    found = ended(
        gather.PHASE,
        PARTIAL,
        replace(GATHERED, groups=groups, windows=(replace(WINDOWS[0], after=1),)),
        answered=answered,
    )
    assert {window.upto for window in found.windows} == ({upto} if upto else set())
    waits = upto is not None and upto < 9
    assert found.waiting_sessions == waits, "the rest is asked about at once, unless nothing could be read"


def unmarked(session: str) -> Excerpt:
    (line,) = excerpt(session).lines
    return Excerpt(session_id=session, lines=(replace(line, is_hit=False),), reasons=())


def test_a_message_without_a_hit_lets_a_session_wait_only_if_no_hit_of_it_is_paid_for_again() -> None:
    groups = (
        GatherGroup(key="one", excerpts=(excerpt("s1"),), existing=()),
        GatherGroup(key="two", excerpts=(unmarked("s1"), unmarked("s2")), existing=()),
    )
    found = ended(gather.PHASE, PARTIAL, replace(GATHERED, groups=groups), answered=("one",))
    assert {window.session_id for window in found.windows} == {"s1", "s3"}


def test_a_dream_with_an_order_leaves_the_cursors_to_the_dreams_of_the_sessions_own_stores() -> None:
    found = ended(gather.PHASE, DONE, GATHERED, ordered=True)
    assert (found.sessions, found.windows) == (Coverage.READ, ())


@pytest.mark.parametrize(
    ("state", "counts", "coverage"),
    [
        (SKIPPED, {}, Coverage.NOTHING),
        (SKIPPED, {"missing_time_budget": 1}, Coverage.MISSED),
        (FAILED, {}, Coverage.MISSED),
    ],
)
def test_sessions_count_as_missed_unless_there_was_nothing_new(
    state: PhaseState, counts: dict[str, int], coverage: Coverage
) -> None:
    assert ended(gather.PHASE, state, GATHERED, counts=counts) == Consumed(sessions=coverage)


def test_later_phases_are_offered_the_excerpts_of_every_question() -> None:
    assert [one.session_id for one in gather.PHASE.offer(GATHERED).excerpts] == ["s1", "s2", "s2"]


def test_skills_that_no_model_has_looked_at_stay_changed() -> None:
    skills = merge_skills.Inputs(
        skills=(memory("skills/deploy/SKILL.md"),),
        names=(),
        files=(),
        sparse=(),
        uses=(),
        recent={},
        pairs=(),
        content_cap_chars=100,
    )
    assert ended(merge_skills.PHASE, FAILED, skills).unread == {"mem_skills/deploy/SKILL.md"}
    assert ended(merge_skills.PHASE, PARTIAL, skills).unread == {"mem_skills/deploy/SKILL.md"}
    assert ended(merge_skills.PHASE, PARTIAL, skills, answered=("skills",)) == Consumed()


SURVEYED = orient.Inputs(
    live_memories=5, dirty=(("mem_1", 3),), changed_topics=1, domains={}, pending_merges=0, curations=4, sessions=2
)


def test_the_survey_says_what_there_was_to_use_up() -> None:
    assert ended(orient.PHASE, DONE, SURVEYED) == Consumed(changed=(("mem_1", 3),), curations=4, session_activity=2)


@pytest.mark.parametrize("phase", [orient.PHASE, gather.PHASE, consolidate.PHASE, merge_skills.PHASE])
def test_inputs_that_were_redacted_use_up_nothing_of_the_store(phase: Phase) -> None:
    found = ended(phase, DONE)
    assert replace(found, memories=Coverage.NOTHING, sessions=Coverage.NOTHING) == Consumed()


def test_the_shares_that_phases_consumed_add_up_and_one_reader_is_enough() -> None:
    survey = Consumed(changed=(("mem_1", 3),), curations=4)
    parts = [survey, Consumed(memories=Coverage.MISSED, sessions=Coverage.MISSED), Consumed(memories=Coverage.READ)]
    assert add_up(parts) == replace(survey, memories=Coverage.READ, sessions=Coverage.MISSED)
    assert add_up([]) == Consumed()
