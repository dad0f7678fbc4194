"""Provide the input of the simulated quarter: LoCoMo's ten conversations spread over the days, and an agent's notes of them."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.support.locomo_data import Fact, Question, find_faulty, find_observations, find_questions
from shared.core.sessions.model import EventKind
from shared.core.sessions.transcript import FoundEvent

_LAST_HOUR = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A session on the day it takes place (counted from 0), and what its agent writes down at its end."""

    day: int
    session: str
    events: tuple[FoundEvent, ...]
    facts: tuple[Fact, ...]


def load_quarter(source: Path, start: datetime, days: int) -> tuple[list[Arrival], list[Question]]:
    """Return the sessions in the order in which they arrive, and the questions; turns carry their conversation's name."""
    samples = json.loads(source.read_text(encoding="utf-8"))
    faulty = find_faulty(source.parent)
    arrivals: list[Arrival] = []
    questions: list[Question] = []
    for number, sample in enumerate(samples):
        name = sample["sample_id"]
        arrivals += _arrivals(sample, start, days)
        for question in find_questions(sample, faulty[number]):
            evidence = frozenset(f"{name}:{turn}" for turn in question.evidence)
            questions.append(replace(question, evidence=evidence))
    return sorted(arrivals, key=lambda arrival: (arrival.day, arrival.session)), questions


def _arrivals(sample: Mapping[str, Any], start: datetime, days: int) -> Iterator[Arrival]:
    facts: dict[str, list[Fact]] = defaultdict(list)
    name = sample["sample_id"]
    for fact in find_observations(sample):
        turns = frozenset(f"{name}:{turn}" for turn in fact.turns)
        facts[fact.path.rpartition("/")[2]].append(replace(fact, path=f"{name}/{fact.path}", turns=turns))
    sessions = sorted((key for key in sample["conversation"] if _is_session(key)), key=lambda key: int(key[8:]))
    for place, key in enumerate(sessions):
        day = place * days // len(sessions)
        turns = sample["conversation"][key]
        hours = _LAST_HOUR / max(1, len(turns))
        events = tuple(
            FoundEvent(
                line=line,
                session=f"{name}/{key}",
                event_id=f"{name}:{turn['dia_id']}",
                kind=EventKind.USER,
                role=turn["speaker"],
                text=turn["text"],
                at=start + timedelta(days=day, hours=hours * line),
            )
            for line, turn in enumerate(turns)
            if turn["text"]
        )
        noted = facts[f"{key.replace('_', '-')}.md"]
        yield Arrival(day=day, session=f"{name}/{key}", events=events, facts=tuple(noted))


def _is_session(key: str) -> bool:
    return key.startswith("session_") and key[8:].isdigit()
