"""Compute what a merged memory knows about its own time from its sources, never by a model.

As RockBot publishes it: created is the earliest, last seen the latest (never now), reinforcement the sum, and the subject time
is widened. RockBot drops every other metadata key; here the kept file's frontmatter stays and lists are united, because
dropping them would lose knowledge. Subject time is when the thing happened, not when it was written. Points and ends are
partial ISO dates (`2019`, `2019-06`, `2019-06-03`), so that they sort as text.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from shared.core.memory import importance as scoring
from shared.core.memory.frontmatter import read_fields
from shared.core.memory.model import Memory, Signals

#: The forms of dates that dreams add after relative phrases: a day, month or year, a week by its Monday, a span.
_ADDED = re.compile(r"\((week of )?(\d{4}(?:-\d\d(?:-\d\d)?)?)(?: to (\d{4}-\d\d-\d\d))?\)")
#: The frontmatter fields of a subject time, by attribute; the first name is the one that is written.
_NAMES = {
    "point": ("subjectTime", "subject_time"),
    "start": ("subjectTimeStart", "subject_time_start"),
    "end": ("subjectTimeEnd", "subject_time_end"),
}
_PARTIAL_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectTime:
    """A point, or a span that may be open at either end. Empty strings stand for unknown dates."""

    point: str = ""
    start: str = ""
    end: str = ""


def render_subject_time(subject: SubjectTime | None) -> str:
    """Return ` subject=2019-06`, ` subject=1995..2003`, ` subject=2020..?`, or nothing, as a suffix of a listed memory.

    A point comes before a span: it is what was said itself.
    """
    if subject is None or not (subject.point or subject.start or subject.end):
        return ""
    if subject.point:
        return f" subject={subject.point}"
    return f" subject={subject.start or '?'}..{subject.end or '?'}"


def find_subject_time(said: str, dated: str) -> SubjectTime | None:
    """Return when a statement happened: by the dates that stand in `dated` and not in what was `said`."""
    known = {match[0] for match in _ADDED.finditer(said)}
    found = [_subject_of(match) for match in _ADDED.finditer(dated) if match[0] not in known]
    return found[0] if len(found) == 1 else unite_subject_times(found)


def unite_subject_times(subjects: Iterable[SubjectTime | None]) -> SubjectTime | None:
    """Return the subject time of a text about several things: the one that they share, or the span of all."""
    known = list(dict.fromkeys(one for one in subjects if one is not None))
    if len(known) <= 1:
        return known[0] if known else None
    spans = [SubjectTime(start=one.point or one.start, end=one.point or one.end) for one in known]
    return widen_subject_times(spans)


def _subject_of(match: re.Match[str]) -> SubjectTime:
    first, last = match[2], match[3]
    if match[1]:
        last = (date.fromisoformat(first) + timedelta(days=6)).isoformat()
    return SubjectTime(start=first, end=last) if last else SubjectTime(point=first)


def widen_subject_times(subjects: Iterable[SubjectTime | None]) -> SubjectTime | None:
    """Return the subject time of a merged memory, or None when no source has one.

    The most specific point (the longest text, the earliest of these) wins; the span reaches from the earliest start to
    the latest end.
    """
    known = [one for one in subjects if one is not None]
    points = sorted((one.point for one in known if one.point), key=lambda point: (-len(point), point))
    starts = [one.start for one in known if one.start]
    ends = [one.end for one in known if one.end]
    if not (points or starts or ends):
        return None
    # A day of a month or year reaches beyond what begins the same way: "2019" ends after "2019-06".
    last = max(ends, key=lambda end: end.ljust(10, "~")) if ends else ""
    return SubjectTime(point=points[0] if points else "", start=min(starts, default=""), end=last)


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedFacts:
    """The facts of a merged memory: when it was first seen, its signals, and when its subject happened."""

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
    """Return the subject time that a frontmatter names; anything but a partial ISO date is left out."""
    point, start, end = (_partial_date(fields, names) for names in _NAMES.values())
    return SubjectTime(point=point, start=start, end=end) if point or start or end else None


def subject_fields(subject: SubjectTime | None) -> dict[str, object]:
    """Return the frontmatter fields that name a subject time."""
    if subject is None:
        return {}
    return {names[0]: value for part, names in _NAMES.items() if (value := getattr(subject, part))}


def describe_times(memory: Memory) -> str:
    """Return a memory's times as a prompt shows them: first, last, reinforced, subject, as RockBot writes it."""
    seen = memory.signals.last_seen_at
    # What a session of last year said was first seen then, though it was written down today.
    first = memory.created_at if seen is None else min(memory.created_at, seen)
    parts = [f"first={first.date().isoformat()}"]
    parts += [f"last={seen.date().isoformat()}"] if seen is not None else []
    parts.append(f"reinforced={memory.signals.reinforcement_count}\u00d7")
    subject = render_subject_time(read_subject_time(read_fields(memory.content))).strip()
    return ", ".join([*parts, subject] if subject else parts)


def is_seen_once(memory: Memory, at: str) -> bool:
    """Tell whether there is nothing to describe of a memory's times but the day `at` on which it was first seen."""
    signals = memory.signals
    is_again = signals.last_seen_at is not None or signals.reinforcement_count > 0
    if is_again or memory.created_at.date().isoformat() != at:
        return False
    return read_subject_time(read_fields(memory.content)) is None


def _partial_date(fields: Mapping[str, object], names: Sequence[str]) -> str:
    """Return the first of these fields that holds a partial ISO date; YAML may have read it as a number or a date."""
    found = (str(fields[name]) for name in names if name in fields)
    return next((text[:10] for text in found if _PARTIAL_DATE.fullmatch(text[:10])), "")
