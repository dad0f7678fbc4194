"""Build the parts of tests: memories, stores, dreams that run in this process, and snapshots of a store."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from shared.adapters.inmemory.dispatch import RecordingDispatch, SentChain
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream
from shared.core.memory.model import Author, Memory, Signals
from shared.core.tenants.store import DEFAULT_STORE, PendingMerge, Store
from shared.ports.dreams import RecordedOperation
from shared.ports.llm import Llm, LlmOutcome, LlmReply, LlmUsage
from shared.services.memories.write import NewText, WriteCounts, ensure_store, write_memories
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import ALL_PHASES
from workers.runner.run import run_phases

LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)
#: A model's server that cannot be reached, and is asked again at once: the product's own pauses are five seconds in all.
UNREACHABLE = LlmReply(
    outcome=LlmOutcome.UNREACHABLE, model="scripted", usage=LlmUsage(), retry_after_seconds=0.001, detail="unreachable"
)


def a_memory(path: str = "api/auth.md", content: str = "# Auth\n\nTokens are signed.\n", **values: Any) -> Memory:
    """A live memory that an agent wrote long ago."""
    defaults: dict[str, Any] = {"created_at": LONG_AGO, "updated_at": LONG_AGO, "touched_at": LONG_AGO}
    return Memory(**{"id": f"mem_{uuid4().hex}", "path": path, "content": content, **defaults, **values})


def a_store(ports: Ports, tenant: str, name: str = DEFAULT_STORE, **settings: Any) -> Store:
    """A store, made if it is new, with these settings saved."""
    ensure_store(ports.db, tenant, name)
    with ports.db.transaction(tenant) as uow:
        uow.stores.save(replace(uow.stores.get(name), **settings))
        return uow.stores.get(name)


def texts(contents: Mapping[str, str], *, signals: Signals | None = None, at: datetime | None = None) -> list[NewText]:
    """Texts by path, written at that moment."""
    return [
        NewText(path=path, content=content, signals=signals, created_at=at, written_at=at)
        for path, content in contents.items()
    ]


def write(
    ports: Ports,
    tenant: str,
    contents: Mapping[str, str] | list[NewText],
    *,
    store: str = DEFAULT_STORE,
    author: Author = Author.AGENT,
) -> WriteCounts:
    """Write texts on behalf of an agent into a store, made if it is new."""
    a_store(ports, tenant, store)
    batch = contents if isinstance(contents, list) else texts(contents)
    return write_memories(ports.db, ports.ids, tenant, store, batch, author)


def run_dream(
    ports: Ports, tenant: str, llm: Llm | None = None, *, store: str = DEFAULT_STORE, dream_id: str | None = None
) -> Dream:
    """Run a whole dream in this process, gates forced, and return it as it ended."""
    dispatch = RecordingDispatch()
    model = llm or ScriptedLlm()
    here = replace(ports, dispatch=dispatch, choose_llm=lambda _: model)
    begun = begin_dream(here, tenant, store, force=True, dream_id=dream_id)
    assert begun is not None, f"the dream did not begin: {get_store(ports, tenant, store).last_verdict}"
    chain = dispatch.chains[-1]
    run_chain(here, chain)
    assert finish_dream(here, tenant, begun, chain.epoch)
    return get_dream(ports, tenant, begun)


def run_chain(ports: Ports, chain: SentChain) -> bool:
    """Run a chain's phases as its messages would; return whether it got to its end."""
    by_name = {phase.name: phase for phase in ALL_PHASES}
    left = tuple(by_name[name] for name in chain.phases)
    while left:
        key = PhaseKey(tenant_id=chain.tenant_id, dream_id=chain.dream_id, epoch=chain.epoch, phase=left[0].name)
        through = run_phases(ports, left, key).ended
        if not through:
            return False
        left = left[through:]
    return True


def get_dream(ports: Ports, tenant: str, dream_id: str) -> Dream:
    with ports.db.transaction(tenant) as uow:
        return uow.dreams.get(dream_id)


def get_store(ports: Ports, tenant: str, store: str = DEFAULT_STORE) -> Store:
    with ports.db.transaction(tenant) as uow:
        return uow.stores.get(store)


def get_operations(ports: Ports, tenant: str, dream_id: str) -> list[RecordedOperation]:
    with ports.db.transaction(tenant) as uow:
        return uow.operations.find_all(dream_id)


@dataclass(frozen=True, kw_only=True)
class Picture:
    """Everything that undo promises to restore. A memory's version number only ever grows, so it is left out."""

    memories: dict[str, Memory]  # live, archived and superseded, by id
    merges: list[PendingMerge]
    cursors: dict[str, int]  # how far each session was gathered
    books: dict[str, object]


#: Moved by checks and activity, not by dreams.
_NOT_BOOKS = frozenset({"next_check_at", "last_check_at", "last_verdict", "digest_check_at", "compaction_check_at"})


def take_picture(ports: Ports, tenant: str, store: str = DEFAULT_STORE) -> Picture:
    """Everything of a store that undo promises to restore."""
    with ports.db.transaction(tenant) as uow:
        found = uow.stores.get(store)
        memories = uow.memories(found.id)
        everything = [*memories.find_live(), *memories.find_retired()]
        return Picture(
            memories={memory.id: replace(memory, version=0) for memory in everything},
            merges=uow.merges(found.id).find_open(),
            cursors={one.id: one.gathered_position for one in uow.sessions(found.id).find_recent(100)},
            books={f.name: getattr(found, f.name) for f in fields(found) if f.name not in _NOT_BOOKS},
        )
