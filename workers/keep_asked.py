"""Keep what a dream has asked, when it ends: which questions were answered, and which clusters were left alone."""

from collections.abc import Sequence

from shared.core.change_gate import Asked, find_forgotten_before, follow_up
from shared.core.dream import Dream, OperationState, PhaseRun, PhaseState
from shared.core.operation import Absorb, Retire, Rewrite
from shared.core.policy import Policy
from shared.core.settled_clusters import Settled
from shared.ports.database import UnitOfWork
from shared.ports.dream_book import RecordedOperation
from workers.phase import Phase, inputs_adapter

_THROUGH = frozenset({PhaseState.DONE, PhaseState.PARTIAL})


def keep_asked(
    uow: UnitOfWork,
    dream: Dream,
    policy: Policy,
    runs: Sequence[PhaseRun],
    phases: Sequence[Phase],
    recorded: Sequence[RecordedOperation],
) -> None:
    """Append what this dream has asked; forget what is too old to matter, and clusters that no longer are."""
    by_name = {phase.name: phase for phase in phases}
    touched = _find_touched(recorded)
    kept: list[Asked] = []
    obsolete: list[str] = []
    for run in runs:
        asked = _asked_in(run)
        phase = by_name.get(run.phase)
        if phase is None or not asked:
            continue
        settled = _settle(phase, run, asked, touched)
        members = dict.fromkeys(asked.values(), ()) | {one.fingerprint: one.members for one in settled.clusters}
        last = uow.asked(dream.store_id).find_last(run.phase, members)
        kept += [
            follow_up(
                policy.change_gate,
                last.get(fingerprint),
                phase=run.phase,
                fingerprint=fingerprint,
                dream_id=dream.id,
                now=uow.now(),
                members=ids,
            )
            for fingerprint, ids in members.items()
        ]
        obsolete += settled.obsolete
    book = uow.asked(dream.store_id)
    book.record(kept)
    book.forget(before=find_forgotten_before(policy.change_gate, uow.now()), fingerprints=obsolete)


def find_spared(run: PhaseRun) -> frozenset[str]:
    """Return the keys of a phase's questions that needed no call."""
    return frozenset(_named(run, "spared"))


def _asked_in(run: PhaseRun) -> dict[str, str]:
    """Return the fingerprints of what a phase has asked and made use of: one that failed has made nothing of it."""
    return _named(run, "asked") if run.state in _THROUGH else {}


def _named(run: PhaseRun, name: str) -> dict[str, str]:
    found = run.plan.get(name) if isinstance(run.plan, dict) else None
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def _settle(phase: Phase, run: PhaseRun, asked: dict[str, str], touched: frozenset[str]) -> Settled:
    if not isinstance(run.inputs, dict):
        return Settled()
    inputs = inputs_adapter(phase).validate_python(run.inputs)
    return phase.settle(inputs, asked.keys(), touched)


def _find_touched(recorded: Sequence[RecordedOperation]) -> frozenset[str]:
    """Return the ids of memories whose text a dream has changed, or proposes to change."""
    wanted = {OperationState.APPLIED, OperationState.PROPOSED}
    operations = (one.operation for one in recorded if one.state in wanted)
    changes = (change for operation in operations for change in operation.changes)
    return frozenset(change.memory_id for change in changes if isinstance(change, Rewrite | Retire | Absorb))
