"""How an agent dreams, in SwarmClaw's words, and which settings of the store are meant by them."""

from dataclasses import fields
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from shared.core.policy import PhasePolicy, Policy
from shared.core.profiles import PROFILES, get_setting
from shared.core.store import Store

MAX_DAYS = 36_500
MAX_MINUTES = 525_600
MAX_MEMORIES = 1_000_000
_HOURS_KEY, _GRACE_KEY, _STALE_KEY = "gates.min_hours", "decay.grace_days", "maintain.archive_after_days"
_COUNT_KEYS = ("reflect.max_memories", "consolidate.max_changed_per_call")
#: Everything that may ask a model: tier 2 is what costs tokens, tier 1 what does not.
_TIER2 = tuple(f"phases.{one.name}" for one in fields(PhasePolicy) if one.name != "maintain")


def _within(lowest: int, highest: int) -> AfterValidator:
    def check(value: float) -> float:
        if not lowest <= value <= highest:
            raise ValueError(f"takes a number from {lowest:,} to {highest:,}, not {value:g}")
        return value

    return AfterValidator(check)


def _range(lowest: int, highest: int, what: str) -> object:
    return Field(strict=True, description=what, json_schema_extra={"minimum": lowest, "maximum": highest})


Minutes = Annotated[float, _within(0, MAX_MINUTES), _range(0, MAX_MINUTES, "Minimum time between cycles.")]
DecayDays = Annotated[float, _within(0, MAX_DAYS), _range(0, MAX_DAYS, "Memories older than this fade.")]
PruneDays = Annotated[
    float, _within(0, MAX_DAYS), _range(0, MAX_DAYS, "Stale memories of the working tier older than this go.")
]
Count = Annotated[int, _within(1, MAX_MEMORIES), _range(1, MAX_MEMORIES, "The most that a cycle shows a model.")]


class DreamConfig(BaseModel):
    """How an agent dreams."""

    cooldownMinutes: Minutes  # noqa: N815 - the host's spelling
    decayAgeDays: DecayDays  # noqa: N815 - the host's spelling
    pruneThresholdDays: PruneDays  # noqa: N815 - the host's spelling
    tier2Enabled: bool = Field(description="Whether a model is asked at all.")  # noqa: N815 - the host's spelling
    tier2MaxMemories: Count  # noqa: N815 - the host's spelling


class ConfigPatch(BaseModel):
    """What shall change."""

    model_config = ConfigDict(extra="forbid")

    cooldownMinutes: Minutes | None = None  # noqa: N815 - the host's spelling
    decayAgeDays: DecayDays | None = None  # noqa: N815 - the host's spelling
    pruneThresholdDays: PruneDays | None = None  # noqa: N815 - the host's spelling
    tier2Enabled: bool | None = None  # noqa: N815 - the host's spelling
    tier2MaxMemories: Count | None = None  # noqa: N815 - the host's spelling

    def overrides(self, store: Store) -> dict[str, object]:
        """Return the settings of the store that are meant. Tier 2 comes back as the store's profile has it."""
        profile = PROFILES[store.profile]
        tier2 = {key: bool(self.tier2Enabled and get_setting(profile, key)) for key in _TIER2}
        given = {
            _HOURS_KEY: None if self.cooldownMinutes is None else self.cooldownMinutes / 60,
            _GRACE_KEY: self.decayAgeDays,
            _STALE_KEY: self.pruneThresholdDays,
            **dict.fromkeys(_COUNT_KEYS, self.tier2MaxMemories),
            **({} if self.tier2Enabled is None else tier2),
        }
        return {key: value for key, value in given.items() if value is not None}


def config_out(policy: Policy) -> DreamConfig:
    """Return a store's settings in the host's words. Where tier 1 archives nothing, the days are those of `prune`."""
    stale_days = policy.maintain.archive_after_days
    return DreamConfig(
        cooldownMinutes=policy.gates.min_hours * 60,
        decayAgeDays=policy.decay.grace_days,
        pruneThresholdDays=policy.prune.draft_stale_days if stale_days is None else stale_days,
        tier2Enabled=any(get_setting(policy, key) for key in _TIER2),
        tier2MaxMemories=policy.reflect.max_memories,
    )
