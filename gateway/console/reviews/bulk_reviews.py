"""Take one verdict on many operations, and take it back as a whole: on those of a page, or on all that a filter matches.

A form carries the ids of the operations that a person was shown or told the number of, so that what has come since gets no
verdict. One request decides all of them, and goes on when its tab is closed.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import Response

from gateway.console.pages import go, page
from gateway.console.reviews.reviews import REASONS, Words, say_without_option
from gateway.console.views.review_filters import ReviewFilters
from gateway.console.visitor import Reviewer, Visitor, see
from shared.core.dream.model import OperationState
from shared.core.dream.operations import OperationKind
from shared.core.errors import ChangedProposalError
from shared.core.tenants.roles import Permission
from shared.ports.dreams import RecordedOperation
from shared.services.approval import approve
from shared.services.operations.bulk_review import MOST_AT_ONCE, Decided, decide_all
from shared.services.operations.review import (
    count_reviews_by_facet,
    list_reviews,
    reject_operation,
    reopen_operation,
)

router = APIRouter(prefix="/console/t/{tenant}/reviews", include_in_schema=False)
#: Told one by one, on a page of at most 150 kB.
_LISTED = 200
_TAKEN_BACK = "Taken back"
_ID = "[A-Za-z0-9_-]{1,64}"
Ids = Annotated[str, Form(max_length=40_000, pattern=rf"^({_ID}( {_ID})*)?$")]
Decide = Callable[[str], RecordedOperation]
ReviewingReader = Annotated[Visitor, see(Permission.REVIEW)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The outcome for one operation: its kind, state and reason, or the refusal that left it as it is."""

    id: str
    kind: OperationKind | None = None
    state: OperationState | None = None
    reason: str = ""
    refusal: str = ""
    has_changed: bool = False  # it waits as it would be applied now


def _read_ids(ops: Ids = "") -> tuple[str, ...]:
    """Return the operations that a form names."""
    return tuple(dict.fromkeys(ops.split()))[:MOST_AT_ONCE]


Chosen = Annotated[tuple[str, ...], Depends(_read_ids)]


@router.get("/all")
def ask(
    request: Request, visitor: ReviewingReader, wanted: Annotated[ReviewFilters, Depends(ReviewFilters.read)]
) -> Response:
    """Ask for one verdict on all operations that match the filters of the queue."""
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    found = list_reviews(
        db, tenant_id, store=wanted.store or None, dream_id=wanted.dream or None, only=wanted.only, limit=MOST_AT_ONCE
    )
    return page(
        request,
        visitor,
        "reviews/review_all.html",
        wanted=wanted,
        found=found,
        kinds=Counter((one.kind, one.state) for one in found).most_common(),
        waiting=max(len(found), wanted.count(count_reviews_by_facet(db, tenant_id))),
        listed=_LISTED,
        reasons=REASONS,
    )


@router.post("/approve")
def approve_all(
    request: Request, visitor: Reviewer, chosen: Chosen, accept: Annotated[str, Form(pattern="^(|yes)$")] = ""
) -> Response:
    """Approve operations; a refused one does not stop the others. `accept`: also with another outcome than was shown."""
    ports = visitor.ports

    def decide(operation_id: str) -> RecordedOperation:
        return approve(
            ports.db, ports.ids, visitor.tenant_id, operation_id, actor=visitor.actor, accepts_change=accept == "yes"
        )

    return _judge(request, visitor, chosen, decide, "Approved")


@router.post("/reject")
def reject_all(request: Request, visitor: Reviewer, why: Words, chosen: Chosen) -> Response:
    """Reject operations, for one reason."""

    def decide(operation_id: str) -> RecordedOperation:
        return reject_operation(visitor.ports.db, visitor.tenant_id, operation_id, actor=visitor.actor, why=why)

    return _judge(request, visitor, chosen, decide, "Rejected")


@router.post("/reopen")
def reopen_all(request: Request, visitor: Reviewer, chosen: Chosen) -> Response:
    """Take verdicts back, the last one first."""

    def decide(operation_id: str) -> RecordedOperation:
        return reopen_operation(visitor.ports.db, visitor.tenant_id, operation_id, actor=visitor.actor)

    return _judge(request, visitor, chosen, decide, _TAKEN_BACK)


def _judge(request: Request, visitor: Visitor, chosen: Sequence[str], decide: Decide, verb: str) -> Response:
    if not chosen:
        return go(visitor, f"/console/t/{visitor.tenant_id}/reviews", "No operation was chosen", "refused")
    is_reopening = verb == _TAKEN_BACK
    outcomes = decide_all(visitor.ports.db, visitor.tenant_id, chosen, decide, newest_first=is_reopening)
    told = [_tell(one) for one in outcomes]
    done, refused = [one for one in told if not one.refusal], [one for one in told if one.refusal]
    return page(
        request,
        visitor,
        "reviews/review_bulk.html",
        verb=verb,
        done=done,
        refused=refused,
        changed=[one.id for one in refused if one.has_changed],
        listed=_LISTED,
        can_take_back=bool(done) and not is_reopening,
    )


def _tell(one: Decided) -> Told:
    """Return an outcome without the texts of its memories."""
    if one.refusal is not None:
        has_changed = isinstance(one.refusal, ChangedProposalError)
        return Told(id=one.id, refusal=say_without_option(one.refusal), has_changed=has_changed)
    if one.recorded is None:
        return Told(id=one.id)
    wanted = one.recorded.operation
    return Told(id=one.id, kind=wanted.kind, state=one.recorded.state, reason=wanted.reason)
