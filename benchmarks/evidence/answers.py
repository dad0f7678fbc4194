"""The answers to many questions as bits, as they are recorded in git: no text, one bit a question."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.core.evaluation.intervals import Interval, Paired, compare

RECORDED = Path(__file__).with_name("recorded.json")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question: whether it was found, and the file or session that it was drawn from."""

    cluster: str
    is_found: bool


#: The answers to a set of questions, by the keys of the questions.
Answers = Mapping[str, Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bits:
    """A set of answers as it is recorded.

    Attributes:
        number: of the questions.
        asked: a hash of their keys in order.
        found: a bit for each in that order, in hexadecimal digits.
    """

    number: int
    asked: str
    found: str

    def of(self, keys: Sequence[str]) -> Mapping[str, bool]:
        """Return the bits by key, for the same questions."""
        bits = f"{int(self.found or '0', 16):0{self.number}b}"
        return {key: bit == "1" for key, bit in zip(keys, bits, strict=True)} if self.number else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """All that one run of the benchmark says: the answers by set, and what must be 0."""

    sets: Mapping[str, Answers]
    zeros: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The recorded run, at a commit."""

    commit: str
    sets: Mapping[str, Bits]


def pack(answers: Answers) -> Bits:
    """Return answers as bits, ordered by key."""
    keys = sorted(answers)
    bits = "".join("1" if answers[key].is_found else "0" for key in keys)
    return Bits(number=len(keys), asked=_hash(keys), found=f"{int(bits, 2):x}" if bits else "")


def _hash(keys: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(keys).encode()).hexdigest()[:16]


def compare_answers(before: Answers, after: Answers) -> Interval:
    """Return the paired difference of two answers to the same questions."""
    return compare([Paired(one.cluster, before[key].is_found, one.is_found) for key, one in after.items()])


def find_worse(recorded: Recorded, now: Run) -> list[str]:
    """Return in words what got worse: nothing must be found less often than recorded, and what must be 0 is 0."""
    worse = [f"{name}: {count}, and it must be 0" for name, count in now.zeros.items() if count]
    for name, bits in recorded.sets.items():
        answers = now.sets.get(name)
        if answers is None:
            worse.append(f"{name}: it was recorded and is not measured any more")
        elif (bits.number, bits.asked) != (len(answers), _hash(sorted(answers))):
            worse.append(
                f"{name}: these are not the questions that were recorded; run with --record, and say why they differ"
            )
        else:
            worse += _find_loss(name, bits, answers)
    new = (name for name in now.sets if name not in recorded.sets)
    return worse + [f"{name}: nothing is recorded; run with --record" for name in new]


def _find_loss(name: str, bits: Bits, answers: Answers) -> list[str]:
    found = compare(
        [Paired(answers[key].cluster, was, answers[key].is_found) for key, was in bits.of(sorted(answers)).items()]
    )
    if found.high >= 0:
        return []
    lost = f"{found.lost} answers are lost and {found.gained} gained since they were recorded"
    return [f"{name}: {lost} ({found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}] of {found.n})"]


def read_recorded(path: Path = RECORDED) -> Recorded:
    """Return the recorded run; an empty one before the first `--record`."""
    if not path.is_file():
        return Recorded(commit="", sets={})
    known = json.loads(path.read_text(encoding="utf-8"))
    return Recorded(commit=known["commit"], sets={name: Bits(**bits) for name, bits in known["sets"].items()})


def record(now: Run, commit: str, path: Path = RECORDED) -> None:
    """Write the bits of a run with the commit that they are of."""
    packed = {name: pack(answers) for name, answers in sorted(now.sets.items())}
    sets = {name: {"number": one.number, "asked": one.asked, "found": one.found} for name, one in packed.items()}
    path.write_text(json.dumps({"commit": commit, "sets": sets}, indent=1) + "\n", encoding="utf-8")
