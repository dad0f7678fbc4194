"""Statements of a model that has passed its exam: what it is fairly sure of is written, and holds nothing else up."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from shared.core.dream.operations import Create, Operation, Plan, Rewrite
from shared.core.memory.model import Author, Memory
from shared.core.policy.policy import GatherPolicy
from shared.core.sessions.excerpts import Excerpt, ExcerptLine
from workers.phases.gather.answer import GatheredMemory
from workers.phases.gather.plan import GatherView, plan_gathering

DAY = datetime(2026, 3, 4, 10, tzinfo=UTC)
PIER = Memory(
    id="mem_1",
    path="harbour/pier.md",
    content="# Pier\n\nThe pier opens at eight.\n",
    author=Author.DREAM,
    created_at=DAY,
    updated_at=datetime(2026, 1, 1, tzinfo=UTC),
    touched_at=DAY,
)
LOG = Excerpt(
    session_id="sesn_1",
    reasons=(),
    lines=tuple(
        ExcerptLine(position=place, event_id=f"e{place}", role="log", at=DAY, text=text, is_hit=True)
        for place, text in enumerate(
            (
                "## Pier works",
                "- The crane of the pier lifts four tons",
                "- Inspected by Tidewater Survey",
                "- The pier opens at nine",
                "- Never moor at the pier in an easterly gale",
            ),
            1,
        )
    ),
)


def gathered(quote: str, statement: str, confidence: float, **fields: object) -> GatheredMemory:
    given = {"kind": "fact", "window": LOG.path, "title": "Pier", "target": PIER.path}
    return GatheredMemory.model_validate(
        given | {"quote": quote, "statement": statement, "confidence": confidence} | fields
    )


def plan(*found: GatheredMemory, is_trusted: bool = True, existing: tuple[Memory, ...] = (PIER,)) -> Plan:
    view = GatherView(
        excerpts=(LOG,),
        existing=existing,
        live_paths=frozenset(memory.path for memory in existing),
        policy=GatherPolicy(),
        resolve_dates=lambda text, _: text,
        now=DAY,
        is_trusted=is_trusted,
    )
    return plan_gathering(view, found)


def only(made: Plan) -> Operation:
    (operation,) = made.operations
    return operation


CRANE = gathered("The crane of the pier lifts four tons", "The crane of the pier lifts four tons.", 0.9)
SURVEY = gathered("Inspected by Tidewater Survey", "The pier was inspected by Tidewater Survey.", 0.6)
OPENS = gathered("The pier opens at nine", "The pier opens at nine.", 0.6, replaces="The pier opens at eight.")


def test_what_a_trusted_model_is_fairly_sure_of_is_written_and_flagged_and_an_untrusted_ones_waits() -> None:
    made = only(plan(CRANE, SURVEY))
    assert (made.propose_only, made.needs_review, made.confidence) == (None, True, 0.6)
    waits = only(plan(CRANE, SURVEY, is_trusted=False))
    assert waits.propose_only == "not certain enough to apply without a review"


def test_what_a_trusted_model_rather_does_not_believe_waits_for_a_person() -> None:
    unsure = SURVEY.model_copy(update={"confidence": 0.4})
    assert only(plan(unsure)).propose_only == "not certain enough to apply without a review"
    made = plan(CRANE, unsure)
    assert only(made).propose_only is None
    assert [skip.code for skip in made.skips] == ["doubtful"]


@pytest.mark.parametrize("replaces", ["The pier opens at eight.", None])
def test_nothing_is_replaced_on_half_a_word(replaces: str | None) -> None:
    made = only(plan(OPENS.model_copy(update={"replaces": replaces})))
    assert made.propose_only == "not certain enough to apply without a review"
    sure = only(plan(OPENS.model_copy(update={"confidence": 0.9})))
    assert sure.propose_only is None


def test_a_trusted_model_may_draw_a_statement_from_several_lines_of_a_log_and_no_words_from_elsewhere() -> None:
    joined = gathered(
        "Inspected by Tidewater Survey", "The crane of the pier lifts four tons; inspected by Tidewater.", 0.8
    )
    assert only(plan(joined)).propose_only is None
    assert only(plan(joined, is_trusted=False)).propose_only == "the quoted words do not say it"
    invented = gathered(
        "Inspected by Tidewater Survey", "Tidewater Survey condemned the northern mole for rotten planks.", 0.9
    )
    assert only(plan(invented)).propose_only == "the quoted words do not say it"


def test_a_rule_in_a_log_is_what_the_agent_knows_and_no_preference_of_its_user() -> None:
    rule = gathered(
        "Never moor at the pier in an easterly gale",
        "Never moor at the pier in an easterly gale.",
        0.9,
        kind="preference",
    )
    made = only(plan(rule))
    assert made.propose_only is None
    assert "(fact)" in made.reason


@pytest.mark.parametrize(("lines", "grows"), [(20, True), (150, False)])
def test_a_long_root_file_is_corrected_and_does_not_grow(lines: int, grows: bool) -> None:
    told = "".join(f"- Berth {number} is {number + 3} metres long.\n" for number in range(lines))
    root = replace(PIER, path="MEMORY.md", content=f"# Harbour\n\nThe pier opens at eight.\n{told}")
    to_root = {"target": root.path, "title": "Crane"}
    made = only(plan(CRANE.model_copy(update=to_root), existing=(root,)))
    assert isinstance(made.changes[0], Rewrite if grows else Create)
    corrected = only(plan(OPENS.model_copy(update={"target": root.path, "confidence": 0.9}), existing=(root,)))
    assert isinstance(corrected.changes[0], Rewrite)


def test_what_a_model_calls_known_strengthens_the_memory_and_writes_nothing() -> None:
    known = gathered("The pier opens at nine", "From nine on one may enter the pier.", 0.8, kind="known")
    once = replace(
        PIER,
        content="---\ngathered_from:\n- 'sesn_0#e1 2026-03-01: Opens at nine'\n---\n# Pier\n\nThe pier opens at nine.\n",
    )
    (change,) = only(plan(known, existing=(once,))).changes
    assert isinstance(change, Rewrite)
    assert "sesn_1#e4" in change.content
    assert "one may enter" not in change.content
    made = plan(known, known.model_copy(update={"target": None}))
    assert (made.operations, [skip.code for skip in made.skips]) == ((), ["known_already", "known_already"])
