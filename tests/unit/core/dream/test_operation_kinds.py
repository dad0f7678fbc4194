"""One table says what each kind of operation is; approval, counting, undo, review and labels follow from it."""

import pytest

from gateway.console.views.words import FILTERS
from shared.core.dream.model import UNDOABLE_STATES, DreamState, OperationState, PhaseRun, PhaseState, ReviewState
from shared.core.dream.operations import KINDS, Operation, OperationKind
from shared.core.dream.phase_catalog import PhaseEntry
from shared.core.dream.summary import decide_final_state, sum_up
from shared.core.policy.policy import Autonomy
from shared.services.operations.apply import decide_disposition

EVERY_KIND = pytest.mark.parametrize("kind", OperationKind)
#: They touch clocks, hints, tiers and generated files, take back what the same dream did, or only show something.
NEEDS_NO_APPROVAL = {"MAKE_DURABLE", "KEEP", "SUGGEST_MERGE", "INDEX", "PUT_BACK", "FLAG", "RESTORE_EDIT"}


PHASE = PhaseEntry(name="any", label="any", about="Changes memory.", may_emit=frozenset(OperationKind))


def operation_of(kind: OperationKind) -> Operation:
    return Operation(kind=kind, phase="any", reason="because", changes=())


def run_with(kind: OperationKind) -> PhaseRun:
    return PhaseRun(dream_id="drm_1", phase="any", state=PhaseState.DONE, counts={str(kind): 1})


def test_every_kind_stands_in_the_table() -> None:
    assert set(KINDS) == set(OperationKind)


def test_no_two_kinds_have_the_same_label() -> None:
    labels = [kind.label for kind in KINDS.values()]
    assert all(labels)
    assert len(labels) == len(set(labels))


@EVERY_KIND
def test_the_console_names_a_kind_by_its_label(kind: OperationKind) -> None:
    assert FILTERS["did"](kind) == FILTERS["did"](kind.value) == KINDS[kind].label


@EVERY_KIND
def test_a_kind_that_changes_knowledge_is_proposed_where_a_person_approves_first(kind: OperationKind) -> None:
    decided = decide_disposition(operation_of(kind), Autonomy.PROPOSE, dry_run=False)
    expected = OperationState.APPLIED if kind in NEEDS_NO_APPROVAL else OperationState.PROPOSED
    assert decided.state is expected


@EVERY_KIND
def test_only_a_flag_waits_for_review_wherever_dreams_act_alone(kind: OperationKind) -> None:
    decided = decide_disposition(operation_of(kind), Autonomy.SILENT, dry_run=False)
    assert decided.state is OperationState.APPLIED
    assert (decided.review is ReviewState.PENDING) is (kind is OperationKind.FLAG)


@EVERY_KIND
def test_a_canceled_dream_that_changed_its_store_can_be_undone(kind: OperationKind) -> None:
    state, _ = decide_final_state([run_with(kind)], [PHASE], canceled=True)
    assert (state in UNDOABLE_STATES) is (kind not in {"FLAG", "PUT_BACK"})


@EVERY_KIND
def test_a_failed_dream_that_changed_its_store_can_be_undone(kind: OperationKind) -> None:
    failed = PhaseRun(dream_id="drm_1", phase="any", state=PhaseState.FAILED, counts={str(kind): 1}, reason="broke")
    state, _ = decide_final_state([failed], [PHASE], canceled=False)
    assert (state is DreamState.PARTIAL) is KINDS[kind].changes_store


@EVERY_KIND
def test_the_summary_counts_each_change_of_knowledge_exactly_once(kind: OperationKind) -> None:
    is_none = kind in {"INDEX", "FLAG", "PUT_BACK", "RESTORE_EDIT", "KEEP", "SUGGEST_MERGE"}
    assert sum_up([run_with(kind)]).changes == (0 if is_none else 1)


@EVERY_KIND
def test_a_counter_does_not_count_what_was_put_back(kind: OperationKind) -> None:
    run = PhaseRun(dream_id="drm_1", phase="any", state=PhaseState.DONE, counts={str(kind): 3, f"put_back_{kind}": 1})
    summary = sum_up([run])
    assert {getattr(summary, counter) for counter in KINDS[kind].counts_as} <= {2}


@EVERY_KIND
def test_whatever_hides_or_rewrites_knowledge_needs_approval(kind: OperationKind) -> None:
    traits = KINDS[kind]
    if traits.is_archiving or traits.is_probed:
        assert traits.needs_approval
    if traits.needs_approval:
        assert traits.changes_store
        assert traits.counts_as
