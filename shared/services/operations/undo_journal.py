"""Store with a dream what its undo changed besides memories, so that a redo can restore it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from shared.core.dream.model import Dream, DreamState, OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.sessions.model import Window
from shared.core.tenants.store import PendingMerge
from shared.ports.dreams import RecordedOperation


@dataclass(frozen=True, slots=True, kw_only=True)
class StateBeforeUndo:
    """An operation as it stood before the undo."""

    state: OperationState
    review: ReviewState
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoJournal:
    """The changes that an undo made besides those to memories, so that a redo can revert them.

    Attributes:
        state: the state in which the dream had ended.
        reason: and why.
        operations: its operations that were in force or proposed, by id, as they stood.
        marks: the version of each memory that the dream has read or written, and whether it was marked as changed.
        feedback: ids of the feedback that it had made use of.
        workflows: ids of the workflow runs that it had learnt from.
        was_last: it was the last dream of its store.
        last_dream_at: when the store had last dreamt, if it was.
    """

    state: DreamState
    reason: str
    operations: dict[str, StateBeforeUndo] = field(default_factory=dict)
    marks: dict[str, tuple[int, bool]] = field(default_factory=dict)
    feedback: list[str] = field(default_factory=list)
    workflows: list[str] = field(default_factory=list)
    was_last: bool = False
    last_dream_at: datetime | None = None


_KEY = "undo"
_JOURNAL: TypeAdapter[UndoJournal] = TypeAdapter(UndoJournal)
_WINDOWS: TypeAdapter[list[Window]] = TypeAdapter(list[Window])
_HINTS: TypeAdapter[list[PendingMerge]] = TypeAdapter(list[PendingMerge])


def begin_journal(
    dream: Dream, operations: Sequence[RecordedOperation], marks: dict[str, tuple[int, bool]]
) -> UndoJournal:
    """Begin the journal of an undo. It includes what an earlier redo left undone."""
    earlier = read_journal(dream.before)
    open_states = {OperationState.APPLIED, OperationState.PROPOSED}
    standing = {
        one.id: StateBeforeUndo(state=one.state, review=one.review, note=one.note)
        for one in operations
        if one.state in open_states and one.operation.kind is not OperationKind.RESTORE_EDIT
    }
    if earlier is None:
        return UndoJournal(state=dream.state, reason=dream.reason, operations=standing, marks=marks)
    return replace(earlier, state=dream.state, operations=earlier.operations | standing, marks=marks)


def read_journal(before: Mapping[str, object]) -> UndoJournal | None:
    """Return the journal of a dream's last undo, or None if it was never undone, or by a version without journals."""
    stored = before.get(_KEY)
    return _JOURNAL.validate_python(stored) if stored else None


def write_journal(before: Mapping[str, object], journal: UndoJournal) -> dict[str, Any]:
    """Return a dream's bookkeeping with this journal in it."""
    return {**before, _KEY: _JOURNAL.dump_python(journal, mode="json")}


def read_windows(before: Mapping[str, object]) -> list[Window]:
    """Return the windows of sessions that a dream has gathered."""
    return _WINDOWS.validate_python(before.get("gathered") or [])


def read_hints(before: Mapping[str, object]) -> list[PendingMerge]:
    """Return the suggested merges that a dream consumed."""
    return _HINTS.validate_python(before.get("hints") or [])


def read_int(before: Mapping[str, object], name: str) -> int:
    """Return a count of a dream's bookkeeping; 0 when it has none."""
    value = before.get(name, 0)
    return value if isinstance(value, int) else 0
