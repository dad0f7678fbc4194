"""Copy a store: its memories with their lineage, its hints and its settings, not its versions, sessions and dreams."""

from dataclasses import replace

from shared.core.cards import MAX_TITLE_CHARS, StoreCard
from shared.ports.database import UnitOfWork
from shared.ports.ids import Ids
from shared.services.describe_store import add_described_store

_ENDING = " (dreamed)"


def copy_store(uow: UnitOfWork, ids: Ids, source: StoreCard) -> StoreCard:
    """Make a copy in the caller's transaction: a copy that fails leaves nothing behind, not even an empty store."""
    title = (source.title or source.name)[: MAX_TITLE_CHARS - len(_ENDING)] + _ENDING
    copied = add_described_store(uow, ids, title=title, description=source.description, labels=source.labels)
    original, made = uow.stores.get(source.name), uow.stores.get(copied.name)
    uow.stores.save(replace(made, profile=original.profile, overrides=original.overrides, autonomy=original.autonomy))
    new_ids = {memory_id: ids.new("mem") for memory_id in uow.store_cards.find_memory_ids(source.id)}
    uow.store_cards.copy_memories(source.id, copied.id, new_ids)
    return copied
