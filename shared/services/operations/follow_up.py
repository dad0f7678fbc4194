"""Let generated indexes follow what a verdict, an undo or a redo did to memories, until the next dream rebuilds them.

A pointer to a path that is gone is dropped, and comes back where it stood when the path does. A new path gets its pointer
where the block leads to every memory and has room. What stands in an index by hand stays. Follow-ups are versions, not
effects of operations: before an operation that wrote an index is taken back or redone, they are withdrawn, so that it finds
its own text.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from shared.core.dream.effects import Effect
from shared.core.dream.model import OperationState
from shared.core.dream.operations import PutBack
from shared.core.memory.headline import summary_of, title_of
from shared.core.memory.index_text import (
    added_lines,
    by_hand,
    names_folders,
    pointed_to,
    with_generated,
    with_new_pointer,
    with_pointers_of,
    without_pointers,
)
from shared.core.memory.model import DOMAIN_INDEX, ROOT_INDEX, Author, Memory, MemoryKind, domain_of, kind_of
from shared.core.memory.pointer import link_of, pointer_to, without_labels
from shared.core.memory.writers import Rank
from shared.core.trust.orders import without_orders
from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import FOLLOW_UP, MemoryRepository, MemoryVersion, MemoryWrite

#: Versions of an index that are read at once, and how many in all, to find a line or a text.
_PAGE, _MAX_VERSIONS = 20, 400


def find_own_texts(uow: UnitOfWork, operations: Sequence[RecordedOperation]) -> list[tuple[Memory, str]]:
    """Return the live indexes that operations wrote, each with its text from before the follow-ups."""
    paths = {path for path in _paths_of(operations) if kind_of(path) is MemoryKind.INDEX}
    own: list[tuple[Memory, str]] = []
    for index in _find_live(uow, operations, paths):
        versions = _read_back(uow.memories(operations[0].store_id), index)
        own.append((index, next((one.content for one in versions if one.change != FOLLOW_UP), index.content)))
    return own


def withdraw_follow_ups(uow: UnitOfWork, operations: Sequence[RecordedOperation]) -> set[str]:
    """Give the indexes that operations wrote their own texts again; return the paths whose pointers follow-ups dropped or added."""
    followed: set[str] = set()
    for index, own in find_own_texts(uow, operations):
        followed |= pointed_to(index.path, own) ^ pointed_to(index.path, index.content)
        _write(uow, operations, index, own)
    return followed


def follow_up(uow: UnitOfWork, operations: Sequence[RecordedOperation], followed: Collection[str] = ()) -> None:
    """Drop the pointers to paths that are gone after operations, and point to those that came, or came back.

    Args:
        uow: a transaction that holds the store's lock.
        operations: those that were applied, taken back or redone.
        followed: what `withdraw_follow_ups` returned.
    """
    if not operations:
        return
    written = _paths_of(operations)
    memories = uow.memories(operations[0].store_id)
    own = _find_live(uow, operations, {path for path in written if kind_of(path) is MemoryKind.INDEX})
    # An index that comes back has the text from before its follow-ups, also from before those of an earlier verdict.
    followed = {*followed, *(path for index in own for path in _find_followed(memories, operations, index))}
    touched = {path for path in written | followed if kind_of(path) is not MemoryKind.INDEX}
    if not touched:
        return
    live = memories.find_by_paths(touched)
    has_changed = any(one.state in {OperationState.APPLIED, OperationState.UNDONE} for one in operations)
    listed: set[str] = set()  # in the index of a folder
    for index in _find_indexes(uow, operations, touched):
        known = pointed_to(index.path, index.content)
        gone, back = (touched - live.keys()) & known, live.keys() - known
        listed |= known
        if not gone and not back:
            continue
        text, generated = index.content, find_written(memories, index)
        text = without_pointers(index.path, text, gone, generated) if gone else text
        text = _bring_back(memories, index, text, back) if back else text
        # An index that one of these operations wrote says of what they touched what it said then.
        new = back if has_changed and index.path not in written else back.intersection(followed)
        if names_folders(index.path, text):
            # It has no pointer to every memory, so that of what was there before it needs none now.
            new = new & (followed | _find_created(operations)) - (listed if index.path == DOMAIN_INDEX else set())
        if generated and new:
            text = _point_to(uow, operations, index.path, text, [live[path] for path in sorted(new)])
        listed |= pointed_to(index.path, text)
        _write(uow, operations, index, text)


def _find_indexes(uow: UnitOfWork, operations: Sequence[RecordedOperation], touched: Collection[str]) -> list[Memory]:
    """Return the live indexes that may lead to paths: those of folders, then that of all memories, then the root."""
    places = {ROOT_INDEX, DOMAIN_INDEX, *(f"{domain_of(path)}/{DOMAIN_INDEX}" for path in touched)}
    found = _find_live(uow, operations, places)
    return sorted(found, key=lambda one: (one.path == ROOT_INDEX, one.path == DOMAIN_INDEX))


def _find_created(operations: Sequence[RecordedOperation]) -> set[str]:
    """Return the paths at which operations made a memory."""
    return {effect.after.path for effect in _effects_of(operations) if effect.before is None}


def _find_followed(memories: MemoryRepository, operations: Sequence[RecordedOperation], index: Memory) -> set[str]:
    """Return the paths whose pointers follow-ups have dropped or added in an index since operations wrote it first."""
    first = min((e.after.version for e in _effects_of(operations) if e.after.id == index.id), default=index.version)
    versions = takewhile(lambda one: one.version >= first, _read_back(memories, index))
    return {
        path
        for newer, older in pairwise(versions)
        if newer.change == FOLLOW_UP
        for path in pointed_to(index.path, newer.content) ^ pointed_to(index.path, older.content)
    }


def _point_to(
    uow: UnitOfWork, operations: Sequence[RecordedOperation], path: str, text: str, new: Sequence[Memory]
) -> str:
    """Return the text of an index with pointers to memories that it leads to in no other way, as far as its budget goes."""
    policy = uow.stores.get(uow.dreams.get(operations[0].dream_id).store).policy.index
    prefix = path.rpartition("/")[0] + "/" if "/" in path else ""
    known = pointed_to(path, text)
    for memory in new:
        is_topic = kind_of(memory.path) is MemoryKind.TOPIC and memory.path.startswith(prefix)
        link = f"]({link_of(memory.path.removeprefix(prefix))})"
        if not is_topic or memory.path in known or link in by_hand(text):
            continue
        title, summary = without_labels(memory.path, title_of(memory.path, memory.content), summary_of(memory.content))
        if memory.writers.lowest.rank < Rank.OWNER:
            title, summary = without_orders(memory.path, title, summary)
        line = pointer_to(memory.path, title, summary, prefix, policy)
        longer = with_new_pointer(path, text, memory.path, line)
        fits = longer.count("\n") <= policy.max_lines and len(longer.encode()) <= policy.max_bytes
        if fits or path == DOMAIN_INDEX:  # the index of all memories is as long as it has to be
            text = longer
    return text


def _bring_back(memories: MemoryRepository, index: Memory, text: str, back: Collection[str]) -> str:
    """Return the text of an index with the pointers to these paths that a dream wrote last."""
    left = set(back)
    for version in _read_back(memories, index):
        known = left & pointed_to(index.path, version.content) if version.author is Author.DREAM else set()
        text = with_pointers_of(index.path, text, version.content, known) if known else text
        left -= known
        if not left:
            break
    return text


def _effects_of(operations: Sequence[RecordedOperation]) -> Iterator[Effect]:
    """Yield what operations did, and what was undone of it."""
    for one in operations:
        yield from (*one.effects, *(undone.effect for undone in one.undone))


def _paths_of(operations: Sequence[RecordedOperation]) -> set[str]:
    put_back = (c.paths for one in operations for c in one.operation.changes if isinstance(c, PutBack))
    return {memory.path for e in _effects_of(operations) for memory in (e.before, e.after) if memory is not None}.union(
        *put_back
    )


def _find_live(uow: UnitOfWork, operations: Sequence[RecordedOperation], paths: Collection[str]) -> list[Memory]:
    if not paths:
        return []
    memories = uow.memories(operations[0].store_id)
    found = memories.lock([memory.id for memory in memories.find_by_paths(paths).values()])
    return sorted(found.values(), key=lambda memory: memory.path)


def find_written(memories: MemoryRepository, index: Memory) -> str:
    """Return the text that a dream wrote last, and after it what follow-ups have added since: all other lines are not generated.

    It is empty if no dream wrote one of the index's last 400 versions.
    """
    added: set[str] = set()
    after: MemoryVersion | None = None
    for one in _read_back(memories, index):
        if after is not None and after.change == FOLLOW_UP:
            added |= added_lines(index.path, after.content, one.content)
        if one.author is Author.DREAM:
            return with_generated(index.path, one.content, added)
        after = one
    return ""


def _read_back(memories: MemoryRepository, index: Memory) -> Iterator[MemoryVersion]:
    """Yield the versions of an index, newest first."""
    below = index.version + 1
    for _ in range(_MAX_VERSIONS // _PAGE):
        page = memories.find_history(index.id, below=below, limit=_PAGE)
        if not page:
            return
        yield from page
        below = page[-1].version


def _write(uow: UnitOfWork, operations: Sequence[RecordedOperation], index: Memory, text: str) -> None:
    if text != index.content:
        after = replace(index, content=text, version=index.version + 1, updated_at=uow.now())
        write = MemoryWrite(memory=after, change=FOLLOW_UP, dream_id=operations[0].dream_id)
        uow.memories(operations[0].store_id).write([write])
