"""Find stale and decayed memories: the candidates for pruning, stalest first, without protected ones."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import nsmallest

from shared.core.memory import importance as scoring
from shared.core.memory.model import Maturity, MemoryHead, MemoryKind, is_log, kind_of
from shared.core.merging.loss_cap import reason_protected
from shared.core.policy.policy import Policy
from shared.core.upkeep.decay import decayed_importance, is_exempt


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleHead:
    """A candidate for pruning, and why it is one."""

    head: MemoryHead
    signals: tuple[str, ...]
    untouched_days: float
    importance: float


def find_stale(
    heads: Iterable[MemoryHead], policy: Policy, now: datetime, *, limit: int | None = None
) -> tuple[list[StaleHead], int]:
    """Return the candidates, stalest first, and how many more there were than `limit`: what a model is asked about in one dream."""
    found = [stale for stale in (_judge(head, policy, now) for head in heads) if stale is not None]
    first = nsmallest(
        policy.prune.max_candidates if limit is None else limit,
        found,
        key=lambda stale: (-stale.untouched_days, stale.head.path),
    )
    return first, len(found) - len(first)


def is_stale(head: MemoryHead, policy: Policy, now: datetime) -> bool:
    """Tell whether a memory is a candidate at this time."""
    return _judge(head, policy, now) is not None


def _judge(head: MemoryHead, policy: Policy, now: datetime) -> StaleHead | None:
    days = scoring.days_between(head.touched_at, now)
    is_draft = head.signals.maturity is Maturity.DRAFT
    is_old = days >= (policy.prune.draft_stale_days if is_draft else policy.prune.validated_stale_days)
    if not (is_old or is_draft) or is_exempt(head.category, head.doc_type):  # the most frequent criterion comes first
        return None
    importance = decayed_importance(head.signals, head.touched_at, now, policy.decay)
    is_low = is_draft and importance < policy.prune.min_importance
    if not (is_old or is_low) or kind_of(head.path) is not MemoryKind.TOPIC or is_log(head.path):
        return None
    protecting = replace(head.signals, importance=importance) if policy.safety.protection_fades else head.signals
    if reason_protected(protecting, policy.safety):
        return None
    reasons = ("low importance",) * is_low + ("stale",) * is_old
    return StaleHead(head=head, signals=reasons, untouched_days=days, importance=importance)
