"""Texts that contradict each other are never merged automatically; texts that only add something may be."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from shared.core.merging.opposites import MAX_SENTENCES, reason_opposed

PAIRS = Path(os.environ.get("SLOWWAVE_DATA", "../shared/data")) / "pairs" / "pairs.jsonl"
SHARED = "The gateway speaks HTTP. "


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The man is playing the flute.", "The man is not playing the flute."),
        ("The cache doesn't store tokens.", "The cache stores the tokens."),
        ("There is no retry in the gateway.", "There is a retry in the gateway."),
        ("Deploys always go through staging.", "Deploys never go through staging."),
        ("The limit is 30 requests a minute.", "The limit is 60 requests a minute."),
        ("Wait 30 s before the retry.", "Wait 30 ms before the retry."),
        ("The service needs Python 3.10 to run.", "The service needs Python 3.1 to run."),
        ("The release was on April 15, 2025 in Lyon.", "The release was on 2025-04-16 in Lyon."),
        ("We keep two replicas of the queue.", "We keep three replicas of the queue."),
        ("Enable the write cache on all nodes.", "Disable the write cache on all nodes."),
        ("Migrations run before the deploy.", "Migrations run after the deploy."),
        ("The flag strict_mode is true there.", "The flag strict_mode is false there."),
        ("Guests are allowed to read the wiki.", "Guests are denied to read the wiki."),
        ("The new cache increased the load.", "The new cache decreased the load."),
        ("- **Retries** are enabled for jobs", "1. retries are not enabled for `jobs`"),
        ("The key is used without rotation.", "The key is used with rotation."),
    ],
)
def test_a_difference_that_turns_the_meaning_around_is_a_reason(left: str, right: str) -> None:
    for one, other in ((left, right), (right, left), (SHARED + left, f"{right} {SHARED}More is known of this.")):
        reason = reason_opposed(one, other)
        assert reason
        assert reason.endswith(".")
        assert "\n" not in reason


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The limit is 30 requests.", "The limit is 30 requests. It is not enforced for partners."),
        ("The limit is 30 requests a minute.", "The limit is 30 requests a minute since 2025."),
        ("The limit is not 30.", "The limit is not 30!"),
        ("Not enabled on the edge nodes.", "It's not enabled on edge nodes."),
        ("Released on April 15, 2025 by Anna.", "Anna released it on 2025-04-15."),
        ("We keep two replicas.", "We keep 2 replicas."),
        ("It fell by 8 percent on Monday.", "It fell by 8 on Monday."),
        ("Redis holds the queue.", "The office in Lyon is closed, and no one has 12 keys."),
        ("Mr. Smith waits for 10 s. Then he doesn't.", "Mr. Smith waits for 10 s; then he doesn't."),
        ("---\nupdatedAt: 2025-01-01\n---\nSame body here.", "---\nupdatedAt: 2026-02-02\n---\nThe same body here."),
        ("", "The cache is off."),
    ],
)
def test_texts_that_agree_or_speak_of_different_things_may_be_merged(left: str, right: str) -> None:
    assert reason_opposed(left, right) is None
    assert reason_opposed(right, left) is None


def test_a_negation_that_only_moved_to_another_sentence_is_no_conflict() -> None:
    left = "The edge cache holds tokens. It does not hold any sessions of guests because they are rare in this region."
    right = "The edge cache holds tokens it does not hold any sessions of guests. because they are rare in this region."
    assert reason_opposed(left, right) is None


def test_the_reason_quotes_both_sides_and_names_the_numbers() -> None:
    reason = reason_opposed("The limit is 30 a minute.", "The limit is 60 a minute.")
    assert reason == (
        '"The limit is 30 a minute." and "The limit is 60 a minute." differ in a number, version or date: 30 against 60.'
    )
    days = reason_opposed("Labels are refunded within 14 days.", "Labels are refunded within 30 days.")
    assert days is not None
    assert days.endswith(": 14 days against 30 days.")


def test_very_long_texts_are_compared_as_wholes() -> None:
    words = [f"item{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(MAX_SENTENCES + 10)]
    left = "\n".join(f"The {word} is kept in the store" for word in words)
    right = "\n".join(f"The {word} stays in the store" for word in words)
    assert reason_opposed(left, right) is None
    assert reason_opposed(f"{left}\nwith 30 of them", f"{right}\nwith 40 of them")
    assert reason_opposed(f"{left}\nand never more", right) == 'Only one of the two long texts says: "and never more".'


WORDS = "the cache queue is not never 30 60 3.10 enabled disabled before after runs . ; \n"
words = st.sampled_from(WORDS.split(" "))
texts = st.one_of(st.lists(words, max_size=30).map(" ".join), st.text())


@given(texts, texts)
def test_the_verdict_does_not_depend_on_the_order(left: str, right: str) -> None:
    assert (reason_opposed(left, right) is None) == (reason_opposed(right, left) is None)


@given(texts, texts)
def test_a_text_that_only_adds_lines_is_no_conflict(text: str, more: str) -> None:
    assert reason_opposed(text, text) is None
    assert reason_opposed(text, f"{text}\n\n{more}") is None


@pytest.mark.skipif(not PAIRS.is_file(), reason="the labelled pairs are not here")
def test_of_labelled_pairs_contradictions_are_stopped_and_duplicates_pass() -> None:
    rows = [row for row in map(json.loads, PAIRS.read_text().splitlines()) if row["source"] in ("sick", "stsb", "mrpc")]
    alike = [row for row in rows if fuzz.token_set_ratio(row["a"].lower(), row["b"].lower()) >= 85]
    kept = [row for row in alike if reason_opposed(row["a"], row["b"]) is None]
    kept_sick = [row for row in kept if row["source"] == "sick"]
    assert sum(row["nli"] == "CONTRADICTION" for row in kept_sick) <= 0.05 * len(kept_sick)
    duplicates = sum(row["duplicate"] == 1 for row in alike)
    assert sum(row["duplicate"] == 1 for row in kept) >= 0.93 * duplicates > 0


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Die Sicherung läuft jede Nacht und wird geprüft.", "Die Sicherung läuft nicht jede Nacht und wird geprüft."),
        ("Gæster kan se priserne i butikken.", "Gæster kan ikke se priserne i butikken."),
        ("The flag NEW_CART is on in staging for all.", "The flag NEW_CART is on in production for all."),
        ("Contact Jansen about the contract for renewals.", "Contact Janssen about the contract for renewals."),
        ("Backups are kept in the Frankfurt region.", "Backups are kept in the Dublin region."),
        ("Der Server beginnt am Montag seine Arbeit um acht.", "Der Server beginnt am Dienstag seine Arbeit um acht."),
        ("Alice approves refunds, Bob reviews them weekly.", "Bob approves refunds, Alice reviews them weekly."),
        ("Run `alembic upgrade head --sql` first.", "Run `alembic downgrade head --sql` first."),
        ("| plan | seats |\n| basic | 5 |\n| pro | 50 |", "| plan | seats |\n| basic | 50 |\n| pro | 5 |"),
    ],
)
def test_who_where_and_not_are_told_apart_in_other_languages_rows_and_names_too(left: str, right: str) -> None:
    for one, other in ((left, right), (right, left), (SHARED + left, f"{right}\n{SHARED}")):
        assert reason_opposed(one, other)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("# Auth Notes Of Today", "# Auth Guide Of Today"),
        ("The API answers with 429 when it is busy.", "The API replies with 429 when it is busy."),
        ("Calls are retried three times, says Norpost.", "Norpost says: calls are retried three times."),
        ("We sell apples, pears and plums here.", "We sell pears, apples and plums here."),
    ],
)
def test_headings_synonyms_and_reordered_lists_contradict_nothing(left: str, right: str) -> None:
    assert reason_opposed(left, right) is None


@pytest.mark.parametrize(
    ("said", "is_same"),
    [
        ("On weekdays the office is open from 8 to 12.", True),
        ("On weekdays the office is open from 8 to 11.", False),
        ("The office is open 9-12 on weekdays.", False),
    ],
)
def test_a_range_is_the_same_in_words(said: str, is_same: bool) -> None:
    assert (reason_opposed("The office is open 8-12 on weekdays.", said) is None) is is_same


def test_no_denies_nothing_in_portuguese() -> None:
    left = "Chegada na quinta às 11h40, voo TP1713. O pai não sobe escadas."
    right = "A chegada é na quinta às 11h40 no TP1713. O pai não sobe escadas."
    assert reason_opposed(left, right) is None
    assert reason_opposed(left, right.replace("não ", "")) is not None


def test_a_typeface_denies_nothing() -> None:
    left, right = "Labels are set in Brandt Sans at 18 points.", "Labels are set in Brandt at 18 points."
    assert reason_opposed(left, right) is None
    assert reason_opposed("Un th\u00e9 avec sucre pour Anna.", "Un th\u00e9 sans sucre pour Anna.") is not None
