"""Find the elements, such as `<system-reminder>…</system-reminder>`, that a program wrote into a message."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from shared.core.sessions.origin.wrappers import CONTEXT_TAGS, MACHINE_TAGS, SPEECH_TAGS

_OPENING = re.compile(r"<([A-Za-z][\w-]{0,60})(?:\s[^<>]{0,2000})?>")
_CLOSING = re.compile(r"</([A-Za-z][\w-]{0,60})\s?>")
_KNOWN = CONTEXT_TAGS | MACHINE_TAGS | SPEECH_TAGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """An element. `start` and `end` are its bounds in the text, `inner` is what it holds."""

    name: str
    start: int
    end: int
    inner: str


def find_elements(text: str) -> Iterator[Element]:
    """Yield the outermost elements that a program wrote, in order. An unclosed one is none.

    HTML has no names with a hyphen or an underscore, and a person does not type elements with such a name.
    """
    closings: dict[str, list[re.Match[str]]] = {}
    for closing in _CLOSING.finditer(text):
        closings.setdefault(closing[1].lower(), []).append(closing)
    place = 0
    for opening in _OPENING.finditer(text) if closings else ():
        name = opening[1].lower()
        if opening.start() < place or name not in closings or not _is_programs(text, opening.start(), name):
            continue
        ends = closings[name]
        number = bisect_left(ends, opening.end(), key=lambda one: one.start())
        if number < len(ends):
            place = ends[number].end()
            inner = text[opening.end() : ends[number].start()]
            yield Element(name=name, start=opening.start(), end=place, inner=inner)


def _is_programs(text: str, start: int, name: str) -> bool:
    is_compound = "-" in name or "_" in name
    if is_compound and name in CONTEXT_TAGS:
        return True
    return (is_compound or name in _KNOWN) and not text[text.rfind("\n", 0, start) + 1 : start].strip()


def begins_with_machine(text: str) -> bool:
    """Tell whether a text begins with an element that is a program's message; it may be unclosed."""
    opening = _OPENING.match(text)
    return opening is not None and opening[1].lower() in MACHINE_TAGS
