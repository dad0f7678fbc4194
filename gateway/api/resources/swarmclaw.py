"""Serve SwarmClaw's routes for dream cycles and dream settings, for hosts that already use them.

An agent is a store, and a cycle is a dream. A cooldown is answered with 409 and the gate's reason. The settings are
mapped to settings of the store.
"""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from gateway.api.http.auth import Administrator, Caller, Reader, Writer
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.api.http.parameters import DreamId, StoreName
from gateway.api.http.problems import answers
from gateway.api.http.start_dream import start_or_refuse
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.cycles import Cycle, cycle_out, cycles_of
from gateway.api.shapes.stores import NAME, Name
from gateway.phases import get_phases
from shared.core.dream.model import WHOLE_TRIGGERS
from shared.core.dream.phase_catalog import PhaseEntry
from shared.core.policy.policy import Policy
from shared.core.policy.profiles import PROFILES, get_setting
from shared.core.tenants.store import Store
from shared.services.dreams.read import Reflected, find_dreams, get_dream_progress
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.services.tenants.pause import set_paused
from shared.services.tenants.stores import get_store

MAX_DAYS = 36_500
MAX_MINUTES = 525_600
MAX_MEMORIES = 1_000_000
_HOURS_KEY, _GRACE_KEY, _STALE_KEY = "gates.min_hours", "decay.grace_days", "maintain.archive_after_days"
_COUNT_KEYS = ("reflect.max_memories", "consolidate.max_changed_per_call")


def _tier2() -> list[PhaseEntry]:
    """Return the phases of tier 2: those that can be switched off and cost tokens, because they may ask a model."""
    return [one for one in get_phases().entries if one.is_optional and one.asks_model]


def _within(lowest: int, highest: int) -> AfterValidator:
    def check(value: float) -> float:
        if not lowest <= value <= highest:
            raise ValueError(f"takes a number from {lowest:,} to {highest:,}, not {value:g}")
        return value

    return AfterValidator(check)


def _range(lowest: int, highest: int, what: str) -> object:
    return Field(strict=True, description=what, json_schema_extra={"minimum": lowest, "maximum": highest})


Minutes = Annotated[float, _within(0, MAX_MINUTES), _range(0, MAX_MINUTES, "Minimum time between cycles.")]
DecayDays = Annotated[
    float, _within(0, MAX_DAYS), _range(0, MAX_DAYS, "The importance of memories older than this decays.")
]
PruneDays = Annotated[
    float, _within(0, MAX_DAYS), _range(0, MAX_DAYS, "Stale memories of the working tier older than this are archived.")
]
Count = Annotated[
    int, _within(1, MAX_MEMORIES), _range(1, MAX_MEMORIES, "The maximum number of memories that a cycle shows a model.")
]


class DreamConfig(BaseModel):
    """An agent's dream settings."""

    cooldownMinutes: Minutes  # noqa: N815 - the host's spelling
    decayAgeDays: DecayDays  # noqa: N815 - the host's spelling
    pruneThresholdDays: PruneDays  # noqa: N815 - the host's spelling
    tier2Enabled: bool = Field(description="Whether cycles ask a model.")  # noqa: N815 - the host's spelling
    tier2MaxMemories: Count  # noqa: N815 - the host's spelling


class ConfigPatch(BaseModel):
    """Changes to the settings."""

    model_config = ConfigDict(extra="forbid")

    cooldownMinutes: Minutes | None = None  # noqa: N815 - the host's spelling
    decayAgeDays: DecayDays | None = None  # noqa: N815 - the host's spelling
    pruneThresholdDays: PruneDays | None = None  # noqa: N815 - the host's spelling
    tier2Enabled: bool | None = None  # noqa: N815 - the host's spelling
    tier2MaxMemories: Count | None = None  # noqa: N815 - the host's spelling

    def overrides(self, store: Store) -> dict[str, object]:
        """Return the corresponding settings of the store. Tier 2 returns to the setting of the store's profile."""
        profile = PROFILES[store.profile]
        tier2 = {one.switch: bool(self.tier2Enabled and one.runs_whole_by(profile)) for one in _tier2()}
        parts = [one.also_by for one in _tier2() if one.also_by]
        tier2 |= {part: bool(self.tier2Enabled and get_setting(profile, part)) for part in parts}
        given = {
            _HOURS_KEY: None if self.cooldownMinutes is None else self.cooldownMinutes / 60,
            _GRACE_KEY: self.decayAgeDays,
            _STALE_KEY: self.pruneThresholdDays,
            **dict.fromkeys(_COUNT_KEYS, self.tier2MaxMemories),
            **({} if self.tier2Enabled is None else tier2),
        }
        return {key: value for key, value in given.items() if value is not None}


def config_out(policy: Policy) -> DreamConfig:
    """Return a store's settings in SwarmClaw's terms. If tier 1 archives nothing, the threshold is that of `prune`."""
    stale_days = policy.maintain.archive_after_days
    return DreamConfig(
        cooldownMinutes=policy.gates.min_hours * 60,
        decayAgeDays=policy.decay.grace_days,
        pruneThresholdDays=policy.prune.draft_stale_days if stale_days is None else stale_days,
        tier2Enabled=any(one.runs_by(policy) for one in _tier2()),
        tier2MaxMemories=policy.reflect.max_memories,
    )


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
    """The agent whose memory to dream over."""

    model_config = ConfigDict(json_schema_extra={"example": {"agentId": "default"}})

    agentId: Name  # noqa: N815 - the host's spelling


class AgentPatch(BaseModel):
    """Changes to an agent's dream settings; omitted fields stay."""

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
    dreamConfig: DreamConfig  # noqa: N815 - the host's spelling
    lastDreamAt: datetime | None  # noqa: N815 - the host's spelling
    recentCycles: list[Cycle]  # noqa: N815 - the host's spelling


router = APIRouter(prefix="/api", tags=["SwarmClaw"], route_class=OneThreadRoute)
AgentFilter = Annotated[str | None, Query(alias="agentId", pattern=NAME, description="Only this agent.")]
_RECENT = 10


@router.get("/memory/dream", responses=answers(), summary="List dream cycles")
def list_cycles(
    caller: Reader, agent: AgentFilter = None, limit: Annotated[int, Query(ge=1, le=500)] = 50, cursor: Cursor = None
) -> CyclesOut:
    """List cycles, newest first. Digests and compactions are not cycles: `/api/dreams` lists them."""
    before = decode_cursor(cursor)
    found = find_dreams(
        caller.ports.db, caller.tenant_id, store=agent, before=before, limit=limit + 1, triggers=WHOLE_TRIGGERS
    )
    shown, following = page_of(found, limit, lambda dream: dream.id)
    return CyclesOut(cycles=cycles_of(caller.ports.db, caller.tenant_id, shown), nextCursor=following)


@router.post(
    "/memory/dream", status_code=202, response_model=CycleOut, responses=answers(409), summary="Trigger a cycle"
)
def trigger(body: AgentIn, caller: Writer, once: Idempotent) -> Response:
    """Start a dream of an agent's memory, also while the agent is active. The other gates hold."""

    def start() -> CycleOut:
        return CycleOut(cycle=cycle_out(start_or_refuse(caller, body.agentId, while_active=True), Reflected()))

    return once.answer(caller, 202, start)


@router.get("/memory/dream/{dream_id}", responses=answers(), summary="Get a dream cycle")
def get_cycle(dream_id: DreamId, caller: Reader) -> CycleOut:
    """Return a cycle."""
    dream, _ = get_dream_progress(caller.ports.db, caller.tenant_id, dream_id)
    return CycleOut(cycle=cycles_of(caller.ports.db, caller.tenant_id, [dream])[0])


@router.get("/agents/{store}/dream", responses=answers(), summary="Get an agent's dream settings")
def get_agent(store: StoreName, caller: Reader) -> AgentOut:
    """Return an agent's settings and its last ten cycles."""
    return _agent(store, caller)


@router.patch("/agents/{store}/dream", responses=answers(), summary="Change an agent's dream settings")
def change_agent(store: StoreName, body: AgentPatch, caller: Administrator) -> AgentOut:
    """Change the given fields. `dreamEnabled: true` also ends a pause of the store."""
    db = caller.ports.db
    current = get_store(db, caller.tenant_id, store)
    overrides = body.dreamConfig.overrides(current) if body.dreamConfig else {}
    if body.dreamEnabled is not None:
        overrides["gates.enabled"] = body.dreamEnabled
    if overrides:
        configure_store(
            db,
            caller.tenant_id,
            store,
            changes=StoreChanges(overrides=overrides),
            phases=get_phases(),
            actor=caller.actor,
        )
    if body.dreamEnabled and current.paused_at is not None:
        set_paused(db, caller.tenant_id, store, paused=False, actor=caller.actor)
    return _agent(store, caller)


def _agent(name: str, caller: Caller) -> AgentOut:
    store = get_store(caller.ports.db, caller.tenant_id, name)
    found = find_dreams(caller.ports.db, caller.tenant_id, store=name, limit=_RECENT, triggers=WHOLE_TRIGGERS)
    return AgentOut(
        dreamEnabled=store.policy.gates.enabled and store.paused_at is None,
        dreamConfig=config_out(store.policy),
        lastDreamAt=store.last_dream_at,
        recentCycles=cycles_of(caller.ports.db, caller.tenant_id, found),
    )
