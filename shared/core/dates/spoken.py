"""Find who spoke when: the parts of a text with the local day on which each was written, where that is certain.

The nearest stamp counts: that of the line, of the entry above it, of the section. The day in a file's name counts where
nothing nearer stands, and only if no stamp of the text gives another day or is in UTC: files are named by machines.
What is written over many days, what plans, instructs or tells a story, has no day.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time

from shared.core.dates.protected import blank_code_blocks
from shared.core.dates.stamps import Stamp, find_stamps, names_zone
from shared.core.dates.words import SHORT_WEEKDAY

#: A text under such a heading, or in such a folder, does not say what happened on a day: it is a rule, an example or a story.
NO_SPEECH = re.compile(
    r"\b(?:templates?|examples?|samples?|placeholders?|formats?|filters?|views?|quer(?:y|ies)|checklists?|polic(?:y|ies)|rules?|sla|how[ -]?tos?|runbooks?|"
    r"playbooks?|procedures?|instructions?|prompts?|skills?|sops?|macros?|guid(?:e|elines?)s?|conventions?|routines?|schedules?|cron\w*|jobs?|heartbeats?|automations?|"
    r"habits?|stor(?:y|ies)|fiction|novels?|chapters?|scenes?|tales?|poems?|lyrics|plots?|characters?|dialogue|scripts?|lore|quotes?|quotations?|bookmarks?|clippings?|tweets?|posts?|drafts?|linkedin|dreams?|"
    r"vorlagen?|beispiele?|regeln?|geschichten?|roman|kapitel|szenen?|mod[eè]les?|ex[e]mples?|r[eè]gles?|chapitres?|plantillas?|ejemplos?|reglas?|cuentos?|cap[ií]tulos?)\b",
    re.IGNORECASE,
)
#: A heading that names a day other than that on which its section was written, or by another way than a date.
_OTHER_DAY = re.compile(
    r"\b(?:as of|updated?|since|until|due|deadline|by|from|expires?|planned|created|effective|yesterday|tomorrow|next|last|gestern|morgen|hier|demain|ayer|mañana"
    rf"|{SHORT_WEEKDAY})\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(rf"\b{SHORT_WEEKDAY}\b,?", re.IGNORECASE)
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]")
#: A line that is nothing but a stamp heads what follows: "**2026-03-04 10:22**".
_ONLY_STAMP = re.compile(r"[\s*_\[\]():|\u2014-]*\Z")
_BENEATH_HEADINGS = 7
#: In front of the stamp of an entry: a bracket, or nothing but its bullet and who speaks; and the name of the weekday.
_BEFORE_STAMP = re.compile(
    r"(?:\[|\A[ \t]*(?:[-*+]\s+|\d{1,3}[.)]\s+|>\s*)?(?:[^\W\d_]{1,20}:\s+)?[*_`\[(\u3010]{0,4})"
    rf"(?:{SHORT_WEEKDAY},?\s+)?\Z",
    re.IGNORECASE,
)
_BEHIND_STAMP = re.compile(r"(?:\s?\(?[A-Z]{2,5}\)?|\s?(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?)?[*_`\])\u3011:|\u2014\s-]*")
_FILE = 0
#: So much of a line is searched for its stamp.
_REACH = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A part of a text, `text[start:end]`, that was written on one day: `said_at`, a local moment without a zone."""

    start: int
    end: int
    said_at: datetime


@dataclass(slots=True)
class _Region:
    """The file, a section or what follows a stamp that stands alone."""

    level: int
    said_at: datetime | None
    is_closed: bool = False  # nothing in it has a day
    days: set[date | None] = field(default_factory=set)  # of the stamps in it; None for an uncertain one

    def find_moment(self) -> datetime | None:
        if self.is_closed or self.said_at is None or self.days - {self.said_at.date()}:
            return None
        return self.said_at


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    within: tuple[_Region, ...]
    own: Stamp | None  # of the line itself or of the entry that it belongs to


def find_spoken(path: str, text: str) -> tuple[Spoken, ...]:
    """Return the parts of a text that were written on a day which is certain, in order.

    None are returned for a text with a block of code that is not closed: what is code and what is not cannot be told.

    Args:
        path: the path of the text: its name may hold a day, its folders what kind of text it is.
        text: the text without its frontmatter.
    """
    prose, is_whole = blank_code_blocks(text)
    if not is_whole or NO_SPEECH.search(re.sub(r"[/_.-]", " ", path)):
        return ()
    found: list[Spoken] = []
    for line in list(_read_lines(prose, _day_of_name(path))):
        moment = _moment_of(line)
        if moment is None:
            continue
        if found and found[-1].end == line.start and found[-1].said_at == moment and line.own is None:
            found[-1] = Spoken(start=found[-1].start, end=line.end, said_at=moment)
        else:
            found.append(Spoken(start=line.start, end=line.end, said_at=moment))
    return tuple(found)


def find_stamped(text: str) -> Stamp | None:
    """Return the stamp that a message begins with, or that stands in brackets on its first line; None where it has none."""
    return _stamp_of(text.lstrip().partition("\n")[0])


def skip_stamp(line: str) -> int:
    """Return where the words of a line begin, behind the stamp of its entry; 0 where it has none."""
    stamp = _stamp_of(line)
    behind = _BEHIND_STAMP.match(line, stamp.end) if stamp else None
    return behind.end() if behind else 0


def _day_of_name(path: str) -> datetime | None:
    stamps = {one.said_at for one in find_stamps(path.rpartition("/")[2].replace("_", " "))}
    moment = stamps.pop() if len(stamps) == 1 else None
    return datetime.combine(moment.date(), time(12)) if moment else None


def _moment_of(line: _Line) -> datetime | None:
    if any(one.is_closed for one in line.within):
        return None
    if line.own is not None:
        return line.own.said_at
    nearest = next(
        (one for one in reversed(line.within) if one.said_at is not None or one.level > _FILE), line.within[0]
    )
    return nearest.find_moment()


def _read_lines(text: str, named: datetime | None) -> Iterator[_Line]:
    regions = [_Region(_FILE, named)]
    entry: tuple[int, Stamp] | None = None
    at = 0
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        head = _region_of(line)
        if head is not None:
            entry = None
            while regions[-1].level >= head.level:
                regions.pop()
            _note(regions, head.days)
            regions.append(head) if head.said_at or head.is_closed or head.days else None
            continue
        stamp = _stamp_of(line)
        indent = len(line) - len(line.lstrip())
        if not line.strip() or (entry is not None and indent <= entry[0]):
            entry = None
        if stamp is not None:
            entry = (indent, stamp)
            _note(regions, {stamp.said_at and stamp.said_at.date()})
        elif names_zone(line[:40]):
            _note(regions, {None})
        yield _Line(start, at, tuple(regions), entry[1] if entry else None)


def _note(regions: list[_Region], days: set[date | None]) -> None:
    for one in regions:
        one.days |= days


def _region_of(line: str) -> _Region | None:
    """Return what a heading opens, or a line with nothing but a stamp; None for any other line."""
    heading = _HEADING.match(line)
    stamps = find_stamps(line)
    if heading is None:
        is_alone = len(stamps) == 1 and _ONLY_STAMP.match(
            _WEEKDAY.sub("", line[: stamps[0].start] + line[stamps[0].end :])
        )
        return _Region(_BENEATH_HEADINGS, stamps[0].said_at, days={_date_of(stamps[0])}) if is_alone else None
    days = {_date_of(one) for one in stamps}
    words = line
    for one in reversed(stamps):
        words = words[: one.start] + words[one.end :]
    if stamps:
        words = _WEEKDAY.sub("", words)
    is_closed = bool(NO_SPEECH.search(words) or _OTHER_DAY.search(words) or len(days) > 1)
    moment = stamps[0].said_at if stamps and not is_closed else None
    days |= {None} if not stamps and names_zone(line) else set()
    return _Region(len(heading[1]), moment, is_closed, days)


def _date_of(stamp: Stamp) -> date | None:
    return stamp.said_at.date() if stamp.said_at else None


def _stamp_of(line: str) -> Stamp | None:
    """Return the stamp of an entry, at its head or in brackets; one without a moment where the line has stamps of several days."""
    stamps = find_stamps(line[:_REACH])
    own = next((one for one in stamps if _BEFORE_STAMP.search(line[: one.start])), None)
    if own is None:
        return None
    return own if len({_date_of(one) for one in stamps}) == 1 else replace(own, said_at=None)
