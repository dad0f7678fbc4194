"""Create, edit and archive one memory, with preconditions. Each change is a version and a curation."""

from dataclasses import dataclass, replace
from datetime import date

from shared.core.errors import ArchivedError, BadInputError, ConflictError, PathTakenError, PreconditionFailedError
from shared.core.memory import importance as scoring
from shared.core.memory.expiry import Never, with_expiry
from shared.core.memory.model import Author, Memory, MemoryState, Signals
from shared.core.memory.paths import check_memory_path
from shared.core.memory.writers import Through
from shared.core.tenants.audit import as_change, find_changes, name_changed_fields
from shared.core.tenants.store import Store
from shared.core.text.duplicates import content_hash
from shared.ports.database import Database, UnitOfWork
from shared.ports.memories import MemoryWrite
from shared.ports.runtime import Ids
from shared.services.memories.write import (
    NewText,
    check_reserved,
    check_text,
    mask_text,
    new_memory,
    rewritten,
    writer_of,
)
from shared.services.operations.waiting import settle_questions
from shared.services.sessions.daily_log import append_log


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The precondition of a change: the version and the hash that the memory must still have; None accepts any."""

    version: int | None = None
    content_sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEdit:
    """The fields to change; None leaves a field as it is."""

    content: str | None = None
    path: str | None = None
    importance: float | None = None
    pinned: bool | None = None
    expires: date | Never | None = None  # the last day on which it holds
    actor: str = ""  # the author, for the history
    any_ending: bool = False  # the new path need not end in `.md`
    may_instruct: bool = False  # a person asked for it, so the path may be one that hosts load or run
    through: Through = Through.UNKNOWN


def create_memory(
    db: Database,
    ids: Ids,
    tenant_id: str,
    store_name: str,
    text: NewText,
    author: Author,
    *,
    actor: str = "",
) -> Memory:
    """Create a memory at a free path. Entries of a daily log become session events, with secrets masked.

    Raises:
        NotFoundError: there is no such store.
        UnsafePathError, ReservedPathError, BadInputError: the path or the text is invalid.
        ArchivedError, PathTakenError: the store is archived; a live memory has the path.
    """
    check_memory_path(text.path, any_ending=text.any_ending)
    check_text(text)
    check_reserved(text, None)
    with db.transaction(tenant_id) as uow:
        store = _get_open(uow, store_name)
        append_log(uow, store, text.path, text.content, actor=actor)
        text = mask_text(uow, text, store)
        uow.memories(store.id).lock(())
        if uow.memories(store.id).find_by_path(text.path) is not None:
            raise PathTakenError(f"There is a memory at {text.path} already")
        now = uow.now()
        memory = new_memory(ids, text, author, writer_of(text, author, actor, now), now)
        _write(uow, store.id, None, memory, "create", actor)
        return memory


def edit_memory(
    db: Database,
    tenant_id: str,
    store_name: str,
    memory_id: str,
    edit: MemoryEdit,
    *,
    expected: Expected,
    author: Author,
) -> Memory:
    """Change a live memory; an edit without effect makes no version. New daily-log entries become session events.

    Raises:
        NotFoundError: there is no such store or memory.
        PreconditionFailedError: the memory is not as expected.
        ConflictError: the memory is archived, or the new path is taken.
        ArchivedError: the store is archived.
        ReservedPathError: hosts load or run what lies at the path, and no person asked for it.
        UneditableFrontmatterError: the frontmatter cannot take an expiry.
    """
    with db.transaction(tenant_id) as uow:
        store = _get_open(uow, store_name)
        _append_edited_log(uow, store, memory_id, edit)
        current = _get_live(uow, store.id, memory_id, expected)
        changed = _edited(current, edit)
        written = _as_text(changed, edit)
        masked = mask_text(uow, written, store, is_new=edit.content is not None)
        check_reserved(masked, current)
        changed = replace(changed, content=masked.content)
        if changed == current:
            return current
        now = uow.now()
        if changed.content != current.content:
            writer = writer_of(masked, author, edit.actor, now)
            changed = rewritten(current, changed, author, writer, now)
        changed = replace(changed, version=current.version + 1, updated_at=now, touched_at=now, is_dirty=True)
        _write(uow, store.id, current, changed, "update", edit.actor)
        return changed


def _as_text(changed: Memory, edit: MemoryEdit) -> NewText:
    return NewText(path=changed.path, content=changed.content, may_instruct=edit.may_instruct, through=edit.through)


def _append_edited_log(uow: UnitOfWork, store: Store, memory_id: str, edit: MemoryEdit) -> None:
    if edit.path is None and edit.content is None:
        return
    seen = uow.catalog(store.id).get(memory_id)
    path, content = edit.path or seen.path, seen.content if edit.content is None else edit.content
    append_log(uow, store, path, content, actor=edit.actor)


def archive_memory(
    db: Database, tenant_id: str, store_name: str, memory_id: str, *, expected: Expected, actor: str
) -> Memory:
    """Hide a memory from agents; its text and history stay. Raises as `edit_memory` does."""
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        current = _get_live(uow, store.id, memory_id, expected)
        changed = replace(current, state=MemoryState.ARCHIVED, version=current.version + 1, updated_at=uow.now())
        _write(uow, store.id, current, changed, "archive", actor)
        return changed


def _get_live(uow: UnitOfWork, store_id: str, memory_id: str, expected: Expected) -> Memory:
    current = uow.catalog(store_id).get(memory_id, lock=True)
    is_version = expected.version in {None, current.version}
    digest = content_hash(current.content)
    if not (is_version and expected.content_sha256 in {None, digest}):
        now = f"version {current.version}, content_sha256 {digest}"
        raise PreconditionFailedError(f"The memory is now at {now}; read it again")
    if current.state is not MemoryState.LIVE:
        raise ConflictError(f"The memory is {current.state}; only live memories can be changed")
    return current


def _edited(current: Memory, edit: MemoryEdit) -> Memory:
    path = current.path if edit.path is None else check_memory_path(edit.path, any_ending=edit.any_ending)
    content = current.content if edit.content is None else edit.content
    if edit.expires is not None:
        content = with_expiry(content, edit.expires)
    check_text(NewText(path=path, content=content))
    signals = current.signals
    if edit.importance is not None:
        if not 0 <= edit.importance <= 100:
            raise BadInputError("Importance is a number from 0 to 100")
        signals = _with_importance(signals, edit.importance)
    if edit.pinned is not None:
        signals = replace(signals, pinned=edit.pinned)
    return replace(current, path=path, content=content, signals=signals)


def _with_importance(signals: Signals, importance: float) -> Signals:
    """Return signals with an importance that was set; the maturity follows it, also downwards."""
    if importance == signals.importance:
        return signals
    return replace(signals, importance=importance, maturity=scoring.decide_maturity(signals.maturity, importance))


def _get_open(uow: UnitOfWork, store_name: str) -> Store:
    store = uow.stores.get(store_name)
    if store.archived_at is not None:
        raise ArchivedError
    return store


def _write(uow: UnitOfWork, store_id: str, before: Memory | None, memory: Memory, change: str, actor: str) -> None:
    uow.memories(store_id).write([MemoryWrite(memory=memory, change=change, actor=actor)])
    if before is not None:
        settle_questions(uow, store_id, [memory.id], by=actor or str(memory.author))
    uow.activity.record(store_id, curations=1)
    versions = as_change(before and before.version, memory.version)
    detail: dict[str, object] = {"memory_id": memory.id, "version": versions}
    if before is not None:
        detail["texts"] = name_changed_fields(
            before, memory, ("path", "content")
        )  # the names of the fields only, not their texts
        detail |= find_changes(before.signals, memory.signals, ("importance", "maturity", "pinned"))
        detail |= find_changes(before, memory, ("state",))
    uow.record_audit(actor, f"memory.{change}", **detail)
