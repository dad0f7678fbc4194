"""Show lists of dreams, one dream with its phases while it runs, and the previews of an undo and a redo."""

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, Query, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.api.http.parameters import DreamId, OperationId, StoreFilter
from gateway.console.pages import go, page
from gateway.console.reviews.saved_filters import saved_filters
from gateway.console.views.operation_filters import BANDS, FiltersInAddress
from gateway.console.views.operation_views import OperationView, operation_view
from gateway.console.views.timeline import make_timeline
from gateway.console.views.words import count
from gateway.console.visitor import Reader, Reviewer, Visitor
from shared.core.dream.model import ACTIVE_STATES, UNDOABLE_STATES, DreamState, OperationState, ReviewState
from shared.core.dream.operations import say_deed
from shared.core.dream.summary import render_summary
from shared.core.errors import ConflictError, NotFoundError
from shared.core.listings.period import Period
from shared.core.listings.saved_filters import FilteredList
from shared.ports.dreams import RecordedOperation
from shared.services.dreams.cancel import cancel_dream, wake_dream
from shared.services.dreams.read import DreamView, find_calls, find_dreams, get_dream_page
from shared.services.operations.preview_undo import UndoPreview, UndoStep, preview_redo, preview_undo
from shared.services.operations.redo import RedoReport, redo_dream
from shared.services.operations.review import get_operation
from shared.services.operations.undo import UndoReport, undo_dream

router = APIRouter(prefix="/console/t/{tenant}/dreams", include_in_schema=False)
_ON_A_PAGE = 25
#: Together a page of at most 150 kB.
_OPERATIONS = 50
_STEPS = 200
#: The calls that are summed up for each phase; the page lists the first ones.
_CALLS = 1_000
Wanted = Annotated[FiltersInAddress, Depends(FiltersInAddress.read)]


@router.get("")
def list_all(
    request: Request,
    visitor: Reader,
    store: StoreFilter = None,
    state: Annotated[str, Query(max_length=20)] = "",
    since: Annotated[str, Query(max_length=20)] = "",
    until: Annotated[str, Query(max_length=20)] = "",
    cursor: Cursor = None,
) -> Response:
    """List dreams, newest first; `since` and `until` are days of UTC, both inclusive."""
    wanted = DreamState(state) if state in set(DreamState) else None
    first, last = _day(since), _day(until)
    found = find_dreams(
        visitor.ports.db,
        visitor.tenant_id,
        store=store,
        state=wanted,
        period=Period(since=first, until=last and last + timedelta(days=1)),
        before=decode_cursor(cursor),
        limit=_ON_A_PAGE + 1,
    )
    shown, following = page_of(found, _ON_A_PAGE, lambda dream: dream.id)
    asked = {"store": store, "since": first and f"{first:%Y-%m-%d}", "until": last and f"{last:%Y-%m-%d}"}
    known: dict[str, Any] = {"state": wanted, "states": list(DreamState), "asked": asked}
    known["kept"] = {name: value for name, value in asked.items() if value}
    chosen = known["kept"] | ({"state": wanted} if wanted else {})
    known["saved"] = saved_filters(visitor, FilteredList.DREAMS, urlencode(chosen))
    return page(request, visitor, "dreams/dreams.html", dreams=shown, following=following, **known)


@router.get("/{dream_id}")
def show(request: Request, visitor: Reader, dream_id: DreamId, wanted: Wanted) -> Response:
    """Show a dream with its operations, or those that the address asks for. While it runs, the page polls."""
    return page(request, visitor, "dreams/dream.html", **_known(visitor, dream_id, wanted))


@router.get("/{dream_id}/live")
def live(
    request: Request,
    visitor: Reader,
    dream_id: DreamId,
    wanted: Wanted,
    seen: Annotated[str, Query(max_length=64)] = "",
) -> Response:
    """Return the changing part of the page, or nothing if nothing changed."""
    known = _known(visitor, dream_id, wanted)
    if known["mark"] == seen:
        return Response(None, 204)
    return page(request, visitor, "dreams/dream_live.html", **known)


@router.get("/{dream_id}/diffs/{operation_id}")
def diff(request: Request, visitor: Reader, dream_id: DreamId, operation_id: OperationId) -> Response:
    """Show what an operation of the dream changed, to be unfolded in its page."""
    recorded = get_operation(visitor.ports.db, visitor.tenant_id, operation_id)
    if recorded.dream_id != dream_id:
        raise NotFoundError(f"The dream has no operation {operation_id}")
    return page(request, visitor, "dreams/operation_diff.html", operation=operation_view(recorded))


@router.get("/{dream_id}/undo")
def preview(request: Request, visitor: Reader, dream_id: DreamId) -> Response:
    """Show what an undo would do, conflicts first, without doing it."""
    found = preview_undo(visitor.ports.db, visitor.tenant_id, dream_id)
    return page(request, visitor, "dreams/undo.html", preview=found, dream=found.dream, steps=_steps(found))


@router.post("/{dream_id}/undo")
def undo(visitor: Reviewer, dream_id: DreamId, force: Annotated[str, Form(pattern="^(|yes)$")] = "") -> Response:
    """Undo a dream."""

    def act() -> str:
        report = undo_dream(visitor.ports.db, visitor.tenant_id, dream_id, actor=visitor.actor, force=force == "yes")
        return f"Undone: {count(report.undone, 'operation was', 'operations were')} taken back{_tell_rest(report)}"

    return _act(visitor, dream_id, act)


@router.get("/{dream_id}/redo")
def preview_of_redo(request: Request, visitor: Reader, dream_id: DreamId) -> Response:
    """Show what a redo would do, conflicts first, without doing it."""
    found = preview_redo(visitor.ports.db, visitor.tenant_id, dream_id)
    return page(request, visitor, "dreams/redo.html", preview=found, dream=found.dream, steps=_steps(found))


@router.post("/{dream_id}/redo")
def redo(visitor: Reviewer, dream_id: DreamId, force: Annotated[str, Form(pattern="^(|yes)$")] = "") -> Response:
    """Redo an undone dream."""

    def act() -> str:
        report = redo_dream(visitor.ports.db, visitor.tenant_id, dream_id, actor=visitor.actor, force=force == "yes")
        return f"Redone: {count(report.redone, 'operation is', 'operations are')} in force again{_tell_rest(report)}"

    return _act(visitor, dream_id, act)


def _act(visitor: Visitor, dream_id: DreamId, act: Callable[[], str]) -> Response:
    """Return to the dream's page with what was done, or with the reason why it was refused."""
    where = f"/console/t/{visitor.tenant_id}/dreams/{dream_id}"
    try:
        said = act()
    except ConflictError as error:
        return go(visitor, where, str(error), "refused")
    return go(visitor, where, said)


def _tell_rest(report: UndoReport | RedoReport) -> str:
    """Return what an undo or a redo has left for a person to look at, to go on with a sentence."""
    said = f"; {len(report.conflicts)} left alone because of later edits" if report.conflicts else ""
    return said + (
        f"; {count(len(report.proposals), 'later edit waits', 'later edits wait')} for a review"
        if report.proposals
        else ""
    )


def _steps(found: UndoPreview) -> list[tuple[OperationView, UndoStep]]:
    """Return the steps that a page shows, conflicts first."""
    shown = [*found.conflicts, *(step for step in found.steps if not step.conflict)][:_STEPS]
    return [(operation_view(step.recorded, with_diffs=False), step) for step in shown]


@router.post("/{dream_id}/cancel")
def cancel(visitor: Reviewer, dream_id: DreamId) -> Response:
    """Ask a dream to stop."""

    def act() -> str:
        ports = visitor.ports
        cancel_dream(ports.db, visitor.tenant_id, dream_id, actor=visitor.actor)
        wake_dream(ports.db, ports.dispatch, visitor.tenant_id, dream_id)
        return "The dream stops after its current step; its applied operations stay, and can be undone"

    return _act(visitor, dream_id, act)


def _day(text: str) -> datetime | None:
    """Return the beginning of a day; None for an empty text and for anything but a day between 1970 and 9998."""
    try:
        found = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return None
    return found if 1970 <= found.year < 9999 else None


def _known(visitor: Visitor, dream_id: str, wanted: FiltersInAddress) -> dict[str, Any]:
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    view = get_dream_page(
        db,
        tenant_id,
        dream_id,
        after=decode_cursor(wanted.cursor),
        limit=_OPERATIONS + 1,
        only=wanted.only,
        by_kind=True,
    )
    shown, following = page_of(view.operations, _OPERATIONS, lambda one: one.id)
    calls = find_calls(db, tenant_id, dream_id, limit=_CALLS) if view.calls.calls else []
    return {
        "view": view,
        "dream": view.dream,
        "wanted": wanted,
        "timeline": make_timeline(view.dream, view.phases, calls),
        "most_calls": _CALLS,
        "more_calls": view.calls.calls > len(calls),
        "groups": _group(shown),
        "told": render_summary(view.dream).splitlines()[1:] if view.dream.summary else [],
        "states": list(OperationState),
        "bands": BANDS,
        "following": following,
        "is_active": view.dream.state in ACTIVE_STATES,
        "can_redo": view.dream.state is DreamState.UNDONE,
        "can_undo": view.dream.state in UNDOABLE_STATES and not view.dream.is_dry_run,
        "mark": _mark(view),
    }


def _group(recorded: Sequence[RecordedOperation]) -> list[tuple[str, list[OperationView]]]:
    """Return the operations under the heads of their groups, in their order: what waits for a review, then by kind."""

    def head_of(one: RecordedOperation) -> str:
        return (
            "To review" if one.review is ReviewState.PENDING else say_deed(one.operation.kind, one.state).capitalize()
        )

    groups: dict[str, list[OperationView]] = {}
    for one in recorded:
        groups.setdefault(head_of(one), []).append(operation_view(one, with_diffs=False))
    return list(groups.items())


def _mark(view: DreamView) -> str:
    """Return a mark that changes whenever the page does."""
    dream = view.dream
    moved: list[object] = [dream.state, dream.reason, dream.cancel_requested_at, view.calls, view.total]
    moved += [(run.phase, run.state, run.reason) for run in view.phases]
    moved += [(one.id, one.state, one.review) for one in view.operations]
    return hashlib.sha256(repr(moved).encode()).hexdigest()[:16]
