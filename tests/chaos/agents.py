"""Agents that write and dream, and people who undo and review, while the system is hurt; each knows what was written."""

import contextlib
import random
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import uuid4

import psycopg
from pydantic import SecretStr

from shared.all_ports import Ports
from shared.bootstrap import make_ports
from shared.core.dream.model import UNDOABLE_STATES, Trigger
from shared.core.errors import ConflictError, NotFoundError, SlowwaveError
from shared.core.memory.model import Author, Signals
from shared.services.dreams.send import send_dream
from shared.services.dreams.start import start_dream
from shared.services.memories.write import NewText, ensure_store, write_memories
from shared.services.operations.review import approve_operation, reject_operation
from shared.services.operations.undo import undo_dream
from shared.settings import Settings
from tests.chaos.system import System, wait_for_endpoints
from tests.support.servers import plain_url

_SUBJECTS = ("retry", "label", "invoice", "printer", "webhook", "refund", "login", "outage")
_LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)
_DOMAINS = ("api", "billing", "ops")
#: Two of a tenant, so that its cap of one dream at a time has something to hold back.
_STORES = ("default", "other")


@dataclass
class Agent:
    """One tenant's agent. `written` holds the mark of every text whose write is known to be committed."""

    system: System
    tenant: str
    seed: int
    written: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Write and dream until told to stop, however often a server is away."""
        chance = random.Random(self.seed)
        while not self.stop.is_set():
            try:
                ports = open_now(self.system)
            except (AssertionError, SlowwaveError):
                continue
            try:
                for store in _STORES:
                    ensure_store(ports.db, self.tenant, store)
                while not self.stop.is_set():
                    self._step(ports, chance)
            except SlowwaveError:
                time.sleep(0.2)
            finally:
                ports.close()

    def _step(self, ports: Ports, chance: random.Random) -> None:
        store = chance.choice(_STORES)
        self._write(ports, store, chance)
        if chance.random() < 0.5:
            started = start_dream(ports.db, self.tenant, store, trigger=Trigger.API, force=True)
            if started.dream is not None:
                send_dream(ports.db, ports.dispatch, started.dream)
        if chance.random() < 0.1:
            with contextlib.suppress(ConflictError, NotFoundError):  # another agent was faster, or there is nothing yet
                self._look_back(ports, store, chance)
        self.stop.wait(chance.uniform(0.05, 0.4))

    def _look_back(self, ports: Ports, store: str, chance: random.Random) -> None:
        """Undo a dream, or give a verdict on an operation."""
        with ports.db.transaction(self.tenant) as uow:
            store_id = uow.stores.get(store).id
            dreams = uow.dreams.find_recent(store_id=store_id, states=UNDOABLE_STATES, limit=3)
            pending = uow.operations.find_pending(store_id=store_id, limit=10)
        if dreams and chance.random() < 0.5:
            undo_dream(ports.db, self.tenant, chance.choice(dreams).id, actor="a person")
        elif pending and chance.random() < 0.5:
            approve_operation(ports.db, ports.ids, self.tenant, chance.choice(pending).id, actor="a person")
        elif pending:
            reject_operation(ports.db, self.tenant, chance.choice(pending).id, actor="a person")

    def _write(self, ports: Ports, store: str, chance: random.Random) -> None:
        """Write a text of its own; when the answer is lost, look whether it was committed."""
        mark = uuid4().hex
        subject = chance.choice(_SUBJECTS)
        path = f"{chance.choice(_DOMAINS)}/{subject}-{mark[:8]}.md"
        body = f"# {subject}\n\nThe {subject} of parcel {mark} is handled within {chance.randint(2, 900)} seconds.\n"
        try:
            write_memories(ports.db, ports.ids, self.tenant, store, [_text(path, body, chance)], Author.AGENT)
        except SlowwaveError:
            if is_written(self.system, mark):
                self.written.append(mark)
            raise
        self.written.append(mark)


def _text(path: str, body: str, chance: random.Random) -> NewText:
    """A text; one in four faded long ago, so that prune has candidates and suggests merges."""
    if chance.random() < 0.75:
        return NewText(path=path, content=body)
    return NewText(
        path=path, content=body, signals=Signals(importance=10), created_at=_LONG_AGO, written_at=_LONG_AGO
    )  # fmt: skip


def open_now(system: System, seconds: float = 20.0) -> Ports:
    """Return ports to the servers as soon as both answer, or raise after the given seconds."""
    endpoints = wait_for_endpoints(system, seconds)
    return make_ports(
        Settings(
            data_dir=system.data_dir,
            database_url=SecretStr(endpoints.database_url),
            owner_database_url=SecretStr(endpoints.owner_database_url),
            redis_url=SecretStr(endpoints.redis_url),
        )
    )


def is_written(system: System, mark: str) -> bool:
    """Tell whether a text was committed, asking until the database answers."""
    while True:
        try:
            url = plain_url(wait_for_endpoints(system).owner_database_url)
            with psycopg.connect(url) as owner:
                row = owner.execute(
                    "SELECT 1 FROM memory_versions WHERE change = 'create' AND content LIKE %s", (f"%{mark}%",)
                ).fetchone()
                return row is not None
        except psycopg.Error:
            time.sleep(0.2)
