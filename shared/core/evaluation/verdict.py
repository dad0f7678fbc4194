"""The verdict on a dream, in one of four words, by terms that are fixed before the dream begins.

What is measured first, how many probes are needed and how much may be lost are hashed, and the hash is stored before anything is
measured, so that a measure cannot be chosen by how it came out.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from shared.core.dream.recall import ProbeKind
from shared.core.evaluation.intervals import DRAWS
from shared.core.evaluation.measure import Comparison
from shared.core.evaluation.probes import Probe
from shared.core.evaluation.readers import MAX_CHARS, MAX_FILES, MAX_HITS, Reader


class Word(StrEnum):
    """The effect of dreaming on a store."""

    HELPS = "helps"
    NO_DIFFERENCE = "no difference"
    HARMS = "harms"
    TOO_LITTLE = "too little data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The rules of a verdict, fixed beforehand.

    Attributes:
        kind: the probes that decide; the others are reported beside them.
        asks_superseded: facts and searches count whose answer the dream superseded.
        fewest: with fewer probes of that kind there is no verdict.
        margin: so much may be lost (a share of probes) and still count as no difference.
        saving: tokens for each answer fall by this part: that helps, if nothing beyond the margin was lost. If they rise to its inverse
            (1 / (1 - saving), twice), it harms unless more is found.
    """

    kind: ProbeKind = ProbeKind.PAIR
    asks_superseded: bool = False
    fewest: int = 100
    margin: float = 0.02
    saving: float = 0.10
    burden: float = 0.50
    draws: int = DRAWS
    hits: int = MAX_HITS
    files: int = MAX_FILES
    chars: int = MAX_CHARS

    @property
    def fingerprint(self) -> str:
        """Return a hash of the terms, 16 hexadecimal digits."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A word for each reader and one for both: it harms if it harms either, and helps if it helps one and harms none."""

    word: Word
    by_reader: tuple[tuple[Reader, Word], ...]
    terms: Terms


def choose_terms(probes: Sequence[Probe]) -> Terms:
    """Return the terms for a store with these probes, before anything is measured: the first kind with enough of them decides."""
    counts = {kind: sum(one.kind is kind for one in probes) for kind in ProbeKind}
    enough = [kind for kind in ProbeKind if counts[kind] >= Terms().fewest]
    return Terms(kind=enough[0] if enough else max(ProbeKind, key=lambda kind: counts[kind]))


def judge(comparisons: Sequence[Comparison], terms: Terms) -> Verdict:
    """Return the verdict on the comparisons of the kind that the terms name."""
    words = tuple((one.reader, judge_one(one, terms)) for one in comparisons if one.kind is terms.kind)
    said = {word for _, word in words}
    for word in (Word.HARMS, Word.HELPS, Word.TOO_LITTLE, Word.NO_DIFFERENCE):
        if word in said:
            return Verdict(word=word, by_reader=words, terms=terms)
    return Verdict(word=Word.TOO_LITTLE, by_reader=words, terms=terms)


def judge_one(one: Comparison, terms: Terms) -> Word:
    """Return the word for one reader and kind."""
    interval = one.interval
    if interval.n < terms.fewest:
        return Word.TOO_LITTLE
    if interval.high < 0:
        return Word.HARMS
    if interval.low > 0:
        return Word.HELPS
    is_no_worse = interval.low > -terms.margin
    before, after = one.before.tokens, one.after.tokens
    if after > before * (1 + terms.burden) and interval.mean <= 0:
        return Word.HARMS
    if is_no_worse and after <= before * (1 - terms.saving) and before:
        return Word.HELPS
    return Word.NO_DIFFERENCE if is_no_worse else Word.TOO_LITTLE
