"""A walk through verdicts, undos, redos, edits, redactions and dreams of one store, beside what should hold after each step."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import uuid4

import psycopg

from shared.all_ports import Ports
from shared.core.dream.model import DreamState, OperationState, ReviewState
from shared.core.dream.operations import KINDS
from shared.core.errors import ConflictError
from shared.core.memory.index_text import pointed_to
from shared.core.memory.model import Author, Memory, MemoryKind, MemoryState, kind_of
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import MemoryVersion
from shared.services.memories.redact import redact_version
from shared.services.operations.redo import redo_dream
from shared.services.operations.review import approve_operation, reject_operation, reopen_operation
from shared.services.operations.undo import undo_dream
from tests.integration.undo.invented_dreams import invent_llm
from tests.integration.undo.undo_support import Dreamt, ask_anew, dream_of_everything, want_updates_too
from tests.support.builders import a_store, get_dream, get_operations, run_dream, take_picture, write
from tests.support.database.columns import find_columns_holding

APPLIED, PROPOSED, SKIPPED, REJECTED, UNDONE = (
    OperationState.APPLIED,
    OperationState.PROPOSED,
    OperationState.SKIPPED,
    OperationState.REJECTED,
    OperationState.UNDONE,
)
#: What an operation may be: its state, its review, and whether it was recorded as a proposal. One that was is in force only
#: with an approval.
ALLOWED = {
    *((SKIPPED, ReviewState.NONE, was_proposed) for was_proposed in (False, True)),
    *((REJECTED, ReviewState.REJECTED, was_proposed) for was_proposed in (False, True)),
    *((UNDONE, ReviewState.REJECTED, was_proposed) for was_proposed in (False, True)),
    *((APPLIED, ReviewState.APPROVED, was_proposed) for was_proposed in (False, True)),
    (APPLIED, ReviewState.NONE, False),
    (APPLIED, ReviewState.PENDING, False),
    (PROPOSED, ReviewState.PENDING, True),
}
EDITED = ("web/cookies.md", "web/pages.md", "api/rollout.md", "old/chairs.md", "office/door.md", "MEMORY.md")
_ACTOR = "a walker"
_T = TypeVar("_T")


def pick(among: Sequence[_T], number: int) -> _T | None:
    """Return one of these, or None if there are none."""
    return among[number % len(among)] if among else None


@dataclass(kw_only=True)
class Walk:
    """One store and what is known of it. Each step may be refused with a ConflictError, which changes nothing."""

    ports: Ports
    owner: psycopg.Connection
    tenant: str
    dreams: list[str]
    #: By a word that only this edit has said, its path. A word that was overwritten by hand is taken out.
    by_hand: dict[str, str] = field(default_factory=dict)
    redacted: set[str] = field(default_factory=set)
    said: int = 0

    @classmethod
    def begin(cls, ports: Ports, owner: psycopg.Connection, dreamt: Dreamt) -> "Walk":
        return cls(ports=ports, owner=owner, tenant=dreamt.tenant, dreams=[dreamt.dream.id])

    def step(self, name: str, number: int) -> None:
        """Do one step, and check what should hold after it."""
        steps: dict[str, Callable[[int], None]] = {
            "approve": self.approve, "reject": self.reject, "reopen": self.reopen, "undo": self.undo, "redo": self.redo,
            "edit": self.edit, "redact": self.redact, "dream": self.dream,
        }  # fmt: skip
        steps[name](number)
        self.check()

    # Steps.

    def approve(self, number: int) -> None:
        """Approve what waits; a proposal that is reopened at once leaves nothing behind."""
        one = pick([one for one in self.operations() if one.review is ReviewState.PENDING], number)
        if one is None:
            return
        before = self.live()
        try:
            approve_operation(
                self.ports.db, self.ports.ids, self.tenant, one.id, actor=_ACTOR, accepts_change=bool(number % 2)
            )
        except ConflictError:
            assert self.live() == before
            return
        if one.state is APPLIED:
            assert self.live() == before, f"the approval of {one.id}, which was in force, changed texts"
        self._reopen_at_once(one, before, number)

    def reject(self, number: int) -> None:
        """Reject what waits, or what was applied without a review."""
        open_ones = [
            one
            for one in self.operations()
            if one.review is ReviewState.PENDING or (one.state is APPLIED and one.review is ReviewState.NONE)
        ]
        one = pick(open_ones, number)
        if one is None:
            return
        before = self.live()
        try:
            reject_operation(self.ports.db, self.tenant, one.id, actor=_ACTOR, force=number % 5 == 0)
        except ConflictError:
            assert self.live() == before
            return
        if one.state is PROPOSED:
            assert self.live() == before, f"the rejection of {one.id}, a proposal, changed texts"
        if number % 5:
            self._reopen_at_once(one, before, number)

    def _reopen_at_once(self, one: RecordedOperation, before: dict[str, str], number: int) -> None:
        """Reopen what was just decided; it is as before then.

        Not promised for a rejection of what an undo of its dream left in force: that dream has to be redone first.
        """
        if one.state is APPLIED and self._state(one.dream_id) is DreamState.UNDONE and self._is_rejected(one):
            return
        if number % 3 or one.review is ReviewState.NONE or one.operation.kind == "PUT_BACK":
            return
        again = reopen_operation(self.ports.db, self.tenant, one.id, actor=_ACTOR)
        assert (again.state, again.review) == (one.state, one.review)
        assert self.live() == before, f"{one.id} was reopened at once, and left something behind"

    def reopen(self, number: int) -> None:
        """Take a verdict back."""
        decided = {ReviewState.APPROVED, ReviewState.REJECTED}
        one = pick([one for one in self.operations() if one.review in decided], number)
        if one is None:
            return
        before = self.live()
        try:
            again = reopen_operation(self.ports.db, self.tenant, one.id, actor=_ACTOR, force=number % 5 == 0)
        except ConflictError:
            assert self.live() == before
            return
        assert again.review is ReviewState.PENDING
        assert (again.state is PROPOSED) == one.was_proposed

    def undo(self, number: int) -> None:
        """Undo a dream; a redo at once is the identity."""
        dream_id = pick([one for one in self.dreams if self._state(one) is not DreamState.UNDONE], number)
        if dream_id is None:
            return
        before, states = self.live(), self.states()
        try:
            report = undo_dream(self.ports.db, self.tenant, dream_id, actor=_ACTOR, force=number % 5 == 0)
        except ConflictError:
            assert self.live() == before
            return
        if number % 2 or report.conflicts or report.proposals or report.merged:
            return
        if redo_dream(self.ports.db, self.tenant, dream_id, actor=_ACTOR).conflicts:
            return  # it says what stays undone, and another redo may follow
        assert self.live() == before, "undo, then redo, is not the identity for texts"
        assert self.states() == states, "undo, then redo, is not the identity for operations"

    def redo(self, number: int) -> None:
        """Redo an undone dream."""
        dream_id = pick([one for one in self.dreams if self._state(one) is DreamState.UNDONE], number)
        if dream_id is not None:
            before = self.live()
            try:
                redo_dream(self.ports.db, self.tenant, dream_id, actor=_ACTOR, force=number % 5 == 0)
            except ConflictError:
                assert self.live() == before

    def edit(self, number: int) -> None:
        """Write by hand: a new memory, another text, or a line more."""
        self.said += 1
        word, mode = f"zq{self.said}x{uuid4().hex[:9]}", number % 3
        path = EDITED[number % len(EDITED)] if mode else f"new/shelf-{self.said}.md"
        old = self.live().get(path, "")
        sentence = f"The shelf with the number {word} is in room {number}."
        text = f"# By hand\n\n{sentence}\n" if mode < 2 or not old else f"{old.rstrip()}\n\n{sentence}\n"
        write(self.ports, self.tenant, {path: text})
        self._overwrite(old, text)
        self.by_hand[word] = path

    def redact(self, number: int) -> None:
        """Write something else wherever a word is live, then redact every version that says it."""
        word = pick(sorted(self.by_hand), number)
        if word is None:
            return
        home = self.by_hand.pop(word)
        for memory in self._memories():
            if memory.state is MemoryState.LIVE and _says(memory, word, home):
                text = f"# Nothing\n\nNothing is left here since step {self.said}.\n"
                write(self.ports, self.tenant, {memory.path: text})
                self._overwrite(memory.content, text)
        store = a_store(self.ports, self.tenant)
        for one in self._versions():
            if _says(one, word, home):
                redact_version(self.ports.db, self.tenant, store.id, one.memory_id, one.version, actor=_ACTOR)
        self.redacted.add(word)
        self.end()

    def dream(self, number: int) -> None:
        """Ask the same again, of a model that wants everything or one that is made up."""
        ask_anew(self.ports, self.tenant)
        before, states, verdicts = self.live(), self.states(), list(self._rejected())
        made = (
            run_dream(self.ports, self.tenant, invent_llm(number))
            if number % 2
            else dream_of_everything(self.ports, self.tenant, want_updates_too)
        )
        self.dreams.append(made.id)
        done = get_operations(self.ports, self.tenant, made.id)
        changed = {path for path, text in (before.items() ^ self.live().items())}
        explained = {e.after.path for one in done if one.state is APPLIED for e in one.effects}
        assert changed <= explained, f"{changed - explained} changed without an operation that is in force"
        now = self.states()
        for one, state in states.items():
            replaced = state[0] is PROPOSED and now[one] == (SKIPPED, ReviewState.NONE)
            assert replaced or now[one] == state, f"the dream changed the verdict on {one}: {state} to {now[one]}"
        again = [one for one in done if one.state in {APPLIED, PROPOSED} and _sign(one) in verdicts]
        assert not again, f"{again[0].id} repeats what was rejected: {again[0].operation.kind}"

    # What is known, and what should hold.

    def check(self) -> None:
        """Check the states of all operations, that no edit is lost, and that each index points to what is there."""
        found = self.operations()
        for one in found:
            assert (one.state, one.review, one.was_proposed) in ALLOWED, (
                one.id,
                one.operation.kind,
                one.state,
                one.review,
            )
        live = self.live()
        led = {target for path in live if kind_of(path) is MemoryKind.INDEX for target in pointed_to(path, live[path])}
        assert led <= live.keys(), "an index points to a memory that is gone"
        texts = list(live.values())
        for word, path in self.by_hand.items():
            is_live = any(word in text for text in texts)
            assert is_live or any(_accounts_for(one, word) for one in found), f"{word} in {path} has disappeared"

    def end(self) -> None:
        """Check that no redacted word is anywhere."""
        for word in self.redacted:
            found = find_columns_holding(self.owner, self.tenant, word)
            assert found == [], f"{word} was redacted, and is in {found}"

    def operations(self) -> list[RecordedOperation]:
        return [one for dream_id in self.dreams for one in get_operations(self.ports, self.tenant, dream_id)]

    def states(self) -> dict[str, tuple[OperationState, ReviewState]]:
        return {one.id: (one.state, one.review) for one in self.operations()}

    def live(self) -> dict[str, str]:
        return {one.path: one.content for one in self._memories() if one.state is MemoryState.LIVE}

    def _overwrite(self, old: str, new: str) -> None:
        for word in [word for word in self.by_hand if word in old and word not in new]:
            del self.by_hand[word]

    def _state(self, dream_id: str) -> DreamState:
        return get_dream(self.ports, self.tenant, dream_id).state

    def _memories(self) -> list[Memory]:
        return list(take_picture(self.ports, self.tenant).memories.values())

    def _versions(self) -> list[MemoryVersion]:
        store = a_store(self.ports, self.tenant)
        with self.ports.db.transaction(self.tenant) as uow:
            ids = uow.store_listing.find_memory_ids(store.id)
            return [one for memory_id in ids for one in uow.memories(store.id).find_history(memory_id)]

    def _is_rejected(self, one: RecordedOperation) -> bool:
        return self.states()[one.id][1] is ReviewState.REJECTED

    def _rejected(self) -> Iterator[tuple[object, ...]]:
        for one in self.operations():
            if one.review is ReviewState.REJECTED and one.effects and KINDS[one.operation.kind].needs_approval:
                yield _sign(one)


def _sign(one: RecordedOperation) -> tuple[object, ...]:
    """Return the kind of an operation, the texts that it is about and those that it writes: equal for two of which one is enough."""
    before = {(e.before.id, e.before.content) for e in one.effects if e.before is not None}
    after = {(e.after.path, e.after.content, e.after.state, e.after.superseded_by) for e in one.effects}
    return one.operation.kind, frozenset(before), frozenset(after)


def _accounts_for(one: RecordedOperation, word: str) -> bool:
    """Tell whether an operation that a person can take back, or decide, holds a word."""
    if one.state is APPLIED:
        return any(e.before is not None and word in e.before.content for e in one.effects)
    return one.was_proposed and any(word in e.after.content for e in one.effects)


def _says(one: Memory | MemoryVersion, word: str, home: str) -> bool:
    """Tell whether a text says a word that was written at `home`, other than in what an index generates."""
    is_generated = one.author is Author.DREAM and kind_of(one.path) is MemoryKind.INDEX
    return word in one.content and (not is_generated or home == one.path)
