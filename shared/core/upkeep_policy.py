"""The numbers of what happens without a model: how importance falls, and what is folded, promoted and archived."""

from dataclasses import dataclass
from enum import StrEnum


class DecayLaw(StrEnum):
    """How importance falls while nobody sees a memory: by a factor a day, by halves after a grace, or never."""

    DAILY = "daily"
    HALF_LIFE = "half_life"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayPolicy:
    """How importance (0..100) falls. ByteRover: `daily` by 0.995. RockBot: `half_life`, a grace, a half-life, a floor.

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
    """What happens without a model: exact duplicates, promotion to durable, and archiving. A None switches a rule off."""

    fold_duplicates: bool = True
    promote_accesses: int | None = 3
    promote_reinforcements: int = 2
    archive_after_days: float | None = None
    #: Of each kind in one dream, so that its transactions stay short; the rest waits for the next one.
    max_changes: int = 5_000
