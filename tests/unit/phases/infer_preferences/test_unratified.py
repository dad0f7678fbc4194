"""Inferred preferences that are not recalled, and how irritated words sound."""

from typing import Any

import pytest

from shared.core.dream.operations import Plan, Retire
from shared.core.memory.model import Author, Memory, MemoryState, Signals
from shared.core.merging.loss_cap import LossBudget
from shared.core.sessions.sentiment import Sentiment, decide_sentiment
from tests.unit.builders import NOW, codes, memory
from workers.phases.infer_preferences.unratified import plan_unratified


def inferred(name: str, text: str, **values: Any) -> Memory:
    return memory(f"user-preferences/inferred/{name}.md", f"# {name}\n\n{text}\n", author=Author.DREAM, **values)


def test_a_tentative_preference_is_retired_as_unratified_after_more_than_30_days() -> None:
    old = inferred("tabs", "The user wants tabs.", untouched_days=30.01)
    (operation,) = unratified(old).operations
    (change,) = operation.changes
    assert isinstance(change, Retire)
    assert (change.state, operation.reason.partition(":")[0]) == (MemoryState.ARCHIVED, "unratified")


@pytest.mark.parametrize(
    "kept",
    [
        inferred("young", "Young.", untouched_days=29),
        inferred("on-its-last-day", "It may still be recalled today.", untouched_days=30),
        inferred("recalled", "Recalled.", untouched_days=90, signals=Signals(access_count=1)),
        inferred("pinned", "Pinned.", untouched_days=90, signals=Signals(pinned=True)),
        memory("user-preferences/inferred/mine.md", "Mine.", author=Author.USER, untouched_days=90),
        memory("notes/old.md", "Old.", author=Author.DREAM, untouched_days=90),
    ],
)
def test_young_recalled_pinned_edited_and_other_memories_stay(kept: Memory) -> None:
    assert unratified(kept).operations == ()


def test_unratified_preferences_count_for_the_loss_cap() -> None:
    olds = [inferred(f"n{number}", "Old.", untouched_days=40) for number in range(5)]
    found = unratified(*olds, allowed=3)
    assert (len(found.operations), codes(found)) == (3, ["loss_cap", "loss_cap"])


def unratified(*memories: Memory, allowed: int = 10) -> Plan:
    return plan_unratified(memories, days=30, now=NOW, loss=LossBudget(allowed=allowed))


@pytest.mark.parametrize(
    ("text", "tone"),
    [
        ("For the last time, use tabs!", Sentiment.VERY_IRRITATED),
        ("NEVER push to main", Sentiment.VERY_IRRITATED),
        ("I told you to use tabs", Sentiment.VERY_IRRITATED),
        ("Not spaces again, please use tabs", Sentiment.MILD),
        ("I prefer tabs over spaces", Sentiment.CASUAL),
    ],
)
def test_words_have_a_tone(text: str, tone: Sentiment) -> None:
    assert decide_sentiment(text) is tone
