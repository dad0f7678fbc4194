"""Operations and plans: what a phase wants done, as values. Nothing here writes.

An operation is a reason and a tuple of *changes*; apply, undo, diff, dry run and the loss cap look at the changes
only, so a new kind of operation needs no new code in any of them.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from shared.core.memory.model import MemoryState, Signals


class OperationKind(StrEnum):
    """What a dream can do to a store. Every kind is reversible."""

    GATHER = "GATHER"
    CORRECT = "CORRECT"
    MERGE = "MERGE"
    TEMPORAL_UPDATE = "TEMPORAL_UPDATE"
    CROSS_REFERENCE = "CROSS_REFERENCE"
    RETIRE = "RETIRE"
    CREATE = "CREATE"
    FLAG = "FLAG"
    FOLD = "FOLD"
    MAKE_DURABLE = "MAKE_DURABLE"
    ARCHIVE_STALE = "ARCHIVE_STALE"
    ARCHIVE = "ARCHIVE"
    KEEP = "KEEP"
    SUGGEST_MERGE = "SUGGEST_MERGE"
    CREATE_SKILL = "CREATE_SKILL"
    MERGE_SKILLS = "MERGE_SKILLS"
    GUIDE_SKILLS = "GUIDE_SKILLS"
    LINK_SKILLS = "LINK_SKILLS"
    REPAIR_SKILL = "REPAIR_SKILL"
    INFER = "INFER"
    ANNOTATE = "ANNOTATE"
    PROMOTE = "PROMOTE"
    UNRATIFY = "UNRATIFY"
    DIGEST = "DIGEST"
    COMPACT = "COMPACT"
    INDEX = "INDEX"
    PUT_BACK = "PUT_BACK"


#: One operation of these holds many changes that stand alone: what is in the way of one leaves the others be.
BULK_KINDS = frozenset(
    {OperationKind.FOLD, OperationKind.MAKE_DURABLE, OperationKind.ARCHIVE_STALE, OperationKind.COMPACT}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Create:
    """Write a memory at a path that no live memory has."""

    path: str
    content: str
    signals: Signals = field(default_factory=Signals)
    created_at: datetime | None = None  # when the knowledge was first seen; None: now
    type: Literal["create"] = "create"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """Replace the content and signals of a memory that is still at `version`."""

    memory_id: str
    version: int
    path: str
    content: str
    signals: Signals
    resets_clock: bool = True  # a link or an index line is no sign that the knowledge is still of use
    stays_dirty: bool = False  # somebody's own change that consolidate has yet to look at
    created_at: datetime | None = None  # when a source of it was first seen; None: as it is
    type: Literal["rewrite"] = "rewrite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Retire:
    """Archive or supersede a memory that is still at `version`.

    `superseded_by` is a path of the same operation, `successor_id` a live memory that the operation does not change.
    """

    memory_id: str
    version: int
    path: str
    state: MemoryState
    superseded_by: str | None = None
    successor_id: str | None = None
    stub: str | None = None
    stub_chars: int = 0  # without a stub: how much of the text's opening is its stub
    type: Literal["retire"] = "retire"


@dataclass(frozen=True, slots=True, kw_only=True)
class Absorb:
    """Take over the signals of exact duplicates, which the same operation retires. The content stays."""

    memory_id: str
    version: int
    path: str
    folded: tuple[str, ...]
    type: Literal["absorb"] = "absorb"


@dataclass(frozen=True, slots=True, kw_only=True)
class Promote:
    """Move a memory to the durable tier; its content and its clock stay."""

    memory_id: str
    version: int
    path: str
    type: Literal["promote"] = "promote"


@dataclass(frozen=True, slots=True, kw_only=True)
class Touch:
    """Reset the staleness clock of a memory; its content stays."""

    memory_id: str
    version: int
    path: str
    type: Literal["touch"] = "touch"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestMerge:
    """Carry a merge suggestion to the next dream's consolidate phase."""

    source_path: str
    target_path: str
    reason: str
    type: Literal["suggest_merge"] = "suggest_merge"


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBack:
    """Take back an operation that this dream applied before. It has no effects of its own: undo finds it done."""

    operation_id: str
    kind: OperationKind
    paths: tuple[str, ...]
    type: Literal["put_back"] = "put_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """Show a memory to a person, together with others that it is about. It changes nothing."""

    memory_id: str
    version: int
    path: str
    about: tuple[str, ...] = ()  # paths
    fingerprint: str = ""  # of the text, so that it is not shown again while it says the same
    about_fingerprints: tuple[str, ...] = ()  # of the texts at `about`
    type: Literal["flag"] = "flag"


#: What changes a memory that is there already, and holds for the version that was planned on.
Edit = Rewrite | Retire | Absorb | Promote | Touch
Change = Create | Edit | SuggestMerge | PutBack | Flag


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One reversible change that a dream wants. `confidence` is the model's, absent when it gave none."""

    kind: OperationKind
    phase: str
    reason: str
    changes: tuple[Change, ...]
    confidence: float | None = None
    needs_review: bool = False
    #: Set when a safety rule lets this be proposed only, never applied without a person.
    propose_only: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """Something that was considered and not done: counted and shown, so that a refusal is never silent."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What one phase wants: operations in order, and what it left alone with the reason."""

    operations: tuple[Operation, ...] = ()
    skips: tuple[Skip, ...] = ()
    #: What was measured on the way, for the phase's counts.
    counts: dict[str, int] = field(default_factory=dict)
    #: Ids of feedback and workflow runs that this plan has made use of: they are marked when the dream ends.
    used: tuple[str, ...] = ()


def retired_ids(operation: Operation) -> tuple[str, ...]:
    """Return the ids of the memories that an operation would hide from agents."""
    return tuple(change.memory_id for change in operation.changes if isinstance(change, Retire))
