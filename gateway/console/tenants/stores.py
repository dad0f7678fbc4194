"""Show stores with the verdicts of their gates, and start, pause and resume their dreams."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.api.http.parameters import StoreName
from gateway.console.pages import go, page
from gateway.console.visitor import Administrator, AdminReader, Reader, Visitor, Writer
from gateway.phases import estimate_dream, get_phases
from shared.core.dream.model import ACTIVE_STATES, Trigger
from shared.core.tenants.roles import Permission
from shared.services.dreams.explain import explain_store
from shared.services.dreams.read import find_dreams
from shared.services.dreams.send import send_dream
from shared.services.dreams.start import start_dream
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.services.tenants.overview import StoreCondition, find_store_lines
from shared.services.tenants.pause import set_paused
from shared.services.tenants.stores import get_store

router = APIRouter(prefix="/console/t/{tenant}/stores", include_in_schema=False)
_ON_A_PAGE = 50
_RECENT = 10


@router.get("")
def list_all(
    request: Request, visitor: Reader, only: Annotated[str, Query(max_length=20)] = "", cursor: Cursor = None
) -> Response:
    """List stores, each with the reason why it does not dream. `only` filters by condition, such as quarantined."""
    after, wanted = decode_cursor(cursor) or "", StoreCondition(only) if only in set(StoreCondition) else None
    found = find_store_lines(visitor.ports.db, visitor.tenant_id, after=after, limit=_ON_A_PAGE + 1, only=wanted)
    shown, following = page_of(found, _ON_A_PAGE, lambda line: line.store.name)
    known: dict[str, Any] = {"only": wanted, "conditions": list(StoreCondition), "heading": "Stores"}
    return page(request, visitor, "tenants/stores.html", stores=shown, following=following, **known)


@router.get("/{store}")
def show(request: Request, visitor: Reader, store: StoreName) -> Response:
    """Show one store: why it does not dream, its counters, and its last dreams."""
    db = visitor.ports.db
    explanation = explain_store(db, visitor.tenant_id, store, get_phases)
    dreams = find_dreams(db, visitor.tenant_id, store=store, limit=_RECENT)
    active = next((dream for dream in dreams if dream.state in ACTIVE_STATES), None)
    return page(
        request, visitor, "tenants/store.html", why=explanation, store=explanation.store, dreams=dreams, active=active
    )


@router.get("/{store}/estimate")
def estimate(
    request: Request, visitor: AdminReader, store: StoreName, *, forced: bool = False, now: bool = False
) -> Response:
    """Show what a dream would ask now, and what that would cost with each model.

    A dream reads the whole store, so the page comes first and asks for the numbers itself; `now` has them at once.
    """
    get_store(visitor.ports.db, visitor.tenant_id, store)
    is_part = bool(request.headers.get("hx-request"))
    found = estimate_dream(visitor.ports, visitor.tenant_id, store, force=forced) if is_part or now else None
    template = "tenants/estimated.html" if is_part else "tenants/estimate.html"
    return page(request, visitor, template, found=found, store=store, forced=forced)


@router.post("/{store}/dream")
def dream(
    visitor: Writer,
    store: StoreName,
    how: Annotated[str, Form(pattern="^(|forced|dry)$")] = "",
) -> Response:
    """Start a dream, or show which gate is shut."""
    if how == "forced":
        visitor.session.check(Permission.ADMINISTER)
    ports, base = visitor.ports, f"/console/t/{visitor.tenant_id}"
    is_dry = how == "dry"
    started = start_dream(
        ports.db,
        visitor.tenant_id,
        store,
        trigger=Trigger.API,
        force=how == "forced",
        dry_run=is_dry,
        actor=visitor.actor,
        phases=get_phases,
    )
    if started.dream is None:
        return go(visitor, f"{base}/stores/{store}", f"Not started: {started.verdict.in_words}", "refused")
    delay = send_dream(ports.db, ports.dispatch, started.dream)
    said = "Queued; the broker is away, so that it starts later" if delay else "A dream was started"
    return go(visitor, f"{base}/dreams/{started.dream.id}", said)


@router.post("/{store}/enable")
def enable(visitor: Administrator, store: StoreName) -> Response:
    """Switch a store's dreaming on; some profiles start with it off."""
    get_store(visitor.ports.db, visitor.tenant_id, store)
    configure_store(
        visitor.ports.db,
        visitor.tenant_id,
        store,
        changes=StoreChanges(overrides={"gates.enabled": True}),
        phases=get_phases(),
        actor=visitor.actor,
    )
    return go(visitor, f"/console/t/{visitor.tenant_id}/stores/{store}", "Switched on: it dreams when its gates open")


@router.post("/{store}/pause")
def pause(visitor: Administrator, store: StoreName) -> Response:
    """Stop a store's dreams."""
    return _pause(visitor, store, paused=True)


@router.post("/{store}/resume")
def resume(visitor: Administrator, store: StoreName) -> Response:
    """Let a store dream again."""
    return _pause(visitor, store, paused=False)


def _pause(visitor: Visitor, store: str, *, paused: bool) -> Response:
    set_paused(visitor.ports.db, visitor.tenant_id, store, paused=paused, actor=visitor.actor)
    said = "Paused: this store does not dream until it is resumed" if paused else "Resumed"
    return go(visitor, f"/console/t/{visitor.tenant_id}/stores/{store}", said)
