"""Write the text of `MEMORY.md`: the handwritten part, then the block that slowwave generates, always within the budget.

Handwritten text stays, in its order. Pointers to merged memories are retargeted, and dead pointers become plain text. Text
that outgrows its share of the budget moves to topic files, the longest entries first.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from shared.core.dream.operations import Skip
from shared.core.learning.skills import skill_name_of
from shared.core.memory.doc_type import GENERATED_BY
from shared.core.memory.frontmatter import build_frontmatter, read_fields
from shared.core.memory.model import (
    DOMAIN_INDEX,
    INDEX_BEGIN,
    INDEX_END,
    ROOT_DOMAIN,
    ROOT_INDEX,
    SKILLS_FOLDER,
    Memory,
    MemoryHead,
    MemoryKind,
    domain_of,
    kind_of,
)
from shared.core.policy.policy import IndexPolicy
from workers.phases.index.handwritten import demote, fits_by_hand
from workers.phases.index.pointers import Budget, folder_lines, group_by_folder, index_block, link_of

#: What may stay of a text by hand once it has to make room for the folders' lines.
_SHARE_BY_HAND = 0.75
_LINK = re.compile(r"\]\(([^)\s]{1,1000}\.md)\)")
_WHOLE_LINK = re.compile(r"\[([^\[\]]*)\]\(([^)\s]{1,1000}\.md)\)")
#: One generated block, or a marker that stands alone.
_MARKED = re.compile(
    rf"{re.escape(INDEX_BEGIN)}(?:(?!{re.escape(INDEX_BEGIN)}).)*?{re.escape(INDEX_END)}|{re.escape(INDEX_BEGIN)}|{re.escape(INDEX_END)}",
    re.DOTALL,
)
_ITEM = re.compile(r"^\s*[-*+]\s")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RootIndex:
    """The root index; `folders` is the list of all folders, when not all of them fit; `notes` are new topic files."""

    text: str
    folders: str | None = None
    notes: tuple[tuple[str, str], ...] = ()
    skips: list[Skip] = field(default_factory=list)


def is_ours(view: IndexView, path: str) -> bool:
    """Tell whether slowwave may write an index there: no other author's file has the path."""
    existing = view.indexes.get(path)
    return existing is None or read_fields(existing.content).get("generated_by") == GENERATED_BY


def frame_of(title: str) -> str:
    """Return how a generated index begins."""
    fields = {"type": "summary", "title": title, "generated_by": GENERATED_BY}
    return build_frontmatter(fields, f"# {title}\n\n")


def find_spent(view: IndexView, needs_folders: bool) -> list[Memory]:  # noqa: FBT001 - said by name in one place
    """Return the generated indexes of folders that hold nothing any more."""
    generated = {
        path: memory
        for path, memory in view.indexes.items()
        if path.endswith(DOMAIN_INDEX) and path.count("/") <= 1 and is_ours(view, path)
    }
    if not generated:
        return []
    domains = {domain_of(head.path) for head in view.heads if kind_of(head.path) is MemoryKind.TOPIC}
    return [
        memory
        for path, memory in generated.items()
        if (domain_of(path) not in domains if domain_of(path) else not needs_folders)
    ]


def write_root(view: IndexView, topics: Sequence[MemoryHead]) -> RootIndex:
    """Return what `MEMORY.md` should be."""
    existing = view.indexes.get(ROOT_INDEX)
    by_hand, skips = _mended(view, _by_hand(existing.content if existing else ""))
    by_hand = by_hand if by_hand.strip() else "# Memory\n"
    more = DOMAIN_INDEX if is_ours(view, DOMAIN_INDEX) else ""
    text, left_out = _with_block(view, topics, by_hand, more)
    notes: tuple[tuple[str, str], ...] = ()
    share = Budget(lines=int(view.policy.max_lines * _SHARE_BY_HAND), bytes=int(view.policy.max_bytes * _SHARE_BY_HAND))
    if left_out and not fits_by_hand(by_hand, share):
        taken = {head.path for head in view.heads} | set(view.moved) | set(view.indexes)
        demoted = demote(by_hand, share, taken, view.policy)
        text, left_out = _with_block(view, topics, demoted.text, more)
        notes = demoted.notes
        detail = f"{ROOT_INDEX}: {len(notes)} entries by hand moved to {', '.join(path for path, _ in notes[:3])}"
        skips.append(Skip(code="index_over_budget", detail=detail))
    folders = None
    if left_out and more:
        lines = folder_lines(group_by_folder(_find_missing(topics, text), ""), "", view.policy)
        folders = frame_of("All folders") + "".join(f"{line}\n" for line in lines.values())
    return RootIndex(text=text, folders=folders, notes=notes, skips=skips)


def _skills_line(view: IndexView) -> str:
    """Return one line that names the skills there are, as many as it has room for; empty when there are none."""
    names = [skill_name_of(head.path) for head in view.heads if kind_of(head.path) is MemoryKind.SKILL]
    if not names:
        return ""
    start = f"- {SKILLS_FOLDER}/ — {len(names)} {'skill' if len(names) == 1 else 'skills'}: "
    listed = ", ".join(names)
    room = max(0, view.policy.pointer_chars - len(start))
    return start + (listed if len(listed) <= room else listed[: max(0, room - 1)].rpartition(",")[0] + "…")


def _find_missing(topics: Sequence[MemoryHead], text: str) -> list[MemoryHead]:
    """Return the memories that a person's part of the index does not point to."""
    linked = {unquote(target) for target in _LINK.findall(_by_hand(text))}
    return [head for head in topics if head.path not in linked]


def _with_block(view: IndexView, topics: Sequence[MemoryHead], by_hand: str, more: str) -> tuple[str, tuple[str, ...]]:
    """Return a text by hand with the generated block, and the folders that found no place in it."""
    missing = _find_missing(topics, by_hand)
    above = f"{by_hand.rstrip(chr(10))}\n"
    skills = _skills_line(view)
    budget = Budget(
        lines=view.policy.max_lines - above.count("\n") - 4 - bool(skills),
        bytes=view.policy.max_bytes
        - len(above.encode())
        - len(INDEX_BEGIN)
        - len(INDEX_END)
        - 8
        - len(skills.encode())
        - 1,
    )
    fits = not missing and fits_by_hand(by_hand, Budget(lines=view.policy.max_lines, bytes=view.policy.max_bytes))
    if fits and not skills:
        return by_hand, ()
    block = index_block(missing, "", budget, view.policy, more)
    told = [skills] if skills and min(budget.lines, budget.bytes) >= 0 else []
    if not block.lines and (missing or not told):
        return by_hand, () if fits else block.left_out or (ROOT_DOMAIN,)
    return "\n".join([above, INDEX_BEGIN, *block.lines, *told, INDEX_END]) + "\n", block.left_out


def _by_hand(text: str) -> str:
    """Return an index without the block that slowwave generates."""
    if INDEX_BEGIN not in text and INDEX_END not in text:
        return text
    # A marker without its twin is left over from an edit: it is removed, and the text around it stays.
    before, *after = re.split(_MARKED, text)
    parts = [before.rstrip("\n"), *(part.strip("\n") for part in after)]
    kept = "\n\n".join(part for part in parts if part)
    return f"{kept}\n" if kept else ""


def _mended(view: IndexView, text: str) -> tuple[str, list[Skip]]:
    """Retarget pointers to merged memories; a pointer that leads nowhere becomes text, or goes if it says no more."""
    if _LINK.search(text) is None:
        return text, []
    spent = {memory.path for memory in find_spent(view, needs_folders=True)}
    live = {head.path for head in view.heads} - spent
    gone = set(view.moved) | spent
    lines, skips = [], []
    for line in text.split("\n"):
        mended = _LINK.sub(lambda found: _retargeted(found, live, view.moved), line)
        dead = [t for t in map(unquote, _LINK.findall(mended)) if t not in live and t in gone]
        if not dead:
            lines.append(mended)
            continue
        skips.append(Skip(code="dangling_pointer", detail=f"{ROOT_INDEX}: dropped the pointer to {dead[0]}"))
        if not (_ITEM.match(mended) and _says_nothing(mended)):
            lines.append(_unlinked(mended, live, gone))
    return "\n".join(lines), skips


def _says_nothing(line: str) -> bool:
    """Tell whether a list line holds nothing but pointers."""
    return len(_LINK.findall(line)) == 1 and not any(map(str.isalnum, _WHOLE_LINK.sub("", line)))


def _unlinked(line: str, live: set[str], gone: set[str]) -> str:
    """Return the line with the pointers that lead nowhere as plain text."""

    def is_dead(target: str) -> bool:
        return unquote(target) not in live and unquote(target) in gone

    while any(is_dead(target) for target in _LINK.findall(line)):
        shorter = _WHOLE_LINK.sub(lambda found: found[1] if is_dead(found[2]) else found[0], line)
        if shorter == line:  # brackets within brackets
            shorter = _LINK.sub(lambda found: "]" if is_dead(found[1]) else found[0], line)
        line = shorter
    return line


def _retargeted(found: re.Match[str], live: set[str], moved: Mapping[str, str]) -> str:
    target = unquote(found.group(1))
    successor = moved.get(target, "")
    if target in live or not successor:
        return found.group(0)
    return f"]({link_of(successor)})"
