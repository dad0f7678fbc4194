"""A store in which every kind of writer acts in any order, and what must hold afterwards.

Each text carries a word of its own. An actor that takes a word off the live memories must have had a reason to.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from uuid import uuid4

import psycopg
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import UNDOABLE_STATES, OperationState
from shared.core.errors import ConflictError
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Author, Memory, MemoryKind, MemoryState, Signals, kind_of
from shared.core.questions.question import Question
from shared.ports.memories import MemoryVersion
from shared.services.memories.edit import Expected, MemoryEdit, archive_memory, edit_memory
from shared.services.memories.read import search_memories
from shared.services.memories.redact import redact_version
from shared.services.memories.write import NewText, write_memories
from shared.services.operations.review import approve_operation, reject_operation
from shared.services.operations.undo import undo_dream
from tests.support.builders import a_store, get_dream, get_operations, run_dream
from tests.support.model.over import OVER, archive
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.prune.answer import PruneAnswer, PruneDecision

PATHS = ("a/one.md", "a/two.md", "a/three.md", "b/one.md")
TEXTS = 4
LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)
_PROFILE = {"gates.enabled": True, "phases.consolidate": True, "phases.prune": True, "phases.maintain": True}
_SHARED = "The login page signs its cookies and sends them over secure connections."
#: What each text says besides; nothing of it contradicts another one's.
_OWN = (
    "The painters left {} beside the ladder.", "The bakers ask {} for the recipe.",
    "The gardener keeps {} in the shed.", "A singer named {} came to the party.",
)  # fmt: skip
_COLUMNS = """
    SELECT c.table_name, c.column_name FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
      AND c.data_type IN ('text', 'json', 'jsonb', 'ARRAY', 'character varying')"""


@dataclass
class StoreActors:
    """The real thing for one tenant, and the words that are live in it."""

    ports: Ports
    owner: psycopg.Connection
    tenant: str = field(default_factory=lambda: f"t{uuid4().hex}")
    dreams: list[str] = field(default_factory=list)
    redacted: set[str] = field(default_factory=set)
    live: set[str] = field(default_factory=set)
    log: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        letters = str.maketrans("0123456789", "ghijklmnop")
        self.words = [f"zq{uuid4().hex[:10].translate(letters)}" for _ in range(TEXTS)]
        self.store_id = a_store(self.ports, self.tenant, profile="swarmclaw", overrides=_PROFILE).id

    def write(self, path: str, number: int, author: Author, *, overwrite: bool, is_old: bool) -> None:
        said = self._at(path)
        at = LONG_AGO if is_old else None
        text = NewText(
            path=path, content=self.text(number), signals=Signals(importance=10), created_at=at, written_at=at,
            overwrites=overwrite,
        )  # fmt: skip
        counts = write_memories(self.ports.db, self.ports.ids, self.tenant, "default", [text], author)
        self._step(f"write {path} {number} {author} {overwrite} {counts}", may_lose=said)
        if counts.created or counts.updated:
            assert self.words[number] in self._at(path)

    def edit(self, path: str, number: int | None, to: str | None) -> None:
        if (memory := self._find(path)) is None:
            return
        said = self.words_of(memory.content)
        edit = MemoryEdit(
            content=None if number is None else self.text(number), path=to, pinned=not memory.signals.pinned
        )
        try:
            edit_memory(self.ports.db, self.tenant, "default", memory.id, edit, expected=Expected(), author=Author.USER)
        except ConflictError as error:
            self._step(f"edit {path}: {error}")
            return
        self._step(f"edit {path} {number} {to}", may_lose=said if number is not None else set())

    def archive(self, path: str) -> None:
        if (memory := self._find(path)) is not None:
            archive_memory(self.ports.db, self.tenant, "default", memory.id, expected=Expected(), actor="a test")
            self._step(f"archive {path}", may_lose=self.words_of(memory.content))

    def dream(self, seed: int) -> None:
        dream = run_dream(self.ports, self.tenant, ScriptedLlm(_decide(Random(seed))))
        self.dreams.append(dream.id)
        self._step(f"dream {seed} {dream.state} {self._kinds(dream.id)}", may_lose=self._archived_by(dream.id))

    def undo(self, pick: int, *, force: bool) -> None:
        ids = [one for one in self.dreams if get_dream(self.ports, self.tenant, one).state in UNDOABLE_STATES]
        if not ids:
            return
        chosen = ids[-1 - pick % len(ids)]
        written = self._written_after(chosen) if force else set()
        report = undo_dream(self.ports.db, self.tenant, chosen, actor="a test", force=force)
        self._step(f"undo {chosen} {force} {report.conflicts}", may_lose=written)

    def review(self, pick: int, *, approve: bool) -> None:
        with self.ports.db.transaction(self.tenant) as uow:
            pending = uow.operations.find_pending(store_id=self.store_id, limit=50)
        if not pending:
            return
        one = pending[pick % len(pending)]
        try:
            if approve:
                approve_operation(self.ports.db, self.ports.ids, self.tenant, one.id, actor="a test")
            else:
                reject_operation(self.ports.db, self.tenant, one.id, actor="a test")
        except ConflictError as error:
            self._step(f"verdict {one.operation.kind}: {error}")
            return
        self._step(f"verdict {approve} {one.operation.kind}", may_lose=self._archived_by(one.dream_id))

    def redact(self, pick: int) -> None:
        """Redact every version that says a word which nothing live says any more."""
        gone = [word for word in self.words if word not in self.live and word not in self.redacted]
        if not gone:
            return
        word = gone[pick % len(gone)]
        for version in self._history():
            if word in version.content and kind_of(version.path) is MemoryKind.TOPIC:
                redact_version(
                    self.ports.db, self.tenant, self.store_id, version.memory_id, version.version, actor="a test"
                )
        self.redacted.add(word)
        self._step(f"redact {word}")

    def check(self) -> None:
        """Check the invariants that hold between any two steps."""
        with self.ports.db.transaction(self.tenant) as uow:
            memories = {
                one.id: one
                for one in uow.memories(self.store_id).lock(uow.store_listing.find_memory_ids(self.store_id)).values()
            }
        histories: dict[str, list[MemoryVersion]] = {memory_id: [] for memory_id in memories}
        for version in self._history():
            histories[version.memory_id].append(version)
        for memory_id, history in histories.items():
            head = memories[memory_id]
            assert [one.version for one in history] == list(range(head.version, 0, -1)), self.log
            if history[0].redacted_at is None:
                assert (history[0].content, history[0].path, history[0].state) == (head.content, head.path, head.state)
        for word in self.words:
            holders = {m.path for m in memories.values() if m.state is MemoryState.LIVE and word in m.content}
            found = search_memories(self.ports.db, self.ports.search, self.tenant, "default", word, 20)
            assert holders == {hit.path for hit in found if not hit.is_archived}, self.log
        for word in self.redacted - self.live:
            assert list(self._places(word)) == [], (word, self.log)

    def text(self, number: int) -> str:
        return f"# Cookies\n\n{_SHARED} {_OWN[number].format(self.words[number])} {OVER}\n"

    def words_of(self, text: str) -> set[str]:
        return {word for word in self.words if word in text}

    def _step(self, what: str, may_lose: Collection[str] = ()) -> None:
        self.log.append(what)
        with self.ports.db.transaction(self.tenant) as uow:
            contents = [
                one.content for one in uow.memories(self.store_id).find_live() if kind_of(one.path) is MemoryKind.TOPIC
            ]
        now = {word for content in contents for word in self.words_of(content)}
        lost = (self.live - now).difference(may_lose)
        assert not lost, (lost, self.log)
        self.live = now
        self.redacted -= now

    def _at(self, path: str) -> set[str]:
        memory = self._find(path)
        return self.words_of(memory.content) if memory else set()

    def _find(self, path: str) -> Memory | None:
        with self.ports.db.transaction(self.tenant) as uow:
            return uow.memories(self.store_id).find_by_path(path)

    def _history(self) -> list[MemoryVersion]:
        with self.ports.db.transaction(self.tenant) as uow:
            ids = uow.store_listing.find_memory_ids(self.store_id)
            return [one for memory_id in ids for one in uow.memories(self.store_id).find_history(memory_id)]

    def _kinds(self, dream_id: str) -> list[str]:
        return [f"{op.operation.kind}/{op.state}" for op in get_operations(self.ports, self.tenant, dream_id)]

    def _archived_by(self, dream_id: str) -> set[str]:
        effects = [
            effect
            for op in get_operations(self.ports, self.tenant, dream_id)
            if op.state is OperationState.APPLIED
            for effect in op.effects
        ]
        archived = [effect for effect in effects if effect.after.state is MemoryState.ARCHIVED]
        return {word for effect in archived for word in self.words_of(effect.after.content)}

    def _written_after(self, dream_id: str) -> set[str]:
        """Return the writes to memories that a forced undo overrides."""
        ids = {e.after.id for op in get_operations(self.ports, self.tenant, dream_id) for e in op.effects}
        return {word for one in self._history() if one.memory_id in ids for word in self.words_of(one.content)}

    def _places(self, word: str) -> Iterator[str]:
        self.owner.execute("SELECT set_config('slowwave.tenant_id', %s, false)", (self.tenant,))
        for table, column in self.owner.execute(_COLUMNS).fetchall():
            query = f'SELECT FROM "{table}" WHERE "{column}"::text LIKE %s'
            if self.owner.execute(query.encode(), (f"%{word}%",)).fetchone() is not None:
                yield f"{table}.{column}"


def _decide(random: Random) -> Callable[[Question], BaseModel | None]:
    """A model that merges two of what it is offered, or archives some of it."""

    def decide(question: Question) -> BaseModel | None:
        offered = {document.path: document.text for document in question.documents}
        if question.phase == "consolidate" and len(offered) > 1:
            files = tuple(random.sample(sorted(offered), 2))
            said = [line for path in files for line in body_of(offered[path]).splitlines() if not line.startswith("#")]
            content = "# Both\n\n" + "\n".join(dict.fromkeys(line for line in said if line)) + "\n"
            return ConsolidateAnswer(
                actions=(ConsolidateAction(type="MERGE", files=files, output_file=files[0], merged_content=content),)
            )
        if question.phase == "prune":
            return PruneAnswer(
                decisions=tuple(
                    random.choice((archive(path), PruneDecision(file=path, decision="KEEP")))
                    for path in sorted(offered)
                )
            )
        return None

    return decide
