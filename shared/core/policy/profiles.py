"""The named presets of a store's policy, and overrides of single fields."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from typing import get_type_hints

from shared.core.errors import BadInputError
from shared.core.personal_data.kinds import choose_kinds
from shared.core.policy.policy import (
    Autonomy,
    ConsolidatePolicy,
    GatePolicy,
    GatherPolicy,
    Policy,
    PreferencePolicy,
    PrunePolicy,
    ReflectPolicy,
    SafetyPolicy,
    ShowPolicy,
)
from shared.core.policy.upkeep import CompactionPolicy, DecayLaw, DecayPolicy, DigestPolicy, MaintainPolicy

#: What each of the five systems publishes; docs/profiles.md has the numbers side by side, and why ours differ where
#: they do. ByteRover counts curations, reads no sessions and folds nothing; Claude Code counts sessions and dreams
#: between turns; RockBot and SwarmClaw go by the clock alone, SwarmClaw only where it is switched on. Which phases a profile
#: leaves out is said by each phase.
PROFILES: dict[str, Policy] = {
    "default": Policy(),
    "byterover": Policy(
        profile="byterover",
        gates=GatePolicy(min_hours=12, min_curations=3, min_sessions=None, scan_throttle_minutes=0, idle_seconds=0),
        consolidate=ConsolidatePolicy(excerpt_chars=0, shared_call_chars=0),
        prune=PrunePolicy(shown_chars=0),
        reflect=ReflectPolicy(enabled=False),
    ),
    "claude-code": Policy(
        profile="claude-code",
        gates=GatePolicy(min_hours=24, min_curations=None, min_sessions=5, scan_throttle_minutes=10, idle_seconds=0),
        show=ShowPolicy(session_tokens=0),  # narrow windows around what a search finds
        reflect=ReflectPolicy(enabled=False),
    ),
    "rockbot": Policy(
        profile="rockbot",
        gates=GatePolicy(
            min_hours=4, min_curations=None, min_sessions=None, scan_throttle_minutes=0, idle_seconds=0,
            require_empty_queue=False, wake_hours=4,
        ),
        gather=GatherPolicy(episodes=True),
        preferences=PreferencePolicy(counted_first=True),
        decay=DecayPolicy(law=DecayLaw.HALF_LIFE, grace_days=30, half_life_days=45, floor_importance=10),
        maintain=MaintainPolicy(promote_accesses=None, archive_after_days=None),
        reflect=ReflectPolicy(enabled=False),
        safety=SafetyPolicy(protection_fades=True),
    ),
    "swarmclaw": Policy(
        profile="swarmclaw",
        gates=GatePolicy(
            enabled=False, min_hours=6, min_curations=None, min_sessions=None, scan_throttle_minutes=0,
            idle_seconds=120, require_empty_queue=False, wake_hours=24,
        ),
        decay=DecayPolicy(law=DecayLaw.HALF_LIFE, grace_days=30, half_life_days=30, only_unused=True),
        maintain=MaintainPolicy(promote_accesses=3, promote_reinforcements=2, archive_after_days=90),
        digest=DigestPolicy(enabled=True),
        compaction=CompactionPolicy(enabled=True),
        consolidate=ConsolidatePolicy(max_changed_per_call=50),
        reflect=ReflectPolicy(known_chars=300),
    ),
}  # fmt: skip

#: The group of settings that holds one switch for each optional phase.
_SWITCHES = "phases"
_MAX_PATTERNS_CHARS = 1_000
#: The sane range of a number that an override may set: (lowest, highest), by how the field's name ends.
_RANGES = {
    "_share": (0.0, 1.0),
    "_confidence": (0.0, 1.0),
    "_bm25": (0.0, 1.0),
    "_importance": (0.0, 100.0),
    "_factor": (0.0, 1.0),
    "_after": (1.0, 20.0),
    "_hours": (0.0, 8_760.0),
    "_minutes": (0.0, 525_600.0),
    "dream_seconds": (0.0, 900.0),  # a message of a phase may not be held for longer: shared/adapters/celery/config.py
    "_seconds": (0.0, 604_800.0),
    "_days": (0.0, 36_500.0),
    "": (0.0, 10_000_000.0),
}


def get_policy(
    profile: str, overrides: Mapping[str, object], autonomy: Autonomy, switches: Sequence[str] | None = None
) -> Policy:
    """Return the policy of a store.

    Args:
        profile: a name in PROFILES.
        overrides: values by key, such as `gates.min_hours`.
        autonomy: how much a dream may do alone.
        switches: the phases that a store can switch off. None: their names were checked when they were set.

    Raises:
        BadInputError: for an unknown profile, field or value.
    """
    if profile not in PROFILES:
        msg = f"There is no profile {profile!r}; choose one of {', '.join(sorted(PROFILES))}"
        raise BadInputError(msg)
    policy = _with_autonomy(profile, autonomy)
    for key, value in overrides.items():
        policy = _override(policy, key, value, switches)
    return policy


@cache
def _with_autonomy(profile: str, autonomy: Autonomy) -> Policy:
    return replace(PROFILES[profile], autonomy=autonomy)


def override_keys(switches: Sequence[str] = ()) -> tuple[str, ...]:
    """Return every key that an override may set, such as `gates.min_hours`. `switches` names the optional phases."""
    default = PROFILES["default"]
    names = {one.name: _names_in(getattr(default, one.name)) for one in fields(Policy)} | {_SWITCHES: switches}
    return tuple(f"{group}.{name}" for group, inside in names.items() for name in inside)


def read_value(text: str) -> object:
    """Return a value as people write it: a number, true, false, null, or a word."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def get_setting(policy: Policy, key: str) -> object:
    """Return a policy's value of a key such as `gates.min_hours`."""
    group, _, name = key.partition(".")
    return getattr(getattr(policy, group), name)


def _names_in(group: object) -> tuple[str, ...]:
    return tuple(one.name for one in fields(group)) if is_dataclass(group) else ()


def _override(policy: Policy, key: str, value: object, switches: Sequence[str] | None) -> Policy:
    group_name, _, field_name = key.partition(".")
    if group_name == _SWITCHES and (switches is None or field_name in switches):
        return replace(policy, phases={**policy.phases, field_name: bool(_checked(key, value, bool))})
    if key not in override_keys():
        raise BadInputError(_name_settings(key, override_keys(switches or ())))
    group = getattr(policy, group_name)
    allowed = get_type_hints(type(group))[field_name]
    return replace(policy, **{group_name: replace(group, **{field_name: _checked(key, value, allowed)})})


def _name_settings(key: str, keys: Sequence[str]) -> str:
    """Return the sentence for an unknown key: what was meant, the settings of its group, or the groups."""
    group = key.partition(".")[0]
    near = get_close_matches(key, keys, n=1, cutoff=0.75)
    meant = f"; did you mean {near[0]}?" if near else "."
    group = near[0].partition(".")[0] if near else group
    inside = [one for one in keys if one.startswith(f"{group}.")]
    groups = list(dict.fromkeys(one.partition(".")[0] for one in keys))
    others = ", ".join(f"{one}.*" for one in groups if one != group)
    listed = (
        f"The settings of {group} are {', '.join(inside)}; there are also {others}" if inside else f"There are {others}"
    )
    return f"There is no setting {key!r}{meant} {listed} (docs/profiles.md lists every one)"


def _checked(key: str, value: object, allowed: object) -> object:
    if allowed is bool:
        if isinstance(value, bool):
            return value
        msg = f"{key} takes true or false, not {value!r}"
        raise BadInputError(msg)
    if allowed is str:
        return _patterns(key, value)
    if isinstance(allowed, type) and issubclass(allowed, StrEnum):
        return _chosen(key, value, allowed)
    if value is None and type(None) in getattr(allowed, "__args__", ()):
        return None
    lowest, highest = next(limits for ending, limits in _RANGES.items() if key.endswith(ending))
    if isinstance(value, bool) or not isinstance(value, int | float) or not lowest <= value <= highest:
        msg = f"{key} takes a number from {lowest:g} to {highest:g}, not {value!r}"
        raise BadInputError(msg)
    is_whole = allowed is int or int in getattr(allowed, "__args__", ())
    if is_whole and int(value) != value:
        msg = f"{key} takes a whole number, not {value!r}"
        raise BadInputError(msg)
    return int(value) if is_whole else float(value)


def _patterns(key: str, value: object) -> str:
    """Return patterns between commas, which JSON may also give as a list or as a number."""
    given = value if isinstance(value, list | tuple) else [value]
    if any(isinstance(one, bool) or not isinstance(one, str | int) for one in given):
        raise BadInputError(f"{key} takes patterns between commas, such as cron*,heartbeat, not {value!r}")
    told = ",".join(str(one).strip() for one in given)
    if len(told) > _MAX_PATTERNS_CHARS or not told.isprintable():
        raise BadInputError(f"{key} takes at most {_MAX_PATTERNS_CHARS} printable characters")
    if key == "personal_data.kinds":
        choose_kinds(told)
    return told


def _chosen(key: str, value: object, allowed: type[StrEnum]) -> StrEnum:
    try:
        return allowed(str(value))
    except ValueError as error:
        msg = f"{key} takes one of {', '.join(allowed)}, not {value!r}"
        raise BadInputError(msg) from error
