"""Weigh the evidence of a sentence: what is found in it and around it, the sum, and the strongest reason.

A reason is the name of a group of phrases, a mark of form (`number`, `short`), two of them together (`own + states`), or what another
sentence of the same message holds (`elsewhere question`; `behind denies`: the one before).
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from shared.core.sessions.cue_rules import CueKind
from shared.core.sessions.evidence.phrases import PhraseTable
from shared.core.sessions.evidence.weights import BIAS, WEIGHTS

_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<=[a-z\u00df-\u00ff,0-9] )[A-Z][\w.-]{2,40}")
_CODE = re.compile(r"\w_\w|\w/\w|[a-z][A-Z]|\.[a-z]{2,4}\b|[a-z]-\d|\w\(\)|xxx")
#: A line of a log that was typed or pasted without a mark: "FATAL: …", "error[E01]: …".
_LOG = re.compile(r"\b[A-Z]{4,12}\b\s?(?:[\d(\[]|:)|\berror(?:\[|:)")
_ALL_NOUNS_HAVE_CAPITALS = "de"
#: Fewest and most words of a sentence, or characters where words have no spaces.
_SHORT, _LONG = {True: 4, False: 7}, {True: 30, False: 60}
_PAIRS = tuple(tuple(name.split(" + ")) for name in WEIGHTS if " + " in name)
_ELSEWHERE = "elsewhere "
_FROM_ELSEWHERE = frozenset(name.removeprefix(_ELSEWHERE) for name in WEIGHTS if name.startswith(_ELSEWHERE))
_BEHIND = "behind "
_FROM_BEFORE = frozenset(name.removeprefix(_BEHIND) for name in WEIGHTS if name.startswith(_BEHIND))
_KINDS = (CueKind.CORRECTION, CueKind.SAVE, CueKind.DECISION, CueKind.PREFERENCE)
_DIGITS = 6
#: How much the kind of a rule counts beside the evidence for a kind.
_RULE_KIND = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """The kind that the evidence of a sentence speaks for most, and the reason that weighs most."""

    kind: CueKind
    reason: str


def find_marks(sentence: str, phrases: PhraseTable, code: str) -> set[str]:
    """Return the groups of phrases and the marks of form of one sentence."""
    size = len(sentence.split()) if phrases.is_spaced else len(sentence)
    found = {
        "short": size < _SHORT[phrases.is_spaced],
        "long": size > _LONG[phrases.is_spaced],
        "number": _NUMBER.search(sentence) is not None,
        "name": code != _ALL_NOUNS_HAVE_CAPITALS and _NAME.search(sentence) is not None,
        "code": _CODE.search(sentence) is not None,
        "log": _LOG.search(sentence) is not None,
        "exclaims": sentence.endswith("!"),
        "colon": sentence.endswith(":"),
    }
    return {*phrases.find_groups(sentence), *(name for name, holds in found.items() if holds)}


def complete_reasons(marks: Sequence[AbstractSet[str]], *, is_quoting: bool) -> list[frozenset[str]]:
    """Return all reasons of each sentence of a message: its marks, pairs of them, and what the others hold."""
    behind = [set[str](), *({f"{_BEHIND}{mark}" for mark in found & _FROM_BEFORE} for found in marks)]
    holding = Counter(mark for found in marks for mark in found & _FROM_ELSEWHERE)
    of_message = {"quoting"} if is_quoting else set()
    of_message |= {"alone"} if len(marks) == 1 else set()
    return [
        frozenset({*found, *of_message, *before, *_pairs(found), *_others(found, holding)})
        for found, before in zip(marks, behind, strict=False)
    ]


def _pairs(found: AbstractSet[str]) -> Iterable[str]:
    return (f"{one} + {other}" for one, other in _PAIRS if one in found and other in found)


def _others(found: AbstractSet[str], holding: Counter[str]) -> Iterable[str]:
    return (f"{_ELSEWHERE}{mark}" for mark, count in holding.items() if count > (mark in found))


def total_of(reasons: frozenset[str]) -> float:
    """Return the sum of the weights of reasons; `ENOUGH` makes a cue."""
    # Rounded, since a sum of floats depends on the order of the reasons, which differs from process to process.
    return round(BIAS + sum(WEIGHTS[name][0] for name in reasons if name in WEIGHTS), _DIGITS)


def weigh(reasons: frozenset[str], rule_kind: CueKind | None = None) -> Weighed:
    """Return the kind that reasons speak for most, and the strongest reason; the kind that a rule names counts, too."""
    known = [(name, WEIGHTS[name]) for name in sorted(reasons) if name in WEIGHTS]
    for_kind = {kind: sum(row[place] for _, row in known) for place, kind in enumerate(_KINDS, 1)}
    if rule_kind in for_kind:
        for_kind[rule_kind] += _RULE_KIND
    reason = max(known, key=lambda one: one[1][0])[0] if known else ""
    return Weighed(kind=max(_KINDS, key=lambda kind: for_kind[kind]), reason=reason)
