"""Similarity finds the planted duplicates and leaves unrelated memories apart."""

import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.text.similarity import (
    NEAR_DUPLICATE,
    RELATED,
    normalise_bm25,
    significant_words,
    similarity,
)

STORE = Path(os.environ.get("SLOWWAVE_DATA", "../shared/data")) / "stores" / "mem-1000.jsonl"
RATE_LIMITS = "Clients get a hundred requests a minute from the gateway, then it answers with status 429 and a header."
WORDS = "the redis queue drops old tasks when memory is full not 3.10 é"
texts = st.lists(st.sampled_from(WORDS.split())).map(" ".join)


@given(texts, texts)
def test_similarity_is_symmetric_and_between_nothing_and_one(left: str, right: str) -> None:
    score = similarity(left, right)
    assert 0 <= score <= 1
    assert score == pytest.approx(similarity(right, left))


@given(st.one_of(st.text(), texts))
def test_a_text_is_its_own_duplicate_whatever_its_case_and_spacing(text: str) -> None:
    assert similarity(text, text) == 1
    assert similarity(text, f"\n {text}\t") == 1


def test_reordered_sentences_and_a_longer_copy_are_near_duplicates() -> None:
    first, second = RATE_LIMITS.split(", ")
    assert similarity(RATE_LIMITS, f"{second} {first}") >= NEAR_DUPLICATE
    assert similarity(RATE_LIMITS, f"{RATE_LIMITS} Partners have ten times as much.") >= NEAR_DUPLICATE


def test_a_few_words_that_any_text_contains_are_no_duplicate_of_it() -> None:
    assert similarity("status header", RATE_LIMITS) < RELATED
    assert similarity("", RATE_LIMITS) == 0


def test_unrelated_texts_are_not_related_by_their_small_words() -> None:
    other = "The office in Lyon is closed on Mondays, and the key is with the neighbour who has a red door and a dog."
    assert similarity(RATE_LIMITS, other) < RELATED


def test_bm25_scores_are_normalised_as_byterover_publishes_them() -> None:
    assert normalise_bm25(1) == 0.5
    assert normalise_bm25(5.67) == pytest.approx(0.85, abs=0.001)
    assert normalise_bm25(0) == normalise_bm25(-1) == 0


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_normalised_scores_keep_their_order_below_one(low: float, high: float) -> None:
    low, high = sorted((low, high))
    assert 0 <= normalise_bm25(low) <= normalise_bm25(high) < 1


def test_significant_words_come_once_in_order_and_without_small_ones() -> None:
    text = "The Gateway uses Redis; the gateway is in eu-west, Redis's port isn't used for anything else."
    assert significant_words(text, 5) == ("gateway", "redis", "west", "port", "anything")
    assert significant_words(text, 0) == ()


@pytest.mark.skipif(not STORE.is_file(), reason="the generated stores are not here")
def test_planted_duplicates_are_found_and_unrelated_pairs_of_a_domain_are_not() -> None:
    memories = {row["id"]: row for row in map(json.loads, STORE.read_text().splitlines())}
    origin_of = {key: row["dup_of"] or key for key, row in memories.items()}
    planted = [(row["text"], memories[row["dup_of"]]["text"]) for row in memories.values() if row["dup_of"]]
    found = sum(similarity(*pair) >= NEAR_DUPLICATE for pair in planted)
    assert found >= 0.95 * len(planted) > 0
    draw = random.Random(7)
    pairs = (draw.sample(sorted(memories), 2) for _ in range(5_000))
    unrelated = [
        (memories[a]["text"], memories[b]["text"])
        for a, b in pairs
        if memories[a]["domain"] == memories[b]["domain"] and origin_of[a] != origin_of[b]
    ]
    assert len(unrelated) > 100
    assert all(similarity(*pair) < RELATED for pair in unrelated)
