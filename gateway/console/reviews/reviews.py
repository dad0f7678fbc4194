"""Show the review queue and single operations, and take verdicts."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Form, Query, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.api.http.parameters import OperationId
from gateway.console.member_names import MemberNames
from gateway.console.pages import go, page
from gateway.console.reviews.saved_filters import saved_filters
from gateway.console.views.operation_views import OperationView, operation_view
from gateway.console.views.review_filters import NOT_ASSIGNED, ReviewFilters
from gateway.console.visitor import Reader, Reviewer, Visitor
from shared.core.errors import ChangedProposalError, ConflictError
from shared.core.listings.by_memory import group_by_memory
from shared.core.listings.one_change import keep_together
from shared.core.listings.saved_filters import FilteredList
from shared.ports.dreams import RecordedOperation
from shared.services.approval import approve as approve_it
from shared.services.dreams.read import name_dreams
from shared.services.operations.bulk_review import MOST_AT_ONCE
from shared.services.operations.preview_undo import preview_rejection
from shared.services.operations.review import (
    MAX_WHY,
    count_reviews_by_facet,
    find_places,
    find_reviews,
    get_operation,
    get_operations,
    list_reviews,
    reject_operation,
    reopen_operation,
)

router = APIRouter(prefix="/console/t/{tenant}", include_in_schema=False)


class Memories(NamedTuple):
    """A memory, and the ids of all operations on it that wait, in their order."""

    memory_id: str
    waiting: tuple[str, ...]


_ON_A_PAGE = 20
#: The page of a verdict: the queue, whose entry is replaced, or the operation's own page.
From = Annotated[str, Form(alias="from", pattern="^(|queue)$")]
#: What most rejections are for, by the keys 1 to 5.
REASONS = (
    "It is wrong",
    "It loses something",
    "These are about different things",
    "It is still needed",
    "It is not worth keeping",
)
Reason = Annotated[str, Form(max_length=MAX_WHY)]


def _read_why(why: Reason = "", words: Reason = "") -> str:
    """Return the reason of a rejection: a person's own words, or the button that was pressed."""
    return words.strip() or why


Words = Annotated[str, Depends(_read_why)]


#: The sentence of an error that names an option of the command line; a page has a button for it.
_OPTION = re.compile(r"\. [^.]{0,200}--force")


def say_without_option(error: Exception) -> str:
    """Return what an error says, without the sentence about an option of the command line."""
    return _OPTION.split(str(error))[0]


@router.get("/reviews")
def queue(
    request: Request,
    visitor: Reader,
    wanted: Annotated[ReviewFilters, Depends(ReviewFilters.read)],
    cursor: Cursor = None,
    by: Annotated[str, Query(pattern="^(|memory)$")] = "",
) -> Response:
    """Show the operations that wait for a review, oldest first or by memory, or those that match filters."""
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    find = _find_by_memory if by else _find_oldest
    found, numbers = find(visitor, wanted, decode_cursor(cursor))
    shown, following = page_of(found, _ON_A_PAGE, lambda one: one.id)
    counts = count_reviews_by_facet(db, tenant_id)
    places = find_places(db, tenant_id, shown)
    named = name_dreams(db, tenant_id, {one.dream_id for one in counts})
    names = {key: str(name) for key, name in named.items()} | {**MemberNames(visitor).all, NOT_ASSIGNED: "no person"}
    views = [operation_view(one, with_diffs=False, place=places.get(one.id)) for one in shown]
    return page(
        request,
        visitor,
        "reviews/reviews.html",
        operations=views,
        changes=[] if by else keep_together(views, [one.id for one in shown], places),
        memories=_group(views, numbers),
        by=by,
        following=following,
        wanted=wanted,
        waiting=wanted.count(counts),
        choices=wanted.find_facets(counts, names),
        reasons=REASONS,
        saved=saved_filters(visitor, FilteredList.REVIEWS, wanted.query),
    )


def _find_oldest(
    visitor: Visitor, wanted: ReviewFilters, after: str | None
) -> tuple[list[RecordedOperation], dict[str, Memories]]:
    """Return one operation more than a page has, oldest first."""
    found = find_reviews(
        visitor.ports.db,
        visitor.tenant_id,
        store=wanted.store or None,
        dream_id=wanted.dream or None,
        only=wanted.only,
        after=after,
        limit=_ON_A_PAGE + 1,
    )
    return found, {}


def _find_by_memory(
    visitor: Visitor, wanted: ReviewFilters, after: str | None
) -> tuple[list[RecordedOperation], dict[str, Memories]]:
    """Return one operation more than a page has, by the memory, and of which memory each is. Once `after` is decided, from the first on."""
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    waiting = list_reviews(
        db, tenant_id, store=wanted.store or None, dream_id=wanted.dream or None, only=wanted.only, limit=MOST_AT_ONCE
    )
    groups = group_by_memory(waiting)
    order = [one.id for _, group in groups for one in group]
    start = order.index(after) + 1 if after in order else 0
    chosen = order[start : start + _ON_A_PAGE + 1]
    known = get_operations(db, tenant_id, chosen)
    of = {one.id: Memories(memory_id, tuple(each.id for each in group)) for memory_id, group in groups for one in group}
    return [known[one] for one in chosen if one in known], of


def _group(
    views: Sequence[OperationView], of: Mapping[str, Memories]
) -> list[tuple[str, Memories, list[OperationView]]]:
    """Return the operations of a page under the path of their memory, with all that wait on it."""
    groups: dict[str, list[OperationView]] = {}
    for view in views if of else ():
        groups.setdefault(of[view.recorded.id].memory_id, []).append(view)
    return [(_path_of(key, shown), of[shown[0].recorded.id], shown) for key, shown in groups.items()]


def _path_of(memory_id: str, views: Sequence[OperationView]) -> str:
    sides = (side for view in views for one in view.recorded.effects for side in (one.before, one.after))
    found = next((side.path for side in sides if side is not None and side.id == memory_id), "")
    return found or next((path for view in views for path in view.paths), "no memory")


@router.get("/operations/{operation_id}")
def show(request: Request, visitor: Reader, operation_id: OperationId) -> Response:
    """Show one operation with its diffs, and the conflicts of undoing it."""
    found = get_operation(visitor.ports.db, visitor.tenant_id, operation_id)
    view = operation_view(found, place=find_places(visitor.ports.db, visitor.tenant_id, [found]).get(found.id))
    step = preview_rejection(visitor.ports.db, visitor.tenant_id, operation_id) if view.can_reject else None
    return page(request, visitor, "dreams/operation.html", operation=view, step=step, reasons=REASONS)


@router.post("/operations/{operation_id}/approve")
def approve(request: Request, visitor: Reviewer, operation_id: OperationId, came_from: From = "") -> Response:
    """Keep an applied operation, or apply a proposed one."""
    ports = visitor.ports
    try:
        approve_it(ports.db, ports.ids, visitor.tenant_id, operation_id, actor=visitor.actor)
    except ChangedProposalError as error:
        if _is_in_queue(request, came_from):
            return _card(request, visitor, get_operation(ports.db, visitor.tenant_id, operation_id))
        return _answer(request, visitor, operation_id, came_from, f"Not approved: {error}", "refused")
    except ConflictError as error:
        return _answer(request, visitor, operation_id, came_from, f"Not approved: {error}", "refused")
    return _answer(request, visitor, operation_id, came_from, "Approved", "done")


@router.post("/operations/{operation_id}/reject")
def reject(
    request: Request,
    visitor: Reviewer,
    operation_id: OperationId,
    why: Words,
    came_from: From = "",
    force: Annotated[str, Form(pattern="^(|yes)$")] = "",
) -> Response:
    """Restore what an applied operation changed, or drop a proposed one."""
    db = visitor.ports.db
    try:
        done = reject_operation(db, visitor.tenant_id, operation_id, actor=visitor.actor, force=force == "yes", why=why)
    except ConflictError as error:
        said = say_without_option(error)
        return _answer(request, visitor, operation_id, came_from, said, "refused")
    said = "Rejected: its memories are restored" if done.undone else "Rejected: nothing was changed"
    return _answer(request, visitor, operation_id, came_from, said, "done")


@router.post("/operations/{operation_id}/reopen")
def reopen(
    request: Request,
    visitor: Reviewer,
    operation_id: OperationId,
    came_from: From = "",
    force: Annotated[str, Form(pattern="^(|yes)$")] = "",
) -> Response:
    """Take a verdict back; in the queue, the operation stands in its place again."""
    db = visitor.ports.db
    try:
        again = reopen_operation(db, visitor.tenant_id, operation_id, actor=visitor.actor, force=force == "yes")
    except ConflictError as error:
        said = say_without_option(error)
        return _answer(request, visitor, operation_id, came_from, said, "refused")
    if _is_in_queue(request, came_from):
        return _card(request, visitor, again)
    return _answer(request, visitor, operation_id, came_from, "Taken back: it waits for a review again", "done")


def _is_in_queue(request: Request, came_from: str) -> bool:
    """Tell whether the answer replaces an entry of the queue."""
    return came_from == "queue" and "hx-request" in request.headers


def _card(request: Request, visitor: Visitor, waiting: RecordedOperation) -> Response:
    place = find_places(visitor.ports.db, visitor.tenant_id, [waiting]).get(waiting.id)
    view = operation_view(waiting, with_diffs=False, place=place)
    return page(request, visitor, "reviews/review_card.html", one=view, reasons=REASONS)


def _answer(request: Request, visitor: Visitor, operation_id: str, came_from: str, said: str, kind: str) -> Response:
    base = f"/console/t/{visitor.tenant_id}"
    if _is_in_queue(request, came_from):
        view = operation_view(get_operation(visitor.ports.db, visitor.tenant_id, operation_id), with_diffs=False)
        return page(request, visitor, "reviews/review_verdict.html", operation=view, said=said, kind=kind)
    where = f"{base}/reviews" if came_from == "queue" else f"{base}/operations/{operation_id}"
    return go(visitor, where, said, kind)
