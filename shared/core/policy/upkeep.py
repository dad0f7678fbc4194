"""The numbers of upkeep: how importance decays, what is folded, promoted and archived, and what a daily digest holds."""

from dataclasses import dataclass
from enum import StrEnum


class DecayLaw(StrEnum):
    """The law by which importance decays while a memory is not used: by a factor a day, by halves after a grace, or never."""

    DAILY = "daily"
    HALF_LIFE = "half_life"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayPolicy:
    """The decay of importance (0..100). ByteRover: `daily` by 0.995. RockBot: `half_life`, a grace, a half-life, a floor.

    The daily law goes by the last write or KEEP, the half-life by when the memory was last seen. In both a memory counts
    as decayed once it is past the grace.
    """

    law: DecayLaw = DecayLaw.DAILY
    daily_factor: float = 0.995
    grace_days: float = 30.0
    half_life_days: float = 45.0
    floor_importance: float = 10.0
    only_unused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MaintainPolicy:
    """Upkeep without a model: exact duplicates, promotion to durable, and archiving. None switches a rule off."""

    fold_duplicates: bool = True
    promote_accesses: int | None = 3
    promote_reinforcements: int = 2
    archive_after_days: float | None = None
    #: Of each kind in one dream, so that its transactions stay short; the rest waits for the next one.
    max_changes: int = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestPolicy:
    """The daily digest. Memories, hours, bullets and links as SwarmClaw publishes them."""

    enabled: bool = False
    min_memories: int = 5
    window_hours: float = 24.0
    max_memories: int = 30
    min_bullets: int = 3
    max_bullets: int = 7
    max_links: int = 10
    preview_chars: int = 300
    review_below_confidence: float = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionPolicy:
    """Access-based compaction: durable memories that were never read are archived. The days are SwarmClaw's."""

    enabled: bool = False
    unused_days: float = 60.0
    min_hours: float = 24.0  # between two compactions of a store
    max_changes: int = 5_000
