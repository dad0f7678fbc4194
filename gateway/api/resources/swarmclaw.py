"""SwarmClaw's routes: dream cycles, and an agent's dream settings. Cooldown is 409 with the reason."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from gateway.api.auth import Administrator, Caller, Reader, Writer
from gateway.api.cursors import Cursor, decode_cursor, page_of
from gateway.api.idempotency import Idempotent
from gateway.api.one_thread import OneThreadRoute
from gateway.api.parameters import DreamId, StoreName
from gateway.api.problems import answers
from gateway.api.shapes.stores import NAME
from gateway.api.shapes.swarmclaw import (
    AgentIn,
    AgentOut,
    AgentPatch,
    Cycle,
    CycleOut,
    CyclesOut,
    cycle_out,
)
from gateway.api.shapes.swarmclaw_config import config_out
from gateway.api.start import start_or_refuse
from shared.core.dream import WHOLE_TRIGGERS, Dream
from shared.services.configure import configure_store
from shared.services.find_reflections import find_reflections
from shared.services.list_dreams import find_dreams, get_dream_progress
from shared.services.list_stores import get_store
from shared.services.pause import set_paused

router = APIRouter(prefix="/api", tags=["SwarmClaw"], route_class=OneThreadRoute)
AgentFilter = Annotated[str | None, Query(alias="agentId", pattern=NAME, description="Only this agent.")]
_RECENT = 10


@router.get("/memory/dream", responses=answers(), summary="List dream cycles")
def list_cycles(
    caller: Reader, agent: AgentFilter = None, limit: Annotated[int, Query(ge=1, le=500)] = 50, cursor: Cursor = None
) -> CyclesOut:
    """List cycles, newest first. Digests and compactions are none: they are listed as dreams."""
    before = decode_cursor(cursor)
    found = find_dreams(
        caller.ports.db, caller.tenant_id, store=agent, before=before, limit=limit + 1, triggers=WHOLE_TRIGGERS
    )
    shown, following = page_of(found, limit, lambda dream: dream.id)
    return CyclesOut(cycles=_cycles(caller, shown), nextCursor=following)


@router.post(
    "/memory/dream", status_code=202, response_model=CycleOut, responses=answers(409), summary="Trigger a cycle"
)
def trigger(body: AgentIn, caller: Writer, once: Idempotent) -> Response:
    """Start a dream of an agent's memory, if its gates are open."""
    return once.answer(caller, 202, lambda: CycleOut(cycle=cycle_out(start_or_refuse(caller, body.agentId), [])))


@router.get("/memory/dream/{dream_id}", responses=answers(), summary="Get a dream cycle")
def get_cycle(dream_id: DreamId, caller: Reader) -> CycleOut:
    """Return one cycle."""
    dream, _ = get_dream_progress(caller.ports.db, caller.tenant_id, dream_id)
    return CycleOut(cycle=_cycles(caller, [dream])[0])


@router.get("/agents/{store}/dream", responses=answers(), summary="Get an agent's dream settings")
def get_agent(store: StoreName, caller: Reader) -> AgentOut:
    """Return an agent's settings and its last ten cycles."""
    return _agent(store, caller)


@router.patch("/agents/{store}/dream", responses=answers(), summary="Change an agent's dream settings")
def change_agent(store: StoreName, body: AgentPatch, caller: Administrator) -> AgentOut:
    """Change what is given, leave the rest. `dreamEnabled: true` ends a pause of the store, too."""
    db = caller.ports.db
    current = get_store(db, caller.tenant_id, store)
    overrides = body.dreamConfig.overrides(current) if body.dreamConfig else {}
    if body.dreamEnabled is not None:
        overrides["gates.enabled"] = body.dreamEnabled
    if overrides:
        configure_store(
            db, caller.tenant_id, store, profile=None, autonomy=None, overrides=overrides, actor=caller.actor
        )
    if body.dreamEnabled and current.paused_at is not None:
        set_paused(db, caller.tenant_id, store, paused=False, actor=caller.actor)
    return _agent(store, caller)


def _agent(name: str, caller: Caller) -> AgentOut:
    store = get_store(caller.ports.db, caller.tenant_id, name)
    found = find_dreams(caller.ports.db, caller.tenant_id, store=name, limit=_RECENT, triggers=WHOLE_TRIGGERS)
    return AgentOut(
        dreamEnabled=store.policy.gates.enabled and store.paused_at is None,
        config=config_out(store.policy),
        lastDreamAt=store.last_dream_at,
        recentCycles=_cycles(caller, found),
    )


def _cycles(caller: Caller, dreams: list[Dream]) -> list[Cycle]:
    wanted = [dream.id for dream in dreams if dream.summary and dream.summary.synthesized]
    titles = find_reflections(caller.ports.db, caller.tenant_id, wanted) if wanted else {}
    return [cycle_out(dream, titles.get(dream.id, [])) for dream in dreams]
