"""Read memories: one by its id or path, a page of them, or those that match a search, as they are now or were on a day.

A day is answered from the versions that were current when it ended. Of a memory that was written or imported here later, it knows the
superseded statements that name a later day until which they held.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from shared.core.errors import NotFoundError
from shared.core.listings.records import MemoryRecord
from shared.core.memory import importance as scoring
from shared.core.memory.doc_type import category_of, type_of
from shared.core.memory.expiry import has_expired, read_expiry
from shared.core.memory.frontmatter import body_of, summary_of, title_of
from shared.core.memory.index_text import holds_content
from shared.core.memory.model import GENERATED, ROOT_INDEX, Memory, MemoryHead, MemoryState, kind_of
from shared.core.memory.paths import is_memory_id
from shared.core.memory.provenance import without_sources
from shared.core.memory.writers import Rank
from shared.core.policy.upkeep import DecayPolicy
from shared.core.search.bm25 import TextIndex, by_path
from shared.core.search.fusion import score_rankings
from shared.core.sessions.statement_text import held_until_after
from shared.core.tenants.store import Store
from shared.core.text.similarity import normalise_bm25, significant_words
from shared.core.trust.hidden import Shown, is_shown, least_of, note_below, note_hidden
from shared.core.trust.orders import is_line_order
from shared.core.upkeep.decay import decayed_signals
from shared.core.upkeep.due import end_of_day
from shared.ports.database import Database, UnitOfWork
from shared.ports.memories import Found, MemoryVersion
from shared.ports.memory_search import Meaning, MemorySearch
from shared.services.memories.meant import embed_query, find_near

#: A longer query is looked for by its first so many significant words.
MOST_WORDS = 50
#: Further hits to fetch, since generated files among them are dropped.
_GENERATED_BESIDE = 50
#: Further hits of a day to fetch, since hidden ones among them are dropped.
_HIDDEN_BESIDE = 50
#: The most memories, by path, that a search of a day reads: no index knows old versions.
_MOST_THEN = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that matches a search. `score` combines how well it matches, importance and recency, by maturity.

    `trust` is the rank, in a word, of the least trusted writer of its statements; `day` is the ISO date on which the newest was said or written.
    `is_order`: its title or excerpt tells its reader to run, fetch, send, disclose or disable something. `is_meant`: it holds no word of the query; its meaning alone is near. `is_generated`: it repeats other memories.
    """

    id: str
    path: str
    title: str
    excerpt: str
    score: float
    is_archived: bool
    trust: str
    day: str
    is_order: bool = False
    is_meant: bool = False
    is_generated: bool = False


def get_memory(db: Database, tenant_id: str, store_name: str, id_or_path: str, *, with_retired: bool = False) -> Memory:
    """Return a memory by its id, live or retired, or by the path of a live one. Raises NotFoundError.

    With `with_retired`, a path also finds the memory that had it last. An id costs one statement, because that is the
    read that agents send most.
    """
    is_id = is_memory_id(id_or_path)
    found = db.find_memory(tenant_id, store_name, id_or_path) if is_id else None
    if found is not None:
        return found
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        found = None if is_id else _find_by_path(uow, store_id, id_or_path, with_retired=with_retired)
        if found is None:
            listed = f"; `slowwave memory list {tenant_id}` lists them" if with_retired else ""
            raise NotFoundError(f"{tenant_id}/{store_name} has no memory {id_or_path!r}{listed}")
    return found


def find_in_store(uow: UnitOfWork, store: Store, id_or_path: str) -> Memory:
    """Return a memory by id or path within a transaction, retired ones included. Raises NotFoundError."""
    if is_memory_id(id_or_path):
        return uow.catalog(store.id).get(id_or_path)
    found = _find_by_path(uow, store.id, id_or_path, with_retired=True)
    if found is None:
        listed = f"`slowwave memory list {store.tenant_id}` lists them"
        raise NotFoundError(f"{store.tenant_id}/{store.name} has no memory {id_or_path!r}; {listed}")
    return found


def _find_by_path(uow: UnitOfWork, store_id: str, path: str, *, with_retired: bool) -> Memory | None:
    found = uow.memories(store_id).find_by_path(path)
    return uow.catalog(store_id).find_retired_at(path) if found is None and with_retired else found


def get_memory_record(
    db: Database, tenant_id: str, store_id: str, memory_id: str, *, with_content: bool
) -> MemoryRecord:
    """Return a live memory as the API lists it, its text only `with_content`. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.store_listing.get(store_id)
        found = uow.memory_listing(store_id).find_by_ids([memory_id], with_content=with_content)
        if memory_id not in found:
            raise NotFoundError
    return found[memory_id]


def find_memory_page(
    db: Database, tenant_id: str, store_name: str, *, prefix: str, after_path: str, limit: int
) -> list[MemoryHead]:
    """Return live memories without their text, by path, after `after_path`. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        catalog = uow.catalog(uow.stores.get(store_name).id)
        return catalog.find_page(prefix=prefix, after_path=after_path, limit=limit)


def find_retired_page(
    db: Database, tenant_id: str, store_name: str, *, state: MemoryState, after_id: str, limit: int
) -> list[Memory]:
    """Return archived or superseded memories by id, after `after_id`. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        catalog = uow.catalog(uow.stores.get(store_name).id)
        return catalog.find_retired_page(state=state, after_id=after_id, limit=limit)


def query_words(query: str) -> Sequence[str]:
    """Return the words that a query is looked for by: the first significant ones, or all if none is."""
    return significant_words(query, MOST_WORDS) or query.split()


def search_memories(  # noqa: PLR0913 - what each search is given, and who looks
    db: Database,
    search: MemorySearch,
    tenant_id: str,
    store_name: str,
    query: str,
    limit: int,
    meaning: Meaning | None = None,
    *,
    with_hidden: bool = False,
) -> Shown[Hit]:
    """Return live memories and archived ones (found by their stubs), best first, and `with_hidden` what agents are not shown.

    Raises NotFoundError.

    Words and meaning select the hits, and the combined score orders them: an important memory must not displace one that
    matches. Files that are generated from memories, such as an index, come after all memories and never replace one.
    """
    words = query_words(query)
    vector = embed_query(meaning, query)
    with db.for_persons().transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        found = search.find(uow, store.id, words, limit + _GENERATED_BESIDE)
        near = find_near(uow, store.id, meaning, vector, limit)
        meant = uow.catalog(store.id).find_hits(near) if near else {}
        least = least_of(store.policy.recall)
        below = find_hidden((*found, *meant.values()), least)
        generated = find_generated(uow, store.id, [one.path for one in (*found, *meant.values())])
        now = uow.now()
    hidden = frozenset[str]() if with_hidden else below
    seen = [one for one in found if one.memory_id not in hidden]
    meanings = None if vector is None else [one for one in near if one not in hidden]
    shown = _rank(seen, meanings, meant, generated)[:limit]
    worded = {one.memory_id for one in found}
    hits = [
        replace(_hit(one, relevance, now, store.policy.decay, generated), is_meant=one.memory_id not in worded)
        for one, relevance in shown
    ]
    note = note_below(sum(one.id in below for one in hits), least) if with_hidden else note_hidden(len(hidden), least)
    return Shown(sorted(hits, key=_best_first), note)


def search_alike(
    db: Database, search: MemorySearch, tenant_id: str, store_name: str, query: str, limit: int
) -> list[Hit]:
    """Return memories with words spelled or begun like those of a query that finds nothing as written.

    Raises NotFoundError.
    """
    words = query_words(query)
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        found = search.find_alike(uow, store.id, words, limit)
        generated = find_generated(uow, store.id, [one.path for one in found])
        now = uow.now()
    hits = [_hit(one, normalise_bm25(one.bm25), now, store.policy.decay, generated) for one in found]
    return sorted(hits, key=_best_first)


def find_hidden(found: Iterable[Found], least: Rank) -> frozenset[str]:
    """Return the ids of the hits that agents are not shown."""
    return frozenset(
        one.memory_id for one in found if not is_shown(one.path, one.trust, least, is_live=not one.is_archived)
    )


def find_generated(uow: UnitOfWork, store_id: str, paths: Collection[str]) -> frozenset[str]:
    """Return those of these paths whose texts repeat other memories; a root file that holds content does not."""
    found = {path for path in paths if kind_of(path) in GENERATED}
    if ROOT_INDEX in found:
        root = uow.memories(store_id).find_by_path(ROOT_INDEX)
        found -= {ROOT_INDEX} if root is not None and holds_content(root.content) else set()
    return frozenset(found)


def _best_first(hit: Hit) -> tuple[bool, float, str]:
    return (hit.is_generated, -hit.score, hit.path)


def _rank(
    found: Sequence[Found], near: Sequence[str] | None, meant: Mapping[str, Found], generated: Collection[str]
) -> list[tuple[Found, float]]:
    """Return what was found with its relevance, generated files last; `near` is None for a search by words alone."""
    first = [one for one in found if one.path not in generated]
    last = [(one, normalise_bm25(one.bm25)) for one in found if one.path in generated]
    if near is None:
        return [*((one, normalise_bm25(one.bm25)) for one in first), *last]
    return [*_fuse(first, near, meant), *last]


def _fuse(found: Sequence[Found], near: Sequence[str], meant: Mapping[str, Found]) -> list[tuple[Found, float]]:
    """Fuse the hits by words and by meaning; scores are relative to the best possible rank."""
    known = {**meant, **{one.memory_id: one for one in found}}
    ranked = score_rankings([one.memory_id for one in found], [one for one in near if one in known])
    return [(known[memory_id], score) for memory_id, score in ranked]


def _hit(one: Found, relevance: float, now: datetime, decay: DecayPolicy, generated: Collection[str]) -> Hit:
    signals = one.signals if one.is_lasting else decayed_signals(one.signals, one.touched_at, now, decay)
    score = scoring.compound_score(relevance, signals, one.updated_at, now)
    return Hit(
        id=one.memory_id,
        path=one.path,
        title=one.title,
        excerpt=one.excerpt,
        score=round(score, 4),
        is_archived=one.is_archived,
        trust=one.trust.word,
        day=one.day,
        is_order=is_line_order(one.title) or is_line_order(one.excerpt),
        is_generated=one.path in generated,
    )


def find_heads_as_of(
    db: Database, tenant_id: str, store_name: str, day: date, *, prefix: str = "", after_path: str = "", limit: int
) -> list[MemoryHead]:
    """Return the memories that were live at the end of a day in the tenant's time zone, by path. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return [
            _head_then(one)
            for one in _find_then(uow, store_name, day, prefix=prefix, after_path=after_path, limit=limit)
        ]


def search_as_of(
    db: Database, tenant_id: str, store_name: str, day: date, query: str, limit: int, *, with_hidden: bool = False
) -> Shown[Hit]:
    """Return what a search by words would have found at the end of a day, best first. Raises NotFoundError.

    It leaves out generated files, and what had expired by then. A score tells how well the words match, and nothing else.
    """
    words = query_words(query)
    with db.for_persons().transaction(tenant_id) as uow:
        then = _find_then(uow, store_name, day, prefix="", after_path="", limit=_MOST_THEN)
        policy = uow.stores.get(store_name).policy
    least = least_of(policy.recall)
    known = {
        one.path: one
        for one in then
        if kind_of(one.path) not in GENERATED and not has_expired(read_expiry(one.content), day)
    }
    index = TextIndex(by_path((path, without_sources(one.content)) for path, one in known.items()))
    found = [(known[path], score) for path, score in index.search(words, limit + _HIDDEN_BESIDE)]
    above = [one for one in found if is_shown(one[0].path, one[0].trust, least)]
    shown = (found if with_hidden else above)[:limit]
    below = sum(one not in above for one in shown)
    note = note_below(below, least) if with_hidden else note_hidden(len(found) - len(above), least)
    return Shown([_hit_then(one, score) for one, score in shown], note)


def _find_then(
    uow: UnitOfWork, store_name: str, day: date, *, prefix: str, after_path: str, limit: int
) -> list[MemoryVersion]:
    before: datetime = end_of_day(day, uow.stores.get_tenant().time_zone)
    tree = uow.tree(uow.stores.get(store_name).id)
    found = tree.find_as_of(before, prefix=prefix, after_path=after_path, limit=limit)
    later = tree.find_told_later(before, prefix=prefix, after_path=after_path)
    told = [replace(one, content=text) for one in later if (text := _text_then(one, day))]
    return sorted([*found, *told], key=lambda one: one.path)[:limit]


def _text_then(one: MemoryVersion, day: date) -> str:
    """Return what a memory that was written later tells of a day: its title, and the statements that held until after it."""
    held = held_until_after(body_of(one.content), day)
    items = "".join(f"- {statement}\n" for statement in held)
    return f"# {title_of(one.path, one.content)}\n\n{items}" if held else ""


def _head_then(one: MemoryVersion) -> MemoryHead:
    return MemoryHead(
        id=one.memory_id,
        path=one.path,
        title=title_of(one.path, one.content),
        summary=summary_of(one.content),
        signals=one.signals,
        version=one.version,
        author=one.author,
        doc_type=type_of(one.content),
        category=category_of(one.content),
        size_chars=len(one.content),
        updated_at=one.created_at,
        touched_at=one.created_at,
        is_dirty=False,
        expires=read_expiry(one.content),
        trust=one.trust,
    )


def _hit_then(one: MemoryVersion, bm25: float) -> Hit:
    title, excerpt = title_of(one.path, one.content), summary_of(one.content)
    return Hit(
        id=one.memory_id,
        path=one.path,
        title=title,
        excerpt=excerpt,
        score=round(normalise_bm25(bm25), 4),
        is_archived=False,
        trust=one.trust.word,
        day=one.created_at.date().isoformat(),
        is_order=is_line_order(title) or is_line_order(excerpt),
    )
