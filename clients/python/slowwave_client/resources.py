"""The face for a thread that waits: `client.dreams`, `client.memories`, `client.sessions` and so on.

`async_resources` has the same with `await`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from slowwave_client import lists, steps
from slowwave_client.connection import Connection
from slowwave_client.models import (
    Appended,
    Arm,
    Dream,
    DreamNow,
    Evaluation,
    EvaluationDetail,
    EventInput,
    Hit,
    Log,
    Memory,
    MemoryLine,
    Operation,
    Probes,
    Redo,
    Session,
    State,
    Store,
    Undo,
)


class Dreams:
    """The dreams of a tenant."""

    def __init__(self, connection: Connection, store: str) -> None:
        self._connection, self._store = connection, store

    def start(
        self,
        store: str | None = None,
        *,
        force: bool = False,
        dry_run: bool = False,
        only: Literal["digest", "compaction"] | None = None,
        idempotency_key: str | None = None,
    ) -> Dream:
        """Start a dream of a store. Raises ConflictError with the gate's reason if one is shut.

        Args:
            store: the store; the client's own if left out.
            force: skip the gates that wait for time or activity. Needs an admin's key.
            dry_run: run every phase, but apply nothing.
            only: run only a daily digest or a compaction.
            idempotency_key: any text; for a day, the same text gets the same dream.
        """
        return self._connection.run(
            steps.start_dream(store or self._store, force=force, dry_run=dry_run, only=only, again=idempotency_key)
        )

    def wait(self, dream_id: str, *, seconds: float | None = None) -> DreamNow:
        """Return a dream once it has ended. Raises WaitTooLongError if it has not after so many seconds."""
        return self._connection.run(steps.wait_for_dream(dream_id, seconds))

    def get(self, dream_id: str) -> DreamNow:
        """Return a dream with its phases and its progress."""
        return self._connection.run(steps.get_dream(dream_id))

    def log(self, dream_id: str) -> Log:
        """Return what a dream did and why, and what it cost."""
        return self._connection.run(steps.get_dream_log(dream_id))

    def list(
        self, store: str | None = None, *, state: str | None = None, since: datetime | None = None
    ) -> Iterator[Dream]:
        """Yield dreams, newest first: of one store, or of all."""
        return self._connection.walk(lists.dreams(store, state, since))

    def operations(self, dream_id: str) -> Iterator[Operation]:
        """Yield what a dream did, in order, with its diffs."""
        return self._connection.walk(lists.operations_of(dream_id))

    def cancel(self, dream_id: str) -> State:
        """Ask a dream to stop after its current step. What it has applied stays."""
        return self._connection.run(steps.cancel_dream(dream_id))

    def undo(self, dream_id: str, *, force: bool = False) -> Undo:
        """Restore the memories to their state before a dream. Later edits stay, unless `force` overwrites them."""
        return self._connection.run(steps.undo_dream(dream_id, force=force))

    def redo(self, dream_id: str, *, force: bool = False) -> Redo:
        """Take an undo back."""
        return self._connection.run(steps.redo_dream(dream_id, force=force))


class Evaluations:
    """The evaluations of a store: whether dreams help it, measured on copies of it."""

    def __init__(self, connection: Connection, store: str) -> None:
        self._connection, self._store = connection, store

    def start(self, store: str | None = None, *, idempotency_key: str | None = None, **order: Any) -> Evaluation:  # noqa: ANN401 - fields of `EvaluationInput`
        """Start an evaluation of a store. Raises ConflictError while another one runs.

        Args:
            store: the store; the client's own if left out.
            idempotency_key: any text; for a day, the same text gets the same evaluation.
            order: the fields of `EvaluationInput`, such as `probes`, `without`, `dreams` or `max_usd`.
        """
        return self._connection.run(steps.start_evaluation(store or self._store, order, idempotency_key))

    def wait(self, evaluation_id: str, *, seconds: float | None = None, store: str | None = None) -> EvaluationDetail:
        """Return an evaluation once it has ended. Raises WaitTooLongError if it has not after so many seconds."""
        return self._connection.run(steps.wait_for_evaluation(store or self._store, evaluation_id, seconds))

    def get(self, evaluation_id: str, *, store: str | None = None) -> EvaluationDetail:
        """Return an evaluation with its report, or how far it has come."""
        return self._connection.run(steps.get_evaluation(store or self._store, evaluation_id))

    def list(self, *, store: str | None = None) -> Iterator[Evaluation]:
        """Yield evaluations without their reports, newest first."""
        return self._connection.walk(lists.evaluations(store or self._store))

    def cancel(self, evaluation_id: str, *, store: str | None = None) -> Evaluation:
        """Cancel an evaluation and delete its copies of the store. Raises ConflictError if it has ended."""
        return self._connection.run(steps.cancel_evaluation(store or self._store, evaluation_id))

    def probes(self, *, store: str | None = None) -> Probes:
        """Return the questions of its own that a store keeps, which its evaluations ask."""
        return self._connection.run(steps.get_probes(store or self._store))

    def set_probes(self, probes: Sequence[Mapping[str, Any]], *, store: str | None = None) -> Probes:
        """Keep these questions, each with the fields of `ProbeInput`, instead of all that the store has."""
        return self._connection.run(steps.set_probes(store or self._store, probes))

    def arms(self) -> Iterator[Arm]:
        """Yield the arms that stores of the tenant try settings in, the stores without one first: their dreams and recall."""
        return self._connection.walk(lists.arms())

    def set_arm(self, arm: str, *, store: str | None = None, **settings: Any) -> Store:  # noqa: ANN401 - fields of `StorePatch`
        """Put a store into an arm, and say how its dreams are set there; an empty `arm` takes it out and leaves its settings.

        `settings` are fields of `StorePatch`, such as `profile` or `overrides`. They go back to what they were if the arm harms.
        """
        return self._connection.run(steps.set_arm(store or self._store, arm, settings))


class Memories:
    """The memories of a store. A memory is named by its path or its id."""

    def __init__(self, connection: Connection, store: str) -> None:
        self._connection, self._store = connection, store

    def list(self, prefix: str = "", *, store: str | None = None) -> Iterator[MemoryLine]:
        """Yield live memories without their texts, by path: those whose path begins with `prefix`."""
        return self._connection.walk(lists.memories(store or self._store, prefix))

    def get(self, path: str, *, store: str | None = None) -> Memory:
        """Return a memory with its text. Raises NotFoundError."""
        return self._connection.run(steps.get_memory(store or self._store, path))

    def put(self, path: str, content: str, *, store: str | None = None, **fields: Any) -> Memory:  # noqa: ANN401 - fields of `MemoryInput`
        """Create the memory at a path, or change its text.

        `fields` are those of `MemoryInput`, such as `importance` or `pinned`; of an existing memory these two are changed.
        """
        return self._connection.run(steps.put_memory(store or self._store, path, content, fields=fields))

    def delete(self, path: str, *, store: str | None = None) -> Memory:
        """Archive a memory: agents no longer see it; its text and history stay. Raises NotFoundError."""
        return self._connection.run(steps.delete_memory(store or self._store, path))

    def search(self, words: str, *, limit: int = 10, store: str | None = None) -> Sequence[Hit]:
        """Return the memories that match best, archived ones too; at most 50."""
        return self._connection.run(steps.search_memories(store or self._store, words, limit)).data


class Sessions:
    """The sessions of a store: the conversations from which dreams gather."""

    def __init__(self, connection: Connection, store: str) -> None:
        self._connection, self._store = connection, store

    def append(
        self,
        session: str,
        events: Sequence[EventInput | Mapping[str, Any]],
        *,
        is_over: bool = False,
        labels: Mapping[str, str] | None = None,
        store: str | None = None,
    ) -> Appended:
        """Append events to a session of your own id, which begins with its first event. A repeated event is recorded once.

        With `is_over` the session is closed; dreams gather only from closed ones, or once it is quiet. The labels, such as
        `{"kind": "cron"}`, are what a store's settings may leave a session out by.
        """
        found = steps.append_events(store or self._store, session, events, labels=labels, is_over=is_over)
        return self._connection.run(found)

    def list(self, *, store: str | None = None) -> Iterator[Session]:
        """Yield sessions, the newest first."""
        return self._connection.walk(lists.sessions(store or self._store))


class Operations:
    """The operations of dreams: what they did, and what waits for a review."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(
        self,
        store: str | None = None,
        *,
        dream: str | None = None,
        kind: str | None = None,
        phase: str | None = None,
        confidence: str | None = None,
    ) -> Iterator[Operation]:
        """Yield the operations that wait for a review, oldest first, with their diffs."""
        found = lists.reviews(store=store, dream=dream, kind=kind, phase=phase, confidence=confidence)
        return self._connection.walk(found)

    def get(self, operation_id: str) -> Operation:
        """Return an operation, reviewed or not."""
        return self._connection.run(steps.get_operation(operation_id))

    def approve(self, operation_id: str) -> Operation:
        """Keep an applied operation, or apply a proposed one to the memories as they are now."""
        return self._connection.run(steps.decide(operation_id, "approve", {}))

    def reject(self, operation_id: str, *, why: str | None = None, force: bool = False) -> Operation:
        """Restore what an applied operation changed, or drop a proposed one."""
        return self._connection.run(steps.decide(operation_id, "reject", {"why": why, "force": force}))

    def undo(self, operation_id: str, *, force: bool = False) -> Operation:
        """Restore what one applied operation changed: the same as to reject it. `dreams.undo` takes a whole dream back."""
        return self.reject(operation_id, force=force)

    def reopen(self, operation_id: str, *, force: bool = False) -> Operation:
        """Take a verdict back."""
        return self._connection.run(steps.decide(operation_id, "reopen", {"force": force}))

    def assign(self, operation_id: str, to: str) -> Operation:
        """Ask a member of the tenant to decide an operation that waits for a review. Others still may."""
        return self._connection.run(steps.decide(operation_id, "assign", {"to": to}))

    def comment(self, operation_id: str, text: str) -> Operation:
        """Append a comment to an operation. It decides nothing."""
        return self._connection.run(steps.decide(operation_id, "comment", {"text": text}))
