"""Define the JSON shapes of dreams, their phases and operations."""

from collections.abc import Sequence
from datetime import datetime
from difflib import unified_diff

from pydantic import BaseModel, ConfigDict, Field

from gateway.api.shapes.sizes import json_size
from gateway.dream_progress import DreamProgress
from shared.core.dream.effects import Effect
from shared.core.dream.model import Dream, DreamState, DreamSummary, OperationState, PhaseRun, PhaseState, ReviewState
from shared.core.dream.operations import OperationKind, named_paths
from shared.core.dream.recall import ProbeKind
from shared.core.listings.one_change import Place
from shared.core.memory.model import MemoryState
from shared.ports.dreams import RecordedOperation
from shared.tracing import trace_id_of

#: A diff takes time quadratic in the number of lines; longer texts are not compared.
_MAX_DIFF_LINES = 4_000
#: All diffs of one operation together; a compaction merges thousands of memories in one.
_MAX_DIFF_BYTES = 1_000_000
_ID = "drm_01JD0000000000000000000000"


class FoundOut(BaseModel):
    """The answers that a search found to the same questions before and after dreams."""

    model_config = ConfigDict(from_attributes=True)

    asked: int = Field(description="Questions that were asked at both times.")
    before: int = Field(description="How many of them a search answered before the dream.")
    after: int = Field(description="How many of them a search answered after it.")
    lost: int = Field(description="Answers that were found only before the dream.")


class RecallOut(FoundOut):
    """The answers that a search found to the same questions before and after one dream."""

    lost_by: dict[str, int] = Field(
        description="How many of them each operation lost, by its id; at most five are named."
    )


class Counts(BaseModel):
    """The result of a dream. `reasons` counts what was examined but not changed, by reason."""

    gathered: int = Field(description="Memories made from sessions.")
    consolidated: int
    synthesized: int
    pruned: int
    kept: int = Field(description="Stale memories that prune examined and kept.")
    skills: int = Field(description="Skills found, merged and repaired.")
    learned: int = Field(description="Preferences inferred, and lessons from workflows.")
    decayed: int = Field(
        description="Memories whose importance began to decay since the last dream; found without a model."
    )
    promoted: int = Field(description="Memories promoted to the durable tier, without a model.")
    folded: int = Field(description="Exact duplicates folded, without a model.")
    archived: int = Field(description="Memories archived without a model, because they were stale or never read.")
    digested: int = Field(description="Daily digests written.")
    indexed: int = Field(description="Memories listed in the index; 0 if this dream wrote no index.")
    indexed_folders: int = Field(description="Folders of these memories.")
    over_budget_lines: int = Field(description="Lines by which the text by hand in MEMORY.md exceeds its budget.")
    over_budget_bytes: int = Field(description="Bytes by which the text by hand in MEMORY.md exceeds its budget.")
    flagged: int
    proposed: int
    probes: int = Field(description="Search queries with which the recall guard checked the changed memories.")
    put_back: int = Field(description="Operations that the recall guard reverted.")
    recall: dict[ProbeKind, RecallOut] = Field(
        description="What a search answered before and after the dream, by kind of questions: the store's own ones, those of users in sessions, "
        "facts of the memories (pair), and what agents had searched for (asked), which is added a moment after the dream has ended. "
        "A kind of which nothing was asked is left out."
    )
    errors: int
    tokens: int
    cost_usd: float = Field(description="0 for models without a known price.")
    model_calls: int
    duration_seconds: float
    waiting_sessions: int = Field(description="Sessions left for the next dream.")
    waiting_changes: int = Field(
        description="What the next dream takes up: changes beyond the loss cap, and memories that changed and did not fit into what a model is shown."
    )
    next_dream: str = Field(description="When the next dream starts, if this one left something for it.")
    reasons: dict[str, int]


class DreamOut(BaseModel):
    """One dream over one store."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "id": _ID, "store": "default", "state": "completed", "reason": "", "trigger": "api",
                "forced": False, "dry_run": False, "model": "offline", "cancel_requested": False,
                "created_at": "2026-11-21T06:00:00Z", "started_at": "2026-11-21T06:00:01Z",
                "finished_at": "2026-11-21T06:00:04Z", "summary": None,
                "trace_id": trace_id_of(_ID),
            }
        }
    )  # fmt: skip

    id: str
    store: str
    state: DreamState
    reason: str = Field(description="Why it ended in this state; may be empty.")
    trigger: str
    forced: bool
    dry_run: bool
    model: str
    cancel_requested: bool
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    summary: Counts | None
    trace_id: str = Field(
        description="The id of the trace of its tasks, phases and model calls, if traces are collected."
    )


class PhaseOut(BaseModel):
    """One phase of a dream."""

    phase: str
    state: PhaseState
    reason: str
    counts: dict[str, int]
    started_at: datetime | None
    finished_at: datetime | None


class EffectOut(BaseModel):
    """The effect of an operation on one memory, applied or proposed."""

    memory_id: str
    path: str
    before: MemoryState | None = Field(description="Null if the operation created the memory.")
    after: MemoryState
    diff: str | None = Field(description="A unified diff; null when the texts are too long to compare or to show.")
    stub: str | None = Field(description="The text by which an archived memory can still be found.")


class CommentOut(BaseModel):
    """A comment on an operation."""

    by: str = Field(description="Who wrote it, as the audit log names them.")
    at: datetime
    text: str


class OperationOut(BaseModel):
    """One reversible change."""

    id: str
    dream_id: str
    store: str
    phase: str
    kind: OperationKind
    state: OperationState
    review: ReviewState
    reason: str
    confidence: float | None = Field(description="How sure the model was; null if it did not say, or no model ran.")
    note: str
    paths: list[str]
    created_at: datetime | None
    effects: list[EffectOut]
    group: str | None = Field(
        None,
        description="The change that it is part of: operations of a dream that wait for a review and share memories. "
        "They have the same value here; approve them in order, together. Null if it stands alone.",
    )
    position: int | None = Field(None, description="Its place in the order of its change, from 1.")
    of: int | None = Field(None, description="How many operations its change has.")
    assigned_to: str = Field("", description="Who is asked to decide it, as the audit log names them; may be empty.")
    decided_by: str = Field("", description="Who decided it last, as the audit log names them; may be empty.")
    decided_at: datetime | None = Field(None, description="When it was decided last; null if it never was.")
    comments: list[CommentOut] = Field(default=[], description="What people wrote about it, oldest first.")


class DreamDetail(DreamOut):
    """A dream with its phases."""

    phases: list[PhaseOut]


class ProgressOut(BaseModel):
    """The progress of a dream, now or when it ended."""

    age_seconds: float = Field(
        description="From its start (from its creation if no worker has started it) until now or its end."
    )
    worker: str | None = Field(
        description="The worker that runs it, as of the last heartbeat; only shown to operators."
    )
    lease_until: datetime | None = Field(description="When the worker's lease ends, unless a heartbeat renews it.")
    has_lost_worker: bool = Field(description="The lease has ended, and no other worker has taken the dream over yet.")
    rescues: int = Field(description="How often it was taken over from a lost worker.")
    wakes_at: datetime | None = Field(
        description="When it stops sleeping, for example after a rate limit of the model server."
    )


class DreamNow(DreamDetail):
    """A dream with its phases and its progress."""

    progress: ProgressOut


def dream_now(dream: Dream, runs: list[PhaseRun], progress: DreamProgress) -> DreamNow:
    """Return a dream with its phases and its progress as JSON."""
    stands = ProgressOut.model_validate(progress, from_attributes=True)
    return DreamNow(**_plain(dream), phases=[phase_out(run) for run in runs], progress=stands)


def dream_out(dream: Dream) -> DreamOut:
    """Return a dream as JSON."""
    return DreamOut(**_plain(dream))


def dream_detail(dream: Dream, runs: list[PhaseRun]) -> DreamDetail:
    """Return a dream with its phases as JSON."""
    return DreamDetail(**_plain(dream), phases=[phase_out(run) for run in runs])


def phase_out(run: PhaseRun) -> PhaseOut:
    """Return a phase as JSON."""
    return PhaseOut(
        phase=run.phase,
        state=run.state,
        reason=run.reason,
        counts=run.counts,
        started_at=run.started_at,
        finished_at=run.finished_at,
    )


def operation_out(recorded: RecordedOperation, place: Place | None = None) -> OperationOut:
    """Return an operation with its diffs as JSON, and with its place among those that it is one change with, if any."""
    wanted = recorded.operation
    return OperationOut(
        id=recorded.id,
        dream_id=recorded.dream_id,
        store=recorded.store,
        phase=wanted.phase,
        kind=wanted.kind,
        state=recorded.state,
        review=recorded.review,
        reason=wanted.reason,
        confidence=wanted.confidence,
        note=recorded.note,
        paths=list(dict.fromkeys([*(effect.after.path for effect in recorded.effects), *named_paths(wanted)])),
        created_at=recorded.created_at,
        effects=_effects_out(recorded.effects),
        group=place and place.group,
        position=place and place.position,
        of=place and place.of,
        assigned_to=recorded.assigned_to,
        decided_by=recorded.decided_by,
        decided_at=recorded.decided_at,
        comments=[CommentOut(by=one.by, at=one.at, text=one.text) for one in recorded.comments],
    )


def size_of(recorded: RecordedOperation) -> int:
    """Return the size of the texts behind an operation's diffs, as an estimate of the cost to read and show it."""
    return json_size(
        *(side.content for one in recorded.effects for side in (one.before, one.after) if side is not None)
    )


def _effects_out(effects: Sequence[Effect]) -> list[EffectOut]:
    """Return effects as JSON, with diffs up to their size limit."""
    room, shown = _MAX_DIFF_BYTES, []
    for effect in effects:
        diff = _diff(effect) if room > 0 else None
        room -= json_size(diff)
        shown.append(_effect_out(effect, diff if room >= 0 else None))
    return shown


def _effect_out(effect: Effect, diff: str | None) -> EffectOut:
    return EffectOut(
        memory_id=effect.after.id,
        path=effect.after.path,
        before=effect.before.state if effect.before else None,
        after=effect.after.state,
        diff=diff,
        stub=effect.after.stub,
    )


def _diff(effect: Effect) -> str | None:
    before = (effect.before.content if effect.before else "").splitlines()
    after = effect.after.content.splitlines() if effect.after.state is MemoryState.LIVE else []
    if len(before) + len(after) > _MAX_DIFF_LINES:
        return None
    path = effect.after.path
    return "\n".join(unified_diff(before, after, f"a/{path}", f"b/{path}", lineterm="", n=3))


def _plain(dream: Dream) -> dict[str, object]:
    return {
        "id": dream.id,
        "store": dream.store,
        "state": dream.state,
        "reason": dream.reason,
        "trigger": dream.trigger,
        "forced": dream.is_forced,
        "dry_run": dream.is_dry_run,
        "model": dream.model,
        "cancel_requested": dream.cancel_requested_at is not None,
        "created_at": dream.created_at,
        "started_at": dream.started_at,
        "finished_at": dream.finished_at,
        "summary": _counts(dream.summary) if dream.summary else None,
        "trace_id": trace_id_of(dream.id),
    }


def _counts(summary: DreamSummary) -> Counts:
    return Counts.model_validate(summary, from_attributes=True)
