"""Importance, maturity and rank of a memory: ByteRover's published arithmetic, on importance from 0 to 100.

Source: ByteRover CLI v2, memory-scoring.ts: +3 per access, +5 per update, recency exp(-days/30), tiers with hysteresis,
compound score 0.6 BM25 + 0.2 importance + 0.2 recency times a tier boost.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from shared.core.memory.model import Maturity, Signals, Tier

ACCESS_BONUS = 3.0
UPDATE_BONUS = 5.0
IMPORTANCE_CAP = 100.0
RECENCY_DAYS = 30.0
SECONDS_A_DAY = 86_400.0
#: A tier is reached at the first number and left below the second, so that a memory does not flap between tiers.
VALIDATED_AT, VALIDATED_UNTIL = 65.0, 35.0
CORE_AT, CORE_UNTIL = 85.0, 60.0
_BOOST = {Maturity.CORE: 1.15, Maturity.VALIDATED: 1.0, Maturity.DRAFT: 0.85}
_RANK = {Maturity.DRAFT: 0, Maturity.VALIDATED: 1, Maturity.CORE: 2}


def days_between(earlier: datetime, later: datetime) -> float:
    """Return the days from one moment to a later one, 0 when the clock went backwards."""
    return max(0.0, (later - earlier).total_seconds() / SECONDS_A_DAY)


def recency(updated_at: datetime, now: datetime) -> float:
    """Return 1 for a memory written now, falling by e every 30 days."""
    return math.exp(-days_between(updated_at, now) / RECENCY_DAYS)


def decide_maturity(current: Maturity, importance: float) -> Maturity:
    """Return the tier after a change of importance, with hysteresis: any → core at 85, core → validated below 60.

    It falls one tier at a time: core at 20 becomes validated first, so that it does not vanish at once.
    """
    if importance >= CORE_AT:
        return Maturity.CORE
    if current is Maturity.CORE:
        return Maturity.CORE if importance >= CORE_UNTIL else Maturity.VALIDATED
    if importance >= VALIDATED_AT:
        return Maturity.VALIDATED
    if current is not Maturity.DRAFT and importance >= VALIDATED_UNTIL:
        return Maturity.VALIDATED
    return Maturity.DRAFT


def accessed(signals: Signals, now: datetime) -> Signals:
    """Return the signals after one access."""
    raised = _raised(signals, ACCESS_BONUS)
    return replace(raised, access_count=signals.access_count + 1, last_seen_at=now)


def updated(signals: Signals, now: datetime) -> Signals:
    """Return the signals after one update of the content."""
    raised = _raised(signals, UPDATE_BONUS)
    return replace(raised, reinforcement_count=signals.reinforcement_count + 1, last_seen_at=now)


def merged(parts: Sequence[Signals]) -> Signals:
    """Return the signals of a merged memory: those of its best source, the sum of all counts, the latest last seen.

    Merging is not a new observation: it adds no reinforcement and does not count as seen.
    """
    importance = max(part.importance for part in parts)
    maturity = max((part.maturity for part in parts), key=_RANK.__getitem__)
    seen = [part.last_seen_at for part in parts if part.last_seen_at is not None]
    return replace(
        parts[0],
        importance=importance,
        maturity=_promoted(maturity, importance),
        tier=Tier.DURABLE if any(part.tier is Tier.DURABLE for part in parts) else Tier.WORKING,
        access_count=sum(part.access_count for part in parts),
        reinforcement_count=sum(part.reinforcement_count for part in parts),
        pinned=any(part.pinned for part in parts),
        last_seen_at=max(seen) if seen else None,
        by_person=any(part.by_person for part in parts),
    )


def compound_score(bm25: float, signals: Signals, updated_at: datetime, now: datetime) -> float:
    """Return the rank of a hit whose normalised BM25 score (0..1) is given."""
    base = 0.6 * bm25 + 0.2 * signals.importance / IMPORTANCE_CAP + 0.2 * recency(updated_at, now)
    return base * _BOOST[signals.maturity]


def _raised(signals: Signals, bonus: float) -> Signals:
    importance = min(IMPORTANCE_CAP, signals.importance + bonus)
    return replace(signals, importance=importance, maturity=_promoted(signals.maturity, importance))


def _promoted(current: Maturity, importance: float) -> Maturity:
    """Return the tier after a gain: a memory that was set to `core` at importance 50 stays core when it is used."""
    return max(current, decide_maturity(current, importance), key=_RANK.__getitem__)
