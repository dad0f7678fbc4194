"""Serve `/v1/dreams`: create, retrieve, list, cancel, archive."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.concurrency import run_in_threadpool

from gateway.api.http.idempotency import Idempotent
from gateway.api.http.parameters import DreamId
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.v1.callers import Reader, Reviewer, Writer
from gateway.api.v1.errors import errors
from gateway.api.v1.pages import (
    After,
    Before,
    Page,
    Pages,
    WithArchived,
    span_of,
)
from gateway.api.v1.shapes.dreams import DreamIn, DreamOut, dream_out
from shared.core.dream.orders import OrderStatus, OutputBehavior
from shared.core.tenants.roles import Permission, is_allowed
from shared.ports.llm import LlmUsage
from shared.services.dreams.send import send_dream
from shared.services.orders import OrderView, archive_order, cancel_order, find_orders, get_order, order_dream

router = APIRouter(prefix="/v1/dreams", tags=["v1 dreams"], route_class=OneThreadRoute)
Statuses = Annotated[
    list[OrderStatus] | None,
    Query(alias="statuses[]", max_length=10, description="Only dreams in one of these states."),
]


@router.post("", response_model=DreamOut, responses=errors(409), summary="Create a dream")
async def create(body: DreamIn, caller: Writer, once: Idempotent) -> Response:
    """Queue a dream over a store and sessions. By default it writes into a copy of the store, made first in one transaction.

    To make a copy takes an admin's key, as making any store does. Only an admin's order skips the gates that wait.
    """
    wanted, may_force = body.to_order(), is_allowed(caller.role, Permission.ADMINISTER)
    if wanted.behavior is OutputBehavior.CREATE_NEW:
        caller.check(Permission.ADMINISTER)  # before a thread is taken: what is refused costs other tenants little

    def produce() -> DreamOut:
        ports = caller.ports
        dream, order = order_dream(ports.db, ports.ids, caller.tenant_id, wanted, force=may_force, actor=caller.actor)
        send_dream(ports.db, ports.dispatch, dream)
        return dream_out(OrderView(dream=dream, order=order, usage=LlmUsage()))

    return await run_in_threadpool(once.answer, caller, 200, produce)


@router.get("", responses=errors(), summary="List dreams")
def list_all(
    caller: Reader,
    *,
    created_after: After = None,
    created_before: Before = None,
    include_archived: WithArchived = False,
    statuses: Statuses = None,
    pages: Pages,
) -> Page[DreamOut]:
    """List dreams, newest first, including those that slowwave started automatically."""
    found = find_orders(
        caller.ports.db,
        caller.tenant_id,
        span_of(after=created_after, before=created_before),
        statuses=statuses or (),
        with_archived=include_archived,
        start_after=pages.start_after,
        limit=pages.wanted,
    )
    return pages.page_of(found, dream_out, lambda view: (view.dream.created_at, view.dream.id))


@router.get("/{dream_id}", responses=errors(), summary="Retrieve a dream")
def retrieve(dream_id: DreamId, caller: Reader) -> DreamOut:
    """Return a dream, archived or not."""
    return dream_out(get_order(caller.ports.db, caller.tenant_id, dream_id))


@router.post("/{dream_id}/cancel", response_model=DreamOut, responses=errors(409), summary="Cancel a dream")
def cancel(dream_id: DreamId, caller: Reviewer, once: Idempotent) -> Response:
    """Stop a dream that has not ended. Its applied operations stay in the output store."""
    return once.answer(
        caller, 200, lambda: dream_out(cancel_order(caller.ports, caller.tenant_id, dream_id, actor=caller.actor))
    )


@router.post("/{dream_id}/archive", response_model=DreamOut, responses=errors(409), summary="Archive a dream")
def archive(dream_id: DreamId, caller: Reviewer, once: Idempotent) -> Response:
    """Hide an ended dream from the list, for good."""
    return once.answer(
        caller, 200, lambda: dream_out(archive_order(caller.ports, caller.tenant_id, dream_id, actor=caller.actor))
    )
