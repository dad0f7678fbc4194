"""Gather all that a store knows of a person: for those who ask what is kept of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.core.errors import BadInputError
from shared.core.forgetting.places import plan_row
from shared.core.forgetting.told import said_in, sentences_of
from shared.core.forgetting.words import MARK, MIN_LETTERS, Phrases, anchor_of, letters_of
from shared.core.memory.model import Author, Memory, MemoryState
from shared.core.memory.provenance import read_sources, without_sources
from shared.ports.database import Database, UnitOfWork
from shared.ports.memories import MemoryVersion


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownStatement:
    """A sentence of a memory about or from the person, and the places in sessions that the memory names as theirs."""

    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownVersion:
    """One version of a memory."""

    version: int
    path: str
    content: str
    change: str
    author: Author
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMemory:
    """A memory that names the person, was gathered from what they said, or was written by them."""

    id: str
    path: str
    state: MemoryState
    content: str
    statements: tuple[KnownStatement, ...]
    versions: tuple[KnownVersion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRow:
    """A row of another table that names the person: its columns of text, and those that say which row it is."""

    table: str
    keys: Mapping[str, Any]
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """All that a store knows of a person. `events` are of sessions, and name the person or were said by them."""

    store: str
    person: str
    memories: tuple[KnownMemory, ...]
    events: tuple[KnownRow, ...]
    elsewhere: tuple[KnownRow, ...]


#: Tables that are told as memories.
_OF_MEMORIES = frozenset({"memories", "memory_versions", "memory_links"})


def find_known(db: Database, tenant_id: str, store_name: str, person: str) -> Known:
    """Return all that a store knows of a person, by a speaker's name or by the actor of writes.

    Raises:
        NotFoundError: there is no such store.
        BadInputError: the name has too few letters.
    """
    if len(letters_of(person)) < MIN_LETTERS:
        raise BadInputError(f"{person!r} has fewer than {MIN_LETTERS} letters or digits; it would be found everywhere")
    find = Phrases([person])
    with db.transaction(tenant_id, read_only=True) as uow:
        store = uow.stores.get(store_name)
        repository = uow.forgetting(store.id)
        rows = [
            row
            for row in repository.find_rows([anchor_of(person)], in_memories=False)
            if plan_row(row.table, row.values, row.treatments, find, MARK).found
        ]
        memories = _find_memories(uow, store.id, person, find)
    told = tuple(KnownRow(table=row.table, keys=row.keys, values=row.values) for row in rows)
    return Known(
        store=store.name,
        person=person,
        memories=memories,
        events=tuple(row for row in told if row.table == "session_events"),
        elsewhere=tuple(row for row in told if row.table not in {*_OF_MEMORIES, "session_events"}),
    )


def _find_memories(uow: UnitOfWork, store_id: str, person: str, find: Phrases) -> tuple[KnownMemory, ...]:
    repository = uow.memories(store_id)
    written = set(uow.forgetting(store_id).find_written_by(person))
    found = []
    for memory in (*repository.find_live(), *repository.find_retired()):
        statements = _find_statements(memory, person, find)
        if statements or memory.id in written or find(memory.path) or find(memory.content):
            versions = tuple(map(_version_of, repository.find_history(memory.id)))
            found.append(
                KnownMemory(
                    id=memory.id,
                    path=memory.path,
                    state=memory.state,
                    content=memory.content,
                    statements=statements,
                    versions=versions,
                )
            )
    return tuple(found)


def _find_statements(memory: Memory, person: str, find: Phrases) -> tuple[KnownStatement, ...]:
    theirs = [one for one in read_sources(memory.content) if letters_of(one.speaker) == letters_of(person)]
    named = {one for one in sentences_of(without_sources(memory.content), min_letters=1) if find(one)}
    sources = tuple(f"{one.place} {one.day}: {one.quote}" for one in theirs)
    return tuple(KnownStatement(text=text, sources=sources) for text in sorted(named | said_in(memory.content, theirs)))


def _version_of(one: MemoryVersion) -> KnownVersion:
    return KnownVersion(
        version=one.version,
        path=one.path,
        content=one.content,
        change=one.change,
        author=one.author,
        at=one.created_at,
    )
