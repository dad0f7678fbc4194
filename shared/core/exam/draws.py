"""Draw the pairs of an exam from a seed: always the same for one seed, and others for another.

A pair has two paths, two texts, and whether one memory may be made of them. The texts are filled templates (templates.toml) with
random names and values, so that no exam is known beforehand.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

#: Raise it when templates or grading change, so that every model is examined again.
EXAM_VERSION = 1
#: The questions of an exam, each with its own pairs.
DRAWS = 3
LANGUAGES = ("en", "de", "es", "fr", "zh")

_SLOT = re.compile(r"\{([a-z]+\d*)\}")
_TRIES = 50
_NO_PATH = re.compile(r"[^\w./-]+")
_ONSETS = ("b", "br", "d", "dr", "f", "g", "k", "l", "m", "n", "p", "pl", "r", "s", "t", "tr", "v", "z")
_VOWELS = ("a", "e", "i", "o", "u")
_CODAS = ("", "k", "l", "n", "r", "s", "x")
_LETTERS = "ACDEFHJKLMNPRTUVWX"
_Item = TypeVar("_Item")


class PairKind(StrEnum):
    """The kinds of pairs; each is also the name of its templates."""

    DUPLICATE = "duplicate"
    SIBLING = "sibling"
    SUBJECT = "subject"
    NUMBER = "number"
    WORD = "word"
    MIRRORED = "mirrored"
    LIKES = "likes"
    ORDER = "order"
    CAUSE = "cause"
    CONDITION = "condition"
    INJECTED = "injected"


#: Two pairs of each language, so that one error in ten pairs fails the exam: 36 siblings and subjects in three draws.
_SIBLINGS_EACH = 2
_SUBJECTS = 2
#: Kinds of statements that cannot both hold. A draw has some of them, an exam all.
OPPOSED = (
    PairKind.NUMBER,
    PairKind.WORD,
    PairKind.MIRRORED,
    PairKind.LIKES,
    PairKind.ORDER,
    PairKind.CAUSE,
    PairKind.CONDITION,
)  # fmt: skip
_OPPOSED_EACH = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamPair:
    """Two notes. Only duplicates may be joined."""

    kind: PairKind
    language: str
    paths: tuple[str, str]
    texts: tuple[str, str]

    @property
    def is_joined(self) -> bool:
        """Tell whether one memory should be made of the notes; otherwise they must stay apart."""
        return self.kind is PairKind.DUPLICATE


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamDraw:
    """The pairs of one question, and the order in which their notes are shown: paths and texts."""

    pairs: tuple[ExamPair, ...]
    notes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Template:
    lang: str
    paths: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(slots=True)
class _Dice:
    """Numbers that follow from a seed. Unlike those of `random`, they are the same in every version of Python."""

    seed: str
    thrown: int = 0

    def below(self, limit: int) -> int:
        self.thrown += 1
        digest = hashlib.sha256(f"{self.seed}/{self.thrown}".encode()).digest()
        return int.from_bytes(digest[:8]) % limit

    def pick(self, among: Sequence[_Item]) -> _Item:
        return among[self.below(len(among))]

    def shuffle(self, items: Iterable[_Item]) -> list[_Item]:
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]


@dataclass(slots=True)
class _Filler:
    """Fills templates with values that no other note of the draw has, except for those that a pair shares."""

    dice: _Dice
    used: set[str] = field(default_factory=set)

    def fill(self, text: str, lang: str, values: dict[str, str]) -> str:
        """Return a text with its names filled; values that are still missing are made and kept."""
        for name in _names_in(text):
            if name not in values:
                values[name] = self._fresh(name.rstrip("0123456789"), lang)
        return _SLOT.sub(lambda found: values[found[1]], text)

    def _fresh(self, kind: str, lang: str) -> str:
        for _ in range(_TRIES):
            value = self._make(kind, lang)
            if (key := f"{kind} {value}") not in self.used:
                self.used.add(key)
                return value
        return self._make("project", lang)  # a list has run out: a name that is made up will do

    def _make(self, kind: str, lang: str) -> str:
        dice, lists = self.dice, _read()["lists"]
        words = lists.get(lang, {}).get(kind) or lists["any"].get(kind)
        if kind == "host":
            return f"{dice.pick(words)}-{10 + dice.below(90)}"
        if words:
            return str(dice.pick(words))
        if kind in _NUMBERS:
            first, beyond = _NUMBERS[kind]
            return str(first + dice.below(beyond - first))
        return self._make_other(kind)

    def _make_other(self, kind: str) -> str:
        dice = self.dice
        if kind == "time":
            return f"{5 + dice.below(18):02}:{5 * dice.below(12):02}"
        if kind == "version":
            return f"{1 + dice.below(9)}.{dice.below(30)}.{dice.below(10)}"
        if kind == "code":
            return f"{dice.pick(_LETTERS)}{dice.pick(_LETTERS)}-{1000 + dice.below(9000)}"
        word = "".join(f"{dice.pick(_ONSETS)}{dice.pick(_VOWELS)}" for _ in range(2)) + dice.pick(_CODAS)
        return word.capitalize() if kind == "project" else word


#: Each kind of number: the least, and the first that is too large.
_NUMBERS: Mapping[str, tuple[int, int]] = {
    "number": (11, 99),
    "minutes": (3, 58),
    "seconds": (4, 95),
    "port": (1100, 9900),
    "week": (1, 53),
}


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("templates.toml").read_text(encoding="utf-8"))


@cache
def _templates(kind: PairKind) -> tuple[_Template, ...]:
    return tuple(_Template(one["lang"], tuple(one["paths"]), tuple(one["texts"])) for one in _read()[kind])


def draw_exam(seed: str) -> tuple[ExamDraw, ...]:
    """Return the draws of the exam with this seed; a seed that is used twice gives the same exam."""
    opposed = _Dice(f"{seed}/kinds").shuffle(OPPOSED)
    return tuple(
        _draw(
            _Dice(f"{seed}/{number}"),
            [opposed[(_OPPOSED_EACH * number + at) % len(opposed)] for at in range(_OPPOSED_EACH)],
        )
        for number in range(DRAWS)
    )


def _draw(dice: _Dice, opposed: Sequence[PairKind]) -> ExamDraw:
    wanted: list[tuple[PairKind, _Template]] = []
    for lang in LANGUAGES:
        wanted += [(PairKind.DUPLICATE, one) for one in _choose(dice, PairKind.DUPLICATE, 1, lang)]
        wanted += [(PairKind.SIBLING, one) for one in _choose(dice, PairKind.SIBLING, _SIBLINGS_EACH, lang)]
    wanted += [(PairKind.SUBJECT, one) for one in _choose(dice, PairKind.SUBJECT, _SUBJECTS)]
    for kind in (*opposed, PairKind.INJECTED):
        wanted += [(kind, one) for one in _choose(dice, kind, 1)]
    filler = _Filler(dice)
    pairs = tuple(_make_pair(kind, template, filler) for kind, template in wanted)
    notes = [(path, text) for pair in pairs for path, text in zip(pair.paths, pair.texts, strict=True)]
    return ExamDraw(pairs=pairs, notes=tuple(dice.shuffle(notes)))


def _choose(dice: _Dice, kind: PairKind, number: int, lang: str = "") -> Iterable[_Template]:
    return islice(dice.shuffle(one for one in _templates(kind) if lang in {"", one.lang}), number)


def _make_pair(kind: PairKind, template: _Template, filler: _Filler) -> ExamPair:
    """Fill a template: both of its texts with the same values, or its one text twice for two subjects."""
    values: tuple[dict[str, str], dict[str, str]]
    if len(template.texts) > 1:
        both: dict[str, str] = {}
        values = (both, both)
    else:
        same = _fill_what_is_equal(kind, template, filler)
        values = (same, dict(same))
    paths = [
        _NO_PATH.sub("-", filler.fill(template.paths[at % len(template.paths)], template.lang, values[at])).casefold()
        for at in range(2)
    ]
    if kind is PairKind.INJECTED:
        command = str(filler.dice.pick(_read()["commands"][template.lang]))
        values[0]["command"] = command.replace("{first}", paths[0]).replace("{second}", paths[1])
    texts = [filler.fill(template.texts[at % len(template.texts)], template.lang, values[at]) for at in range(2)]
    one, other = (0, 1) if filler.dice.below(2) else (1, 0)
    return ExamPair(
        kind=kind,
        language=template.lang,
        paths=(paths[one], paths[other]),
        texts=(texts[one], texts[other]),
    )


def _fill_what_is_equal(kind: PairKind, template: _Template, filler: _Filler) -> dict[str, str]:
    """Return the values that two pages have in common besides their subject: all, or for siblings about half of them."""
    same: dict[str, str] = {}
    subject = _names_in(template.paths[0])
    for name in _names_in(template.texts[0]):
        if name not in subject and (kind is PairKind.SUBJECT or filler.dice.below(2)):
            filler.fill(f"{{{name}}}", template.lang, same)
    return same


def _names_in(text: str) -> list[str]:
    return list(dict.fromkeys(_SLOT.findall(text)))
