"""Which memories prune looks at: stale or decayed ones, stalest first, never a protected one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from shared.core import scoring
from shared.core.decay import faded, is_exempt
from shared.core.memory import Maturity, MemoryHead, MemoryKind, kind_of
from shared.core.policy import Policy
from shared.core.safety import decide_protected


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleHead:
    """A candidate for pruning, and why it is one."""

    head: MemoryHead
    signals: tuple[str, ...]
    untouched_days: float
    importance: float


def find_stale(heads: Iterable[MemoryHead], policy: Policy, now: datetime) -> tuple[list[StaleHead], int]:
    """Return the candidates, stalest first and capped, and how many more there were."""
    found = [stale for stale in (_judge(head, policy, now) for head in heads) if stale is not None]
    found.sort(key=lambda stale: (-stale.untouched_days, stale.head.path))
    cap = policy.prune.max_candidates
    return found[:cap], max(0, len(found) - cap)


def without_put_back(heads: Iterable[MemoryHead], put_back_at: Mapping[str, datetime]) -> list[MemoryHead]:
    """Leave out what a dream archived and the recall guard put back, by path, unless it was written since.

    It would be archived and put back by every dream. A person decides: who rejects the putting back archives it.
    """
    return [head for head in heads if head.path not in put_back_at or head.updated_at > put_back_at[head.path]]


def _judge(head: MemoryHead, policy: Policy, now: datetime) -> StaleHead | None:
    if kind_of(head.path) is not MemoryKind.TOPIC or is_exempt(head.category, head.doc_type):
        return None
    signals = faded(head.signals, head.touched_at, now, policy.decay)
    protecting = signals if policy.safety.protection_fades else head.signals
    if decide_protected(protecting, head.author, policy.safety):
        return None
    days = scoring.days_between(head.touched_at, now)
    importance = signals.importance
    reasons = []
    if head.signals.maturity is Maturity.DRAFT and importance < policy.prune.min_importance:
        reasons.append("low importance")
    limit = (
        policy.prune.draft_stale_days if head.signals.maturity is Maturity.DRAFT else policy.prune.validated_stale_days
    )
    if days >= limit:
        reasons.append("stale")
    if not reasons:
        return None
    return StaleHead(head=head, signals=tuple(reasons), untouched_days=days, importance=importance)


def describe(stale: StaleHead) -> tuple[str, ...]:
    """Return what the host knows of a candidate, for the model and for the log."""
    return (
        f"maturity {stale.head.signals.maturity}",
        f"importance {stale.importance:.0f}",
        f"untouched {stale.untouched_days:.0f} days",
        f"signal {', '.join(stale.signals)}",
    )
