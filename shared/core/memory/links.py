"""Links in a memory's text to other memories: `[[notes]]`, `[notes](../api/notes.md#setup)`, `[notes](/api/notes.md)`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from shared.core.errors import BadInputError
from shared.core.memory.frontmatter import body_of, read_fields, strings_of
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import GENERATED
from shared.core.memory.paths import MAX_PATH_BYTES, MAX_SEGMENTS

#: At most this many different links of a memory are stored: a hostile text could have any number.
MAX_LINKS = 200
_ENDINGS = (".md", ".markdown")
#: `[[notes|label]]`, `[label](notes.md)`, and `[label]: notes.md` at the beginning of a line; with `!` before it, an
#: image.
_WRITTEN = re.compile(
    r"\[\[(?P<wiki>[^\[\]\n|]{1,300})(?:\|[^\[\]\n]{0,300})?\]\]"
    r"|(?P<image>!?)\[[^\[\]\n]{0,300}\]\((?:<(?P<spaced>[^<>\n]{1,600})>|(?P<plain>(?:[^()<>\s]|\([^()<>\s]{0,100}\)){1,600}))"
    r"|^ {0,3}\[[^\[\]\n]{1,100}\]:[ \t]+<?(?P<named>[^\s<>]{1,600})"
)
_RELATED = "related"
#: A line that holds a path and nothing else.
_BARE_PATH = re.compile(r"^[^\w\n/]{0,20}[\w./-]{1,400}\.md[^\w\n/]{0,20}$", re.MULTILINE)
_OPENS = ("[[", "](", "]:")
_FENCE = re.compile(r"[ \t>]{0,20}(`{3,}|~{3,})")
_NO_STEP = frozenset({"", ".", ".."})
_CODE = re.compile(r"`[^`\n]*`")
_LEAVES_THE_STORE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_MAX_STEPS = 256
_MAX_PLACE_CHARS = 200
_PLACE = re.compile(r"[0-9]{1,4}")


def without_bare_paths(text: str) -> str:
    """Return a text without the lines that only name a file, which say nothing themselves."""
    return _BARE_PATH.sub("", text) if ".md" in text else text


@dataclass(frozen=True, slots=True)
class Link:
    """A link as written, without the anchor of a heading. A wiki link may be only a name, of a file in any folder."""

    target: str
    is_wiki: bool = False

    @property
    def leaves_the_store(self) -> bool:
        """Tell whether a link is a web or mail address."""
        return not self.is_wiki and _LEAVES_THE_STORE.match(self.target) is not None

    @property
    def name(self) -> str | None:
        """Return the file name of a wiki link without a folder, which may lead to any folder."""
        return _with_ending(self.target.strip()) if self.is_wiki and self.target and "/" not in self.target else None


@dataclass(frozen=True, slots=True)
class FoundLinks:
    """The distinct links of a text to other memories, as written, and the number of further ones."""

    links: tuple[Link, ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class LinkPlace:
    """The place of a link: a memory, and the link's number in its text."""

    memory_id: str
    place: int

    def __str__(self) -> str:
        """Return the place as `read` takes it."""
        return f"{self.memory_id}:{self.place}"

    @classmethod
    def read(cls, text: str) -> "LinkPlace":
        """Parse a place from its text. Raises BadInputError."""
        memory_id, _, place = text[:_MAX_PLACE_CHARS].partition(":")
        if not memory_id or "\x00" in memory_id or not _PLACE.fullmatch(place):
            raise BadInputError("There is no such position of a link; use the one at the end of a list of dead links")
        return cls(memory_id, int(place))


def find_links(path: str, content: str) -> FoundLinks:
    """Return the links in the text of the memory at `path`: at most `MAX_LINKS` links to memories of its store.

    Links in the frontmatter's `related` come first. Links in code do not count. A generated file has no links, since it only lists
    other memories.
    """
    if kind_of_text(path, content) in GENERATED:
        return FoundLinks()
    found = dict.fromkeys(_read_related(content))
    if any(sign in content for sign in _OPENS):
        found |= dict.fromkeys(_read_links(body_of(content)))
    return FoundLinks(tuple(found)[:MAX_LINKS], max(0, len(found) - MAX_LINKS))


def _read_related(content: str) -> list[Link]:
    if f"\n{_RELATED}:" not in content:
        return []
    links = (Link(target.strip()) for target in strings_of(read_fields(content).get(_RELATED)))
    return [link for link in links if link.target and not link.leaves_the_store]


def _read_links(text: str) -> Iterator[Link]:
    fence = ""
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        if fence:
            fence = "" if opening and opening[1].startswith(fence) else fence
        elif opening:
            fence = opening[1]
        elif any(sign in line for sign in _OPENS):
            for one in _WRITTEN.finditer(_CODE.sub("", line)):
                link = _link_of(one)
                if link is not None:
                    yield link


def _link_of(written: re.Match[str]) -> Link | None:
    if written["image"]:
        return None
    target = (written["wiki"] or written["spaced"] or written["plain"] or written["named"]).partition("#")[0].strip()
    link = Link(target, is_wiki=written["wiki"] is not None)
    return link if target and not link.leaves_the_store else None


def list_targets(path: str, link: Link) -> tuple[str, ...]:
    """Return the keys to look up a link, the likeliest first: paths, and `/name.md` for that name in any folder.

    No path of a memory begins with a slash.
    """
    paths = [one for one in find_paths(path, link) if not _NO_STEP.intersection(one.split("/", MAX_SEGMENTS))]
    found = (*paths, *([name_target(link.name)] if link.name and "\x00" not in link.name else []))
    return tuple(one for one in found if len(one.encode(errors="replace")) <= MAX_PATH_BYTES)


def name_target(name: str) -> str:
    """Return the key to look up a link that names a file in any folder."""
    return f"/{name}"


def find_paths(path: str, link: Link) -> tuple[str, ...]:
    """Return the paths that a link in the memory at `path` may lead to, the likeliest first."""
    if link.leaves_the_store:
        return ()
    named = link.target.strip() if link.is_wiki else unquote(link.target)
    if not named:
        return (path,)
    whole = _with_ending(named) if link.is_wiki else named
    found = [join_path(path, whole), whole.lstrip("/")]
    if not link.is_wiki and not named.lower().endswith(_ENDINGS):
        found += [join_path(path, f"{named}.md"), f"{named}.md".lstrip("/")]
    return tuple(dict.fromkeys(one for one in found if one and "\x00" not in one))


def join_path(path: str, target: str) -> str:
    """Resolve a relative path from the file at `path`; it never leaves the store."""
    steps = path.split("/")[:-1]
    for step in target.split("/", _MAX_STEPS):
        if step == "..":
            del steps[-1:]
        elif step != ".":
            steps.append(step)
    return "/".join(steps)


def _with_ending(name: str) -> str:
    return name if name.lower().endswith(_ENDINGS) else f"{name}.md"
