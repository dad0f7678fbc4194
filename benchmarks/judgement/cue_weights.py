"""Fit the weights of the evidence for cues to labelled messages: `python -m benchmarks.judgement.cue_weights FILES > weights`.

A file holds lines `{"text": …, "kinds": […]}`. Logistic regression with a small penalty: of a message with a cue its best sentence
counts, of the others each sentence. What speaks for a cue by its meaning never counts against it, nor the reverse. The rows stand in
`shared/core/sessions/evidence/weights.toml`, which also says which pairs are weighed; the last line tells how well unseen fifths are judged.

The rows of today are fitted to 3,742 messages: 1,490 of eight blind sets and 420 of two further writers, of each the part that may be
read, and 160 for Italian and Dutch, all by language models that did not know the rules; 260 turns of the LoCoMo dialogues; and
1,412 sentences written for this, most of them without a cue. `ENOUGH` was then set by the numbers of parts that nothing is fitted to.
"""

import json
import math
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shared.core.sessions.cues import find_reasons
from shared.core.sessions.evidence.weights import ENOUGH, WEIGHTS

_KINDS = ("correction", "save", "decision", "preference")
_FOR = frozenset(
    {"memo", "lasting", "calendar", "must", "objects", "with you", "own", "mine", "me", "people", "systems", "states", "contrast",
     "denies", "you did", "lesson", "settles", "tastes", "number", "name", "code"}
)  # fmt: skip
_AGAINST = frozenset(
    {"task", "the one", "now", "trouble", "doubt", "said", "thanks", "story", "intent", "chat", "points", "fiction", "short", "long",
     "log", "exclaims", "colon", "question", "request", "moment", "reported", "quoting", "laughs"}
)  # fmt: skip
#: What a sentence looks like says little: a bug report names things and numbers, too.
_FORMS, _MOST_OF_FORM = frozenset({"name", "number", "code"}), 0.5
_BIAS = "bias"
_PENALTY, _RATE, _ROUNDS, _PASSES = 0.02, 0.1, 40, 3

Weights = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A labelled message: the reasons of each sentence, and the kinds of what is worth keeping in it."""

    sentences: tuple[frozenset[str], ...]
    kinds: frozenset[str]


def main() -> None:
    """Print the rows, and the quality on unseen fifths."""
    messages = [_read(json.loads(line)) for name in sys.argv[1:] for line in Path(name).read_text("utf-8").splitlines()]
    weights = fit(messages)
    kinds = fit_kinds(messages, weights)
    print(f"bias = {weights[_BIAS]:.2f}")
    for name in WEIGHTS:
        row = (weights.get(name, 0.0), *(kinds[kind].get(name, 0.0) for kind in _KINDS))
        print(f"'{name}' = [{', '.join(f'{value + 0.0:.2f}' for value in row)}]")
    print(judge_unseen(messages))


def _read(case: Mapping[str, Any]) -> Message:
    known = frozenset(WEIGHTS)
    return Message(sentences=tuple(one & known for one in find_reasons(case["text"])), kinds=frozenset(case["kinds"]))


def fit(messages: Sequence[Message]) -> dict[str, float]:
    """Return the weight of each reason, and the bias."""
    weights: dict[str, float] = defaultdict(float)
    for _ in range(_PASSES):
        examples = list(_examples(messages, weights))
        weights = defaultdict(float)
        _descend(weights, examples)
    return dict(weights)


def _examples(messages: Sequence[Message], weights: Weights) -> Iterable[tuple[frozenset[str], float]]:
    for message in messages:
        if message.kinds and message.sentences:
            yield max(message.sentences, key=lambda one: (total(one, weights), len(one))), 1.0
        elif not message.kinds:
            yield from ((one, 0.0) for one in message.sentences)


def total(reasons: Iterable[str], weights: Weights) -> float:
    """Return the sum of the weights of reasons."""
    return weights.get(_BIAS, 0.0) + sum(weights.get(name, 0.0) for name in sorted(reasons))


def _descend(weights: dict[str, float], examples: list[tuple[frozenset[str], float]]) -> None:
    chance, slopes = random.Random(0), defaultdict[str, float](lambda: 1e-8)
    for _ in range(_ROUNDS):
        chance.shuffle(examples)
        for reasons, wanted in examples:
            error = 1 / (1 + math.exp(-max(-30.0, min(30.0, total(reasons, weights))))) - wanted
            for name in (*sorted(reasons), _BIAS):
                slope = error + (_PENALTY * weights[name] if name != _BIAS else 0.0)
                slopes[name] += slope * slope
                weights[name] = _bounded(name, weights[name] - _RATE * slope / math.sqrt(slopes[name]))


def _bounded(name: str, weight: float) -> float:
    is_against = name in _AGAINST or name.startswith("elsewhere ")
    is_wrong = (name in _FOR and weight < 0) or (is_against and weight > 0)
    return 0.0 if is_wrong else min(weight, _MOST_OF_FORM if _FORMS.intersection(name.split(" + ")) else weight)


def fit_kinds(messages: Sequence[Message], weights: Weights) -> dict[str, dict[str, float]]:
    """Return for each kind how much each reason speaks for it rather than for the others."""
    best = [
        (max(one.sentences, key=lambda reasons: total(reasons, weights)), one.kinds)
        for one in messages
        if one.kinds and one.sentences
    ]
    found: dict[str, dict[str, float]] = {kind: defaultdict(float) for kind in _KINDS}
    chance, slopes = random.Random(1), defaultdict[tuple[str, str], float](lambda: 1e-8)
    for _ in range(_ROUNDS):
        chance.shuffle(best)
        for reasons, kinds in best:
            sums = {kind: math.exp(sum(found[kind][name] for name in sorted(reasons))) for kind in _KINDS}
            for kind in _KINDS:
                error = sums[kind] / sum(sums.values()) - (kind in kinds) / len(kinds)
                for name in sorted(reasons):
                    slope = error + _PENALTY * found[kind][name]
                    slopes[kind, name] += slope * slope
                    found[kind][name] -= _RATE * slope / math.sqrt(slopes[kind, name])
    return found


def judge_unseen(messages: Sequence[Message], parts: int = 5) -> str:
    """Return precision and recall of the evidence alone, each fifth judged by weights that were fitted to the others."""
    order = list(range(len(messages)))
    random.Random(5).shuffle(order)
    right = found = 0
    for part in range(parts):
        unseen = set(order[part::parts])
        weights = fit([messages[number] for number in order if number not in unseen])
        heavy = [messages[n] for n in sorted(unseen) if any(total(s, weights) >= ENOUGH for s in messages[n].sentences)]
        found += len(heavy)
        right += sum(bool(one.kinds) for one in heavy)
    wanted = sum(bool(one.kinds) for one in messages)
    return (
        f"# unseen fifths of {len(messages)}: precision {right / (found or 1):.3f}, recall {right / (wanted or 1):.3f}"
    )


if __name__ == "__main__":
    main()
