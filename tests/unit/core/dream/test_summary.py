"""The log of a dream: how it ends, what it counts, and the lines that a person reads."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from shared.core.dream.model import Dream, DreamState, DreamSummary, PhaseRun, PhaseState, Trigger
from shared.core.dream.operations import OperationKind
from shared.core.dream.phase_catalog import PhaseEntry
from shared.core.dream.summary import decide_final_state, render_summary, sum_up
from tests.unit.builders import NOW

PHASES = ["orient", "consolidate", "prune", "index"]
#: The first one only surveys: it may want no operation.
CHAIN = [
    PhaseEntry(name=name, label=name, about="A phase.", may_emit=frozenset(OperationKind) if position else frozenset())
    for position, name in enumerate(PHASES)
]
DONE, SKIPPED, PARTIAL, FAILED, RUNNING = (
    PhaseState.DONE,
    PhaseState.SKIPPED,
    PhaseState.PARTIAL,
    PhaseState.FAILED,
    PhaseState.RUNNING,
)
DREAM = Dream(
    id="drm_1",
    tenant_id="acme",
    store_id="sto_1",
    store="default",
    state=DreamState.COMPLETED,
    trigger=Trigger.CLI,
    epoch=1,
    is_forced=False,
    is_dry_run=False,
    created_at=NOW,
)


def run(phase: str, state: PhaseState, reason: str = "", **counts: int) -> PhaseRun:
    return PhaseRun(dream_id="drm_1", phase=phase, state=state, reason=reason, counts=counts)


def runs(*states: PhaseState) -> list[PhaseRun]:
    return [run(name, state) for name, state in zip(PHASES, states, strict=False)]


def final_state(found: Sequence[PhaseRun], *, canceled: bool = False) -> tuple[DreamState, str]:
    return decide_final_state(found, CHAIN, canceled=canceled)


def rendered(state: DreamState = DreamState.COMPLETED, because: str = "", **summary: Any) -> list[str]:
    counted = DreamSummary(**summary)
    return render_summary(replace(DREAM, state=state, reason=because, summary=counted)).split("\n")


@pytest.mark.parametrize(
    ("states", "ends"),
    [
        ((DONE, DONE, DONE, DONE), DreamState.COMPLETED),
        ((DONE, SKIPPED, SKIPPED, DONE), DreamState.COMPLETED),
        ((SKIPPED, SKIPPED, SKIPPED, SKIPPED), DreamState.COMPLETED),
        ((DONE, PARTIAL, DONE, DONE), DreamState.PARTIAL),
        ((DONE, FAILED, DONE, DONE), DreamState.PARTIAL),
        ((DONE, DONE, FAILED, FAILED), DreamState.PARTIAL),
        ((DONE, DONE, RUNNING), DreamState.PARTIAL),
        ((DONE, DONE), DreamState.PARTIAL),
        ((DONE, PARTIAL), DreamState.PARTIAL),
        ((DONE, FAILED, FAILED, FAILED), DreamState.ERROR),
        ((DONE, RUNNING), DreamState.ERROR),
        ((DONE,), DreamState.ERROR),
        ((), DreamState.ERROR),
    ],
)
def test_a_dream_ends_by_the_states_of_its_phases(states: tuple[PhaseState, ...], ends: DreamState) -> None:
    assert final_state(runs(*states))[0] is ends


def test_a_dream_whose_model_was_never_heard_is_an_error_whatever_else_was_through() -> None:
    found = [
        *runs(DONE, DONE),
        run("prune", FAILED, "no answer from the model (model_failed 2)"),
        run("index", DONE),
    ]
    assert decide_final_state(found, CHAIN, canceled=False, is_unanswered=True) == (
        DreamState.ERROR,
        "no answer from the model (model_failed 2)",
    )


def test_phases_that_were_skipped_because_the_time_was_up_make_a_dream_partial() -> None:
    late = run("prune", SKIPPED, "Budget exceeded (5 min)", missing_time_budget=1)
    found = [*runs(DONE, DONE), late, run("index", DONE)]
    assert final_state(found) == (DreamState.PARTIAL, "Budget exceeded (5 min)")


def test_a_dream_that_is_not_completed_says_what_did_not_run() -> None:
    assert final_state(runs(DONE, DONE))[1] == "prune, index did not run"


def test_a_dream_that_failed_after_it_changed_something_is_partial_so_that_it_can_be_undone() -> None:
    found = [run("orient", DONE), run("consolidate", FAILED, "OSError: disk", MERGE=25, errors=1), run("index", FAILED)]
    assert final_state(found) == (DreamState.PARTIAL, "OSError: disk")


def test_a_failed_phase_gives_its_reason() -> None:
    found = [*runs(DONE, DONE), run("prune", FAILED, "ValueError: no"), run("index", DONE)]
    assert final_state(found) == (DreamState.PARTIAL, "ValueError: no")


@pytest.mark.parametrize("kind", ["MERGE", "TEMPORAL_UPDATE", "CROSS_REFERENCE", "CREATE", "ARCHIVE", "KEEP", "INDEX"])
def test_a_canceled_dream_that_changed_something_is_partial_so_that_it_can_be_undone(kind: str) -> None:
    changed = PhaseRun(dream_id="drm_1", phase="consolidate", state=DONE, counts={kind: 1})
    assert final_state([changed], canceled=True) == (DreamState.PARTIAL, "canceled")


def test_a_canceled_dream_that_changed_nothing_is_canceled() -> None:
    only_proposed = run("consolidate", DONE, proposed_MERGE=1, skip_opposites=2)
    assert final_state([only_proposed], canceled=True) == (DreamState.CANCELED, "canceled")


def test_the_counters_follow_the_three_published_operations() -> None:
    summary = sum_up(
        [
            run("consolidate", DONE, MERGE=1, TEMPORAL_UPDATE=2, CROSS_REFERENCE=4, flagged=3),
            run("synthesize", DONE, CREATE=8),
            run("prune", DONE, ARCHIVE=16, SUGGEST_MERGE=32, flagged=16),
            run("index", DONE, INDEX=1),
        ]
    )
    assert (summary.consolidated, summary.synthesized, summary.pruned, summary.flagged) == (7, 8, 16, 19)
    assert summary.kept == 32


def test_failures_are_counted_by_phase_and_by_call() -> None:
    summary = sum_up([run("consolidate", PARTIAL, missing_model_timed_out=2), run("prune", FAILED)])
    assert summary.errors == 3


def test_skips_are_counted_by_reason() -> None:
    summary = sum_up(
        [run("consolidate", DONE, skip_opposites=2, missing_token_budget=1), run("prune", DONE, skip_opposites=1)]
    )
    assert summary.reasons == {"opposites": 3, "token_budget": 1}


def test_proposals_are_counted_apart() -> None:
    summary = sum_up([run("consolidate", DONE, proposed_MERGE=2, not_applied_ARCHIVE=1)])
    assert (summary.consolidated, summary.proposed) == (0, 2)
    assert summary.reasons == {"not_applied_ARCHIVE": 1}


def test_a_dream_that_changed_something_is_told_in_three_lines() -> None:
    assert rendered(consolidated=3, synthesized=1, pruned=2, flagged=4) == [
        "Dream completed (drm_1)",
        "3 consolidated | 1 synthesized | 2 pruned",
        "4 operations flagged for review",
    ]


def test_memories_that_prune_looked_at_and_kept_are_not_told_as_gone() -> None:
    summary = sum_up([run("prune", DONE, KEEP=15, SUGGEST_MERGE=1, ARCHIVE=1)])
    assert (summary.pruned, summary.kept, summary.changes) == (1, 16, 1)
    assert rendered(pruned=1, kept=16)[1] == "0 consolidated | 0 synthesized | 1 pruned | 16 kept"


def test_one_operation_is_not_called_operations() -> None:
    assert rendered(consolidated=1, flagged=1, errors=1)[-2:] == [
        "1 operation flagged for review",
        "1 failure of a model call or a phase",
    ]


def test_a_clean_dream_without_changes_says_so() -> None:
    assert rendered() == ["Dream completed (drm_1)", "No changes needed — memory is up to date"]


def test_a_dream_that_only_writes_an_index_says_so_and_not_that_nothing_was_needed() -> None:
    assert rendered(indexed=12, indexed_folders=3) == [
        "Dream completed (drm_1)",
        "Wrote the index: 12 memories in 3 folders",
    ]
    assert rendered(indexed=1, indexed_folders=1)[1:] == ["Wrote the index: 1 memory"]
    assert sum_up([run("index", DONE, INDEX=1, indexed=12, indexed_folders=3)]).indexed == 12


def test_an_index_that_was_not_written_is_not_told() -> None:
    assert sum_up([run("index", DONE, not_applied_INDEX=1, indexed=12, indexed_folders=3)]).indexed == 0


def test_a_clean_dream_without_changes_says_why() -> None:
    with_reasons = replace(DREAM, summary=DreamSummary(reasons={"opposites": 3, "no_change": 1}))
    assert render_summary(with_reasons).split("\n")[-1] == "Why nothing changed: opposites (3), no change"


@pytest.mark.parametrize(
    ("state", "counts"),
    [
        (DreamState.COMPLETED, {"consolidated": 1}),
        (DreamState.COMPLETED, {"synthesized": 1}),
        (DreamState.COMPLETED, {"pruned": 1}),
        (DreamState.COMPLETED, {"proposed": 1}),
        (DreamState.PARTIAL, {}),
        (DreamState.ERROR, {}),
        (DreamState.CANCELED, {}),
    ],
)
def test_no_changes_needed_is_said_only_of_a_completed_dream_with_every_counter_at_zero(
    state: DreamState, counts: dict[str, int]
) -> None:
    assert not any("No changes needed" in line for line in rendered(state, "", **counts))


def test_a_phase_that_failed_for_want_of_answers_is_counted_by_its_questions() -> None:
    unanswered = run("consolidate", FAILED, missing_model_failed=2)
    assert sum_up([unanswered, run("prune", FAILED, errors=1)]).errors == 3


def test_failures_are_told() -> None:
    assert rendered(DreamState.PARTIAL, "Budget exceeded (5 min)", errors=2) == [
        "Dream partial (drm_1) — Budget exceeded (5 min)",
        "2 failures of a model call or a phase",
    ]


def test_a_dry_run_says_that_nothing_was_applied_instead_of_that_nothing_was_needed() -> None:
    dry = render_summary(replace(DREAM, is_dry_run=True, summary=DreamSummary()))
    assert dry.split("\n") == ["Dream completed (drm_1)", "Dry run: nothing was applied"]
