"""Read what programs write before a person's words: labels in brackets, stamps, names of speakers."""

import re
from dataclasses import dataclass
from datetime import datetime

from shared.core.sessions.model import Origin
from shared.core.sessions.origin.wrappers import CARRIERS, MACHINES, MACHINES_NOUNS, NOTICES, PERHAPS_MACHINES
from shared.core.sessions.transcript import parse_moment

_LABEL = re.compile(r"\[([^\[\]\n]{1,300})\][ \t]*")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
#: An identifier that a program made, such as `job:603396de`.
_KEYED = re.compile(r"[A-Za-z][\w-]{0,40}:(?=[a-f-]{0,20}\d)[0-9a-f][0-9a-f-]{5,60}(?=\s|$)")
_RESULT = re.compile(r"\[[\w-]{1,60}(?: for [^\n]{0,400})?\] Result:")
_STAMP = re.compile(
    r"(?:^|\s)(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d{1,9})?\s?(?:(Z|UTC|GMT)?([+-]\d{1,2}(?::?\d\d)?)?|[A-Z]{2,4}T)$"
)
_DATED = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d\d")
_OF_A_MOMENT = re.compile(
    r"[\d.:/T+-]*\d[\d.:/T+-]*Z?|[ap]\.?m\.?|UTC|GMT|Z|(?:GMT|UTC)[+-][\d:]+|[A-Z]{2,4}T|"
    r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}",
    re.IGNORECASE,
)
_OF_A_SENDER = re.compile(r"\bid:\S|\(@\w|\+\d{6,}")
_OF_A_GROUP = re.compile(r"\bid:-\d|@g\.us|\b(?:channel|group|guild|room|topic|thread)\b|(?:^|\s)#\S", re.IGNORECASE)
_SPEAKER = re.compile(r"([^\s:\[\]][^:\[\]\n]{0,60}?)( \([^()\n]{1,60}\))?: ")
_HANDLE = re.compile(r"[@+#]|\d{4,}|id:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A label: where the text goes on behind it, and whose text that is. `at` is its stamp; `told` are its words."""

    end: int
    origin: Origin
    at: datetime | None = None
    told: str = ""

    @property
    def is_group(self) -> bool:
        """Tell whether its carrier writes a speaker's name after it."""
        return _OF_A_GROUP.search(self.told) is not None


def read_label(text: str) -> Label | None:
    """Return the label of a program that a text begins with, or None. A label that people might write is none."""
    result = _RESULT.match(text)
    if result is not None:
        return Label(end=result.end(), origin=Origin.TOOL)
    found = _LABEL.match(text)
    if found is None:
        return None
    told = " ".join(found[1].split())
    first = _first_word(told)
    if first not in CARRIERS and is_machine(told):
        return Label(end=found.end(), origin=Origin.MACHINE)
    if f"{told.lower()}]".startswith(NOTICES):
        return Label(end=found.end(), origin=Origin.PERSON)
    if told.lower().startswith("forwarded from "):
        return Label(end=found.end(), origin=Origin.PASTED)
    is_carriers = first in CARRIERS or _OF_A_SENDER.search(told) is not None
    if is_carriers or _STAMP.search(told) is not None or _is_moment(told):
        return Label(end=found.end(), origin=Origin.PERSON, at=_read_moment(told), told=told)
    return None


def is_machine(told: str) -> bool:
    """Tell whether a label or a role names a program."""
    words = [word.lower() for word in _WORD.findall(told)]
    if _KEYED.match(told) is not None or any(word in MACHINES for word in words):
        return True
    if not words or words[0] not in PERHAPS_MACHINES or _first_word(told) != words[0]:
        return False
    rest = told[len(words[0]) :]
    return not rest.strip() or rest.startswith(":") or (len(words) > 1 and words[1] in MACHINES_NOUNS)


def _first_word(told: str) -> str:
    found = _WORD.match(told)
    return found[0].lower() if found else ""


def _is_moment(told: str) -> bool:
    words = re.split(r"[\s,()]+", told)
    return _DATED.search(told) is not None and all(_OF_A_MOMENT.fullmatch(word) for word in words if word)


def _read_moment(told: str) -> datetime | None:
    """Return the moment of a stamp with an offset or in UTC. A zone's short name may mean several."""
    stamp = _STAMP.search(told)
    if stamp is None or not (stamp[3] or stamp[4]):
        return None
    offset = stamp[4] or "+00"
    hours, _, minutes = offset[1:].partition(":")
    hours, minutes = (hours[:-2], hours[-2:]) if len(hours) > 2 else (hours, minutes or "00")
    return parse_moment(f"{stamp[1]}T{stamp[2]}{offset[0]}{hours:0>2}:{minutes}")


def read_speaker(text: str, names: str, *, is_group: bool) -> int:
    """Return where the words begin behind `NAME: `, or 0 where the format does not say that the name is a speaker's.

    Args:
        text: the words, perhaps with a name before them.
        names: what the host says of the speaker: a role, a label, metadata.
        is_group: the carrier always writes a name here.
    """
    found = _SPEAKER.match(text)
    if found is None:
        return 0
    has_handle = found[2] is not None and _HANDLE.search(found[2]) is not None
    is_named = re.search(rf"(?<!\w){re.escape(found[1])}(?!\w)", names, re.IGNORECASE) is not None
    return found.end() if is_group or has_handle or is_named else 0
