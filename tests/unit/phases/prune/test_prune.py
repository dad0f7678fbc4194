"""The prune phase: whom it looks at, what it shows of them, and what it makes of the verdicts."""

from dataclasses import replace
from datetime import timedelta

import pytest

from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import Operation, OperationKind, PutBack, Retire
from shared.core.memory.model import Maturity, Memory, MemoryState, Signals
from shared.core.policy.policy import Policy
from shared.core.tenants.store import PendingMerge
from shared.ports.dreams import RecordedOperation
from tests.unit.builders import NOW, codes, memory
from tests.unit.phases.reading import around, context
from workers.phase.shape import Answers, NothingToDo
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.prune.answer import PruneAnswer
from workers.phases.prune.phase import PHASE, Inputs

OLD = memory(
    "notes/old.md",
    "# Oslo cluster\n\nThis note is obsolete. The cluster in Oslo is switched off. " + "More. " * 400,
    untouched_days=90,
)
NEW = memory("notes/new.md", "# Clusters\n\nThe cluster in Oslo was replaced by one in Bergen.")
OTHER = memory("billing/tax.md", "# Tax\n\nTax is rounded per line.")


def read(*memories: Memory, pending: tuple[PendingMerge, ...] = ()) -> Inputs:
    found = PHASE.read(context(*memories, pending=pending))
    assert isinstance(found, Inputs)
    return found


def verdict(decision: str, file: str = OLD.path, **more: object) -> Answers:
    ground = {"ground": "over", "quote": "This note is obsolete."} if decision == "ARCHIVE" else {}
    said = {"file": file, "decision": decision, **ground, **more}
    return {"candidates": PruneAnswer.model_validate({"decisions": [said]})}


@pytest.mark.parametrize(
    "memories",
    [
        (),
        (NEW, OTHER),
        (memory("a/x.md", untouched_days=900, maturity=Maturity.CORE),),
        (memory("a/x.md", untouched_days=900, signals=Signals(by_person=True)),),
        (memory("MEMORY.md", untouched_days=900),),
    ],
)
def test_without_candidates_there_is_nothing_to_do(memories: tuple[Memory, ...]) -> None:
    assert PHASE.read(context(*memories)) == NothingToDo("nothing is stale or low in importance")


def test_prune_runs_although_nothing_changed() -> None:
    assert isinstance(PHASE.read(context(OLD, changed=0)), Inputs)


def test_all_candidates_are_one_question_over_previews_with_what_is_known_of_them() -> None:
    (question,) = PHASE.ask(read(OLD, NEW, OTHER))
    candidate, neighbour = question.documents
    assert (candidate.path, candidate.role, candidate.text) == (OLD.path, "candidate", OLD.content[:1_000])
    assert candidate.facts == ("maturity draft", "importance 32", "untouched 90 days")
    assert (neighbour.path, neighbour.role) == (NEW.path, "neighbour")


def test_a_model_sees_the_beginning_of_a_candidate_and_half_as_much_of_what_it_may_go_into() -> None:
    long = " The hub in Malmo scans every parcel of the south at six." * 8
    inputs = read(replace(OLD, content=OLD.content + long), replace(NEW, content=NEW.content + long))
    (question,) = PHASE.ask(inputs)
    limit = Policy().prune.shown_chars
    for document, most in zip(question.documents, (limit, limit // 2), strict=True):
        assert most / 2 < len(document.excerpt) <= most < len(document.text)
    (whole,) = PHASE.ask(replace(inputs, shown_chars=0))
    assert {one.excerpt for one in whole.documents} == {""}


def test_the_closest_memory_is_left_out_when_it_is_about_something_else() -> None:
    cousin = memory(
        "notes/lunch.md", "# Lunch\n\nThe canteen in Oslo has soup on Mondays, and fish on every other day."
    )
    (question,) = PHASE.ask(read(OLD, cousin))
    assert [document.path for document in question.documents] == [OLD.path]


def test_a_memory_of_the_same_title_is_shown_however_else_it_is_worded() -> None:
    reworded = memory(
        "notes/oslo.md", "# The cluster in Oslo\n\nIts machines were sold, and no job runs there any more."
    )
    (question,) = PHASE.ask(read(OLD, reworded))
    assert [document.path for document in question.documents] == [OLD.path, reworded.path]


def test_at_most_twenty_are_looked_at_and_the_rest_is_counted() -> None:
    inputs = read(*(memory(f"a/{n:02}.md", f"Note {n}.", untouched_days=70 + n) for n in range(23)))
    assert (len(inputs.candidates), inputs.more) == (20, 3)


def test_an_archive_is_flagged_and_gives_the_signal_as_its_reason() -> None:
    (operation,) = PHASE.plan(read(OLD, NEW), verdict("ARCHIVE"), around()).operations
    assert operation.needs_review
    assert operation.reason == "Archive notes/old.md — low importance, stale"


def test_a_suggestion_that_waits_already_is_not_made_again() -> None:
    waiting = PendingMerge(source_path=OLD.path, target_path=NEW.path, reason="", suggested_by="drm_0")
    answers = verdict("MERGE_INTO", mergeTarget=NEW.path)
    (operation,) = PHASE.plan(read(OLD, NEW), answers, around()).operations
    assert operation.kind is OperationKind.SUGGEST_MERGE
    assert codes(PHASE.plan(read(OLD, NEW, pending=(waiting,)), answers, around())) == ["already_suggested"]


@pytest.mark.parametrize(("source", "target"), [(OLD, NEW), (NEW, OLD)])
def test_what_consolidate_has_proposed_to_merge_is_not_suggested_as_well(source: Memory, target: Memory) -> None:
    retire = Retire(
        memory_id=source.id, version=1, path=source.path, state=MemoryState.SUPERSEDED, superseded_by=target.path
    )
    proposed = RecordedOperation(
        id="op_1", dream_id="drm_1", store_id="sto_1", state=OperationState.PROPOSED,
        review=ReviewState.PENDING, position=0,
        operation=Operation(kind=OperationKind.MERGE, phase="consolidate", reason="The same.", changes=(retire,), confidence=0.9),
    )  # fmt: skip
    inputs = PHASE.read(context(OLD, NEW, proposed=[proposed]))
    assert isinstance(inputs, Inputs)
    assert codes(PHASE.plan(inputs, verdict("MERGE_INTO", mergeTarget=NEW.path), around())) == ["already_suggested"]


@pytest.mark.parametrize("file", [NEW.path, OTHER.path, "../x.md", ""])
def test_only_candidates_can_be_decided(file: str) -> None:
    found = PHASE.plan(read(OLD, NEW, OTHER), verdict("ARCHIVE", file), around())
    assert found.operations == ()
    assert codes(found) == ["not_offered", "no_answer"]


def test_a_target_in_the_store_that_was_not_offered_is_no_target() -> None:
    found = PHASE.plan(read(OLD, NEW, OTHER), verdict("MERGE_INTO", mergeTarget=OTHER.path), around())
    assert codes(found) == ["no_merge_target"]


@pytest.mark.parametrize("answers", [{}, {"candidates": ConsolidateAnswer()}, {"foreign": PruneAnswer()}])
def test_a_missing_or_foreign_answer_changes_nothing_and_says_so(answers: Answers) -> None:
    found = PHASE.plan(read(OLD, NEW), answers, around())
    assert found.operations == ()
    assert codes(found) == ["no_answer"]


def test_an_empty_answer_leaves_every_candidate_alone() -> None:
    found = PHASE.plan(read(OLD, NEW), {"candidates": PruneAnswer()}, around())
    assert found.operations == ()
    assert codes(found) == ["no_answer"]


def test_the_loss_cap_counts_what_consolidate_has_retired() -> None:
    (operation,) = PHASE.plan(
        read(OLD, NEW), verdict("ARCHIVE"), replace(around(live=12, retired=3), has_passed=True)
    ).operations
    assert (
        operation.propose_only == "loss cap: this dream may retire 3 memories and has retired 3 (safety.loss_cap_share)"
    )


def test_a_memory_whose_archiving_was_rejected_is_no_candidate() -> None:
    found = PHASE.read(context(OLD, NEW, kept=[OLD.id]))
    assert isinstance(found, NothingToDo)
    assert "1 that were decided on" in found.reason


def test_a_memory_whose_archiving_waits_for_a_person_is_not_asked_about_again() -> None:
    (operation,) = PHASE.plan(read(OLD, NEW), verdict("ARCHIVE"), around()).operations
    waiting = RecordedOperation(
        id="op_1", dream_id="drm_1", store_id="sto_1", state=OperationState.PROPOSED, review=ReviewState.PENDING, position=0,
        operation=operation,
    )  # fmt: skip
    assert isinstance(PHASE.read(context(OLD, NEW, proposed=[waiting])), NothingToDo)


def test_without_a_model_every_memory_that_is_over_goes_on_at_once_and_no_other() -> None:
    over = [memory(f"a/{n:02}.md", f"This note is obsolete: pier {n} is gone.", untouched_days=70) for n in range(23)]
    useful = memory("a/tax.md", "Tax is rounded per line.", untouched_days=70)
    inputs = PHASE.read(context(*over, useful, has_model=False))
    assert isinstance(inputs, Inputs)
    assert [one.path for one in inputs.candidates] == [one.path for one in over]


def test_without_a_model_only_useful_notes_are_stale_and_none_is_asked_about() -> None:
    useful = memory("a/tax.md", "Tax is rounded per line.", untouched_days=900)
    found = PHASE.read(context(useful, has_model=False))
    assert found == NothingToDo("looked at 1 that became stale: none is over, empty or held elsewhere")


@pytest.mark.parametrize(
    ("dreamt_days_ago", "is_dirty", "is_looked_at"),
    [(1, False, False), (1, True, True), (40, False, True), (None, False, True)],
)
def test_without_a_model_a_memory_is_looked_at_when_it_has_become_stale_or_was_written_and_not_again(
    dreamt_days_ago: int | None, is_dirty: bool, is_looked_at: bool
) -> None:
    before = None if dreamt_days_ago is None else NOW - timedelta(days=dreamt_days_ago)
    here = context(replace(OLD, is_dirty=is_dirty), NEW, last_dream_at=before, has_model=False)
    assert isinstance(PHASE.read(here), Inputs) == is_looked_at


def test_a_memory_that_was_put_back_is_proposed_with_that_reason() -> None:
    taken_back = PutBack(operation_id="op_1", kind=OperationKind.ARCHIVE, paths=(OLD.path,))
    operation = Operation(kind=OperationKind.PUT_BACK, phase="recall_guard", reason="", changes=(taken_back,))
    recorded = RecordedOperation(
        id="op_2",
        dream_id="drm_0",
        store_id="sto_1",
        position=0,
        operation=operation,
        state=OperationState.APPLIED,
        review=ReviewState.PENDING,
        created_at=NOW,
    )
    found = PHASE.read(context(OLD, NEW, put_back=[recorded]))
    assert isinstance(found, NothingToDo)
    assert "1 that were decided on" in found.reason
