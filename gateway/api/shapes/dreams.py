"""Define the JSON shapes of dreams, their phases and operations."""

from collections.abc import Sequence
from datetime import datetime
from difflib import unified_diff

from pydantic import BaseModel, ConfigDict, Field

from gateway.api.shapes.sizes import json_size
from gateway.dream_progress import DreamProgress
from shared.core.dream.effects import Effect
from shared.core.dream.model import Dream, DreamState, DreamSummary, OperationState, PhaseRun, PhaseState, ReviewState
from shared.core.dream.operations import OperationKind, SuggestMerge
from shared.core.memory.model import MemoryState
from shared.ports.dreams import RecordedOperation
from shared.tracing import trace_id_of

#: A diff takes time quadratic in the number of lines; longer texts are not compared.
_MAX_DIFF_LINES = 4_000
#: All diffs of one operation together; a compaction merges thousands of memories in one.
_MAX_DIFF_BYTES = 1_000_000
_ID = "drm_01JD0000000000000000000000"


class Counts(BaseModel):
    """The result of a dream. `reasons` counts what was examined and left alone."""

    gathered: int = Field(description="Memories made from sessions.")
    consolidated: int
    synthesized: int
    pruned: int
    kept: int = Field(description="Stale memories that prune looked at and left where they are.")
    skills: int = Field(description="Skills found, merged and repaired.")
    learned: int = Field(description="Preferences inferred, and lessons from workflows.")
    decayed: int = Field(description="Without a model: memories whose importance began to decay since the last dream.")
    promoted: int = Field(description="Without a model: memories promoted to the durable tier.")
    folded: int = Field(description="Without a model: exact duplicates that were folded.")
    archived: int = Field(description="Without a model: memories that went stale or were never read.")
    digested: int = Field(description="Daily digests.")
    indexed: int = Field(description="Memories that the index leads to; 0 when this dream wrote no index.")
    indexed_folders: int = Field(description="Folders that these memories lie in.")
    flagged: int
    proposed: int
    probes: int = Field(description="Search queries with which the recall guard checked the changed memories.")
    put_back: int = Field(description="Operations that the recall guard reverted.")
    errors: int
    tokens: int
    cost_usd: float = Field(description="0 for models without a known price.")
    model_calls: int
    duration_seconds: float
    waiting_sessions: int = Field(description="Sessions of a backlog that are left for the next dream.")
    waiting_changes: int = Field(description="Changes that are left for the next dream, because of the loss cap.")
    next_dream: str = Field(description="When the next dream comes, if something is left for it.")
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
    reason: str = Field(description="Why it ended as it did; may be empty.")
    trigger: str
    forced: bool
    dry_run: bool
    model: str
    cancel_requested: bool
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    summary: Counts | None
    trace_id: str = Field(description="The trace of its tasks, phases and model calls, where traces are collected.")


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


class OperationOut(BaseModel):
    """One reversible change."""

    id: str
    dream_id: str
    phase: str
    kind: OperationKind
    state: OperationState
    review: ReviewState
    reason: str
    confidence: float | None
    note: str
    paths: list[str]
    created_at: datetime | None
    effects: list[EffectOut]


class DreamDetail(DreamOut):
    """A dream with its phases."""

    phases: list[PhaseOut]


class ProgressOut(BaseModel):
    """The progress of a dream, now or when it ended."""

    age_seconds: float = Field(
        description="From its beginning, or from its making when no worker has begun it, until now or its end."
    )
    worker: str | None = Field(description="The worker that runs it, as of its last heartbeat; for operators.")
    lease_until: datetime | None = Field(description="A worker has it until then, unless its heartbeat renews that.")
    has_lost_worker: bool = Field(description="Its lease has ended, and no other worker has taken it yet.")
    rescues: int = Field(description="How often it was taken over from a worker that was lost.")
    wakes_at: datetime | None = Field(description="It sleeps until then, as while a model's server limits it.")


class DreamNow(DreamDetail):
    """A dream with its phases, and how it stands."""

    progress: ProgressOut


def dream_now(dream: Dream, runs: list[PhaseRun], progress: DreamProgress) -> DreamNow:
    """Return a dream with its phases and how it stands as JSON."""
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


def operation_out(recorded: RecordedOperation) -> OperationOut:
    """Return an operation with its diffs as JSON."""
    wanted = recorded.operation
    suggested = [change for change in wanted.changes if isinstance(change, SuggestMerge)]
    named = [path for change in suggested for path in (change.source_path, change.target_path)]
    return OperationOut(
        id=recorded.id,
        dream_id=recorded.dream_id,
        phase=wanted.phase,
        kind=wanted.kind,
        state=recorded.state,
        review=recorded.review,
        reason=wanted.reason,
        confidence=wanted.confidence,
        note=recorded.note,
        paths=list(dict.fromkeys([*(effect.after.path for effect in recorded.effects), *named])),
        created_at=recorded.created_at,
        effects=_effects_out(recorded.effects),
    )


def size_of(recorded: RecordedOperation) -> int:
    """Return the size of the texts that an operation's diffs are made of: about what it takes to read and to show it."""
    return json_size(
        *(side.content for one in recorded.effects for side in (one.before, one.after) if side is not None)
    )


def _effects_out(effects: Sequence[Effect]) -> list[EffectOut]:
    """Return effects as JSON, with diffs until they reach their bound."""
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
    return Counts(**{name: getattr(summary, name) for name in Counts.model_fields})
