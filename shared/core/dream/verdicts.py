"""Verdicts of people on operations: a rejected or undone operation is not repeated on the same texts."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.core.dream.effects import Effect, touched_ids
from shared.core.dream.model import OperationState
from shared.core.dream.operations import KINDS, Extent, Operation, OperationKind, Retire
from shared.core.memory.model import Memory, MemoryKind, MemoryState, kind_of
from shared.core.questions.fingerprint import text_fingerprint

#: The actor that reverts an operation of the same dream: not a person, so it is not a verdict.
BY_DREAM = "a dream"
#: For these kinds, another statement about the same memory is another operation.
_KNOWN_BY_TEXT = frozenset({Extent.CREATES, Extent.ADDS, Extent.CORRECTS, Extent.UPDATES, Extent.FORGETS})
#: The operation that a note of `Verdict.describe` names.
_NAMED = re.compile(r"^it waits for a review already, as (op_\w+)$|\((op_\w+)\); it may come again when")
#: For these, a newer plan for the same memories takes the place of an older one.
_KNOWN_BY_MEMORIES = frozenset(
    {Extent.JOINS, Extent.HIDES, Extent.DATES, Extent.SPLITS, Extent.REWRITES, Extent.INDEXES}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A note of a person on an operation; `by` names them as the audit log does."""

    by: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The newest decision on an operation of the same kind on the same texts, or that it waits for one."""

    operation_id: str
    state: OperationState
    by: str = ""
    at: datetime | None = None
    why: str = ""

    def describe(self) -> str:
        """Return why the operation is not done, for a reader of the log."""
        if self.state is OperationState.PROPOSED:
            return f"it waits for a review already, as {self.operation_id}"
        day = f" on {self.at.date().isoformat()}" if self.at else ""
        why = f": {self.why}" if self.why else ""
        return f"{self.state} by {self.by}{day}{why} ({self.operation_id}); it may come again when one of the texts changes"


def find_decided(note: str) -> str | None:
    """Return the id of the operation that `Verdict.describe` named in a note; None if the note says something else."""
    found = _NAMED.search(note)
    return found[1] or found[2] if found else None


def is_equal(one: Operation, other: Operation) -> bool:
    """Tell whether one verdict is enough for two proposals: they are of one kind, and for the same memories."""
    is_known = KINDS[one.kind].extent in _KNOWN_BY_MEMORIES and one.kind is not OperationKind.RESTORE_EDIT
    return is_known and one.kind is other.kind and touched_ids(one) == touched_ids(other)


def operation_fingerprint(operation: Operation, effects: Sequence[Effect], hinted: Sequence[Memory] = ()) -> str:
    """Return the fingerprint of an operation and the texts that it is about.

    Empty for those that are about no text, that fold or archive many at once by the clock, and for digests, since each day
    has one unless a person asks for another.

    Args:
        operation: the operation.
        effects: what it does.
        hinted: the memories that it suggests to merge.
    """
    kind = KINDS[operation.kind]
    if kind.is_bulk or operation.kind is OperationKind.DIGEST or not (effects or hinted):
        return ""
    texts = [*hinted, *(effect.before for effect in effects if effect.before is not None)]
    successors = sorted(c.successor_id for c in operation.changes if isinstance(c, Retire) and c.successor_id)
    written = [effect.after for effect in effects if effect.after.state is MemoryState.LIVE]
    if _only_generates(kind.extent, written):
        written = [replace(one, content="\n".join(sorted(one.content.splitlines()))) for one in written]
    elif kind.extent not in _KNOWN_BY_TEXT:
        written = []
    return texts_fingerprint(operation.kind, texts, successors, sorted(map(text_fingerprint, written)))


def _only_generates(extent: Extent, written: Sequence[Memory]) -> bool:
    """Tell whether indexes are rebuilt: what they say depends on every memory, the order of their lines on importance."""
    return extent is Extent.INDEXES and all(kind_of(memory.path) is MemoryKind.INDEX for memory in written)


def texts_fingerprint(
    kind: OperationKind, texts: Sequence[Memory], successors: Sequence[str] = (), said: Sequence[str] = ()
) -> str:
    """Return the fingerprint of an operation of a kind on these texts: 64 hex digits.

    Args:
        kind: the kind of the operation.
        texts: the memories that it changes, as they were before.
        successors: the ids of memories that take the place of others.
        said: the fingerprints of what it writes, where that makes it another operation.
    """
    before = sorted(map(text_fingerprint, texts))
    return hashlib.sha256(json.dumps([kind, before, list(successors), list(said)]).encode()).hexdigest()
