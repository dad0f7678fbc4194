"""Write the text of `MEMORY.md`: what stands there by hand, to the byte, and the block that slowwave generates in the room that is left.

A root file that holds content rather than pointers is a memory and gets no block. What does not fit is listed in `_index.md`.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from shared.core.dream.operations import Skip
from shared.core.learning.skills import skill_name_of
from shared.core.memory.doc_type import GENERATED_BY
from shared.core.memory.frontmatter import build_frontmatter
from shared.core.memory.index_text import by_hand, holds_content, newline_of, with_block
from shared.core.memory.model import (
    DOMAIN_INDEX,
    INDEX_BEGIN,
    INDEX_END,
    INDEX_LINE,
    MORE_LINE,
    ROOT_INDEX,
    SKILLS_FOLDER,
    Memory,
    MemoryHead,
    MemoryKind,
    domain_of,
    is_ordinary_domain,
    kind_of,
)
from shared.core.memory.pointer import pointer_line
from shared.core.policy.policy import IndexPolicy
from workers.phases.index.handwritten import is_generated, room_of
from workers.phases.index.pointers import Budget, index_block, list_everything, show

_LINK = re.compile(r"\]\(([^)\s]{1,1000}\.md)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexView:
    """The inputs of the index: live memories, the index files as they are, and where merged memories went.

    `written` holds, for each generated index that was changed since, what a dream wrote there last, or an empty text.
    """

    heads: tuple[MemoryHead, ...]
    indexes: dict[str, Memory]
    moved: dict[str, str]  # path of a superseded memory -> path of the live one that holds its text
    policy: IndexPolicy
    written: Mapping[str, str] = field(default_factory=dict)
    decided: str = ""  # why no proposal is made for the root file as it is


@dataclass(frozen=True, slots=True, kw_only=True)
class RootIndex:
    """The root index; `all_memories` are the lines of the index that its last line leads to, if not every memory has a pointer."""

    text: str
    all_memories: tuple[str, ...] = ()
    skips: tuple[Skip, ...] = ()


def is_ours(view: IndexView, path: str) -> bool:
    """Tell whether slowwave may write an index there: no other author's file has the path."""
    existing = view.indexes.get(path)
    return existing is None or is_generated(existing)


def frame_of(title: str) -> str:
    """Return how a generated index begins."""
    fields = {"type": "summary", "title": title, "generated_by": GENERATED_BY}
    return build_frontmatter(fields, f"# {title}\n\n")


def is_place(path: str) -> bool:
    """Tell whether an index of slowwave has its place there: at the top of the store, or of a folder with knowledge."""
    folder, _, name = path.rpartition("/")
    return name == DOMAIN_INDEX and (not folder or (folder == domain_of(path) and is_ordinary_domain(folder)))


def write_root(view: IndexView, topics: Sequence[MemoryHead], text: str, complete: Collection[str]) -> RootIndex:
    """Return what `MEMORY.md` should be.

    Args:
        view: the inputs.
        topics: the memories that need a pointer, by path.
        text: what `MEMORY.md` is.
        complete: the folders whose own index has a pointer to each memory.
    """
    more = MORE_LINE if is_ours(view, DOMAIN_INDEX) else ""
    lines, is_complete, skips = _block(view, topics, text, more)
    every: tuple[str, ...] = ()
    if more and not is_complete:
        every = (*list_everything(topics, complete, view.policy), *_skills(view))
    return RootIndex(text=with_block(text, lines), all_memories=every, skips=skips)


def _block(
    view: IndexView, topics: Sequence[MemoryHead], text: str, more: str
) -> tuple[list[str], bool, tuple[Skip, ...]]:
    """Return the generated block, whether every memory has a pointer, and the pointers by hand that lead nowhere."""
    if holds_content(text):
        return [], not topics, ()
    text = by_hand(text)
    moved, skips = _moved(view, text)
    linked = {unquote(target) for target in _LINK.findall("\n".join((text, *moved)))}
    missing = [head for head in topics if head.path not in linked]
    room = room_of(view.policy, text)
    room = Budget(lines=room.lines, bytes=room.bytes - max(0, room.lines) * (len(newline_of(text)) - 1))
    framed = room.take(f"{INDEX_BEGIN}\n{INDEX_END}", lines=2)
    if framed is not None:
        told = []
        for line in (*moved, *_skills(view)):
            rest = framed.take(line)
            told += [line] if rest else []
            framed = rest or framed
        block = index_block(missing, "", framed, view.policy, more)
        if block.lines or (told and not missing):
            return [INDEX_BEGIN, *told, *block.lines, INDEX_END], block.is_complete, skips
    return [INDEX_LINE] if missing and more and room.take(INDEX_LINE) else [], not missing, skips


def _skills(view: IndexView) -> list[str]:
    """Return one line that names the skills there are, as many as it has room for; none when there are none."""
    names = [skill_name_of(head.path) for head in view.heads if kind_of(head.path) is MemoryKind.SKILL]
    if not names:
        return []
    start = f"- {SKILLS_FOLDER}/ — {len(names)} {'skill' if len(names) == 1 else 'skills'}: "
    listed = ", ".join(names)
    room = max(0, view.policy.pointer_chars - len(start))
    return [start + (listed if len(listed) <= room else listed[: max(0, room - 1)].rpartition(",")[0] + "…")]


def _moved(view: IndexView, text: str) -> tuple[list[str], tuple[Skip, ...]]:
    """Return lines that tell where memories went that a pointer by hand still leads to, and the count of such pointers."""
    heads = {head.path: head for head in view.heads}
    lines: list[str] = []
    skips: list[Skip] = []
    for target in dict.fromkeys(map(unquote, _LINK.findall(text))):
        if target in heads or target not in view.moved:
            continue
        successor = heads.get(view.moved[target])
        went = f"its text is in {successor.path}" if successor else "the memory is not live any more"
        skips.append(Skip(code="dangling_pointer", detail=f"{ROOT_INDEX}: a pointer by hand leads to {target}; {went}"))
        if successor:
            title = show([successor], "")[0].title
            lines.append(pointer_line(f"{target} is now {title[:80]}", successor.path, "", view.policy))
    return lines, tuple(skips)
