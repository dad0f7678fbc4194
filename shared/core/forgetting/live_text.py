"""Take statements out of a text that agents read: the sentence goes that says what is to be forgotten, the others stay."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from shared.core.errors import UneditableFrontmatterError
from shared.core.forgetting.json_values import replace_in_json
from shared.core.forgetting.words import Finder, Span, replace_in
from shared.core.memory.frontmatter import read_fields, set_fields, split_frontmatter

_OPENS = re.compile(r"\s*(?:#{1,6}\s|[-*+]\s|\d{1,3}[.)]\s|\||>|```|~~~|$)")
_ALONE = re.compile(r"\s*(?:#{1,6}\s|\||```|~~~|$)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_HEADING = re.compile(r"\s*#{1,6}\s")
_MARKER = re.compile(r"\s*(?:[-*+]\s+|\d{1,3}[.)]\s+|>\s*)?")
_STOP = re.compile(r"(?<=[.!?])[\"')\]]*\s+|(?<=[\u3002\uff01\uff1f])")


def take_out(content: str, find: Finder) -> str:
    """Return a memory's text without the sentences, list items, table rows and frontmatter values that say it.

    A heading keeps its place and loses the words. The result is empty when it says nothing any more.
    """
    if not find(content):
        return content
    front = _without_in_frontmatter(content, find)
    raw = split_frontmatter(front).raw
    body = _without_in_body(front[len(raw) :], find)
    kept = replace_in(raw + body, find)  # what stood across two of its parts
    return kept if _says_anything(body) else ""


def _says_anything(body: str) -> bool:
    return any(line.strip() and not _HEADING.match(line) for line in body.splitlines())


def _without_in_frontmatter(content: str, find: Finder) -> str:
    raw = split_frontmatter(content).raw
    if not raw or not find(raw):
        return content
    fields = {name: _without(value, find) for name, value in read_fields(content).items()}
    try:
        content = set_fields(content, fields)
    except UneditableFrontmatterError:
        return content[len(raw) :]
    raw = split_frontmatter(content).raw
    if not find(raw):
        return content
    # A comment or a key says it.
    lines = [line for line in raw.splitlines(keepends=True) if not find(line)]
    return "".join(lines) + content[len(raw) :]


def _without(value: Any, find: Finder) -> Any:  # noqa: ANN401 - any value of YAML
    if isinstance(value, list):
        return [one for one in value if replace_in_json(one, find) is one]
    return replace_in_json(value, find)


def _without_in_body(body: str, find: Finder) -> str:
    spans = find(body)
    kept: list[str] = []
    for start, end, is_code in _units(body):
        mine = [one for one in spans if one.start < end and one.end > start]
        unit = body[start:end]
        if not mine:
            kept.append(unit)
        elif _HEADING.match(unit) and not is_code:
            kept.append(replace_in(unit, find))
        elif not is_code:
            kept.append(_without_sentences(unit, start, mine))
    return "".join(kept)


def _units(body: str) -> Iterator[tuple[int, int, bool]]:
    """Yield begin and end of each heading, list item, row, paragraph or line of code, and whether it is code."""
    at = begin = 0
    is_code = False
    previous = ""
    for line in body.splitlines(keepends=True):
        is_fence = _FENCE.match(line) is not None
        if at > begin and (is_code or is_fence or _OPENS.match(line) or _ALONE.match(previous)):
            yield begin, at, is_code and not _FENCE.match(previous)
            begin = at
        is_code ^= is_fence
        at += len(line)
        previous = line
    if at > begin:
        yield begin, at, is_code


def _without_sentences(unit: str, start: int, spans: list[Span]) -> str:
    marker = _MARKER.match(unit)
    head = marker.end() if marker else 0
    if any(one.start - start < head for one in spans):  # a number that looks like that of a list
        head = len(unit) - len(unit.lstrip())
    tail = len(unit.rstrip())
    cuts = [head, *(stop.end() for stop in _STOP.finditer(unit, head, tail)), tail]
    kept = "".join(
        unit[a:b] for a, b in pairwise(cuts) if not any(one.start - start < b and one.end - start > a for one in spans)
    ).rstrip()
    return unit[:head] + kept + unit[tail:] if kept.strip("|*_~ \t") else ""
