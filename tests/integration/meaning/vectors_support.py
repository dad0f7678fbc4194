"""Stores of a few notes, their vectors, and what is left of these."""

from dataclasses import replace

from shared.all_ports import Ports
from shared.core.memory.model import MemoryState
from shared.ports.memories import MemoryWrite
from shared.services.memories.vectors import VectorLimits, VectorsMade, make_vectors
from tests.integration.meaning.embedders import SubjectEmbedder
from tests.support.builders import a_store

NOTES = {
    "ops/db.md": "The production database is PostgreSQL.\n",
    "ops/release.md": "We deploy on Thursdays.\n",
    "web/cookie.md": "The login page signs its cookies.\n",
}


def fill(ports: Ports, tenant: str, embedder: SubjectEmbedder, texts: int = 100) -> VectorsMade:
    limits = VectorLimits(texts=texts, seconds=600)
    return make_vectors(ports.db, embedder, tenant, a_store(ports, tenant).id, limits)


def find_paths(ports: Ports, tenant: str, model: str = "subjects") -> set[str]:
    """The paths of the memories that have a vector."""
    store_id = a_store(ports, tenant).id
    with ports.db.transaction(tenant) as uow:
        found = uow.vectors(store_id).find_written(model, None).vectors
        return {one.path for one in uow.memories(store_id).find_live(list(found))} if found else set()


def count_vectors(ports: Ports, tenant: str, model: str = "subjects") -> int:
    store_id = a_store(ports, tenant).id
    with ports.db.transaction(tenant) as uow:
        return len(uow.vectors(store_id).find_written(model, None).vectors)


def retire(ports: Ports, tenant: str, path: str, state: MemoryState) -> str:
    """Retire the memory at a path, and return its id."""
    store_id = a_store(ports, tenant).id
    with ports.db.transaction(tenant) as uow:
        memory = uow.memories(store_id).find_by_path(path)
        assert memory is not None
        uow.memories(store_id).lock([memory.id])
        gone = replace(memory, state=state, version=memory.version + 1)
        uow.memories(store_id).write([MemoryWrite(memory=gone, change="archive")])
        return memory.id
