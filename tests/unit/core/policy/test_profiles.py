"""Profiles: the published numbers, one test a number, and overrides that are refused with a sentence."""

import re
from dataclasses import fields

import pytest

from shared.core.errors import BadInputError
from shared.core.policy.policy import Autonomy
from shared.core.policy.profiles import PROFILES, get_policy, override_keys

#: (field, default profile, ByteRover's published number)
NUMBERS = [
    ("gates.min_hours", 12, 12),
    ("gates.scan_throttle_minutes", 10, 0),
    ("gates.min_curations", 3, 3),
    ("gates.min_sessions", 5, None),
    ("gates.idle_seconds", 120, 0),
    ("gates.require_empty_queue", True, True),
    ("consolidate.related_limit", 5, 5),
    ("consolidate.payload_cap_chars", 200_000, 200_000),
    ("consolidate.review_below_confidence", 0.7, 0.7),
    ("synthesize.min_domains", 2, 2),
    ("synthesize.duplicate_bm25", 0.5, 0.5),
    ("synthesize.duplicate_limit", 5, 5),
    ("synthesize.review_below_confidence", 0.7, 0.7),
    ("synthesize.summary_cap_chars", 500, 500),
    ("synthesize.max_tags", 8, 8),
    ("synthesize.max_keywords", 15, 15),
    ("prune.max_candidates", 20, 20),
    ("prune.min_importance", 35, 35),
    ("prune.draft_stale_days", 60, 60),
    ("prune.validated_stale_days", 120, 120),
    ("prune.preview_chars", 1_000, 1_000),
    ("prune.stub_chars", 320, 320),
    ("prune.stub_cap_tokens", 220, 220),
    ("budget.dream_seconds", 300, 300),
    # What the reference is silent about is the design's, in every profile.
    ("safety.loss_cap_share", 0.25, 0.25),
    ("safety.loss_cap_floor", 1, 1),
    ("safety.protected_importance", 80, 80),
    ("safety.protected_reinforcements", 5, 5),
    ("index.max_lines", 200, 200),
    ("index.max_bytes", 25_000, 25_000),
    ("index.pointer_chars", 150, 150),
]


def number(profile: str, key: str, overrides: dict[str, object] | None = None) -> object:
    policy = get_policy(profile, overrides or {}, Autonomy.FLAG)
    group, _, name = key.partition(".")
    return getattr(getattr(policy, group), name)


@pytest.mark.parametrize(("key", "default", "_byterover"), NUMBERS)
def test_the_default_profile_has_the_number_of_the_design(key: str, default: object, _byterover: object) -> None:
    assert number("default", key) == default


@pytest.mark.parametrize(("key", "_default", "byterover"), NUMBERS)
def test_the_byterover_profile_has_the_published_number(key: str, _default: object, byterover: object) -> None:
    assert number("byterover", key) == byterover


#: (field, the number that is published of Claude Code's auto-dream)
CLAUDE_CODE = [
    ("gates.min_hours", 24),
    ("gates.min_sessions", 5),
    ("gates.min_curations", None),
    ("gates.scan_throttle_minutes", 10),
    ("gates.idle_seconds", 0),
    ("index.max_lines", 200),
    ("index.max_bytes", 25_000),
    ("index.pointer_chars", 150),
]


@pytest.mark.parametrize(("key", "published"), CLAUDE_CODE)
def test_the_claude_code_profile_has_the_published_number(key: str, published: object) -> None:
    assert number("claude-code", key) == published


def test_a_profile_knows_its_own_name() -> None:
    assert {name: policy.profile for name, policy in PROFILES.items()} == {name: name for name in PROFILES}


def test_autonomy_is_the_stores_not_the_profiles() -> None:
    assert get_policy("byterover", {}, Autonomy.PROPOSE).autonomy is Autonomy.PROPOSE


def test_an_override_changes_its_field_and_no_other() -> None:
    assert number("byterover", "gates.min_hours", {"gates.min_hours": 4}) == 4.0
    changed = get_policy("byterover", {"gates.min_hours": 4}, Autonomy.FLAG)
    plain = get_policy("byterover", {}, Autonomy.FLAG)
    assert [f.name for f in fields(plain) if getattr(plain, f.name) != getattr(changed, f.name)] == ["gates"]


def test_an_override_leaves_the_profile_itself_alone() -> None:
    get_policy("default", {"gates.min_hours": 4}, Autonomy.FLAG)
    assert PROFILES["default"].gates.min_hours == 12


def test_a_threshold_that_may_be_switched_off_takes_null() -> None:
    assert number("default", "gates.min_sessions", {"gates.min_sessions": None}) is None


def test_a_whole_number_may_be_written_with_a_point() -> None:
    value = number("default", "prune.max_candidates", {"prune.max_candidates": 10.0})
    assert (value, type(value)) == (10, int)


def test_every_key_of_a_policy_can_be_overridden_with_its_own_value() -> None:
    for key in override_keys():
        assert number("default", key, {key: number("default", key)}) == number("default", key)


def test_a_phase_that_can_be_switched_off_is_a_setting() -> None:
    policy = get_policy("default", {"phases.tidy": False}, Autonomy.FLAG, ["sort", "tidy"])
    assert policy.phases == {"tidy": False}


def test_a_phase_that_does_not_exist_is_refused_with_those_that_do() -> None:
    expected = "There is no setting 'phases.tidi'; did you mean phases.tidy? The settings of phases are phases.sort, phases.tidy; "
    with pytest.raises(BadInputError, match=re.escape(expected)):
        get_policy("default", {"phases.tidi": False}, Autonomy.FLAG, ["sort", "tidy"])


def test_a_switch_of_a_phase_that_is_gone_is_no_reason_to_refuse_a_stored_policy() -> None:
    assert get_policy("default", {"phases.gone": False}, Autonomy.FLAG).phases == {"gone": False}


def test_an_unknown_profile_is_refused_with_the_ones_that_exist() -> None:
    with pytest.raises(
        BadInputError,
        match="There is no profile 'swarm'; choose one of byterover, claude-code, default, rockbot, swarmclaw",
    ):
        get_policy("swarm", {}, Autonomy.FLAG)


@pytest.mark.parametrize(
    "key", ["gates.min_hour", "min_hours", "gates.minhours", "gate.min_hours", "gates.min_hours.x"]
)
def test_a_setting_that_is_nearly_one_is_refused_with_what_was_meant(key: str) -> None:
    with pytest.raises(
        BadInputError, match=r"There is no setting .*; did you mean gates\.min_hours\? The settings of gates"
    ):
        get_policy("default", {key: 1}, Autonomy.FLAG)


def test_an_unknown_setting_of_a_group_is_refused_with_those_that_the_group_has() -> None:
    with pytest.raises(
        BadInputError, match=r"There is no setting 'gates\.lamp'\. The settings of gates .*gates\.min_hours"
    ):
        get_policy("default", {"gates.lamp": 1}, Autonomy.FLAG)


@pytest.mark.parametrize("key", ["gates", "profile", "autonomy", ""])
def test_an_unknown_setting_is_refused_with_the_groups_that_exist(key: str) -> None:
    with pytest.raises(BadInputError, match=r"There is no setting .*prune\.\*"):
        get_policy("default", {key: 1}, Autonomy.FLAG)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("gates.min_hours", "4", "gates.min_hours takes a number from 0 to"),
        ("gates.min_hours", -1, "takes a number from 0 to"),
        ("gates.min_hours", None, "takes a number from 0 to"),
        ("gates.min_hours", True, "takes a number from 0 to"),
        ("gates.min_hours", float("nan"), "takes a number from 0 to"),
        ("gates.min_hours", float("inf"), "takes a number from 0 to"),
        ("gates.require_empty_queue", 1, "gates.require_empty_queue takes true or false, not 1"),
        ("prune.max_candidates", 2.5, "prune.max_candidates takes a whole number, not 2.5"),
        ("safety.loss_cap_share", 1.5, "safety.loss_cap_share takes a number from 0 to 1, not 1.5"),
        ("consolidate.review_below_confidence", 7, "takes a number from 0 to 1, not 7"),
        ("synthesize.duplicate_bm25", 2, "takes a number from 0 to 1, not 2"),
        ("decay.law", "weekly", "decay.law takes one of daily, half_life, none, not 'weekly'"),
        ("decay.daily_factor", 1.5, "takes a number from 0 to 1, not 1.5"),
        ("gates.min_hours", 100_000, "takes a number from 0 to 8760, not 100000"),
        ("maintain.archive_after_days", 1e9, "takes a number from 0 to 36500"),
        ("phases.maintain", "no", "phases.maintain takes true or false, not 'no'"),
        ("safety.protected_importance", 101, "takes a number from 0 to 100, not 101"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_with_a_sentence(key: str, value: object, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        get_policy("default", {key: value}, Autonomy.FLAG)


@pytest.mark.parametrize(
    ("value", "patterns"), [("cron*, *beat", "cron*, *beat"), (["cron*", "beat"], "cron*,beat"), (7, "7"), ("", "")]
)
def test_patterns_of_sessions_are_words_between_commas_or_a_list(value: object, patterns: str) -> None:
    assert get_policy("default", {"sessions.exclude": value}, Autonomy.FLAG).sessions.exclude == patterns


@pytest.mark.parametrize("value", [True, None, {"a": 1}, [1.5], "a\nb", "x" * 1_001])
def test_what_is_no_pattern_of_sessions_is_refused_by_the_name_of_the_setting(value: object) -> None:
    with pytest.raises(BadInputError, match=r"sessions\.exclude takes"):
        get_policy("default", {"sessions.exclude": value}, Autonomy.FLAG)
