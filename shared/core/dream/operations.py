"""Operations and plans as values, and one table of the kinds of operation. Nothing here writes.

An operation is a reason and a tuple of *changes*. Applying, undoing, the diff, the dry run and the loss cap look at the
changes; approval, counting, review and labels look at `KINDS`. So a new kind is one member and one row of that table.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from shared.core.dream.model import OperationState
from shared.core.memory.model import MemoryState, Signals
from shared.core.memory.writers import Said


class OperationKind(StrEnum):
    """The operations of a dream on a store, and of its undo. Every kind is reversible."""

    GATHER = "GATHER"
    CORRECT = "CORRECT"
    MERGE = "MERGE"
    UPDATE = "UPDATE"
    TEMPORAL_UPDATE = "TEMPORAL_UPDATE"
    CROSS_REFERENCE = "CROSS_REFERENCE"
    RETIRE = "RETIRE"
    CREATE = "CREATE"
    FLAG = "FLAG"
    FOLD = "FOLD"
    MAKE_DURABLE = "MAKE_DURABLE"
    ARCHIVE_STALE = "ARCHIVE_STALE"
    EXPIRE = "EXPIRE"
    ARCHIVE = "ARCHIVE"
    FORGET = "FORGET"
    KEEP = "KEEP"
    SUGGEST_MERGE = "SUGGEST_MERGE"
    SPLIT = "SPLIT"
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
    RESTORE_EDIT = "RESTORE_EDIT"


class Extent(StrEnum):
    """The limits of what an operation may change, by its kind (`shared/core/dream/allowed_changes.py` checks them)."""

    NOTHING = "nothing"  # no text changes, and none is hidden
    CREATES = "creates"  # new memories only
    ADDS = "adds"  # new memories, and lines that are added to others: each existing line stays
    CORRECTS = "corrects"  # lines are added, and replaced words move to the superseded part
    UPDATES = "updates"  # replaced statements move to the superseded part, what stands twice is said once, and links
    DATES = "dates"  # dates beside relative phrases, and statements that move to the superseded part
    LINKS = "links"  # the frontmatter's links only
    JOINS = "joins"  # one memory is written, and the others name it as their successor
    HIDES = "hides"  # memories leave the live set unchanged
    FORGETS = "forgets"  # memories leave the live set unchanged, or lose statements
    REWRITES = "rewrites"  # the text of memories that stay
    SPLITS = "splits"  # the lines of one memory move to new ones, and links follow
    INDEXES = "indexes"  # generated indexes, in which what stands by hand stays


#: The counters of a dream's summary that operations add to.
Counted = Literal[
    "gathered",
    "consolidated",
    "synthesized",
    "pruned",
    "kept",
    "skills",
    "learned",
    "promoted",
    "folded",
    "archived",
    "digested",
    "put_back",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """The traits of one kind of operation.

    Attributes:
        label: its name in a list of operations, in the past tense.
        extent: the changes that it may make; an operation that exceeds it is only proposed.
        counts_as: the counters of a dream's summary that one applied operation adds to.
        needs_approval: the operation changes knowledge, so `propose` asks a person first. Clocks, hints and generated
            indexes need no approval.
        changes_store: a dream that applied one has changed its store, so it stays undoable when it is canceled.
        is_bulk: one operation has many independent changes: a conflict on one does not affect the others.
        is_archiving: the operation hides a memory for its age or value, so rejecting it keeps the memory live.
        is_probed: the operation rewrites or hides knowledge on a model's word, so the recall guard searches for it.
            Other kinds keep the words, withdraw untrue statements, or change clocks, hints and generated files.
        waits_for_review: the operation changes nothing and exists to be shown to a person.
        brings_knowledge: the operation writes knowledge from sessions. Later phases of the dream treat it as changed.
        is_compared: if a person approves the operation later, the next dream treats what it wrote as changed, and compares it.
    """

    label: str
    extent: Extent
    counts_as: tuple[Counted, ...] = ()
    needs_approval: bool = True
    changes_store: bool = True
    is_bulk: bool = False
    is_archiving: bool = False
    is_probed: bool = False
    waits_for_review: bool = False
    brings_knowledge: bool = False
    is_compared: bool = False


#: Every kind once. A test checks that none is missing.
KINDS: dict[OperationKind, Kind] = {
    OperationKind.GATHER: Kind(
        label="gathered", extent=Extent.ADDS, counts_as=("gathered",), brings_knowledge=True, is_compared=True
    ),
    OperationKind.CORRECT: Kind(
        label="corrected", extent=Extent.CORRECTS, counts_as=("gathered",), brings_knowledge=True, is_compared=True
    ),
    OperationKind.MERGE: Kind(
        label="merged", extent=Extent.JOINS, counts_as=("consolidated",), is_probed=True, is_compared=True
    ),
    OperationKind.UPDATE: Kind(
        label="updated", extent=Extent.UPDATES, counts_as=("consolidated",), is_probed=True, is_compared=True
    ),
    OperationKind.TEMPORAL_UPDATE: Kind(
        label="dated", extent=Extent.DATES, counts_as=("consolidated",), is_probed=True, is_compared=True
    ),
    OperationKind.CROSS_REFERENCE: Kind(
        label="linked", extent=Extent.LINKS, counts_as=("consolidated",), is_probed=True
    ),
    OperationKind.RETIRE: Kind(label="retired", extent=Extent.HIDES, counts_as=("consolidated",)),
    OperationKind.CREATE: Kind(label="synthesized", extent=Extent.CREATES, counts_as=("synthesized",)),
    OperationKind.FLAG: Kind(
        label="flagged", extent=Extent.NOTHING, needs_approval=False, changes_store=False, waits_for_review=True
    ),
    OperationKind.FOLD: Kind(label="folded duplicates", extent=Extent.HIDES, counts_as=("folded",), is_bulk=True),
    OperationKind.MAKE_DURABLE: Kind(
        label="made durable", extent=Extent.NOTHING, counts_as=("promoted",), needs_approval=False, is_bulk=True
    ),
    OperationKind.ARCHIVE_STALE: Kind(
        label="archived unused", extent=Extent.HIDES, counts_as=("archived",), is_bulk=True, is_archiving=True
    ),
    OperationKind.EXPIRE: Kind(
        label="archived expired", extent=Extent.HIDES, counts_as=("archived",), is_bulk=True, is_archiving=True
    ),
    OperationKind.ARCHIVE: Kind(
        label="archived", extent=Extent.HIDES, counts_as=("pruned",), is_archiving=True, is_probed=True
    ),
    OperationKind.FORGET: Kind(label="forgot", extent=Extent.FORGETS, counts_as=("pruned",), is_archiving=True),
    OperationKind.KEEP: Kind(label="kept", extent=Extent.NOTHING, counts_as=("kept",), needs_approval=False),
    OperationKind.SUGGEST_MERGE: Kind(
        label="suggested a merge", extent=Extent.NOTHING, counts_as=("kept",), needs_approval=False
    ),
    OperationKind.SPLIT: Kind(label="split", extent=Extent.SPLITS, counts_as=("consolidated",), is_probed=True),
    OperationKind.CREATE_SKILL: Kind(label="wrote a skill", extent=Extent.CREATES, counts_as=("skills",)),
    OperationKind.MERGE_SKILLS: Kind(label="merged skills", extent=Extent.JOINS, counts_as=("skills",)),
    OperationKind.GUIDE_SKILLS: Kind(label="wrote a guide to skills", extent=Extent.CREATES, counts_as=("skills",)),
    OperationKind.LINK_SKILLS: Kind(label="linked skills", extent=Extent.LINKS, counts_as=("skills",)),
    OperationKind.REPAIR_SKILL: Kind(label="repaired a skill", extent=Extent.REWRITES, counts_as=("skills",)),
    OperationKind.INFER: Kind(label="inferred a preference", extent=Extent.JOINS, counts_as=("learned",)),
    OperationKind.ANNOTATE: Kind(label="noted a failure", extent=Extent.ADDS, counts_as=("learned",)),
    OperationKind.PROMOTE: Kind(label="made a workflow a skill", extent=Extent.CREATES, counts_as=("learned",)),
    OperationKind.UNRATIFY: Kind(label="withdrew an unused preference", extent=Extent.HIDES, counts_as=("pruned",)),
    OperationKind.DIGEST: Kind(label="summed up a day", extent=Extent.CREATES, counts_as=("digested",)),
    OperationKind.COMPACT: Kind(
        label="archived unread", extent=Extent.HIDES, counts_as=("archived",), is_bulk=True, is_archiving=True
    ),
    OperationKind.INDEX: Kind(label="indexed", extent=Extent.INDEXES, needs_approval=False),
    OperationKind.PUT_BACK: Kind(
        label="put back", extent=Extent.NOTHING, counts_as=("put_back",), needs_approval=False, changes_store=False
    ),
    OperationKind.RESTORE_EDIT: Kind(label="restored an edit", extent=Extent.REWRITES, needs_approval=False),
}


def say_deed(kind: OperationKind, state: OperationState) -> str:
    """Return what an operation did, for people: `merged`; or that it has not, or no longer: `proposed: merged`."""
    label = KINDS[kind].label
    return label if state is OperationState.APPLIED else f"{state}: {label}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Create:
    """Write a memory at a path that no live memory has."""

    path: str
    content: str
    signals: Signals = field(default_factory=Signals)
    created_at: datetime | None = None  # the time when the knowledge was first seen; None: now
    touched_at: datetime | None = None  # the staleness clock of the whole, if this is a part; None: now
    type: Literal["create"] = "create"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """Replace the content and signals of a memory that is still at `version`."""

    memory_id: str
    version: int
    path: str
    content: str
    signals: Signals
    resets_clock: bool = True  # a link or an index line is no sign that the knowledge is still useful
    stays_dirty: bool = False  # a change by a person or an agent that merging has not examined yet
    created_at: datetime | None = None  # the time when one of its sources was first seen; None: unchanged
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
    stub_chars: int = 0  # without a stub: the length of the text's opening that becomes the stub
    type: Literal["retire"] = "retire"


@dataclass(frozen=True, slots=True, kw_only=True)
class Absorb:
    """Take over the signals of exact duplicates, which the same operation retires. The content stays unchanged."""

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
    """Suggest that the next dream merges two memories."""

    source_path: str
    target_path: str
    reason: str
    type: Literal["suggest_merge"] = "suggest_merge"


@dataclass(frozen=True, slots=True, kw_only=True)
class PutBack:
    """Revert an earlier operation of this dream. It has no effects of its own: an undo finds them already reverted."""

    operation_id: str
    kind: OperationKind
    paths: tuple[str, ...]
    type: Literal["put_back"] = "put_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A statement of a memory that a question is about; its words are where it stands. `said_on` is an ISO date, or empty."""

    memory_id: str
    path: str
    fingerprint: str  # of its wording
    said_on: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """Show a memory to a person, together with related ones. It changes nothing."""

    memory_id: str
    version: int
    path: str
    about: tuple[str, ...] = ()  # paths
    fingerprint: str = ""  # of the text, so that an unchanged memory is not shown again
    about_fingerprints: tuple[str, ...] = ()  # of the texts at `about`
    statements: tuple[Stated, ...] = ()  # those that cannot all hold; none where whole memories are shown
    type: Literal["flag"] = "flag"


#: Changes of an existing memory, which are valid only for the version that was planned on.
Edit = Rewrite | Retire | Absorb | Promote | Touch
Change = Create | Edit | SuggestMerge | PutBack | Flag


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One reversible change that a dream proposes or makes. `confidence` is the model's, if one gave it."""

    kind: OperationKind
    phase: str
    reason: str
    changes: tuple[Change, ...]
    confidence: float | None = None
    needs_review: bool = False
    #: Set if a safety rule allows only a proposal: a person has to approve it.
    propose_only: str | None = None
    #: What it writes that stood in none of the memories that it changes, with who said it.
    said: tuple[Said, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """An action that was considered and not taken. Skips are counted and shown, so no refusal is silent."""

    code: str
    detail: str
    #: The event of a session that it concerns, as `SESSION#EVENT`; empty if none.
    said_in: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The result of one phase: operations in order, and skips with their reasons."""

    operations: tuple[Operation, ...] = ()
    skips: tuple[Skip, ...] = ()
    #: Measurements for the phase's counts.
    counts: dict[str, int] = field(default_factory=dict)
    #: Ids of feedback and workflow runs that this plan used: they are marked when the dream ends.
    used: tuple[str, ...] = ()


def paths_of(operation: Operation) -> tuple[str, ...]:
    """Return the paths of the memories that an operation writes or retires."""
    return tuple(path for change in operation.changes if (path := getattr(change, "path", "")))


def named_paths(operation: Operation) -> tuple[str, ...]:
    """Return the paths of the memories that an operation is about and does not change itself."""
    found: list[str] = []
    for change in operation.changes:
        if isinstance(change, SuggestMerge):
            found += [change.source_path, change.target_path]
        elif isinstance(change, PutBack):
            found += change.paths
        elif isinstance(change, Flag):
            found += [change.path, *change.about]
    return tuple(dict.fromkeys(found))


def retired_ids(operation: Operation) -> tuple[str, ...]:
    """Return the ids of the memories that an operation would hide from agents."""
    return tuple(change.memory_id for change in operation.changes if isinstance(change, Retire))
