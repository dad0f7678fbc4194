"""Plan `MEMORY.md` and each domain's `_index.md`; a file is written only when its text would differ.

A generated index whose folder is empty is archived; an index that slowwave did not generate is left alone. Text that was
added among generated lines moves to a topic file. `root.py` writes the text of `MEMORY.md`.
"""

from collections.abc import Sequence
from dataclasses import replace

from shared.core.dream.operations import Create, Operation, OperationKind, Plan, Retire, Rewrite, Skip
from shared.core.memory.model import (
    DOMAIN_INDEX,
    ROOT_INDEX,
    Maturity,
    Memory,
    MemoryHead,
    MemoryKind,
    MemoryState,
    Signals,
    domain_of,
    is_ordinary_domain,
    kind_of,
)
from shared.core.policy.policy import SafetyPolicy
from workers.phases.index import NAME
from workers.phases.index.pointers import Budget, index_block
from workers.phases.index.rescue import Rescued, find_rescued
from workers.phases.index.root import IndexView, find_spent, frame_of, is_ours, write_root


def plan_index(view: IndexView) -> Plan:
    """Return at most one INDEX operation, or why there is none."""
    # Written by a person, so never a candidate for pruning.
    by_hand = Signals(maturity=Maturity.VALIDATED, importance=SafetyPolicy().protected_importance)
    rescued = find_rescued(view, by_hand)
    # By path whatever the database sorts by, so that the same memories make the same text.
    heads = sorted((*view.heads, *(one.head for one in rescued)), key=lambda head: head.path)
    view = replace(view, heads=tuple(heads))
    topics = [head for head in view.heads if kind_of(head.path) is MemoryKind.TOPIC]
    root = write_root(view, topics)
    wanted = _domain_texts(view, topics)
    if root.folders is not None:
        wanted[DOMAIN_INDEX] = root.folders
    wanted[ROOT_INDEX] = root.text
    changes: list[Create | Rewrite | Retire] = [
        _write(view.indexes.get(path), path, text)
        for path, text in wanted.items()
        if path not in view.indexes or view.indexes[path].content != text
    ]
    changes += [
        Retire(memory_id=old.id, version=old.version, path=old.path, state=MemoryState.ARCHIVED)
        for old in find_spent(view, root.folders is not None)
    ]
    notes = (*root.notes, *((one.path, one.content) for one in rescued))
    changes += [Create(path=path, content=text, signals=by_hand) for path, text in notes]
    skips = (*root.skips, *map(_tell, rescued))
    if not changes:
        return Plan(skips=(*skips, Skip(code="index_current", detail="the index is up to date")))
    names = ", ".join(change.path for change in changes[:4]) + (" …" if len(changes) > 4 else "")
    parts = f"{len(notes)} {'part' if len(notes) == 1 else 'parts'}"
    by_hand_moved = f"; moved {parts} written by hand to files of their own" if notes else ""
    operation = Operation(
        kind=OperationKind.INDEX,
        phase=NAME,
        reason=f"Rebuilt {names}{by_hand_moved}",
        changes=tuple(changes),
        needs_review=bool(notes),  # what a person put into the file that is always loaded is not loaded any more
    )
    counts = {"indexed": len(topics), "indexed_folders": len({domain_of(head.path) for head in topics})}
    return Plan(operations=(operation,), skips=skips, counts=counts)


def _tell(rescued: Rescued) -> Skip:
    detail = f"{rescued.index}: {rescued.lines} lines that no dream wrote moved to {rescued.path}"
    return Skip(code="index_by_hand_moved", detail=detail)


def _write(existing: Memory | None, path: str, text: str) -> Create | Rewrite:
    if existing is None:
        return Create(path=path, content=text, signals=Signals(maturity=Maturity.VALIDATED))
    return Rewrite(memory_id=existing.id, version=existing.version, path=path, content=text, signals=existing.signals)


def _domain_texts(view: IndexView, topics: Sequence[MemoryHead]) -> dict[str, str]:
    """Return the indexes of the domains by path, without those whose path another author's file has."""
    inside: dict[str, list[MemoryHead]] = {}
    for head in topics:
        inside.setdefault(domain_of(head.path), []).append(head)
    return {
        path: _domain_text(view, inside[domain], domain)
        for domain in sorted(filter(is_ordinary_domain, inside))
        if is_ours(view, path := f"{domain}/{DOMAIN_INDEX}")
    }


def _domain_text(view: IndexView, inside: Sequence[MemoryHead], domain: str) -> str:
    frame = frame_of(domain)
    used = Budget(lines=frame.count("\n"), bytes=len(frame.encode()))
    budget = Budget(lines=view.policy.max_lines - used.lines, bytes=view.policy.max_bytes - used.bytes)
    block = index_block(inside, f"{domain}/", budget, view.policy)
    return frame + "".join(f"{line}\n" for line in block.lines)
