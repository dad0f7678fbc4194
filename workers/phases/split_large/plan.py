"""Plan SPLIT: the hub, its parts, and the memories whose links to a heading lead to a part from now on."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from shared.core.dream.operations import Change, Create, Operation, OperationKind, Rewrite, Skip
from shared.core.errors import BadInputError, UnsafePathError
from shared.core.memory.doc_type import DREAMT
from shared.core.memory.frontmatter import split_frontmatter
from shared.core.memory.model import Memory, MemoryHead, MemoryKind, is_log, kind_of
from shared.core.memory.paths import HOST_NAMES, check_memory_path
from shared.core.merging.confidence import confidence_of
from shared.core.policy.policy import SplitPolicy
from shared.core.splitting.cut import HUB, Cut, find_cut
from shared.core.splitting.links import lead_to_parts
from shared.core.splitting.parts import Split, name_of, write_split
from shared.core.text.clip import clip
from shared.core.text.words import cut
from workers.phases.split_large import NAME
from workers.phases.split_large.answer import SplitAnswer

#: Files that agents load whole at the beginning of each session: what is cut out of one is no longer seen there.
_LOADED_WHOLE = HOST_NAMES | {"memory.md", "user.md"}
_MAX_NAME_CHARS = 60
_NAME = re.compile(r"[\w&,+./' -]+")
_BY_DEFAULT = "a person decides whether a memory becomes several (split.without_review)"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestOfStore:
    """The rest of the store: memories that may link to the one to split, and the paths in use."""

    linking: tuple[Memory, ...]
    live_paths: frozenset[str]


def plan_split(memory: Memory, answer: SplitAnswer, around: RestOfStore, policy: SplitPolicy) -> Operation | Skip:
    """Return the operation that splits a memory, or why it stays whole."""
    cut_up = find_cut(memory.content, policy)
    if cut_up is None:
        return Skip(code="not_too_large", detail=f"{memory.path}: it is small enough, or nothing in it can stand alone")
    if answer.keep_whole:
        return Skip(code="kept_whole", detail=f"{memory.path}: {clip(answer.reason) or 'the model gave no reason'}")
    try:
        split = write_split(memory.path, cut_up, _names_in(answer, cut_up, memory), around.live_paths)
        for part in split.parts:
            check_memory_path(part.path)
    except (BadInputError, UnsafePathError) as error:
        return Skip(code="unusable_part", detail=f"{memory.path}: {error}")
    changes = (_rewrite(memory, split.hub), *_create_parts(memory, split), *_lead_links(memory, split, around.linking))
    return Operation(
        kind=OperationKind.SPLIT,
        phase=NAME,
        reason=_reason(memory, cut_up, split),
        changes=changes,
        confidence=confidence_of(answer.confidence),
        needs_review=True,
        propose_only=_find_veto(memory.path, policy),
    )


def _names_in(answer: SplitAnswer, cut_up: Cut, memory: Memory) -> dict[int, str]:
    """Return the names that a model gave to parts: short ones, of words that the memory holds."""
    known = frozenset(cut(f"{memory.path} {memory.content}"))
    given = {one.part - 1: " ".join(one.name.split()) for one in answer.names}
    return {
        number: name
        for number, name in given.items()
        if 0 <= number < len(cut_up.pieces)
        and 0 < len(name) <= _MAX_NAME_CHARS
        and _NAME.fullmatch(name)
        and known.issuperset(cut(name))
    }


def _create_parts(memory: Memory, split: Split) -> list[Change]:
    """Return the parts with the signals of the whole: each read of it was a read of its parts."""
    return [
        Create(
            path=part.path,
            content=part.content,
            signals=memory.signals,
            created_at=memory.created_at,
            touched_at=memory.touched_at,
        )
        for part in split.parts
    ]


def _lead_links(memory: Memory, split: Split, linking: Sequence[Memory]) -> list[Change]:
    found: list[Change] = []
    for other in linking:
        front = split_frontmatter(other.content)
        body = lead_to_parts(other.path, front.body, split.places)
        if other.id != memory.id and body != front.body:
            found.append(_rewrite(other, front.raw + body))
    return found


def _rewrite(memory: Memory, content: str) -> Rewrite:
    return Rewrite(
        memory_id=memory.id,
        version=memory.version,
        path=memory.path,
        content=content,
        signals=memory.signals,
        resets_clock=False,
        stays_dirty=True,
    )


def _reason(memory: Memory, cut_up: Cut, split: Split) -> str:
    count = len(split.parts)
    topics = f" on {cut_up.topics} topics" if cut_up.topics > 1 else ""
    return (
        f"{memory.path} has {cut_up.size_chars:,} characters{topics}: "
        f"{count} parts of it become memories of their own, and {memory.path} lists them"
    )


def _find_veto(path: str, policy: SplitPolicy) -> str | None:
    """Return why a split is proposed and not done."""
    if PurePosixPath(path).name.lower() in _LOADED_WHOLE:
        return f"agents load {PurePosixPath(path).name} whole, and would no longer see what is in the parts"
    return None if policy.without_review else _BY_DEFAULT


def outline_of(memory: Memory, policy: SplitPolicy) -> str:
    """Return what a model sees of a memory: its beginning, and a line for each part; empty when it is not cut."""
    cut_up = find_cut(memory.content, policy)
    if cut_up is None:
        return ""
    first = " ".join(" ".join(cut_up.lines[: cut_up.pieces[0].start]).split())[:300]
    lines = [first] if first else []
    for number, piece in enumerate(cut_up.pieces, start=1):
        inside = f", with {', '.join(piece.inside[:8])}" if piece.inside else ""
        within = f", within part {piece.parent + 1}" if piece.parent != HUB else ""
        lines.append(f"{number}. {name_of(piece)} ({piece.size_chars:,} characters{within}{inside})")
    return "\n".join(lines)


def is_splittable(head: MemoryHead) -> bool:
    """Tell whether a memory is one that a dream may split: knowledge in markdown, neither pinned nor a log."""
    is_markdown = head.path.lower().endswith((".md", ".markdown"))
    is_dreamt = not DREAMT.isdisjoint({head.doc_type, head.category})
    is_knowledge = kind_of(head.path) is MemoryKind.TOPIC and not is_log(head.path) and not is_dreamt
    return is_markdown and is_knowledge and not head.signals.pinned


def without_claimed(operation: Operation, claimed: Mapping[str, str]) -> Operation:
    """Return a split without changes of links in memories that another operation of this dream changes."""
    hub, *rest = operation.changes
    kept = (one for one in rest if not (isinstance(one, Rewrite) and one.memory_id in claimed))
    return replace(operation, changes=(hub, *kept))
