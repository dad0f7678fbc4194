"""Write the hub and the parts of a cut memory: each of its lines is in exactly one of them.

The hub keeps its frontmatter, its title, the text before the first topic, and the topics that are too small to stand
alone; a list names the parts. It repeats nothing from the parts, because a part may be corrected later. A part is in
the same folder as the hub, so that its relative links stay valid.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from shared.core.memory.frontmatter import build_frontmatter, read_fields
from shared.core.memory.headline import MAX_TITLE_CHARS, title_of
from shared.core.memory.part_of import PART_OF, find_whole
from shared.core.memory.paths import fit_stem, slug_of
from shared.core.memory.provenance import FIELD, format_source, read_sources
from shared.core.splitting.cut import HUB, Cut, Piece, is_list_of_parts
from shared.core.splitting.links import Places, find_places, lead_to_parts
from shared.core.splitting.outline import find_headings, find_topics
from shared.core.text.clip import clip
from shared.core.text.words import cut

_LIST_HEADING = "Parts"
#: The frontmatter fields that apply to the whole text, and so to each part: its kind and its dates.
_SHARED = (
    "type", "category", "tags", "keywords", "updatedAt", "updated_at", "updated", "modified", "date", "createdAt",
    "created_at", "created",
)  # fmt: skip
_MAX_SLUG_CHARS = 48
_MAX_LISTED = 6
_MARKUP = re.compile(r"[*`\[\]\r]|(?<!\w)_|_(?!\w)|\([^()]*\.[^()]*\)")
_LABEL = re.compile(r"\[([^\[\]\n]{1,100})\](:[ \t]*\S)?")
#: A source belongs to a part that contains at least this share of its words.
_QUOTED_SHARE = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A memory that was cut out of another one."""

    path: str
    name: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The result of a split: the text of the hub, and the parts in order."""

    hub: str
    parts: tuple[Part, ...]
    places: Places


def name_of(piece: Piece) -> str:
    """Return the name of a part: its heading without markup."""
    return clip(_MARKUP.sub("", piece.heading)) or "untitled"


def write_split(path: str, cut_up: Cut, names: Mapping[int, str], taken: Collection[str]) -> Split:
    """Return the hub and the parts of a memory.

    Args:
        path: the path of the memory, which the hub keeps.
        cut_up: the cut.
        names: names that replace the headings as names of parts, by the number of the part.
        taken: paths that are in use.
    """
    named = [names.get(number) or name_of(piece) for number, piece in enumerate(cut_up.pieces)]
    paths = _find_paths(path, cut_up, named, set(taken))
    owners = _find_owners(cut_up)
    file_at = [path if owner == HUB else paths[owner] for owner in owners]
    places = find_places(path, "\n".join(cut_up.lines), file_at)
    bodies = [_write_piece(number, cut_up, owners, named, paths) for number in range(HUB, len(cut_up.pieces))]
    hub, *inner = _with_definitions(bodies, cut_up.lines)
    hub = lead_to_parts(path, hub, places)
    inner = [lead_to_parts(one, body, places) for one, body in zip(paths, inner, strict=True)]
    fields = _describe(path, cut_up, named, inner)
    parts = tuple(
        Part(path=one, name=name, content=build_frontmatter(about, body))
        for one, name, about, body in zip(paths, named, fields, inner, strict=True)
    )
    return Split(hub=cut_up.raw + hub, parts=parts, places=places)


def _find_paths(path: str, cut_up: Cut, named: Sequence[str], taken: set[str]) -> list[str]:
    """Return a free path for each part, in the memory's folder and named after the memory."""
    paths: list[str] = []
    for piece, name in zip(cut_up.pieces, named, strict=True):
        above = path if piece.parent == HUB else paths[piece.parent]
        stem, dot, ending = above.rpartition(".")
        folder, slash, called = stem.rpartition("/")
        own = slug_of(called, _MAX_SLUG_CHARS)
        fresh = slug_of(name, _MAX_SLUG_CHARS).removeprefix(f"{own}-")  # `pipeline-states`, not twice
        base = f"{folder}{slash}{fit_stem(f'{called}-{fresh}')}"
        number, found = 1, f"{base}{dot}{ending}"
        while found in taken:
            number += 1
            found = f"{base}-{number}{dot}{ending}"
        taken.add(found)
        paths.append(found)
    return paths


def _find_owners(cut_up: Cut) -> list[int]:
    """Return the piece that each line goes to: the innermost one that contains it."""
    owners = [HUB] * len(cut_up.lines)
    for number, piece in enumerate(cut_up.pieces):
        owners[piece.start : piece.end] = [number] * (piece.end - piece.start)
    return owners


def _write_piece(number: int, cut_up: Cut, owners: Sequence[int], named: Sequence[str], paths: Sequence[str]) -> str:
    """Return the body of the hub or of a part, with a list of the parts that were taken out of it."""
    start, end, level = (0, len(cut_up.lines), 1)
    if number != HUB:
        piece = cut_up.pieces[number]
        start, end, level = piece.start, piece.end, piece.level
    inner = [at for at, one in enumerate(cut_up.pieces) if one.parent == number]
    first = cut_up.pieces[inner[0]] if inner else None
    whole = _raise_headings(cut_up.lines, start, end, level - 1)
    lines = [line for line, owner in zip(whole, owners[start:end], strict=True) if owner == number]
    if first is not None:
        listed = [_list_part(cut_up.pieces[at], named[at], paths[at]) for at in inner]
        before = sum(owner == number for owner in owners[start : first.start])
        lines = _add_list(lines, before, listed, max(1, first.level - level + 1))
    text = "\n".join(lines)
    return text if number == HUB else text.rstrip() + "\n"


def _raise_headings(lines: Sequence[str], start: int, end: int, by: int) -> list[str]:
    """Return the lines of a part with its heading raised to the first level, and the headings below it by as much."""
    found = list(lines[start:end])
    for heading in find_headings(found) if by else ():
        line = found[heading.line]
        found[heading.line] = line[min(by, heading.level - 1) :]
    return found


def _list_part(piece: Piece, name: str, path: str) -> str:
    inside = [" ".join(_MARKUP.sub("", one).split()).rstrip(" :") for one in piece.inside]
    more = ", …" if len(inside) > _MAX_LISTED else ""
    told = f": {', '.join(inside[:_MAX_LISTED])}{more}" if inside else ""
    file = path.rpartition("/")[2].replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    return f"- [{name}]({file}){told}"


def _add_list(lines: list[str], before: int, listed: Sequence[str], level: int) -> list[str]:
    """Return the lines with the list of parts: after an existing list, else in place of the first part."""
    for topic in find_topics(lines):
        if is_list_of_parts(lines[topic.start : topic.end]):
            last = max(at for at in range(topic.start, topic.end) if lines[at].strip())
            return [*lines[: last + 1], *listed, *lines[last + 1 :]]
    gap = [""] if before and lines[before - 1].strip() else []
    rest = lines[before:]
    end = ["", *rest] if any(line.strip() for line in rest) else [""]
    return [*lines[:before], *gap, f"{'#' * level} {_LIST_HEADING}", "", *listed, *end]


def _with_definitions(bodies: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Add to each body the definitions of links and footnotes that it uses and that are in another body."""
    defined = _find_definitions(lines)
    if not defined:
        return list(bodies)
    texts = []
    for body in bodies:
        used = {match[1] for match in _LABEL.finditer(body)} - _find_definitions(body.split("\n")).keys()
        wanted = [line for name, line in defined.items() if name in used]
        texts.append("\n".join([body.rstrip("\n"), "", *wanted, ""]) if wanted else body)
    return texts


def _find_definitions(lines: Sequence[str]) -> dict[str, str]:
    return {found[1]: line for line in lines if (found := _LABEL.match(line)) is not None and found[2]}


def _describe(path: str, cut_up: Cut, named: Sequence[str], bodies: Sequence[str]) -> list[dict[str, object]]:
    """Return the frontmatter of each part: the whole that it belongs to, the fields of the whole, and its sources."""
    whole = cut_up.raw + "\n".join(cut_up.lines)
    known = read_fields(whole)
    root = find_whole(path, whole) or path
    shared = {name: known[name] for name in _SHARED if _may_share(known.get(name))}
    titles: list[str] = []
    for piece, name in zip(cut_up.pieces, named, strict=True):
        above = title_of(path, whole) if piece.parent == HUB else titles[piece.parent]
        titles.append(_find_title(f"{above}: {name}"[:MAX_TITLE_CHARS], titles))
    sources = _share_sources(whole, bodies)
    return [
        {"title": title, PART_OF: root, **shared, **({FIELD: told} if told else {})}
        for title, told in zip(titles, sources, strict=True)
    ]


def _find_title(title: str, others: Sequence[str]) -> str:
    """Return a title that no earlier part has: parts with the same words would be folded as duplicates."""
    number, found = 1, title
    while found in others:
        number += 1
        found = f"{title} ({number})"
    return found


def _may_share(value: object) -> bool:
    """Tell whether a field's value can be written back unchanged: a text, a day, or a list of texts."""
    items = value if isinstance(value, list) else [value]
    return bool(items) and all(isinstance(item, str | date) for item in items)


def _share_sources(whole: str, bodies: Sequence[str]) -> list[list[str]]:
    """Return the sources of each part: a source goes to the part with the most of its words. The hub keeps all."""
    shared: list[list[str]] = [[] for _ in bodies]
    listed = read_sources(whole)
    words = [frozenset(cut(body)) for body in bodies] if listed else []
    for source in listed:
        quoted = Counter(cut(source.quote))
        held = [sum(number for word, number in quoted.items() if word in mine) for mine in words]
        best = max(held, default=0)
        if best and best >= _QUOTED_SHARE * quoted.total():
            shared[held.index(best)].append(format_source(source))
    return shared
