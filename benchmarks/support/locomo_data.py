"""Read LoCoMo's questions with their evidence, and its observations of each session."""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

_TURN = re.compile(r"D\d+:\d+")
_WORD = re.compile(r"\w+")
_ADDED_DATE = re.compile(r" \([^()\n]{0,40}\d{4}[^()\n]{0,40}\)")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the turns that hold its answer."""

    text: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Fact:
    """One observation, in the file that it is written to, and the turns that it was made from."""

    path: str
    at: datetime
    text: str
    turns: frozenset[str]


def find_faulty(folder: Path) -> Mapping[int, set[str]]:
    """Return the questions that an audit found faulty, by the number of their conversation."""
    found: dict[int, set[str]] = defaultdict(set)
    for row in json.loads((folder / "audit_errors.json").read_text(encoding="utf-8")):
        found[int(row["question_id"].split("_")[1])].add(row["question"])
    return found


def plain_words(text: str) -> str:
    """Return the words of a text without the dates that a dream has added after phrases."""
    return f" {' '.join(_WORD.findall(_ADDED_DATE.sub('', text).lower()))} "


def find_questions(sample: Mapping[str, Any], faulty: Collection[str]) -> Iterator[Question]:
    """Yield the questions of the categories 1 to 4 that have evidence and are not known to be faulty."""
    for row in sample["qa"]:
        evidence = frozenset(turn for raw in row.get("evidence", ()) for turn in _TURN.findall(raw))
        if row["category"] in range(1, 5) and evidence and row["question"] not in faulty:
            yield Question(row["question"], evidence)


def find_observations(sample: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield the observations, in the file of their session and speaker."""
    for name, by_speaker in sample["observation"].items():
        session = name.removesuffix("_observation")
        at = _moment(sample["conversation"][f"{session}_date_time"])
        for speaker, facts in by_speaker.items():
            for text, turns in facts:
                yield Fact(f"{speaker.lower()}/{session.replace('_', '-')}.md", at, text, _turns(turns))


def _moment(raw: str) -> datetime:
    return datetime.strptime(raw.upper(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def _turns(raw: object) -> frozenset[str]:
    return frozenset(_TURN.findall(json.dumps(raw)))
