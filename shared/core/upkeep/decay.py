"""Decay: the importance of a memory falls while it is not seen. It is computed from the stored value, never written back.

The result therefore does not depend on how often it is computed. Sources: ByteRover CLI v2 (a factor of 0.995 a day on 0..100)
and RockBot (grace 30 days, half-life 45 days, floor 0.10 of 1, keyed on last seen). See docs/adr/0003.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from shared.core.memory.importance import days_between
from shared.core.memory.model import MemoryHead, Signals, with_importance
from shared.core.policy.upkeep import DecayLaw, DecayPolicy

#: Categories of dreams' texts and digests, which are not decayed, promoted, archived or pruned (SwarmClaw).
EXEMPT_CATEGORIES = frozenset({"daily_digest", "consolidated_insight", "dream_reflection"})

#: A smaller difference is not shown: it would round away.
_SAID_FROM = 0.5


def decide_decays(policy: DecayPolicy) -> bool:
    """Tell whether decay is on in a policy; a number of 0 or less switches it off."""
    if policy.law is DecayLaw.NONE:
        return False
    return (policy.daily_factor if policy.law is DecayLaw.DAILY else policy.half_life_days) > 0


def is_exempt(category: str, doc_type: str) -> bool:
    """Tell whether the frontmatter's `category` or `type` exempts a memory from decay."""
    return category in EXEMPT_CATEGORIES or doc_type in EXEMPT_CATEGORIES


def decayed_importance(signals: Signals, touched_at: datetime, now: datetime, policy: DecayPolicy) -> float:
    """Return the importance (0..100) at this time.

    Args:
        signals: the stored signals; `last_seen_at` starts the half-life's grace, else `touched_at`.
        touched_at: the last write or KEEP; the importance that it set falls only from then on.
        now: the time; a clock that went backwards decays nothing.
        policy: the decay law and its numbers. A number of 0 or less switches it off.
    """
    is_used = signals.access_count > 0 or signals.reinforcement_count > 0
    if not decide_decays(policy) or (policy.only_unused and is_used):
        return signals.importance
    if policy.law is DecayLaw.DAILY:
        return float(signals.importance * policy.daily_factor ** days_between(touched_at, now))
    if signals.importance <= policy.floor_importance:
        return signals.importance
    unseen_days = days_between(signals.last_seen_at or touched_at, now)
    days = min(unseen_days - policy.grace_days, days_between(touched_at, now))
    if days <= 0:
        return signals.importance
    return max(policy.floor_importance, float(signals.importance * 0.5 ** (days / policy.half_life_days)))


def describe_decay(signals: Signals, touched_at: datetime, now: datetime, policy: DecayPolicy) -> str | None:
    """Return a sentence on how far a memory has decayed and by which law; None for less than half a point."""
    importance = decayed_importance(signals, touched_at, now, policy)
    if signals.importance - importance < _SAID_FROM:
        return None
    is_daily = policy.law is DecayLaw.DAILY
    since, what = (
        (touched_at, "last written or kept") if is_daily else (signals.last_seen_at or touched_at, "last seen")
    )
    law = (
        f"times {policy.daily_factor:g} a day"
        if is_daily
        else f"half in {policy.half_life_days:g} days after {policy.grace_days:g}, never below {policy.floor_importance:g}"
    )
    days = int(days_between(since, now))
    return f"importance {signals.importance:.0f} → {importance:.0f}: {what} {days} days ago ({since:%Y-%m-%d}), {law}"


def decayed_signals(signals: Signals, touched_at: datetime, now: datetime, policy: DecayPolicy) -> Signals:
    """Return the signals with the importance at this time: for ranking and deciding, never for writing."""
    return replace(signals, importance=decayed_importance(signals, touched_at, now, policy))


def decay_heads(heads: Iterable[MemoryHead], now: datetime, policy: DecayPolicy) -> tuple[MemoryHead, ...]:
    """Return heads with the importance at this time; exempt ones keep theirs."""
    return tuple(
        head
        if is_exempt(head.category, head.doc_type)
        else with_importance(head, decayed_importance(head.signals, head.touched_at, now, policy))
        for head in heads
    )
