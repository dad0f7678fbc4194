"""Apply a plan: the only way from a phase's wishes to a store. Chunked, fenced, each operation at most once.

A plan that fits into one chunk is stored, applied and ended in one transaction: all of it is there, or nothing. A larger
one is stored first, so that whoever goes on after a crash applies the rest of the same plan.
"""

from shared.core.dream import PhaseState
from shared.core.operation import Operation
from shared.services.apply_operation import apply_operation
from workers.end_phase import count_spared, end_phase
from workers.phase_work import PhaseWork
from workers.planned import Planned

#: Operations per transaction: few enough to hold row locks for a moment only, enough to save commits.
_CHUNK = 25


def apply_plan(work: PhaseWork, planned: Planned) -> None:
    """Apply what is not recorded yet, and end the phase with it."""
    allowed = [op for op in planned.plan.operations if op.kind in work.phase.may_emit]
    left = [(position, op) for position, op in enumerate(allowed) if position not in work.so_far.positions]
    if len(left) > _CHUNK and work.record.plan is None:
        with work.fenced() as uow:
            uow.phases.save_plan(work.key.dream_id, work.key.phase, planned.dump())
    if not left:
        with work.fenced() as uow:
            state = end_phase(uow, work, planned)
        _count_end(work, state, planned)
    for start in range(0, len(left), _CHUNK):
        is_last = start + _CHUNK >= len(left)
        _apply_chunk(work, left[start : start + _CHUNK], planned if is_last else None)


def _apply_chunk(work: PhaseWork, chunk: list[tuple[int, Operation]], ending: Planned | None) -> None:
    """Apply operations; with `ending`, the plan whose last ones these are, the phase ends in the same transaction."""
    state = None
    with work.fenced() as uow:
        for position, operation in chunk:
            apply_operation(uow, work.ports.ids, work.dream, operation, position, work.policy.autonomy)
        if ending is not None:
            state = end_phase(uow, work, ending)
    if state is not None and ending is not None:
        _count_end(work, state, ending)


def _count_end(work: PhaseWork, state: PhaseState, planned: Planned) -> None:
    work.count_end(state)
    count_spared(work, planned)
