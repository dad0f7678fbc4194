"""Plan CROSS_REFERENCE: `related` links both ways, one operation for each connected set, dead links removed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from shared.core.dream.operations import Operation, OperationKind, Rewrite, Skip
from shared.core.errors import UneditableFrontmatterError, UnsafePathError
from shared.core.memory.frontmatter import read_fields, set_fields, strings_of
from shared.core.memory.model import ROOT_INDEX, Maturity, Memory, MemoryKind, kind_of
from shared.core.memory.paths import check_memory_path
from shared.core.merging.confidence import confidence_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Memories that are to name each other, and why."""

    memories: tuple[Memory, ...]
    reason: str = ""
    confidence: float | None = None

    @property
    def names(self) -> str:
        """Return the paths of the memories as one text."""
        return ", ".join(memory.path for memory in self.memories)


def plan_links(
    phase: str,
    links: Sequence[Link],
    taken: Collection[str],
    live_paths: frozenset[str],
    written: Collection[str] = (),
) -> list[Operation | Skip]:
    """Return one operation per set of files that hang together; a file changed already waits for the next dream.

    Args:
        phase: the name of the phase that links.
        links: what it links.
        taken: the paths of memories that it changes otherwise.
        live_paths: of all live memories.
        written: the paths of memories that another operation of the phase links (`add_links`).
    """
    editable, results = _editable(links)
    for part in _connected(editable):
        usable = [link for link in part if not any(memory.path in taken for memory in link.memories)]
        results.extend(
            Skip(code="already_changed", detail=f"CROSS_REFERENCE {link.names}: changed by this dream")
            for link in part
            if link not in usable
        )
        if usable:
            results.append(_plan_set(phase, usable, live_paths, written))
    return results


def _editable(links: Sequence[Link]) -> tuple[list[Link], list[Operation | Skip]]:
    """Set links aside that name a file whose frontmatter cannot be edited, so that they do not stop the others."""
    editable: list[Link] = []
    skips: list[Operation | Skip] = []
    for link in links:
        try:
            for memory in link.memories:
                set_fields(memory.content, {"related": [*_listed(memory), ROOT_INDEX]})
        except UneditableFrontmatterError as error:
            skips.append(Skip(code="uneditable_frontmatter", detail=f"{memory.path}: {error}"))
        else:
            editable.append(link)
    return editable, skips


def _connected(links: Sequence[Link]) -> list[list[Link]]:
    parts: list[tuple[set[str], list[Link]]] = []
    for link in links:
        paths = {memory.path for memory in link.memories}
        touching = [part for part in parts if part[0] & paths]
        merged_paths = paths.union(*(part[0] for part in touching))
        merged_links = [known for part in touching for known in part[1]] + [link]
        parts = [part for part in parts if part not in touching] + [(merged_paths, merged_links)]
    return [part[1] for part in parts]


def _plan_set(
    phase: str, links: Sequence[Link], live_paths: frozenset[str], written: Collection[str]
) -> Operation | Skip:
    memories = {
        memory.path: memory for link in links for memory in link.memories if kind_of(memory.path) is MemoryKind.TOPIC
    }
    wanted: dict[str, list[str]] = {path: [] for path in memories}
    for link in links:
        paths = [memory.path for memory in link.memories if memory.path in memories]
        for path in paths:
            wanted[path].extend(other for other in paths if other != path)
    changes = []
    for path, others in wanted.items():
        if path in written:
            continue
        rewrite = _plan_related(memories[path], others, live_paths)
        if rewrite is not None:
            changes.append(rewrite)
    names = ", ".join(memories)
    if not changes:
        return Skip(code="no_change", detail=f"CROSS_REFERENCE {names}: the links exist already")
    # Two questions may have linked the same memories: one reason is enough.
    said = {frozenset(memory.path for memory in one.memories): one.reason for one in reversed(links) if one.reason}
    reasons = list(dict.fromkeys(reversed(said.values())))
    known = (confidence_of(link.confidence) for link in links)
    confidences = [value for value in known if value is not None]
    return Operation(
        kind=OperationKind.CROSS_REFERENCE,
        phase=phase,
        reason="; ".join(reasons) or f"Link {names}",
        changes=tuple(changes),
        confidence=min(confidences, default=None),
        needs_review=any(memory.signals.maturity is Maturity.CORE for memory in memories.values()),
    )


def _plan_related(memory: Memory, others: Sequence[str], live_paths: frozenset[str]) -> Rewrite | None:
    """Return the memory with its links added and dangling ones dropped; None when nothing changes."""
    content = add_links(memory.path, memory.content, others, live_paths)
    if content == memory.content:
        return None
    return Rewrite(
        memory_id=memory.id, version=memory.version, path=memory.path, content=content, signals=memory.signals,
        resets_clock=False,
    )  # fmt: skip


def add_links(path: str, content: str, others: Sequence[str], live_paths: frozenset[str]) -> str:
    """Return a text with links to others added and dangling ones dropped; the same text when nothing changes.

    Raises:
        UneditableFrontmatterError: its fields cannot be changed safely.
    """
    listed = strings_of(read_fields(content).get("related"))
    kept = [link for link in listed if _is_worth_keeping(link, path, live_paths)]
    related = list(dict.fromkeys([*kept, *others]))
    return content if related == listed else set_fields(content, {"related": related})


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
