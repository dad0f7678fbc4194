"""How importance falls while nobody sees a memory. Computed from the stored value and the clocks, never written back.

So decaying daily, weekly or once is the same. Sources: ByteRover CLI v2 (a factor of 0.995 a day on 0..100) and RockBot
(grace 30 days, half-life 45 days, floor 0.10 of 1, keyed on last seen). See docs/adr/0003.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from shared.core.memory.importance import days_between
from shared.core.memory.model import MemoryHead, Signals
from shared.core.policy.upkeep import DecayLaw, DecayPolicy

#: What dreams and digests wrote is neither decayed nor promoted, archived or pruned (SwarmClaw).
EXEMPT_CATEGORIES = frozenset({"daily_digest", "consolidated_insight", "dream_reflection"})

#: A difference that rounds away is none to a reader.
_SAID_FROM = 0.5


def decide_decays(policy: DecayPolicy) -> bool:
    """Tell whether a policy's law is on: a number of 0 or less switches it off."""
    number = {DecayLaw.NONE: 0.0, DecayLaw.DAILY: policy.daily_factor, DecayLaw.HALF_LIFE: policy.half_life_days}
    return number[policy.law] > 0


def is_exempt(category: str, doc_type: str) -> bool:
    """Tell whether the frontmatter's `category` or `type` keeps a memory from fading."""
    return category in EXEMPT_CATEGORIES or doc_type in EXEMPT_CATEGORIES


def decayed_importance(signals: Signals, touched_at: datetime, now: datetime, policy: DecayPolicy) -> float:
    """Return the importance (0..100) as it is by now.

    Args:
        signals: the stored signals; `last_seen_at` starts the half-life's grace, `touched_at` where there is none.
        touched_at: the last write or KEEP. What it set falls only from then on.
        now: the moment asked about; a clock that went backwards decays nothing.
        policy: which law, and its numbers. A number of 0 or less switches the law off.
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
    """Return in a sentence how far a memory has decayed by now and by which law; None when it has not (by half a point)."""
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
    """Return the signals with the importance as it is by now: for ranking and judging, never for writing."""
    return replace(signals, importance=decayed_importance(signals, touched_at, now, policy))


def decay_heads(heads: Iterable[MemoryHead], now: datetime, policy: DecayPolicy) -> tuple[MemoryHead, ...]:
    """Return heads with the importance as it is by now; exempt ones keep theirs."""
    return tuple(
        head
        if is_exempt(head.category, head.doc_type)
        else replace(head, signals=decayed_signals(head.signals, head.touched_at, now, policy))
        for head in heads
    )
