"""One fact in two spellings is merged or put before a person; facts that look alike and differ are never merged.

The pairs in `material/values.json` were written before the rule: times of day, number words, prices, spellings, units, the order of
words in four languages, and as many that must not be taken for one. The rule was made with every second pair in sight.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.judgement.merging import in_frames
from benchmarks.judgement.models import MODELS
from shared.core.dream.operations import OperationKind
from tests.unit.builders import group, memory
from tests.unit.phases.consolidate.consolidating import plan

_PAIRS = json.loads((Path(__file__).parent / "material" / "values.json").read_text(encoding="utf-8"))
_FRAMES = ("plain", "note")


def verdict_on(texts: Sequence[tuple[str, str]], model: str) -> str:
    """Return what becomes of two memories: merged, proposed or apart."""
    left, right = (memory(path, text) for path, text in texts)
    operations = plan(*MODELS[model](left, right).actions, of=group(left, right)).operations
    merges = [one for one in operations if one.kind is OperationKind.MERGE]
    if not merges:
        return "apart"
    return "proposed" if all(one.propose_only for one in merges) else "merged"


def find_pairs(kind: str, frame: str, verdict: str, model: str = "none") -> list[str]:
    """Return the titles of the pairs on which a model's answer, or the rules without one, come to a verdict."""
    told = [{"a": one, "b": other} for _, one, other in _PAIRS[kind]]
    pairs = dict(in_frames(told))[frame]
    named = zip(_PAIRS[kind], pairs, strict=True)
    return [title for (title, _, _), texts in named if verdict_on(texts, model) == verdict]


@pytest.mark.parametrize("frame", _FRAMES)
def test_a_fact_in_another_spelling_or_order_of_words_is_not_kept_apart_in_silence(frame: str) -> None:
    assert find_pairs("same", frame, "apart") == []


@pytest.mark.parametrize("frame", _FRAMES)
@pytest.mark.parametrize("model", MODELS)
def test_a_fact_that_only_looks_alike_is_never_merged_whatever_a_model_says(model: str, frame: str) -> None:
    assert find_pairs("other", frame, "merged", model) == []


def test_a_german_sentence_with_its_phrases_in_another_order_is_proposed_with_the_reason() -> None:
    texts = [
        ("a/heizung.md", "# Heizung\n\nDie Heizung wird im Oktober gewartet. Der Druck soll bei 1,5 bar liegen.\n"),
        ("a/wartung.md", "# Heizung\n\nIm Oktober wird die Heizung gewartet. Der Druck soll bei 1,5 bar liegen.\n"),
    ]
    left, right = (memory(path, text) for path, text in texts)
    (merge,) = plan(*MODELS["none"](left, right).actions, of=group(left, right)).operations
    assert merge.propose_only is not None
    assert "Im Oktober wird die Heizung gewartet" in merge.propose_only
