"""Patterns choose which sessions an import takes."""

from shared.core.policy.choice import Choice


def test_without_patterns_everything_is_taken() -> None:
    assert Choice().takes(["a.jsonl", "s1"])


def test_a_pattern_matches_a_whole_name_regardless_of_case() -> None:
    choice = Choice(exclude=("*CRON*", "therapy"))
    assert not choice.takes(["a.jsonl", "agent:main:cron:60"])
    assert not choice.takes(["a.jsonl", "s1", "Therapy"])
    assert choice.takes(["a.jsonl", "s1", "Therapy bills"])


def test_what_is_excluded_is_not_taken_even_if_it_is_included() -> None:
    choice = Choice(include=("billing/*", "shop"), exclude=("*/2026-03-*",))
    assert choice.takes(["billing/2026-04-01"])
    assert not choice.takes(["billing/2026-03-04"])
    assert not choice.takes(["random/2026-04-01"])
    assert choice.takes(["x", "shop"])


def test_an_empty_name_matches_nothing() -> None:
    assert not Choice(exclude=("*",)).excludes([""])
