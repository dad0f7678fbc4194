"""Dream cycles and settings in SwarmClaw's words, for hosts that speak them already. An agent is a store."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from gateway.api.shapes.stores import Name
from gateway.api.shapes.swarmclaw_config import ConfigPatch, DreamConfig
from shared.core.dream import Dream, DreamState, DreamSummary, Trigger

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
    """What a cycle came to."""

    decayed: int = 0
    pruned: int = 0
    promoted: int = 0
    deduped: int = 0
    consolidated: int = 0
    reflections: list[str] = Field(default_factory=list, description="Titles.")
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


class CyclesOut(BaseModel):
    """Cycles, newest first."""

    ok: Literal[True] = True
    cycles: list[Cycle]
    nextCursor: str | None = Field(None, description="Pass it as `cursor` for older ones.")  # noqa: N815 - as the others


class CycleOut(BaseModel):
    """One cycle."""

    ok: Literal[True] = True
    cycle: Cycle


class AgentIn(BaseModel):
    """Whose memory shall dream."""

    model_config = ConfigDict(json_schema_extra={"example": {"agentId": "default"}})

    agentId: Name  # noqa: N815 - the host's spelling


class AgentPatch(BaseModel):
    """What shall change of an agent's dreaming; what is left out stays."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"dreamEnabled": True, "dreamConfig": {"cooldownMinutes": 360}}},
    )

    dreamEnabled: bool | None = None  # noqa: N815 - the host's spelling
    dreamConfig: ConfigPatch | None = None  # noqa: N815 - the host's spelling


class AgentOut(BaseModel):
    """An agent's settings and recent cycles."""

    ok: Literal[True] = True
    dreamEnabled: bool  # noqa: N815 - the host's spelling
    config: DreamConfig
    lastDreamAt: datetime | None  # noqa: N815 - the host's spelling
    recentCycles: list[Cycle]  # noqa: N815 - the host's spelling


def cycle_out(dream: Dream, reflections: list[str]) -> Cycle:
    """Return a dream as a cycle."""
    status = _STATUS[dream.state]
    return Cycle(
        id=dream.id,
        agentId=dream.store,
        status=status,
        trigger="idle" if dream.trigger is Trigger.SWEEP else "manual",
        startedAt=dream.started_at,
        completedAt=dream.finished_at,
        result=_result(dream, dream.summary, reflections) if dream.summary else None,
        error=dream.reason or str(dream.state) if status == "failed" else None,
    )


def _result(dream: Dream, summary: DreamSummary, reflections: list[str]) -> CycleResult:
    return CycleResult(
        decayed=summary.decayed,
        pruned=summary.pruned + summary.archived,
        promoted=summary.promoted,
        deduped=summary.folded,
        consolidated=summary.consolidated,
        reflections=reflections,
        durationMs=round(summary.duration_seconds * 1000),
        errors=[dream.reason] if dream.state is DreamState.PARTIAL and dream.reason else [],
    )
