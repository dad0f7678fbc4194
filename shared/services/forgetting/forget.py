"""Forget a text, a memory, a session or a person in a store: every copy of it, in one transaction, and for good.

What agents read loses the statement; everything else loses the words, or is emptied. A tombstone stays, by which the text is left
out wherever it comes in again. The preview does the same and rolls it back, so that it says what would happen and not what might.
"""

import secrets
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from shared.core.forgetting.live_text import take_out
from shared.core.forgetting.places import Treatment, plan_row
from shared.core.forgetting.words import MARK, anchor_of, bury, letters_of, replace_in
from shared.core.memory.frontmatter import read_fields, set_fields
from shared.core.memory.model import Memory, MemoryState
from shared.core.memory.provenance import FIELD, format_source, read_sources
from shared.core.memory.writers import Writers
from shared.core.tenants.store import Store
from shared.core.trust.inherit import statements_by_key
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.ports.memories import MemoryWrite
from shared.ports.stores import StoredRow
from shared.services.evaluation.shadows import check_no_shadow
from shared.services.forgetting.wanted import Target, Wanted, read_wanted
from shared.services.operations.waiting import settle_questions
from shared.services.sessions.delete import delete_within
from shared.services.tenants.stores import check_no_dream
from shared.working import Work, doing

#: What no transaction of this database reaches.
OUT_OF_REACH = (
    "backups hold it until they expire",
    "files that were exported or synced before keep it",
    "webhooks that were delivered are not called back",
    "a model's provider keeps what it was asked for as long as its terms say",
)
_MOST_QUOTES = 20
_QUOTE_CHARS = 160


@dataclass(frozen=True, slots=True)
class PlaceCount:
    """A column that holds it: how many of its rows, and what happens to them."""

    place: str
    treatment: Treatment
    rows: int


@dataclass(frozen=True, slots=True)
class Quoted:
    """A place where it stands, and the sentence around it."""

    place: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """The result: what was forgotten, or would be.

    Attributes:
        places: the columns where it stood, by name.
        quotes: some of the sentences, of a preview only.
        rewritten: the paths of live memories that go on without it.
        archived: the paths of memories that said nothing else, or were named.
        events: how many events of a session were deleted with it.
        tombstones: how many texts are left out from now on.
        told: columns where a person has to change it.
    """

    store: str
    is_preview: bool
    places: tuple[PlaceCount, ...]
    quotes: tuple[Quoted, ...]
    rewritten: tuple[str, ...]
    archived: tuple[str, ...]
    events: int
    tombstones: int
    told: tuple[str, ...]

    @property
    def is_found(self) -> bool:
        """Tell whether it stood anywhere."""
        return bool(self.places or self.events or self.archived)


class _PreviewError(Exception):
    """Rolls a preview back, with what it found."""

    def __init__(self, found: Forgotten) -> None:
        self.found = found


def forget(
    db: Database, tenant_id: str, store_name: str, target: Target, *, actor: str, dry_run: bool = False
) -> Forgotten:
    """Forget a target in a store, or with `dry_run` say what that would do.

    Raises:
        NotFoundError: there is no such store, memory or session.
        BadInputError: the target is too short, or too long.
        ConflictError: a dream of the store is queued or running, or something was written at the same time.
    """
    try:
        with doing(Work.PURGE), db.transaction(tenant_id) as uow:
            uow.stores.get_tenant(lock=True)  # serialises with claims, so that no dream can begin meanwhile
            store = uow.stores.get(store_name)
            check_no_dream(uow, store.id)
            check_no_shadow(uow, store.id)
            uow.memories(store.id).lock(())
            found = _Forgetting(uow, store, target, actor).run(is_preview=dry_run)
            if dry_run:
                _roll_back(found)
    except _PreviewError as preview:
        return preview.found
    count("slowwave_forgotten_total", what=target.kind)
    return found


def _roll_back(found: Forgotten) -> None:
    raise _PreviewError(found)


@dataclass(slots=True)
class _Forgetting:
    uow: UnitOfWork
    store: Store
    target: Target
    actor: str
    places: Counter[tuple[str, Treatment]] = field(default_factory=Counter)
    quotes: list[Quoted] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    rewritten: list[str] = field(default_factory=list)
    archived: list[str] = field(default_factory=list)

    def run(self, *, is_preview: bool) -> Forgotten:
        """Change everything, and return what was changed."""
        wanted = read_wanted(self.uow, self.store, self.target)
        emptied = self._rewrite(wanted)
        for memory_id in emptied:
            self._redact(memory_id)
        events = delete_within(self.uow, wanted.session_id, actor=self.actor) if wanted.session_id else 0
        rows = self.uow.forgetting(self.store.id).find_rows(
            [anchor_of(one) for one in wanted.phrases], in_memories=False
        )
        # What is derived goes first: some of it goes with the words that it was derived from.
        for row in sorted(rows, key=lambda row: Treatment.DELETED not in row.treatments.values()):
            self._change(row, wanted)
        self.uow.asked(self.store.id).delete_all()  # a fingerprint could still prove what the text was
        if named := [*emptied, *filter(None, [wanted.session_id])]:
            self.uow.requests.delete(named)
        found = Forgotten(
            store=self.store.name,
            is_preview=is_preview,
            places=tuple(PlaceCount(name, how, rows) for (name, how), rows in sorted(self.places.items())),
            quotes=tuple(self.quotes) if is_preview else (),
            rewritten=tuple(self.rewritten),
            archived=tuple(self.archived),
            events=events,
            tombstones=self._bury(wanted),
            told=tuple(dict.fromkeys(self.told)),
        )
        self._record(found)
        return found

    def _record(self, found: Forgotten) -> None:
        """Append to the audit log what was done, in numbers."""
        self.uow.record_audit(
            self.actor,
            "forget",
            store=self.store.name,
            what=self.target.kind,
            rows=sum(one.rows for one in found.places),
            memories=len(found.rewritten),
            archived=len(found.archived),
            events=found.events,
            tombstones=found.tombstones,
        )

    def _rewrite(self, wanted: Wanted) -> list[str]:
        """Write the memories that say it anew; return the ids of those that say nothing any more."""
        anchors = [anchor_of(one) for one in wanted.phrases]
        rows = self.uow.forgetting(self.store.id).find_rows(anchors, in_memories=True)
        holding = {row.keys["id"] for row in rows if self._note(row, wanted)}
        memories = self.uow.memories(self.store.id)
        held = memories.lock(sorted(holding | wanted.memories))
        writes = [
            write
            for memory in held.values()
            if (write := _plan_write(self.uow, memory, wanted, self.actor)) is not None
        ]
        memories.write(writes)
        settle_questions(self.uow, self.store.id, {one.memory.id for one in writes}, by=self.actor, counts=False)
        emptied = [one.memory for one in writes if not one.memory.content]
        for write in writes:
            before = held[write.memory.id]
            if before.state is MemoryState.LIVE:
                (self.archived if not write.memory.content else self.rewritten).append(
                    replace_in(before.path, wanted.find)
                )
        if writes:
            self.uow.activity.record(self.store.id, curations=len(writes))
        return [one.id for one in emptied]

    def _redact(self, memory_id: str) -> None:
        versions = self.uow.memories(self.store.id).find_history(memory_id)
        listing = self.uow.memory_listing(self.store.id)
        for one in versions:
            listing.redact(memory_id, one.version, by=self.actor)

    def _note(self, row: StoredRow, wanted: Wanted) -> bool:
        """Count and quote where a row says it; tell whether it does."""
        plan = plan_row(row.table, row.values, row.treatments, wanted.find, MARK)
        for column, how, text in plan.found:
            place = f"{row.table}.{column}"
            self.places[place, how] += 1
            if len(self.quotes) < _MOST_QUOTES:
                self.quotes.append(Quoted(place, _sentence_around(text, wanted)))
        self.told += [f"{row.table}.{name}" for name in plan.told]
        return bool(plan.found)

    def _change(self, row: StoredRow, wanted: Wanted) -> None:
        mark = f"{MARK[:-1]} {secrets.token_hex(4)}]"
        plan = plan_row(row.table, row.values, row.treatments, wanted.find, mark)
        if not plan.found:
            return
        self._note(row, wanted)
        values = dict(plan.values)
        if row.table == "session_events" and _is_said_by(row, wanted.speaker):
            values |= {"text": MARK, "as_sent": None, "details": None}
        if plan.is_deleted:
            self.uow.forgetting(self.store.id).delete(row)
        elif values:
            self.uow.forgetting(self.store.id).change(row, values)

    def _bury(self, wanted: Wanted) -> int:
        repository = self.uow.forgetting(self.store.id)
        salt = repository.find_graves().salt or secrets.token_hex(16)
        buried = (bury(salt, one) for one in wanted.buried)
        return repository.bury(salt, sorted({one for one in buried if one is not None}, key=lambda one: one.digest))


def _is_said_by(row: StoredRow, speaker: str) -> bool:
    return bool(speaker) and letters_of(row.values["role"]) == letters_of(speaker)


def _sentence_around(text: str, wanted: Wanted) -> str:
    """Return the words around the first place of a text that says it, in one line."""
    first = wanted.find(text)[0]
    begin = max(0, first.start - _QUOTE_CHARS // 2)
    return " ".join(text[begin : first.end + _QUOTE_CHARS // 2].split())[: 2 * _QUOTE_CHARS]


def _plan_write(uow: UnitOfWork, memory: Memory, wanted: Wanted, actor: str) -> MemoryWrite | None:
    """Return a memory without what is to be forgotten, or None if it does not say it."""
    is_live = memory.state is MemoryState.LIVE
    content = _without_sources(memory.content, wanted)
    content = take_out(content, wanted.find) if is_live else replace_in(content, wanted.find)
    if memory.id in wanted.memories:
        content = ""
    is_emptied = not content and bool(memory.content)
    path = _neutral_path(memory, wanted) if is_emptied or wanted.find(memory.path) else memory.path
    stub = None if memory.stub is None or is_emptied else replace_in(memory.stub, wanted.find)
    after = replace(
        memory,
        path=path,
        content=content,
        stub=stub,
        writers=_writers_of(memory, content, wanted),
        state=MemoryState.ARCHIVED if is_emptied and is_live else memory.state,
    )
    if after == memory:
        return None
    after = replace(after, version=memory.version + 1, updated_at=uow.now(), is_dirty=is_live)
    return MemoryWrite(memory=after, change="archive" if after.state is not memory.state else "update", actor=actor)


def _writers_of(memory: Memory, content: str, wanted: Wanted) -> Writers:
    """Return who wrote what is left of a memory; a mark of what is gone would still prove what that was."""
    left = statements_by_key(content)
    marks = tuple((key, place) for key, place in memory.writers.marks if key in left)
    by = tuple(
        replace(
            one,
            who=replace_in(one.who, wanted.find),
            session="" if one.session == wanted.session_id else replace_in(one.session, wanted.find),
            project=replace_in(one.project, wanted.find),
        )
        for one in memory.writers.by
    )
    return Writers(by, marks)


def _without_sources(content: str, wanted: Wanted) -> str:
    """Return a memory without those of its sources that are to be forgotten."""
    sources = read_sources(content)
    gone = {format_source(one) for one in sources if wanted.is_meant(one)}
    if not gone:
        return content
    entries = read_fields(content).get(FIELD)
    kept = [one for one in _strings(entries) if one not in gone and not wanted.find(one)]
    return set_fields(content, {FIELD: kept})


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (one for one in value if isinstance(one, str))


def _neutral_path(memory: Memory, wanted: Wanted) -> str:
    """Return a path that tells nothing: the folder stays if it does not say it, and so does the ending."""
    known = PurePosixPath(memory.path)
    folder = (
        known.parent if not wanted.find(str(known.parent)) and memory.id not in wanted.memories else PurePosixPath()
    )
    ending = known.suffix if known.suffix and not wanted.find(known.suffix) else ".md"
    name = "".join(letter for letter in memory.id[-8:].lower() if letter.isalnum())
    return str(folder / f"forgotten-{name}{ending}")
