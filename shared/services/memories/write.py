"""Write memories on behalf of imports, agents and users. Every effective write is a version and a curation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain

from shared.core.errors import ArchivedError, BadInputError, ReservedPathError
from shared.core.memory import importance as scoring
from shared.core.memory.model import Author, Memory, MemoryState, Signals
from shared.core.memory.paths import check_memory_path, find_reserved
from shared.core.memory.writers import Rank, Through, Writer, Writers
from shared.core.policy.masked import FORGOTTEN, name_masked
from shared.core.tenants.store import Store
from shared.core.text.duplicates import content_hash
from shared.core.trust.inherit import Written, assign, inherit
from shared.counting import count
from shared.ports.database import Database, UnitOfWork
from shared.ports.memories import MemoryRepository, MemoryWrite
from shared.ports.runtime import Ids
from shared.services.left_out import leave_out
from shared.services.masking import is_personal, mask_memory, name_mask_of, note_masked
from shared.services.operations.waiting import settle_questions


@dataclass(frozen=True, slots=True, kw_only=True)
class NewText:
    """A text for a path. `written_at` is the time of its author; default now.

    An import with `overwrites` replaces memories that were changed here since they were imported. With `any_ending` the path need not end in `.md`.
    With `expected_sha256` it replaces only a live text with this hash, or none if it is empty. With `may_instruct` a person asked for
    it, so that its path may be one that hosts load or run (`find_reserved`); imports always may. `known` are the writers of its statements,
    by key, for which the operator of an import vouches.
    """

    path: str
    content: str
    signals: Signals | None = None
    created_at: datetime | None = None
    written_at: datetime | None = None
    overwrites: bool = False
    any_ending: bool = False
    expected_sha256: str | None = None
    may_instruct: bool = False
    through: Through = Through.UNKNOWN
    known: Mapping[str, Writer] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteCounts:
    """The result of writing a batch. `kept` and `retired` were left alone, because the imported text is older.

    `changed_here` are the paths that an import left alone although its text is news: agents, people or dreams changed them here, too.
    """

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    kept: int = 0  # changed here since this text was imported
    retired: int = 0  # archived or merged since this text was imported
    masked: int = 0  # texts in which something like a secret or personal data was masked
    masked_kinds: tuple[str, ...] = ()  # its kinds, each as often as it was found
    changed_here: tuple[str, ...] = ()

    def __add__(self, other: "WriteCounts") -> "WriteCounts":
        """Return the sum of both counts."""
        return WriteCounts(
            created=self.created + other.created,
            updated=self.updated + other.updated,
            unchanged=self.unchanged + other.unchanged,
            kept=self.kept + other.kept,
            retired=self.retired + other.retired,
            masked=self.masked + other.masked,
            masked_kinds=self.masked_kinds + other.masked_kinds,
            changed_here=self.changed_here + other.changed_here,
        )


def ensure_store(db: Database, tenant_id: str, store_name: str, *, actor: str = "") -> bool:
    """Create a tenant and its store if they are missing; tell whether the store is new. Raises BadInputError."""
    with db.transaction(tenant_id) as uow:
        is_known = any(store.name == store_name for store in uow.stores.find_all())
        uow.stores.ensure(store_name)
        if not is_known:
            uow.record_audit(actor, "store.create", store=store_name)
        return not is_known


def write_memories(
    db: Database,
    ids: Ids,
    tenant_id: str,
    store_name: str,
    texts: Sequence[NewText],
    author: Author,
    *,
    actor: str = "",
) -> WriteCounts:
    """Write one batch in one transaction, on behalf of `actor`.

    An import leaves alone what dreams or agents changed since, or the same folder would revert every dream, unless a text `overwrites`.

    Raises:
        UnsafePathError, ReservedPathError: a path is invalid, or only a person may write there; nothing of the batch is written.
        ArchivedError: the store is archived.
        ConflictError: a path occurs twice in the batch.
        BadInputError: a text cannot be stored, or holds a secret and the store refuses that.
    """
    for text in texts:
        check_memory_path(text.path, any_ending=text.any_ending)
        check_text(text)
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        given, left_out = _leave_out_paths(uow, store, texts, author)
        texts = [mask_text(uow, text, store) for text in given]
        if store.archived_at is not None:
            raise ArchivedError
        memories = uow.memories(store.id)
        memories.lock(())  # lock first: no other transaction may write one of these paths in between
        held = memories.lock([one.id for one in memories.find_by_paths([text.path for text in texts]).values()])
        current = {memory.path: memory for memory in held.values() if memory.state is MemoryState.LIVE}
        _check_all_reserved(texts, current, author)
        left = _find_left_alone(memories, texts, current) if author is Author.IMPORT else _LeftAlone()
        now, news = uow.now(), [text for text in texts if text.path not in left.paths]
        writes = [write for write in (_plan_write(text, current, ids, author, now, actor) for text in news) if write]
        memories.write(writes)
        _note_writes(uow, store, writes, actor=actor, author=author)
        return _count_masked(_count(texts, writes, left), given, texts, left_out)


def _note_writes(uow: UnitOfWork, store: Store, writes: Sequence[MemoryWrite], *, actor: str, author: Author) -> None:
    if not writes:
        return
    uow.activity.record(store.id, curations=len(writes))
    written = {change: [w.memory.id for w in writes if w.change == change] for change in ("create", "update")}
    uow.record_audit(actor, "memory.write", store=store.name, **written)
    settle_questions(uow, store.id, written["update"], by=actor or str(author))


@dataclass(frozen=True, slots=True)
class _LeftAlone:
    """The texts that an import leaves alone: the state of memories that are newer than their texts, and paths that both sides changed."""

    newer: Mapping[str, MemoryState] = field(default_factory=dict)
    changed_here: tuple[str, ...] = ()

    @property
    def paths(self) -> set[str]:
        return {*self.newer, *self.changed_here}


def _count(texts: Sequence[NewText], writes: Sequence[MemoryWrite], left: _LeftAlone) -> WriteCounts:
    created = sum(write.change == "create" for write in writes)
    kept = sum(state is MemoryState.LIVE for state in left.newer.values())
    return WriteCounts(
        created=created,
        updated=len(writes) - created,
        unchanged=len(texts) - len(writes) - len(left.paths),
        kept=kept,
        retired=len(left.newer) - kept,
        changed_here=left.changed_here,
    )


def _find_left_alone(memories: MemoryRepository, texts: Sequence[NewText], current: Mapping[str, Memory]) -> _LeftAlone:
    newer = _find_changed_since_import(memories, texts, current)
    return _LeftAlone(newer, _find_changed_here([text for text in texts if text.path not in newer], current))


def _find_changed_since_import(
    memories: MemoryRepository, texts: Sequence[NewText], current: Mapping[str, Memory]
) -> dict[str, MemoryState]:
    """Return the state of memories that had the given text when it was imported, and have changed since."""
    others = {
        text.path: text
        for text in texts
        if not text.overwrites and (text.path not in current or current[text.path].content != text.content)
    }
    found = memories.find_changed_since_import({path: content_hash(text.content) for path, text in others.items()})
    return {path: state for path, state in found.items() if (state is MemoryState.LIVE) == (path in current)}


def _find_changed_here(news: Sequence[NewText], current: Mapping[str, Memory]) -> tuple[str, ...]:
    """Return the paths whose live text these texts would replace, although it is not the import's or not the expected one."""
    return tuple(text.path for text in news if _is_changed_here(text, current.get(text.path)))


def _is_changed_here(text: NewText, known: Memory | None) -> bool:
    if text.expected_sha256 is not None:
        return text.expected_sha256 != ("" if known is None else content_hash(known.content))
    is_kept = known is not None and known.author is not Author.IMPORT and known.content != text.content
    return is_kept and not text.overwrites


def mask_text(uow: UnitOfWork, text: NewText, store: Store, *, is_new: bool = True) -> NewText:
    """Return a text as every write stores it: with what its store keeps out masked, and without what was forgotten.

    One that is not new is never refused.

    Raises:
        BadInputError: the path holds a secret, personal data or what was forgotten, or the store refuses what the text holds.
    """
    policy = store.policy
    if kinds := name_masked(text.path, name_mask_of(uow, policy)(text.path)):
        what = "personal data" if is_personal(kinds) else "a secret"
        raise BadInputError(f"The path of a memory contains something like {what}; name it without that")
    if uow.leave_out(store.id)(text.path) != text.path:
        raise BadInputError(
            "The path of the memory holds words that were forgotten in this store; name it without them"
        )
    masked = mask_memory(uow, policy, text.content)
    note_masked(store, text.path, text.content, masked, where="memory", may_refuse=is_new)
    kept = leave_out(uow, store.id, masked)
    return text if kept == text.content else replace(text, content=kept)


def _check_all_reserved(texts: Sequence[NewText], current: Mapping[str, Memory], author: Author) -> None:
    for text in texts if author is not Author.IMPORT else ():
        check_reserved(text, current.get(text.path))


def check_reserved(text: NewText, known: Memory | None) -> None:
    """Raise ReservedPathError if only a person may write a text to its path, over what is `known` there."""
    is_there = known is not None and known.path == text.path
    if text.may_instruct or (is_there and known is not None and known.content == text.content):
        return
    why = find_reserved(text.path, is_new=not is_there)
    if why is not None:
        count("slowwave_reserved_paths_total")
        raise ReservedPathError(
            f"The path {text.path[:120]!r} is refused: {why}. Only a person may write there (the key of an admin, the console or "
            "the command line); choose another path"
        )


def _leave_out_paths(
    uow: UnitOfWork, store: Store, texts: Sequence[NewText], author: Author
) -> tuple[Sequence[NewText], int]:
    """Return the texts without those of an import whose path says what was forgotten, and the number of these."""
    if author is not Author.IMPORT:
        return texts, 0
    kept = [text for text in texts if leave_out(uow, store.id, text.path) == text.path]
    return kept, len(texts) - len(kept)


def _count_masked(
    counts: WriteCounts, given: Sequence[NewText], stored: Sequence[NewText], left_out: int
) -> WriteCounts:
    masked = [name_masked(one.content, other.content) for one, other in zip(given, stored, strict=True)]
    masked += [[FORGOTTEN]] * left_out
    return replace(counts, masked=sum(map(bool, masked)), masked_kinds=tuple(chain.from_iterable(masked)))


def check_text(text: NewText) -> None:
    """Raise BadInputError for a text that PostgreSQL cannot store, before anything of the batch is written."""
    if "\x00" in text.content:
        msg = f"{text.path} contains a NUL character at {text.content.index(chr(0))}, which is not allowed"
        raise BadInputError(msg)
    try:
        text.content.encode()
    except UnicodeEncodeError as error:
        msg = f"{text.path} contains half a surrogate pair at {error.start}, which is not a character"
        raise BadInputError(msg) from error


def _plan_write(
    text: NewText, current: dict[str, Memory], ids: Ids, author: Author, now: datetime, actor: str
) -> MemoryWrite | None:
    known = current.get(text.path)
    written_at = min(text.written_at or now, now)
    writer = writer_of(text, author, actor, written_at)
    if known is None:
        memory = new_memory(ids, text, author, writer, now)
        return MemoryWrite(memory=_vouched(memory, text, writer, None), change="create")
    if known.content == text.content:
        return None
    changed = replace(known, content=text.content, signals=text.signals or known.signals)
    memory = replace(
        _vouched(rewritten(known, changed, author, writer, now), text, writer, known),
        version=known.version + 1,
        updated_at=written_at,
        touched_at=written_at,
        is_dirty=True,
    )
    return MemoryWrite(memory=memory, change="update")


def _vouched(memory: Memory, text: NewText, writer: Writer, before: Memory | None) -> Memory:
    """Return a written memory with the known writers of its text; of equal statements the most trusted one counts."""
    if not text.known:
        return memory
    stored = [] if before is None else [Written(before.content, before.writers)]
    vouched = Written(memory.content, assign(memory.content, text.known, writer))
    return replace(memory, writers=inherit(memory.content, [*stored, vouched]))


def new_memory(ids: Ids, text: NewText, author: Author, writer: Writer, now: datetime) -> Memory:
    """Return the first version of a memory with a text."""
    at = min(text.written_at or now, now)
    return Memory(
        id=ids.new("mem"),
        path=text.path,
        content=text.content,
        signals=mark_author(clip_last_seen(text.signals or Signals(), now), author),
        author=author,
        writers=Writers((writer,)),
        created_at=min(text.created_at or at, at),
        updated_at=at,
        touched_at=at,
    )


def rewritten(known: Memory, changed: Memory, author: Author, writer: Writer, now: datetime) -> Memory:
    """Return a memory with another text as it is once an author has written that."""
    signals = mark_author(scoring.updated(changed.signals, now), author, known.signals)
    writers = inherit(changed.content, [Written(known.content, known.writers)], new=writer)
    return replace(changed, signals=signals, author=author, writers=writers)


def writer_of(text: NewText, author: Author, actor: str, at: datetime) -> Writer:
    """Return the writer of a text's statements: an import counts as an agent's, unless it says that a person wrote it."""
    is_persons = author is Author.USER or (text.signals is not None and text.signals.by_person)
    through = text.through or (Through.IMPORT if author is Author.IMPORT else Through.UNKNOWN)
    return Writer(Rank.OWNER if is_persons else Rank.AGENT, actor, through, at.date().isoformat())


def mark_author(signals: Signals, author: Author, known: Signals | None = None) -> Signals:
    """Return signals that say whether a person wrote the memory, now or before."""
    was = signals.by_person or (known is not None and known.by_person)
    return replace(signals, by_person=was or author is Author.USER)


def clip_last_seen(signals: Signals, now: datetime) -> Signals:
    """Return imported signals with a last-seen time of now at the latest."""
    seen = signals.last_seen_at
    return signals if seen is None or seen <= now else replace(signals, last_seen_at=now)


def in_batches(texts: Iterable[NewText], max_texts: int = 200, max_chars: int = 4_000_000) -> Iterable[list[NewText]]:
    """Yield texts in batches small enough for one transaction."""
    batch: list[NewText] = []
    chars = 0
    for text in texts:
        if batch and (len(batch) >= max_texts or chars + len(text.content) > max_chars):
            yield batch
            batch, chars = [], 0
        batch.append(text)
        chars += len(text.content)
    if batch:
        yield batch
