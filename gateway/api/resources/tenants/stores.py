"""List, create, configure and pause stores, explain why a store does not dream, and record its agent's activity."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from gateway.api.http.auth import Administrator, Caller, Reader, Writer
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import Cursor, Limit, Page, decode_cursor, page_of
from gateway.api.http.parameters import StoreName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.stores import (
    EffectiveOut,
    NoticeOut,
    StatusOut,
    StoreIn,
    StoreOut,
    StorePatch,
    effective_out,
    notice_out,
    status_out,
    store_out,
)
from gateway.phases import get_phases
from shared.core.errors import ConflictError
from shared.core.tenants.roles import Permission
from shared.services.dreams.explain import explain_store
from shared.services.dreams.notice import get_notice
from shared.services.sessions.activity import MAX_TURN_SECONDS, mark_activity
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.services.tenants.delete_store import delete_store
from shared.services.tenants.effective import find_effective
from shared.services.tenants.pause import set_paused
from shared.services.tenants.stores import find_stores, get_store

router = APIRouter(prefix="/api/stores", tags=["stores"], route_class=OneThreadRoute)

Since = Annotated[
    AwareDatetime | None,
    Query(description="The `until` of the previous notice, to report each dream once; default: only the last dream."),
]


class ActivityIn(BaseModel):
    """The activity of the store's agent."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"busy_seconds": 60, "pending_tasks": 0}})

    busy_seconds: float = Field(
        ge=0,
        le=MAX_TURN_SECONDS,
        description="How many seconds the agent's turn will take; renew it during the turn. 0 ends it.",
    )
    pending_tasks: int = Field(0, ge=0, le=1_000_000, description="Number of tasks in the agent's queue.")


class DeletedStoreOut(BaseModel):
    """A deleted store."""

    name: str
    rows: dict[str, int] = Field(description="Number of deleted rows by table.")


class ActivityOut(BaseModel):
    """The time until which dreams wait."""

    busy_until: datetime | None


@router.get("", responses=answers(), summary="List stores")
def list_all(caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Page[StoreOut]:
    """List the tenant's stores by name."""
    after = decode_cursor(cursor) or ""
    found = [store for store in find_stores(caller.ports.db, caller.tenant_id) if store.name > after]
    shown, following = page_of(found[: limit + 1], limit, lambda store: store.name)
    return Page(data=[store_out(store) for store in shown], next_cursor=following)


@router.post("", status_code=201, response_model=StoreOut, responses=answers(409), summary="Make a store")
def create(body: StoreIn, caller: Administrator, once: Idempotent) -> Response:
    """Create a store; 409 if the name is taken."""

    def produce() -> StoreOut:
        db = caller.ports.db
        if any(store.name == body.name for store in find_stores(db, caller.tenant_id)):
            raise ConflictError(f"Store {body.name} exists already")
        return store_out(
            configure_store(
                db,
                caller.tenant_id,
                body.name,
                changes=StoreChanges(profile=body.profile, autonomy=body.autonomy),
                phases=get_phases(),
                actor=caller.actor,
            )
        )

    return once.answer(caller, 201, produce)


@router.get("/{store}", responses=answers(), summary="Get a store")
def get(store: StoreName, caller: Reader) -> StoreOut:
    """Return a store with its settings and counters."""
    return store_out(get_store(caller.ports.db, caller.tenant_id, store))


@router.patch("/{store}", responses=answers(), summary="Set a store")
def change(store: StoreName, body: StorePatch, caller: Administrator) -> StoreOut:
    """Change the profile, the autonomy, single settings, the arm or, for an operator, the store's own model."""
    llm = body.llm.changes() if body.llm is not None else {}
    if llm:
        caller.check(Permission.OPERATE)
    get_store(caller.ports.db, caller.tenant_id, store)
    changed = configure_store(
        caller.ports.db,
        caller.tenant_id,
        store,
        changes=StoreChanges(
            profile=body.profile,
            autonomy=body.autonomy,
            overrides=body.overrides,
            unset=body.unset,
            llm=llm,
            arm=body.arm,
        ),
        phases=get_phases(),
        actor=caller.actor,
    )
    return store_out(changed)


@router.delete("/{store}", responses=answers(409), summary="Delete a store")
def delete(store: StoreName, caller: Administrator) -> DeletedStoreOut:
    """Delete a store for good, with its memories, versions, sessions and dreams. Copies that dreams made of it stay."""
    found = get_store(caller.ports.db, caller.tenant_id, store)
    return DeletedStoreOut(
        name=store, rows=delete_store(caller.ports.db, caller.tenant_id, found.id, actor=caller.actor)
    )


@router.get("/{store}/settings", responses=answers(), summary="Get the settings in force for a store")
def effective(store: StoreName, caller: Administrator) -> EffectiveOut:
    """Return the model, directives and policy that the next dream will use, each with its source."""
    ports = caller.ports
    return effective_out(find_effective(ports.db, ports.settings, caller.tenant_id, store, get_phases()))


@router.post("/{store}/pause", response_model=StoreOut, responses=answers(409), summary="Pause a store")
def pause(store: StoreName, caller: Administrator, once: Idempotent) -> Response:
    """Pause a store's dreams; `force` does not skip a pause. Pausing a paused store changes nothing."""
    return once.answer(caller, 200, lambda: _pause(store, caller, paused=True))


@router.post("/{store}/resume", response_model=StoreOut, responses=answers(409), summary="Resume a store")
def resume(store: StoreName, caller: Administrator, once: Idempotent) -> Response:
    """Let a store dream again."""
    return once.answer(caller, 200, lambda: _pause(store, caller, paused=False))


@router.get("/{store}/status", responses=answers(), summary="Explain why a store does not dream")
def status(store: StoreName, caller: Reader) -> StatusOut:
    """Return the current verdict of each gate, with its numbers. Nothing is recorded."""
    return status_out(explain_store(caller.ports.db, caller.tenant_id, store, get_phases))


@router.get("/{store}/notice", responses=answers(), summary="Get a notice of recent dreams for the agent")
def notice(store: StoreName, caller: Reader, since: Since = None) -> NoticeOut:
    """Return one line for the agent's session, or an empty text if there is no news."""
    return notice_out(get_notice(caller.ports.db, caller.tenant_id, store, since=since))


@router.put("/{store}/activity", responses=answers(), summary="Set the agent's activity")
def activity(store: StoreName, body: ActivityIn, caller: Writer) -> ActivityOut:
    """Delay dreams while the agent has a turn or queued tasks. The mark expires if it is not renewed."""
    until = mark_activity(
        caller.ports.db,
        caller.tenant_id,
        store,
        busy_seconds=body.busy_seconds,
        pending_tasks=body.pending_tasks,
        actor=caller.actor,
    )
    return ActivityOut(busy_until=until)


def _pause(store: str, caller: Caller, *, paused: bool) -> StoreOut:
    set_paused(caller.ports.db, caller.tenant_id, store, paused=paused, actor=caller.actor)
    return store_out(get_store(caller.ports.db, caller.tenant_id, store))
