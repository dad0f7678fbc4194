"""Every writer of a store, as actors that a test runs on one store at the same moment."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from uuid import uuid4

from shared.all_ports import Ports
from shared.core.errors import BadInputError, ConflictError, NotFoundError
from shared.core.memory.model import MemoryKind, Signals, kind_of
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.memories.write import NewText
from tests.support.model.over import OVER

#: How a writer that comes too late is refused; anything else is an error of slowwave.
REFUSALS = (ConflictError, NotFoundError, BadInputError)
SUBJECTS = ("retry", "label", "invoice", "printer")
PATHS = tuple(f"{domain}/{subject}.md" for domain in ("api", "ops", "billing") for subject in SUBJECTS)
_LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass
class Crowd:
    """Actors on one store. `marks` are texts that were written, `errors` all unexpected exceptions."""

    ports: Ports
    tenant: str
    seed: int
    store: str = DEFAULT_STORE
    marks: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    dreamt: list[str] = field(default_factory=list)

    def run(self, actors: Mapping[str, "Act"], dreams: int) -> None:
        """Run every actor on a thread of its own until the given number of dreams have ended."""
        over = threading.Event()
        others = [name for name in actors if name != "dream"]
        threads = [
            threading.Thread(target=self._act, args=(name, actors[name], lambda _: not over.wait(0.03)))
            for name in others
        ]
        for thread in threads:
            thread.start()
        self._act("dream", actors["dream"], lambda tried: self.done["dream"] < dreams and tried < 10 * dreams)
        over.set()
        for thread in threads:
            thread.join()

    def _act(self, name: str, act: "Act", goes_on: Callable[[int], bool]) -> None:
        chance = random.Random(f"{self.seed} {name}")
        for tried in count():
            if not goes_on(tried):
                return
            try:
                act(self, chance)
                self.done[name] += 1
            except REFUSALS:
                self.done[f"{name} refused"] += 1
            except Exception as error:  # noqa: BLE001 - the test shows all of them
                self.errors.append(f"{name}: {type(error).__name__}: {error}")

    def a_text(self, chance: random.Random, path: str) -> NewText:
        """A text with a mark of its own, which is to be found for ever once it is written."""
        mark = uuid4().hex
        subject = path.split("/")[1].removesuffix(".md")
        body = f"# {subject}\n\nThe {subject} of parcel {mark} is handled within {chance.randint(2, 900)} seconds. {OVER}\n"
        old = {"signals": Signals(importance=10), "created_at": _LONG_AGO, "written_at": _LONG_AGO}
        return NewText(path=path, content=body, **(old if chance.random() < 0.6 else {}))  # type: ignore[arg-type] # mixed on purpose

    def some_memory(self, chance: random.Random) -> tuple[str, str]:
        """Id and text of a live memory."""
        with self.ports.db.transaction(self.tenant) as uow:
            texts = uow.memories(uow.stores.get(self.store).id).find_texts()
        found = [one for one in texts if kind_of(one.path) is MemoryKind.TOPIC]
        if not found:
            raise NotFoundError
        chosen = chance.choice(found)
        return chosen.id, chosen.text

    def some_dream(self, chance: random.Random, states: Sequence[str]) -> str:
        with self.ports.db.transaction(self.tenant) as uow:
            found = uow.dreams.find_recent(states=states, limit=5)  # type: ignore[arg-type] # a StrEnum
        if not found:
            raise NotFoundError
        return chance.choice(found).id


Act = Callable[[Crowd, random.Random], object]
