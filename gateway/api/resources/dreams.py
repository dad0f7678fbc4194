"""Start, read, cancel, undo and redo dreams."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from gateway.api.http.auth import Reader, Reviewer, Writer
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import Cursor, Limit, NotedPage, Page, decode_cursor, encode_cursor, find_within, page_of
from gateway.api.http.parameters import DreamId, StoreFilter
from gateway.api.http.problems import answers
from gateway.api.http.start_dream import start_or_refuse
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.dreams import (
    DreamDetail,
    DreamNow,
    DreamOut,
    OperationOut,
    dream_detail,
    dream_now,
    dream_out,
    operation_out,
    size_of,
)
from gateway.api.shapes.stores import Name
from gateway.dream_progress import find_progress, find_worker
from shared.core.dream.model import DreamState, Trigger
from shared.core.dream.summary import render_summary
from shared.core.listings.period import Period
from shared.core.tenants.roles import Permission, is_allowed
from shared.core.tenants.store import DEFAULT_STORE
from shared.ports.dreams import RecordedOperation
from shared.services.dreams.cancel import cancel_dream, wake_dream
from shared.services.dreams.read import find_dreams, find_operations, get_dream_page, get_dream_progress
from shared.services.operations.redo import redo_dream
from shared.services.operations.undo import undo_dream

router = APIRouter(prefix="/api/dreams", tags=["dreams"], route_class=OneThreadRoute)


class DreamIn(BaseModel):
    """The store to dream over, and the options."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"store": "default", "dry_run": True}})

    store: Name = DEFAULT_STORE
    force: bool = Field(
        False,
        description="Skip gates that wait for time or activity, never a pause, budget or lock. Needs an admin key.",
    )
    dry_run: bool = Field(False, description="Run every phase, but apply nothing.")
    only: Literal["digest", "compaction"] | None = Field(
        None,
        description="Run only a daily digest or a compaction, no whole dream; `force` also overrides its switch.",
    )


class UndoIn(BaseModel):
    """Options of an undo."""

    model_config = ConfigDict(extra="forbid")

    force: bool = Field(False, description="Also overwrite edits made after the dream; each edit is proposed again.")


class UndoOut(BaseModel):
    """The result of an undo."""

    dream_id: str
    undone: int
    conflicts: list[str] = Field(description="Changes that stay because the same lines were edited after the dream.")
    merged: list[str] = Field(description="Paths of memories that now have both the restored text and a later edit.")
    proposals: list[str] = Field(description="Operations that propose the edits again that `force` has overwritten.")


class RedoIn(BaseModel):
    """Options of a redo."""

    model_config = ConfigDict(extra="forbid")

    force: bool = Field(False, description="Also overwrite edits made after the undo; each edit is proposed again.")


class RedoOut(BaseModel):
    """The result of a redo."""

    dream_id: str
    redone: int
    conflicts: list[str] = Field(
        description="Changes that stay undone because the same lines were edited after the undo."
    )
    merged: list[str] = Field(description="Paths of memories that now have both the restored text and a later edit.")
    proposals: list[str] = Field(description="Operations that propose the edits again that `force` has overwritten.")


class StateOut(BaseModel):
    """The current state of a dream."""

    id: str
    state: DreamState


class LogOut(BaseModel):
    """The log of a dream."""

    dream: DreamDetail
    text: str = Field(description="The summary that `slowwave dream` prints at the end.")
    tokens: int
    cost_usd: float = Field(description="0 for models without a known price.")
    reused: int = Field(description="Answers that an evaluation had bought, and that were not bought again.")
    saved_usd: float = Field(description="What those would have cost.")


@router.post("", status_code=202, response_model=DreamOut, responses=answers(409), summary="Start a dream")
def start(body: DreamIn, caller: Writer, once: Idempotent) -> Response:
    """Queue a dream if the store's gates are open; 409 with the gate's reason if one is shut."""
    if body.force:
        caller.check(Permission.ADMINISTER)
    only = Trigger(body.only) if body.only else None
    return once.answer(
        caller,
        202,
        lambda: dream_out(start_or_refuse(caller, body.store, force=body.force, dry_run=body.dry_run, only=only)),
    )


@router.get("", responses=answers(), summary="List dreams")
def list_all(
    caller: Reader,
    store: StoreFilter = None,
    state: Annotated[DreamState | None, Query(description="Only dreams in this state.")] = None,
    since: Annotated[AwareDatetime | None, Query(description="Only dreams created at or after this time.")] = None,
    until: Annotated[AwareDatetime | None, Query(description="Only dreams created before this time.")] = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> Page[DreamOut]:
    """List dreams, newest first."""
    found = find_dreams(
        caller.ports.db,
        caller.tenant_id,
        store=store,
        state=state,
        period=Period(since=since, until=until),
        before=decode_cursor(cursor),
        limit=limit + 1,
    )
    shown, following = page_of(found, limit, lambda dream: dream.id)
    return Page(data=[dream_out(dream) for dream in shown], next_cursor=following)


@router.get("/{dream_id}", responses=answers(), summary="Get a dream")
def get(dream_id: DreamId, caller: Reader) -> DreamNow:
    """Return a dream with its phases and its progress: its age, its lease and, for operators, its worker."""
    dream, runs = get_dream_progress(caller.ports.db, caller.tenant_id, dream_id)
    may_see_workers = is_allowed(caller.role, Permission.OPERATE)
    worker = find_worker(caller.ports.settings, dream) if may_see_workers else None
    return dream_now(dream, runs, find_progress(dream, worker))


@router.get("/{dream_id}/log", responses=answers(), summary="Read a dream's log")
def log(dream_id: DreamId, caller: Reader) -> LogOut:
    """Return what the dream did and why, as text and as numbers."""
    view = get_dream_page(caller.ports.db, caller.tenant_id, dream_id, after=None, limit=0)
    return LogOut(
        dream=dream_detail(view.dream, list(view.phases)),
        text=render_summary(view.dream),
        tokens=view.calls.tokens,
        cost_usd=view.calls.cost_usd,
        reused=view.calls.reused,
        saved_usd=view.calls.saved_usd,
    )


@router.get("/{dream_id}/operations", responses=answers(), summary="List a dream's operations with diffs")
def operations(dream_id: DreamId, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> NotedPage[OperationOut]:
    """List operations in the order in which they were recorded, each with its diffs."""
    note = ""

    def find(after: str | None, wanted: int) -> Sequence[RecordedOperation]:
        nonlocal note
        page = find_operations(caller.ports.db, caller.tenant_id, dream_id, after=after, limit=wanted)
        note = page.note
        return page.operations

    shown, is_more = find_within(find, decode_cursor(cursor), limit, size_of=size_of, place=lambda one: one.id)
    following = encode_cursor(shown[-1].id) if is_more else None
    return NotedPage(data=[operation_out(one) for one in shown], next_cursor=following, note=note or None)


@router.post("/{dream_id}/cancel", response_model=StateOut, responses=answers(409), summary="Cancel a dream")
def cancel(dream_id: DreamId, caller: Reviewer, once: Idempotent) -> Response:
    """Ask a dream to stop after its current step. Its applied operations stay, and can be undone."""

    def produce() -> StateOut:
        state = cancel_dream(caller.ports.db, caller.tenant_id, dream_id, actor=caller.actor)
        wake_dream(caller.ports.db, caller.ports.dispatch, caller.tenant_id, dream_id)
        return StateOut(id=dream_id, state=state)

    return once.answer(caller, 200, produce)


@router.post("/{dream_id}/undo", response_model=UndoOut, responses=answers(409), summary="Undo a dream")
def undo(dream_id: DreamId, caller: Reviewer, once: Idempotent, body: UndoIn | None = None) -> Response:
    """Restore the memories to their state before the dream. Edits made since stay; conflicts are reported."""
    force = body is not None and body.force

    def produce() -> UndoOut:
        report = undo_dream(caller.ports.db, caller.tenant_id, dream_id, actor=caller.actor, force=force)
        return UndoOut.model_validate(report, from_attributes=True)

    return once.answer(caller, 200, produce)


@router.post("/{dream_id}/redo", response_model=RedoOut, responses=answers(409), summary="Redo an undone dream")
def redo(dream_id: DreamId, caller: Reviewer, once: Idempotent, body: RedoIn | None = None) -> Response:
    """Revert the undo of a dream. Edits made since the undo stay; conflicts are reported."""
    force = body is not None and body.force

    def produce() -> RedoOut:
        report = redo_dream(caller.ports.db, caller.tenant_id, dream_id, actor=caller.actor, force=force)
        return RedoOut.model_validate(report, from_attributes=True)

    return once.answer(caller, 200, produce)
