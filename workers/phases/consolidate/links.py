"""Plan CROSS_REFERENCE: `related` links both ways, one operation for each connected set, dead links removed."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from shared.core.dream.operations import Operation, OperationKind, Rewrite, Skip
from shared.core.errors import UneditableFrontmatterError, UnsafePathError
from shared.core.memory.frontmatter import read_fields, set_fields, strings_of
from shared.core.memory.model import ROOT_INDEX, Maturity, Memory, MemoryKind, kind_of
from shared.core.memory.paths import check_memory_path
from shared.core.merging.confidence import confidence_of
from workers.phases.consolidate import NAME
from workers.phases.consolidate.answer import ConsolidateAction

Link = tuple[tuple[Memory, ...], ConsolidateAction]


def plan_links(links: Sequence[Link], taken: set[str], live_paths: frozenset[str]) -> list[Operation | Skip]:
    """Return one operation per set of files that hang together; a file changed already waits for the next dream."""
    editable, results = _editable(links)
    for part in _connected(editable):
        usable = [
            (memories, action)
            for memories, action in part
            if not any(memory.path in taken for memory in memories)
        ]  # fmt: skip
        results.extend(
            Skip(code="already_changed", detail=f"CROSS_REFERENCE {', '.join(action.files)}: changed by this dream")
            for memories, action in part
            if (memories, action) not in usable
        )
        if usable:
            results.append(_plan_set(usable, live_paths))
    return results


def _editable(links: Sequence[Link]) -> tuple[list[Link], list[Operation | Skip]]:
    """Set links aside that name a file whose frontmatter cannot be edited, so that they do not stop the others."""
    editable: list[Link] = []
    skips: list[Operation | Skip] = []
    for memories, action in links:
        try:
            for memory in memories:
                set_fields(memory.content, {"related": [*_listed(memory), ROOT_INDEX]})
        except UneditableFrontmatterError as error:
            skips.append(Skip(code="uneditable_frontmatter", detail=f"{memory.path}: {error}"))
        else:
            editable.append((memories, action))
    return editable, skips


def _connected(links: Sequence[Link]) -> list[list[Link]]:
    parts: list[tuple[set[str], list[Link]]] = []
    for link in links:
        paths = {memory.path for memory in link[0]}
        touching = [part for part in parts if part[0] & paths]
        merged_paths = paths.union(*(part[0] for part in touching))
        merged_links = [known for part in touching for known in part[1]] + [link]
        parts = [part for part in parts if part not in touching] + [(merged_paths, merged_links)]
    return [part[1] for part in parts]


def _plan_set(links: Sequence[Link], live_paths: frozenset[str]) -> Operation | Skip:
    memories = {
        memory.path: memory for group, _ in links for memory in group if kind_of(memory.path) is MemoryKind.TOPIC
    }
    wanted: dict[str, list[str]] = {path: [] for path in memories}
    for group, _ in links:
        paths = [memory.path for memory in group if memory.path in memories]
        for path in paths:
            wanted[path].extend(other for other in paths if other != path)
    changes = []
    for path, others in wanted.items():
        rewrite = _plan_related(memories[path], others, live_paths)
        if rewrite is not None:
            changes.append(rewrite)
    names = ", ".join(memories)
    if not changes:
        return Skip(code="no_change", detail=f"CROSS_REFERENCE {names}: the links exist already")
    # Two questions may have linked the same memories: one reason is enough.
    said = {
        frozenset(memory.path for memory in group): action.reason for group, action in reversed(links) if action.reason
    }
    reasons = list(dict.fromkeys(reversed(said.values())))
    known = (confidence_of(action.confidence) for _, action in links)
    confidences = [value for value in known if value is not None]
    return Operation(
        kind=OperationKind.CROSS_REFERENCE,
        phase=NAME,
        reason="; ".join(reasons) or f"Link {names}",
        changes=tuple(changes),
        confidence=min(confidences, default=None),
        propose_only=next((action.doubt for _, action in links if action.doubt), None),
        needs_review=any(memory.signals.maturity is Maturity.CORE for memory in memories.values()),
    )


def _plan_related(memory: Memory, others: Sequence[str], live_paths: frozenset[str]) -> Rewrite | None:
    """Return the memory with its links added and dangling ones dropped; None when nothing changes."""
    listed = _listed(memory)
    kept = [link for link in listed if _is_worth_keeping(link, memory.path, live_paths)]
    related = list(dict.fromkeys([*kept, *others]))
    if related == listed:
        return None
    content = set_fields(memory.content, {"related": related})
    return Rewrite(
        memory_id=memory.id, version=memory.version, path=memory.path, content=content, signals=memory.signals,
        resets_clock=False,
    )  # fmt: skip


def _listed(memory: Memory) -> list[str]:
    return strings_of(read_fields(memory.content).get("related"))


def _is_worth_keeping(link: str, path: str, live_paths: frozenset[str]) -> bool:
    """Tell whether a link leads somewhere: derived files and dead paths go, a link to anything but a memory's path is left as it is."""
    try:
        check_memory_path(link)
    except UnsafePathError:
        return True
    beside = str(PurePosixPath(path).parent / link)
    return any(target in live_paths and kind_of(target) is MemoryKind.TOPIC for target in (link, beside))
