"""Links to headings: find the part that a heading moved to, and update links to it.

A link to the file itself needs no update, because the hub stays at its path. Links in code are not changed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from shared.core.memory.links import join_path
from shared.core.splitting.outline import Heading, find_headings, find_plain_lines

#: `](notes.md#setup)`, `[[notes#Setup`, and `[1]: notes.md#setup` at the beginning of a line.
_LINK = re.compile(r"(\]\(<?|^\[[^\[\]\n]{1,100}\]:[ \t]+<?|\[\[)([^()\[\]<>#|\s]{0,300})#([^()\[\]<>#|\n]{1,300})")
_CODE = re.compile(r"`[^`\n]*`")
_NOT_SLUG = re.compile(r"[^\w\- ]+")
_WIKI = "[["


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The places of a memory's headings after a split: the new file and anchor, by the old anchor."""

    hub: str
    files: frozenset[str]  # the hub and its parts
    anchors: Mapping[str, tuple[str, str]]


def find_places(hub: str, body: str, file_at: Sequence[str]) -> Places:
    """Return the new places of a memory's headings. `file_at` gives the file that each line went to."""
    headings = find_headings(body.split("\n"))
    places: dict[int, tuple[str, str]] = {}
    for file in dict.fromkeys(file_at[one.line] for one in headings):
        mine = [one for one in headings if file_at[one.line] == file]
        places.update({one.line: (file, anchor) for one, anchor in zip(mine, list_anchors(mine), strict=True)})
    anchors = {anchor: places[heading.line] for heading, anchor in zip(headings, list_anchors(headings), strict=True)}
    return Places(hub=hub, files=frozenset(file_at), anchors=anchors)


def list_anchors(headings: Sequence[Heading]) -> tuple[str, ...]:
    """Return the anchor of each heading in GitHub's form: a second heading with the same words gets `-1`."""
    seen: dict[str, int] = {}
    found = []
    for heading in headings:
        anchor = anchor_of(heading.text)
        number = seen.get(anchor, 0)
        seen[anchor] = number + 1
        found.append(f"{anchor}-{number}" if number else anchor)
    return tuple(found)


def anchor_of(text: str) -> str:
    """Return the anchor of a heading with a unique text."""
    return _NOT_SLUG.sub("", text.strip().lower()).replace(" ", "-")


def lead_to_parts(path: str, body: str, places: Places) -> str:
    """Return the text of the file at `path` with its links to headings of a split memory changed to the parts."""
    if "#" not in body:
        return body
    lines = body.split("\n")
    plain = find_plain_lines(lines) if any(_LINK.search(line) for line in lines) else frozenset()
    return "\n".join(_lead_line(path, line, places) if at in plain else line for at, line in enumerate(lines))


def _lead_line(path: str, line: str, places: Places) -> str:
    if "#" not in line:
        return line
    pieces = []
    end = 0
    for start, stop in [*_find_code(line), (len(line), len(line))]:
        pieces.append(_LINK.sub(lambda found: _lead(found, path, places), line[end:start]))
        pieces.append(line[start:stop])
        end = stop
    return "".join(pieces)


def _find_code(line: str) -> Iterator[tuple[int, int]]:
    return (found.span() for found in _CODE.finditer(line))


def _lead(found: re.Match[str], path: str, places: Places) -> str:
    opening, target, anchor = found.groups()
    is_wiki = opening == _WIKI
    place = places.anchors.get(anchor_of(anchor) if is_wiki else anchor)
    if place is None or not _is_hub(path, target, places, is_wiki=is_wiki):
        return found[0]
    file, heading = place
    if file == path:
        return f"{opening}#{anchor if is_wiki else heading}"
    folder = target.rpartition("/")[0]
    name = PurePosixPath(file).name
    name = name.rpartition(".")[0] if is_wiki and not target.endswith(".md") else name
    return f"{opening}{f'{folder}/' if folder else ''}{_spell(name)}#{anchor if is_wiki else heading}"


def _spell(name: str) -> str:
    return name.replace(" ", "%20").replace("(", "%28").replace(")", "%29")


def _is_hub(path: str, target: str, places: Places, *, is_wiki: bool) -> bool:
    """Tell whether a link leads to the split memory: from within it, by a relative path or by a path of the store."""
    if not target:
        return path in places.files
    named = target.replace("%20", " ")
    if is_wiki:
        named = named if named.endswith(".md") else f"{named}.md"
        if "/" not in named:
            return PurePosixPath(places.hub).name == named
    return places.hub in {join_path(path, named), named.lstrip("/")}
