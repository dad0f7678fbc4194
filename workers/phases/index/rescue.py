"""Move text that a person or an agent added among the generated lines of an index to a topic file beside it.

Generated lines are known from the text that a dream wrote last. Where no such text is left, a pointer, a heading and a
folder's line count as generated.
"""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from shared.core.memory.doc_type import GENERATED_BY
from shared.core.memory.frontmatter import body_of, read_fields
from shared.core.memory.headline import summary_of, title_of
from shared.core.memory.model import INDEX_BEGIN, INDEX_END, ROOT_INDEX, Author, Memory, MemoryHead, Signals, domain_of
from workers.phases.index.root import IndexView

_BLOCK = re.compile(rf"{re.escape(INDEX_BEGIN)}(.*?)(?:{re.escape(INDEX_END)}|\Z)", re.DOTALL)
_LINK = re.compile(r"\[[^\[\]]*\]\(([^)\s]{1,1000})\)")
_GENERATED = re.compile(r"#{1,6}\s|- \[.*\]\([^)\s]+\.md\)|- \S.*/ — \d+ |- \(top level\) — \d+ ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rescued:
    """A new topic file, and the index that its lines stood in."""

    index: str
    path: str
    content: str
    lines: int
    head: MemoryHead


def is_changed(index: Memory) -> bool:
    """Tell whether a generated index was changed since a dream wrote it."""
    if index.author is Author.DREAM:
        return False
    return INDEX_BEGIN in index.content if index.path == ROOT_INDEX else _is_generated(index)


def find_rescued(view: IndexView, signals: Signals) -> list[Rescued]:
    """Return a topic file for each index with added lines; `view.written` holds what dreams wrote there."""
    live = {head.path for head in view.heads}
    taken = {path.casefold() for path in (*live, *view.moved, *view.indexes)}
    found: list[Rescued] = []
    for path in sorted(view.written):
        index = view.indexes[path]
        folder = path.rpartition("/")[0]
        lines = _own_lines(index, view.written[path], {head.removeprefix(f"{folder}/") for head in live})
        if not lines:
            continue
        made = _make(index, lines, _free_path(f"{folder}/" if folder else "", taken), signals)
        taken.add(made.path.casefold())
        found.append(made)
    return found


def _is_generated(index: Memory) -> bool:
    return read_fields(index.content).get("generated_by") == GENERATED_BY


def _own_lines(index: Memory, written: str, live: set[str]) -> list[str]:
    known = {line.strip() for line in written.split("\n")}
    own: list[str] = []
    for line in _generated_part(index).split("\n"):
        is_own = (
            line.strip() not in known
            and (bool(written) or not _GENERATED.match(line[:2_000]))
            and _says_more(line, live)
        )
        if is_own or (own and own[-1] and not line.strip()):
            own.append(line.rstrip())
    return own[:-1] if own and not own[-1] else own


def _generated_part(index: Memory) -> str:
    if index.path == ROOT_INDEX:
        return "\n".join(_BLOCK.findall(index.content))
    return body_of(index.content)


def _says_more(line: str, live: set[str]) -> bool:
    """Tell whether a line holds more than pointers to what the index points to anyway."""
    left = _LINK.sub(lambda found: "" if unquote(found[1]) in live else found[0], line)
    return any(map(str.isalnum, left))


def _free_path(folder: str, taken: set[str]) -> str:
    number = 1
    while (path := f"{folder}notes-of-the-index{'' if number == 1 else f'-{number}'}.md").casefold() in taken:
        number += 1
    return path


def _make(index: Memory, lines: list[str], path: str, signals: Signals) -> Rescued:
    domain = domain_of(path)
    content = "\n".join([f"# Notes of the index{f' of {domain}' if domain else ''}", "", *lines, ""])
    head = MemoryHead(
        id="",
        path=path,
        title=title_of(path, content),
        summary=summary_of(content),
        signals=signals,
        version=1,
        author=Author.DREAM,
        doc_type="",
        size_chars=len(content),
        updated_at=index.updated_at,
        touched_at=index.updated_at,
        is_dirty=True,
    )
    return Rescued(index=index.path, path=path, content=content, lines=sum(map(bool, lines)), head=head)
