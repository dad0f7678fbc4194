"""LangGraph's `BaseStore` over a store: agents' long-term memory that dreams consolidate. Needs `slowwave-client[langgraph]`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from slowwave_client import lists, steps
from slowwave_client.calls import Steps
from slowwave_client.client import Slowwave
from slowwave_client.errors import NotFoundError
from slowwave_client.item_texts import folder_of, item_of, path_of, text_of, value_of
from slowwave_client.memory_files import source_of
from slowwave_client.models import Memory

_MOST_HITS = 50
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: bool(value == wanted),
    "$ne": lambda value, wanted: bool(value != wanted),
    "$gt": lambda value, wanted: bool(value > wanted),
    "$gte": lambda value, wanted: bool(value >= wanted),
    "$lt": lambda value, wanted: bool(value < wanted),
    "$lte": lambda value, wanted: bool(value <= wanted),
}


class StoredItem(Item):
    """An item that says in a line how far to trust it, and from when it is; `dict` has it as `source`."""

    def __init__(self, *, source: str = "", **fields: Any) -> None:  # noqa: ANN401 - those of Item
        """Take the fields of an item, and its source."""
        super().__init__(**fields)
        self.source = source

    def dict(self) -> dict[str, Any]:
        """Return the item as JSON."""
        return super().dict() | {"source": self.source}


class FoundItem(SearchItem):
    """An item of a search that says in a line how far to trust it, and from when it is; `dict` has it as `source`."""

    def __init__(self, *, source: str = "", **fields: Any) -> None:  # noqa: ANN401 - those of SearchItem
        """Take the fields of an item, and its source."""
        super().__init__(**fields)
        self.source = source

    def dict(self) -> dict[str, Any]:
        """Return the item as JSON."""
        return super().dict() | {"source": self.source}


class SlowwaveStore(BaseStore):
    """A `BaseStore` whose namespaces are folders of a store, whose keys are files, and whose values are their texts.

    A search with a query takes the API's search, by words and by meaning where the server has embeddings: the best 50 of the whole store,
    of which those of the namespace are shown. Dreams merge and archive items as they do with all memories: a key may be gone, and its
    knowledge be in another item. Items do not expire, and `index` is ignored: the server indexes all.

    Args:
        client: a client whose key may write. Awaited calls use it in a thread.
        store: the store; by default the client's own.
        folder: the folder of the store that holds the namespaces; by default the whole store.
    """

    def __init__(self, client: Slowwave, *, store: str | None = None, folder: str = "") -> None:
        self._client = client
        self._store = store or client.store
        self._folder = f"{folder.strip('/')}/" if folder.strip("/") else ""

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations in their order. Raises SlowwaveError."""
        return [self._client.run(self._steps_of(op)) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations in their order, in a thread. Raises SlowwaveError."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _steps_of(self, op: Op) -> Steps[Any]:
        if isinstance(op, GetOp):
            return self._get(op.namespace, op.key)
        if isinstance(op, PutOp):
            return self._put(op.namespace, op.key, op.value)
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._list_namespaces(op)
        raise NotImplementedError(f"SlowwaveStore does not know the operation {type(op).__name__}")

    def _get(self, namespace: tuple[str, ...], key: str) -> Steps[Item | None]:
        line = yield from steps.find_line(self._store, self._folder + path_of(namespace, key))
        if line is None:
            return None
        memory = yield from steps.get_memory(self._store, line.id)
        return StoredItem(key=key, namespace=namespace, **_fields_of(memory))

    def _put(self, namespace: tuple[str, ...], key: str, value: Mapping[str, Any] | None) -> Steps[None]:
        path = self._folder + path_of(namespace, key)
        if value is not None:
            yield from steps.put_memory(self._store, path, text_of(value), fields={})
            return
        line = yield from steps.find_line(self._store, path)
        if line is not None:
            yield from steps.delete_memory(self._store, line.id)

    def _search(self, op: SearchOp) -> Steps[list[SearchItem]]:
        """Read items of the namespace one after another until there are enough."""
        places = yield from self._find_places(op)
        chosen, skipped = (places, op.offset) if op.filter else (places[op.offset :], 0)
        found: list[SearchItem] = []
        for memory_id, score in chosen:
            if len(found) == skipped + op.limit:
                break
            item = yield from self._read_item(memory_id, score)
            if item is not None and _fits(item.value, op.filter or {}):
                found.append(item)
        return found[skipped:]

    def _find_places(self, op: SearchOp) -> Steps[list[tuple[str, float | None]]]:
        """Return the ids of a namespace's items: with a query the best first, each with its score."""
        prefix = self._folder + folder_of(op.namespace_prefix)
        if op.query:
            hits = (yield from steps.search_memories(self._store, op.query, _MOST_HITS)).data
            return [(hit.id, hit.score) for hit in hits if not hit.archived and self._is_item(hit.path, prefix)]
        lines = yield from lists.all_of(lists.memories(self._store, prefix))
        return [(line.id, None) for line in lines if self._is_item(line.path, prefix)]

    def _read_item(self, memory_id: str, score: float | None) -> Steps[SearchItem | None]:
        """Return an item, or None for one that is gone since it was found."""
        try:
            memory: Memory = yield from steps.get_memory(self._store, memory_id)
        except NotFoundError:
            return None
        place = item_of(memory.path.removeprefix(self._folder))
        if place is None or memory.state != "live":
            return None
        namespace, key = place
        return FoundItem(key=key, namespace=namespace, score=score, **_fields_of(memory))

    def _list_namespaces(self, op: ListNamespacesOp) -> Steps[list[tuple[str, ...]]]:
        lines = yield from lists.all_of(lists.memories(self._store, self._folder))
        places = [item_of(line.path.removeprefix(self._folder)) for line in lines]
        namespaces = {place[0] for place in places if place is not None}
        chosen = {one for one in namespaces if all(_matches(condition, one) for condition in op.match_conditions or ())}
        shown = sorted({one if op.max_depth is None else one[: op.max_depth] for one in chosen})
        return shown[op.offset : op.offset + op.limit]

    def _is_item(self, path: str, prefix: str) -> bool:
        return path.startswith(prefix) and item_of(path.removeprefix(self._folder)) is not None


def _fields_of(memory: Memory) -> dict[str, Any]:
    return {
        "value": value_of(memory.content),
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "source": source_of(memory),
    }


def _matches(condition: MatchCondition, namespace: Sequence[str]) -> bool:
    """Tell whether a namespace begins or ends as a condition says; `*` is any label."""
    size = len(condition.path)
    if size > len(namespace):
        return False
    part = namespace[:size] if condition.match_type == "prefix" else namespace[len(namespace) - size :]
    return all(wanted in {"*", label} for wanted, label in zip(condition.path, part, strict=True))


def _fits(value: Any, wanted: Any) -> bool:  # noqa: ANN401 - JSON
    """Tell whether a value is the wanted one, or compares to it as `$gt` and its like say. Raises ValueError for another comparison."""
    if isinstance(wanted, Mapping) and any(name.startswith("$") for name in wanted):
        unknown = sorted(wanted.keys() - _COMPARISONS.keys())
        if unknown:
            raise ValueError(f"There is no comparison {unknown[0]}; there are {', '.join(_COMPARISONS)}")
        try:
            return all(_COMPARISONS[name](value, limit) for name, limit in wanted.items())
        except TypeError:  # a value of another kind, or none
            return False
    if isinstance(wanted, Mapping):
        return isinstance(value, Mapping) and all(_fits(value.get(name), one) for name, one in wanted.items())
    return bool(value == wanted)
