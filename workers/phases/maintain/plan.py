"""Plan which memories are folded, promoted and archived, in few operations of many changes.

The database found the memories that match each rule. The plan respects the loss cap, and combines rules that match the
same memory. Changes over the cap wait for a later dream.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby, islice

from shared.core.dream.operations import Absorb, Change, Operation, OperationKind, Plan, Promote, Retire, Skip
from shared.core.memory.model import MemoryState
from shared.core.merging.loss_cap import LossBudget
from shared.core.policy.policy import Policy
from shared.core.upkeep.maintenance import CHANGES_AN_OPERATION, Expired, Subject, Twin
from workers.phases.maintain import NAME


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepView:
    """The findings: duplicates with the one to keep first, memories that earned promotion, expired ones by day, and those never used."""

    duplicates: tuple[tuple[Twin, ...], ...]
    promotable: tuple[Subject, ...]
    stale: tuple[Subject, ...]
    decayed: int
    policy: Policy
    loss: LossBudget
    expired: tuple[Expired, ...] = ()


@dataclass
class _Draft:
    loss: LossBudget
    folds: list[tuple[Change, ...]] = field(default_factory=list)
    promotions: list[Change] = field(default_factory=list)
    retirements: list[Change] = field(default_factory=list)
    expired: list[tuple[date, Change]] = field(default_factory=list)
    done: set[str] = field(default_factory=set)
    waiting: int = 0


def plan_upkeep(view: UpkeepView) -> Plan:
    """Return FOLD, MAKE_DURABLE, EXPIRE and ARCHIVE_STALE operations; a second plan on their result has none."""
    draft = _Draft(loss=view.loss)
    for over in view.expired:
        _expire(draft, over)
    stale = {one.id for one in view.stale}
    for twins in view.duplicates:
        if not any(twin.subject.id in draft.done for twin in twins):
            _fold(draft, view.policy, twins, stale)
    draft.promotions += [_promote(one) for one in view.promotable if one.id not in draft.done]
    for one in view.stale:
        if one.id not in draft.done:
            _archive(draft, view.policy, one)
    waiting = (Skip(code="loss_cap", detail=_cap_reason(draft, view.loss)),) * draft.waiting
    counts = {"decayed": view.decayed} if view.decayed else {}
    return Plan(operations=tuple(_operations(draft, view.policy)), skips=waiting, counts=counts)


def _expire(draft: _Draft, over: Expired) -> None:
    """Archive a memory without a stub: a search leaves out what is over."""
    draft.done.add(over.subject.id)
    left = draft.loss.take(1)
    if left is None:
        draft.waiting += 1
        return
    draft.loss, one = left, over.subject
    draft.expired.append(
        (over.on, Retire(memory_id=one.id, version=one.version, path=one.path, state=MemoryState.ARCHIVED))
    )


def _fold(draft: _Draft, policy: Policy, twins: Sequence[Twin], stale: set[str]) -> None:
    """Fold as many duplicates as may be retired into the first; promote or archive it by the use of all of them."""
    room = draft.loss.left
    draft.waiting += max(0, len(twins) - 1 - room)
    kept, *others = twins[: room + 1]
    draft.done |= {twin.subject.id for twin in twins}
    if not others:
        return
    draft.loss = draft.loss.take(len(others)) or draft.loss
    keeper = kept.subject
    absorb = Absorb(
        memory_id=keeper.id,
        version=keeper.version,
        path=keeper.path,
        folded=tuple(twin.subject.id for twin in others),
    )
    draft.folds.append((absorb, *(_supersede(twin.subject, keeper) for twin in others)))
    as_kept = Subject(id=keeper.id, version=keeper.version + 1, path=keeper.path)
    if _is_promotable([kept, *others], policy):
        draft.promotions.append(_promote(as_kept))
    elif all(twin.subject.id in stale for twin in (kept, *others)):
        _archive(draft, policy, as_kept)


def _supersede(subject: Subject, keeper: Subject) -> Retire:
    return Retire(
        memory_id=subject.id,
        version=subject.version,
        path=subject.path,
        state=MemoryState.SUPERSEDED,
        superseded_by=keeper.path,
    )


def _is_promotable(twins: Sequence[Twin], policy: Policy) -> bool:
    """Tell whether duplicates together have earned a promotion that none of them has alone."""
    rules = policy.maintain
    if rules.promote_accesses is None or not all(twin.may_promote for twin in twins):
        return False
    accesses = sum(twin.access_count for twin in twins)
    reinforcements = sum(twin.reinforcement_count for twin in twins)
    return accesses >= rules.promote_accesses and reinforcements >= rules.promote_reinforcements


def _promote(one: Subject) -> Promote:
    return Promote(memory_id=one.id, version=one.version, path=one.path)


def _archive(draft: _Draft, policy: Policy, one: Subject) -> None:
    left = draft.loss.take(1)
    if left is None:
        draft.waiting += 1
        return
    draft.loss = left
    draft.retirements.append(
        Retire(
            memory_id=one.id,
            version=one.version,
            path=one.path,
            state=MemoryState.ARCHIVED,
            stub_chars=policy.prune.stub_chars,
        )
    )


def _cap_reason(draft: _Draft, loss: LossBudget) -> str:
    return f"loss cap: this dream may retire {loss.allowed} memories; {draft.waiting} wait for a later one (safety.loss_cap_share)"


def _operations(draft: _Draft, policy: Policy) -> Iterator[Operation]:
    rules = policy.maintain
    for groups in _packed(draft.folds):
        count = sum(len(group) - 1 for group in groups)
        yield _operation(
            OperationKind.FOLD,
            f"Fold {count} exact duplicate{'s' if count > 1 else ''}",
            (c for g in groups for c in g),
        )
    for part in _parts(draft.promotions):
        earned = f"accessed ≥ {rules.promote_accesses} and reinforced ≥ {rules.promote_reinforcements} times"
        yield _operation(OperationKind.MAKE_DURABLE, f"Promoted {len(part)} to durable: {earned}", part)
    for day, over in groupby(draft.expired, key=lambda one: one[0]):
        for part in _parts(change for _, change in over):
            yield _operation(OperationKind.EXPIRE, f"Archive {len(part)}: expired on {day}", part)
    for part in _parts(draft.retirements):
        unused = f"working tier, never used, untouched for more than {rules.archive_after_days or 0:g} days"
        yield _operation(OperationKind.ARCHIVE_STALE, f"Archive {len(part)}: {unused}", part)


def _operation(kind: OperationKind, reason: str, changes: Iterable[Change]) -> Operation:
    # Folds lose nothing, promotions hide nothing, and of what expired its text says so: a person looks at what was archived for its age.
    needs_review = kind is OperationKind.ARCHIVE_STALE
    return Operation(kind=kind, phase=NAME, reason=reason, changes=tuple(changes), needs_review=needs_review)


def _parts(changes: Iterable[Change]) -> Iterator[tuple[Change, ...]]:
    left = iter(changes)
    while part := tuple(islice(left, CHANGES_AN_OPERATION)):
        yield part


def _packed(groups: Sequence[tuple[Change, ...]]) -> Iterator[list[tuple[Change, ...]]]:
    """Yield whole groups, packed to about the size of one operation."""
    pack: list[tuple[Change, ...]] = []
    size = 0
    for group in groups:
        if pack and size + len(group) > CHANGES_AN_OPERATION:
            yield pack
            pack, size = [], 0
        pack.append(group)
        size += len(group)
    if pack:
        yield pack
