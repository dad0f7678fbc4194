"""The links between memories: between a store's top-level folders, within one folder, and of one memory."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from shared.core.memory.links import LinkPlace, find_links
from shared.core.memory.model import Memory, MemoryState
from shared.ports.database import Database
from shared.ports.runtime import KeptTexts
from shared.ports.stores import LINKS_AT_ONCE, DeadLink, DomainLinks, LinkedMemory, LinkRepository, WriteMark
from shared.services.memories.read import find_in_store
from shared.services.memories.tree import follow_links

#: One map counts at most this many folders and links between them.
MAX_DOMAINS, MAX_PAIRS = 200, 600
_MAX_AMONG = 600
#: So many links are looked at for one page of dead ones: about .25 s of PostgreSQL's processor.
MAX_LINKS_READ = 10_000
#: Of the links that lead to no path, some name a file alone: so many times a page are enough.
_ENOUGH = 4
#: A count that no write has made old is shown for so long.
_KEPT_SECONDS = 600
_BEFORE_ALL = LinkPlace("", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkMap:
    """The folders at the top of a store with their live memories, and the links between them; most of each first.

    `memories` may leave out the smallest folders beyond `MAX_DOMAINS`, and `links` the fewest beyond `MAX_PAIRS`. `age` is how many
    seconds ago this was counted, if a memory was written since; else None.
    """

    memories: dict[str, int]
    links: list[DomainLinks]
    age: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainPage:
    """The memories of one folder at the top that have links, most linked first, and which of these are joined.

    `joined` holds ids: (source, target). `following` is the offset of the next page, or None. `age` is that of `LinkMap`.
    """

    memories: list[LinkedMemory]
    joined: list[tuple[str, str]]
    following: int | None
    age: float | None = None


_Counted = TypeVar("_Counted", LinkMap, DomainPage)


@dataclass(frozen=True, slots=True)
class LinkOut:
    """A link as written in a text, and the live memory that it leads to; a dead link has none."""

    target: str
    path: str | None = None
    memory_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """One memory, the links in its text, and the memories whose links lead to it.

    `left_out` counts further links of a text that has too many. `following` is the id after which the next memories
    that lead here come, or None.
    """

    memory: Memory
    links: list[LinkOut]
    left_out: int
    linked_from: list[LinkedMemory]
    following: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLinks:
    """One page of a store's dead links, by their places, and the place behind which the next page begins, or None."""

    found: list[DeadLink]
    following: LinkPlace | None


class NotCountedError(Exception):
    """Links of a large store have not been counted yet, and counting would take a second or more."""


class RecentCounts:
    """Counts of the links of stores with many links, which all processes share.

    A count is shown again while no memory of its store was written, and for `seconds` even if one was. Stores with at most
    `links` rows are counted every time. Unless it `may_count`, it shows an old count of a large store, or raises NotCountedError.
    """

    def __init__(self, kept: KeptTexts, *, may_count: bool = True, links: int = 20_000, seconds: float = 60.0) -> None:
        self._kept, self._may_count, self._links, self._seconds = kept, may_count, links, seconds

    def is_old(self, age: float | None) -> bool:
        """Tell whether a count of this age is due for a new one."""
        return age is not None and age >= self._seconds

    def get(self, links: LinkRepository, place: "_Place[_Counted]", count: Callable[[], _Counted]) -> _Counted:
        """Return what was counted at a place, or count it; with its age, where a write came later. Raises NotCountedError."""
        if not links.has_more_than(self._links):
            return count()
        found = place.read(self._kept)
        if found is not None:
            mark, counted_at, counted = found
            age = max(0.0, time.time() - counted_at)
            if links.find_mark(mark.since) == mark:
                return counted
            if age < self._seconds or not self._may_count:
                return replace(counted, age=age)
        if not self._may_count:
            raise NotCountedError
        mark, counted_at, counted = links.find_mark(), time.time(), count()
        place.keep(self._kept, (mark, counted_at, counted))
        return counted


@dataclass(frozen=True, slots=True)
class _Place(Generic[_Counted]):
    """The name that a count is kept under, and its form: the mark of the store, the time of the count, and the count."""

    tenant_id: str
    name: str
    shape: TypeAdapter[tuple[WriteMark, float, _Counted]]

    def read(self, kept: KeptTexts) -> tuple[WriteMark, float, _Counted] | None:
        text = kept.get(self.tenant_id, self.name)
        try:
            return None if text is None else self.shape.validate_json(text)
        except ValidationError:  # of another version
            return None

    def keep(self, kept: KeptTexts, found: tuple[WriteMark, float, _Counted]) -> None:
        kept.put(self.tenant_id, self.name, self.shape.dump_json(found).decode(), seconds=_KEPT_SECONDS)


_MAP = TypeAdapter(tuple[WriteMark, float, LinkMap])
_PAGE = TypeAdapter(tuple[WriteMark, float, DomainPage])


def get_link_map(db: Database, tenant_id: str, store_name: str, recent: RecentCounts) -> LinkMap:
    """Return the link map of a store. Raises NotFoundError for the store, and the errors of `recent`."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        links = uow.links(store_id)

        def count() -> LinkMap:
            return LinkMap(memories=links.count_memories(MAX_DOMAINS), links=links.count_between(MAX_PAIRS))

        return recent.get(links, _Place(tenant_id, f"links:{store_id}", _MAP), count)


def get_domain_page(
    db: Database, tenant_id: str, store_name: str, domain: str, recent: RecentCounts, *, offset: int, limit: int
) -> DomainPage:
    """Return one page of a folder's linked memories; `""` names those in no folder. Raises as `get_link_map` does."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        links = uow.links(store_id)

        def count() -> DomainPage:
            found = links.find_most_linked(domain, offset=offset, limit=limit + 1)
            shown = found[:limit]
            joined = links.find_among([one.id for one in shown], _MAX_AMONG)
            return DomainPage(memories=shown, joined=joined, following=offset + limit if len(found) > limit else None)

        return recent.get(links, _Place(tenant_id, f"links:{store_id}:{offset}:{limit}:{domain}", _PAGE), count)


def get_neighbours(
    db: Database, tenant_id: str, store_name: str, id_or_path: str, *, after_id: str, limit: int
) -> Neighbours:
    """Return what a memory links to, and at most `limit` memories that link to it. Raises NotFoundError.

    A retired memory is still read, but no link leads to it.
    """
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        memory = find_in_store(uow, store, id_or_path)
        links = uow.links(store.id)
        incoming = (
            links.find_incoming(memory.path, after_id=after_id, limit=limit + 1)
            if memory.state is MemoryState.LIVE
            else []
        )
        written = find_links(memory.path, memory.content)
        reached = follow_links(uow.tree(store.id), memory.path, written.links)
    return Neighbours(
        memory=memory,
        links=[LinkOut(link.target, *reached.get(link, (None, None))) for link in written.links],
        left_out=written.left_out,
        linked_from=incoming[:limit],
        following=incoming[limit - 1].id if len(incoming) > limit else None,
    )


def find_dead_links(db: Database, tenant_id: str, store_name: str, *, after: LinkPlace | None, limit: int) -> DeadLinks:
    """Return at most `limit` links of a store's live memories that lead to no live memory, behind a place.

    At most `MAX_LINKS_READ` links are looked at, so that a page may hold fewer and still have a next one. Raises
    NotFoundError for the store.
    """
    begin = after or _BEFORE_ALL
    nowhere: list[DeadLink] = []
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        links = uow.links(store_id)
        for _ in range(0, MAX_LINKS_READ, LINKS_AT_ONCE):
            found, until = links.find_dead(begin)
            nowhere += found
            if until is None or len(nowhere) > _ENOUGH * limit:
                break
            begin = until
        there = links.find_names(sorted({one.name for one in nowhere if one.name}))
        dead = [one for one in nowhere if one.name not in there]
        shown = dead[:limit]
        texts = uow.memories(store_id).find_live({one.at.memory_id for one in shown}) if shown else []
    return DeadLinks(found=_as_written(shown, texts), following=shown[-1].at if len(dead) > limit else until)


def _as_written(dead: list[DeadLink], texts: list[Memory]) -> list[DeadLink]:
    """Return the links as their texts have them; one whose text has changed meanwhile keeps the path that it meant."""
    written = {memory.id: find_links(memory.path, memory.content).links for memory in texts}

    def write(one: DeadLink) -> DeadLink:
        links = written.get(one.at.memory_id, ())
        return replace(one, target=links[one.at.place].target) if one.at.place < len(links) else one

    return [write(one) for one in dead]


def find_linked_from(
    db: Database, tenant_id: str, store_name: str, memory: Memory, *, after_id: str, limit: int
) -> list[LinkedMemory]:
    """Return at most `limit` live memories whose links lead to a live one, by id. Raises NotFoundError for the store."""
    if memory.state is not MemoryState.LIVE:
        return []
    with db.transaction(tenant_id) as uow:
        links = uow.links(uow.stores.get(store_name).id)
        return links.find_incoming(memory.path, after_id=after_id, limit=limit)
