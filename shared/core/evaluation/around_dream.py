"""The texts of a store before and after the operations of a dream, as agents search them: to measure what the dream did to recall."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shared.core.dream.effects import Effect
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Memory, MemoryState
from shared.core.memory.provenance import without_sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """An operation of this dream that is in force: the memories before and after it."""

    operation_id: str
    kind: OperationKind
    before: tuple[Memory, ...]
    after: tuple[Memory, ...]

    @property
    def stubs(self) -> dict[str, str]:
        """Return the stubs of the memories that were archived, by path."""
        return {one.path: one.stub for one in self.after if one.state is MemoryState.ARCHIVED and one.stub}

    @property
    def holders(self) -> frozenset[str]:
        """Return the paths at which the knowledge should be found now: those of live memories and of stubs."""
        return frozenset(memory.path for memory in self.after if memory.state is MemoryState.LIVE) | self.stubs.keys()

    @classmethod
    def of(cls, operation_id: str, kind: OperationKind, effects: Sequence[Effect]) -> "Touched":
        """Return a recorded operation as what it touched."""
        return cls(
            operation_id=operation_id,
            kind=kind,
            before=tuple(effect.before for effect in effects if effect.before is not None),
            after=tuple(effect.after for effect in effects),
        )


def find_losing(paths: Iterable[str], touched: Sequence[Touched]) -> Counter[str]:
    """Return how many of the answers that memories had at these paths were lost by each operation, by its id.

    It is the last that hid or rewrote the memory. An answer of a memory that none changed is only found too late, and not counted.
    """
    losing: dict[str, str] = {}
    for one in touched:
        kept = {(memory.path, memory.content) for memory in one.after if memory.state is MemoryState.LIVE}
        losing |= {was.path: one.operation_id for was in one.before if (was.path, was.content) not in kept}
    return Counter(losing[path] for path in paths if path in losing)


def searched(content: str) -> str:
    """Return the part of a memory's text that is searched."""
    return without_sources(content)


def with_stubs(texts: Mapping[str, str], touched: Iterable[Touched]) -> dict[str, str]:
    """Return the live texts by path, and the stubs of memories that these operations archived, at paths without a live text."""
    return {path: stub for one in touched for path, stub in one.stubs.items()} | dict(texts)


def before_the_dream(texts: Mapping[str, str], touched: Iterable[Touched]) -> dict[str, str]:
    """Return the live texts by path before these operations, which are given oldest first."""
    earlier = dict(texts)
    for one in reversed(list(touched)):
        _replace(earlier, one.after, one.before)
    return earlier


def after_the_dream(texts: Mapping[str, str], touched: Iterable[Touched]) -> dict[str, str]:
    """Return the live texts by path after these operations, for a dry run."""
    later = dict(texts)
    for one in touched:
        _replace(later, one.before, one.after)
    return later


def _replace(texts: dict[str, str], gone: Iterable[Memory], come: Iterable[Memory]) -> None:
    for memory in gone:
        if memory.state is MemoryState.LIVE:
            texts.pop(memory.path, None)
    texts.update({memory.path: searched(memory.content) for memory in come if memory.state is MemoryState.LIVE})
