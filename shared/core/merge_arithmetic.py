"""Merge arithmetic: what a merged memory knows about its own time. Computed here from the sources, never by a model.

As RockBot publishes it: created = the earliest, last seen = the latest (never now), reinforcement = the sum, subject
time widened. RockBot drops every other metadata key; here the kept file's frontmatter stays and lists are united
(`plan_merge`), because dropping them would lose knowledge.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.core import scoring
from shared.core.frontmatter import read_fields
from shared.core.memory import Memory, Signals
from shared.core.subject_time import SubjectTime, render_subject_time, widen_subject_times

#: The frontmatter fields of a subject time, by attribute; the first name is the one that is written.
_NAMES = {
    "point": ("subjectTime", "subject_time"),
    "start": ("subjectTimeStart", "subject_time_start"),
    "end": ("subjectTimeEnd", "subject_time_end"),
}
_PARTIAL_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedFacts:
    """When a merged memory was first seen, its signals, and when the thing happened that it is about."""

    created_at: datetime
    signals: Signals
    subject: SubjectTime | None


def merge_facts(memories: Sequence[Memory]) -> MergedFacts:
    """Return the facts of the memory that takes the place of these; their order does not matter."""
    return MergedFacts(
        created_at=min(memory.created_at for memory in memories),
        signals=scoring.merged([memory.signals for memory in memories]),
        subject=widen_subject_times(read_subject_time(read_fields(memory.content)) for memory in memories),
    )


def read_subject_time(fields: Mapping[str, object]) -> SubjectTime | None:
    """Return the subject time that a frontmatter names; what is no partial ISO date is left out."""
    point, start, end = (_partial_date(fields, names) for names in _NAMES.values())
    return SubjectTime(point=point, start=start, end=end) if point or start or end else None


def subject_fields(subject: SubjectTime | None) -> dict[str, object]:
    """Return the frontmatter fields that name a subject time."""
    if subject is None:
        return {}
    return {names[0]: value for part, names in _NAMES.items() if (value := getattr(subject, part))}


def describe_times(memory: Memory) -> str:
    """Return what a model is told about a memory's times: first, last, reinforced, subject, as RockBot writes it."""
    seen = memory.signals.last_seen_at
    parts = [f"first={memory.created_at.date().isoformat()}"]
    parts += [f"last={seen.date().isoformat()}"] if seen is not None else []
    parts.append(f"reinforced={memory.signals.reinforcement_count}\u00d7")
    subject = render_subject_time(read_subject_time(read_fields(memory.content))).strip()
    return ", ".join([*parts, subject] if subject else parts)


def _partial_date(fields: Mapping[str, object], names: Sequence[str]) -> str:
    """Return the first of these fields that holds a partial ISO date; YAML may have read it as a number or a date."""
    found = (str(fields[name]) for name in names if name in fields)
    return next((text[:10] for text in found if _PARTIAL_DATE.fullmatch(text[:10])), "")
