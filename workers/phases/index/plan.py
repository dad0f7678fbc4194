"""Plan `MEMORY.md` and each domain's `_index.md`; a file is written only when its text would differ.

A generated index whose folder is empty is archived; an index that slowwave did not generate is left alone. What stands in an
index by hand stays; of a root file that is over its budget by hand, a proposal would move the end to a note.
`root.py` writes the text of `MEMORY.md`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from shared.core.dream.operations import Create, Operation, OperationKind, Plan, Retire, Rewrite, Skip
from shared.core.memory.index_text import by_hand, is_marked, with_block
from shared.core.memory.model import (
    DOMAIN_INDEX,
    INDEX_BEGIN,
    INDEX_END,
    ROOT_INDEX,
    Maturity,
    Memory,
    MemoryHead,
    MemoryKind,
    MemoryState,
    Signals,
    domain_of,
    kind_of,
)
from shared.core.policy.policy import SafetyPolicy
from workers.phases.index import NAME
from workers.phases.index.handwritten import find_overflow, free_own_lines, room_of
from workers.phases.index.pointers import Block, Budget, group_by_folder, index_block
from workers.phases.index.root import IndexView, frame_of, is_ours, is_place, write_root

_ALL_FRAME = frame_of("All memories")


def plan_index(view: IndexView) -> Plan:
    """Return at most one INDEX operation and one proposal, or why there is none."""
    # By path whatever the database sorts by, so that the same memories make the same text.
    view = replace(view, heads=tuple(sorted(view.heads, key=lambda head: head.path)))
    topics = [head for head in view.heads if kind_of(head.path) is MemoryKind.TOPIC]
    inside = group_by_folder(topics, "")
    texts, skips = _find_texts(view, inside)
    by_hand_root = texts.pop(ROOT_INDEX)
    listed = inside | {"": []}
    blocks = {path: _pointers(view, listed.get(domain_of(path), ()), path, text) for path, text in texts.items()}
    complete = [domain_of(path) for path, block in blocks.items() if block.lines and block.is_complete]
    root = write_root(view, topics, by_hand_root, complete)
    lines = {path: block.lines for path, block in blocks.items()}
    if root.all_memories:
        lines[DOMAIN_INDEX] = [*root.all_memories]
    filled = {path: _fill(texts.get(path, _ALL_FRAME), told) for path, told in lines.items()}
    wanted = {path: text for path, text in filled.items() if lines[path] or is_marked(text)} | {ROOT_INDEX: root.text}
    changes = _list_changes(view, wanted)
    if not changes:
        skips.append(Skip(code="index_current", detail="the index is up to date"))
    over = _propose_less(view, by_hand(root.text), is_rewritten=any(change.path == ROOT_INDEX for change in changes))
    counts = {"indexed": len(topics), "indexed_folders": len(inside)}
    return Plan(
        operations=(*([_rebuild(changes)] if changes else []), *over.operations),
        skips=(*root.skips, *skips, *over.skips),
        counts=(counts if changes else {}) | over.counts,
    )


def _list_changes(view: IndexView, wanted: Mapping[str, str]) -> list[Create | Rewrite | Retire]:
    """Return what turns the indexes into the wanted ones: of those that slowwave wrote, the others are archived."""
    old = view.indexes
    spent = (one for path, one in old.items() if path not in wanted and is_place(path) and is_ours(view, path))
    return [
        *(_write(old.get(path), path, text) for path, text in wanted.items() if _text_at(old, path) != text),
        *(Retire(memory_id=m.id, version=m.version, path=m.path, state=MemoryState.ARCHIVED) for m in spent),
    ]


def _text_at(indexes: Mapping[str, Memory], path: str) -> str | None:
    return indexes[path].content if path in indexes else None


def _rebuild(changes: Sequence[Create | Rewrite | Retire]) -> Operation:
    names = ", ".join(change.path for change in changes[:4]) + (" …" if len(changes) > 4 else "")
    return Operation(kind=OperationKind.INDEX, phase=NAME, reason=f"Rebuilt {names}", changes=tuple(changes))


def _propose_less(view: IndexView, text: str, *, is_rewritten: bool) -> Plan:
    """Return how far a root file is over its budget by hand, and the proposal to move the end of it to a note."""
    room = room_of(view.policy, text)
    over = {"over_budget_lines": max(0, -room.lines), "over_budget_bytes": max(0, -room.bytes)}
    root = view.indexes.get(ROOT_INDEX)
    if root is None or not any(over.values()):
        return Plan()
    told = " and ".join(f"{number:,} {name.rpartition('_')[2]}" for name, number in over.items() if number)
    what = f"{ROOT_INDEX} is {told} over its budget by hand"
    overflow = find_overflow(text, {head.path for head in view.heads} | set(view.moved), view.policy)
    why_not = view.decided or ("" if overflow else "no part of it can be moved as a whole")
    if overflow is None or why_not:
        return Plan(skips=(Skip(code="index_over_budget", detail=f"{what}: {why_not}"),), counts=over)
    # Written by a person, so never a candidate for pruning.
    signals = Signals(maturity=Maturity.VALIDATED, importance=SafetyPolicy().protected_importance)
    # The block in it is rewritten by the operation before, if at all.
    kept = replace(_rewrite(root, overflow.text), version=root.version + is_rewritten)
    operation = Operation(
        kind=OperationKind.INDEX,
        phase=NAME,
        reason=f"{what}: its last {overflow.lines:,} lines would move to {overflow.path}, word for word",
        changes=(kept, Create(path=overflow.path, content=overflow.note, signals=signals)),
        propose_only="only its owner moves what stands in it by hand",
    )
    return Plan(operations=(operation,), counts=over)


def _write(existing: Memory | None, path: str, text: str) -> Create | Rewrite:
    if existing is None:
        return Create(path=path, content=text, signals=Signals(maturity=Maturity.VALIDATED))
    return _rewrite(existing, text)


def _rewrite(existing: Memory, text: str) -> Rewrite:
    return Rewrite(
        memory_id=existing.id, version=existing.version, path=existing.path, content=text, signals=existing.signals
    )


def _find_texts(view: IndexView, folders: Iterable[str]) -> tuple[dict[str, str], list[Skip]]:
    """Return each index that slowwave writes, without new pointers, and where text by hand was told from generated lines."""
    paths = {f"{folder}/{DOMAIN_INDEX}" for folder in folders if folder}
    texts: dict[str, str] = {ROOT_INDEX: "# Memory\n\n"}
    skips: list[Skip] = []
    for path in sorted(paths.union(view.indexes)):
        if path != ROOT_INDEX and not (is_place(path) and is_ours(view, path)):
            continue
        frame = _ALL_FRAME if path == DOMAIN_INDEX else frame_of(domain_of(path))
        existing = view.indexes.get(path)
        is_root = path == ROOT_INDEX
        texts[path] = existing.content if existing and (is_root or _has_hand(existing.content, frame)) else frame
        if existing is not None and path in view.written:
            folder = path.rpartition("/")[0]
            live = {head.path.removeprefix(f"{folder}/") for head in view.heads}
            texts[path], freed = free_own_lines(existing, view.written[path], frame, live)
            detail = f"{path}: {freed} lines that no dream wrote now stand before the generated ones"
            skips += [Skip(code="index_by_hand_kept", detail=detail)] if freed else []
    return texts, skips


def _has_hand(text: str, frame: str) -> bool:
    return is_marked(text) and by_hand(text).strip() != frame.strip()


def _pointers(view: IndexView, inside: Sequence[MemoryHead], path: str, text: str) -> Block:
    """Return the pointers of a folder's index in the room that its other text leaves."""
    room = room_of(view.policy, by_hand(text))
    if is_marked(text):
        room = room.take(f"{INDEX_BEGIN}\n{INDEX_END}", lines=2) or Budget(lines=0, bytes=0)
    return index_block(inside, path.removesuffix(DOMAIN_INDEX), room, view.policy)


def _fill(text: str, lines: Sequence[str]) -> str:
    """Return an index with its pointers, between marks if something stands in it by hand."""
    if is_marked(text):
        return with_block(text, [INDEX_BEGIN, *lines, INDEX_END])
    return text + "".join(f"{line}\n" for line in lines)
