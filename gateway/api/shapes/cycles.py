"""A dream as a dream cycle of SwarmClaw, for its routes and its commands."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from shared.core.dream.model import Dream, DreamState, DreamSummary, Trigger
from shared.ports.database import Database
from shared.services.dreams.read import Reflected, find_reflected

Status = Literal["pending", "running", "completed", "failed"]
_STATUS: dict[DreamState, Status] = {
    DreamState.QUEUED: "pending",
    DreamState.RUNNING: "running",
    DreamState.COMPLETED: "completed",
    DreamState.PARTIAL: "completed",
    DreamState.UNDONE: "completed",
    DreamState.ERROR: "failed",
    DreamState.CANCELED: "failed",
}


class CycleResult(BaseModel):
    """The result of a cycle."""

    decayed: int = 0
    pruned: int = 0
    promoted: int = 0
    deduped: int = 0
    consolidated: int = 0
    reflections: list[str] = Field(
        default_factory=list, description="Titles of reflections; insights count as consolidated."
    )
    durationMs: int = 0  # noqa: N815 - the host's spelling
    errors: list[str] = Field(default_factory=list)


class Cycle(BaseModel):
    """One dream."""

    id: str
    agentId: str  # noqa: N815 - the host's spelling
    status: Status
    trigger: Literal["idle", "manual"]
    startedAt: datetime | None  # noqa: N815 - the host's spelling
    completedAt: datetime | None  # noqa: N815 - the host's spelling
    result: CycleResult | None
    error: str | None


def cycle_out(dream: Dream, reflected: Reflected) -> Cycle:
    """Return a dream as a cycle."""
    status = _STATUS[dream.state]
    return Cycle(
        id=dream.id,
        agentId=dream.store,
        status=status,
        trigger="idle" if dream.trigger is Trigger.SWEEP else "manual",
        startedAt=dream.started_at,
        completedAt=dream.finished_at,
        result=_result(dream, dream.summary, reflected) if dream.summary else None,
        error=dream.reason or str(dream.state) if status == "failed" else None,
    )


def _result(dream: Dream, summary: DreamSummary, reflected: Reflected) -> CycleResult:
    return CycleResult(
        decayed=summary.decayed,
        pruned=summary.pruned + summary.archived,
        promoted=summary.promoted,
        deduped=summary.folded,
        consolidated=summary.consolidated + reflected.insights,
        reflections=list(reflected.reflections),
        durationMs=round(summary.duration_seconds * 1000),
        errors=[dream.reason] if dream.state is DreamState.PARTIAL and dream.reason else [],
    )


def cycles_of(db: Database, tenant_id: str, dreams: Sequence[Dream]) -> list[Cycle]:
    """Return dreams as cycles, each with the titles of its reflections."""
    wanted = [dream.id for dream in dreams if dream.summary and dream.summary.synthesized]
    found = find_reflected(db, tenant_id, wanted) if wanted else {}
    return [cycle_out(dream, found.get(dream.id, Reflected())) for dream in dreams]
