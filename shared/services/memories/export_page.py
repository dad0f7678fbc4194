"""A store's files for an export in pages: live memories as they are, or as a person has approved them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.core.dream.effects import Effect
from shared.core.dream.reviewed import ReviewedStore, find_reviewed
from shared.core.memory.model import Memory, MemoryState
from shared.ports.database import Database, UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportLine:
    """One file of a page. A file without content is left out of the export, for that reason."""

    path: str
    content: str | None
    updated_at: datetime | None
    left_out: str | None = None


def find_live_texts(db: Database, tenant_id: str, store_name: str, *, after_path: str, limit: int) -> list[Memory]:
    """Return live memories with their texts, by path, after `after_path`. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        heads = uow.catalog(store_id).find_page(prefix="", after_path=after_path, limit=limit)
        return uow.memories(store_id).find_live([head.id for head in heads])


def lines_of(memories: Sequence[Memory]) -> list[ExportLine]:
    """Return the files of live memories, as they are."""
    return [ExportLine(path=one.path, content=one.content, updated_at=one.updated_at) for one in memories]


def find_reviewed_lines(
    db: Database, tenant_id: str, store_name: str, read: Sequence[Memory], *, after_path: str, until_path: str | None
) -> list[ExportLine]:
    """Return a part of a store as a person has approved it, by path. Raises NotFoundError.

    Args:
        db: the database.
        tenant_id: the tenant.
        store_name: its store.
        read: every live memory of that part, read before this call: what a dream writes meanwhile cannot slip in.
        after_path: the part begins after this path.
        until_path: the last path of the part; None is the end of the store.
    """
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id
        uow.memories(store_id).lock(())  # no dream writes between the statements below
        found = _find_changed(uow, store_id, read, uow.verdicts(store_id).find_unapproved())
    live = [one for one in found.memories if one.state is MemoryState.LIVE]
    out = [ExportLine(path=path, content=None, updated_at=None, left_out=why) for path, why in found.left_out.items()]
    lines = sorted([*lines_of(live), *out], key=lambda line: line.path)
    return [line for line in lines if after_path < line.path and (until_path is None or line.path <= until_path)]


def _find_changed(
    uow: UnitOfWork, store_id: str, read: Sequence[Memory], unapproved: Sequence[tuple[Effect, ...]]
) -> ReviewedStore:
    """Return the memories that were read, those that a dream changed, and those that have a path of these now."""
    repository = uow.memories(store_id)
    touched = [effect for effects in unapproved for effect in effects]
    ids = {effect.after.id for effect in touched}
    paths = {image.path for effect in touched for image in (effect.before, effect.after) if image is not None}
    now = [*repository.find_live(ids), *repository.find_retired(ids), *repository.find_by_paths(paths).values()]
    return find_reviewed([*(one for one in read if one.id not in ids), *now], unapproved)
