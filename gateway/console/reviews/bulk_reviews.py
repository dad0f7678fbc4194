"""Take one verdict on many operations, and take it back as a whole: on those of a page, or on all that a filter matches.

A form carries the ids of the operations that a person was shown or told the number of, so that what has come since gets no
verdict. A request decides a few of them; its page sends the same ids for the next few, until all have had their turn.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from starlette.responses import Response

from gateway.console.pages import go, page
from gateway.console.reviews.reviews import REASONS, Words, say_without_option
from gateway.console.views.review_filters import ReviewFilters
from gateway.console.visitor import Reviewer, Visitor, see
from shared.core.errors import ConflictError, NotFoundError
from shared.core.tenants.roles import Permission
from shared.ports.dreams import RecordedOperation
from shared.services.operations.review import (
    approve_operation,
    count_reviews_by_facet,
    list_reviews,
    reject_operation,
    reopen_operation,
)

router = APIRouter(prefix="/console/t/{tenant}/reviews", include_in_schema=False)
#: The most operations of one verdict: their ids fill half of what a form may hold.
MOST = 1_000
#: Decided in one request: a second or two, and more than a page of the queue has.
AT_ONCE = 25
#: Told one by one, on a page of at most 150 kB.
_LISTED = 200
_ID = "[A-Za-z0-9_-]{1,64}"
Ids = Annotated[str, Form(max_length=40_000, pattern=rf"^({_ID}( {_ID})*)?$")]
Places = Annotated[str, Form(max_length=8_000, pattern=r"^([0-9]{1,4}( [0-9]{1,4})*)?$")]
Decide = Callable[[str], RecordedOperation]
ReviewingReader = Annotated[Visitor, see(Permission.REVIEW)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One verdict on many operations, as its form carries it.

    Attributes:
        ids: all of them, in the order of their turns.
        at: how many have had their turn.
        refused: the places of those that were left as they are.
    """

    ids: tuple[str, ...]
    at: int
    refused: tuple[int, ...]

    @classmethod
    def read(cls, ops: Ids = "", at: Annotated[int, Form(ge=0, le=MOST)] = 0, left: Places = "") -> "Round":
        """Read the fields of a form."""
        ids = tuple(dict.fromkeys(ops.split()))[:MOST]
        had_turn = min(at, len(ids))
        return cls(ids=ids, at=had_turn, refused=tuple(place for place in map(int, left.split()) if place < had_turn))

    @property
    def done(self) -> tuple[str, ...]:
        """Return the operations that were decided, in the order of their turns."""
        left = set(self.refused)
        return tuple(one for place, one in enumerate(self.ids[: self.at]) if place not in left)

    @property
    def is_over(self) -> bool:
        """Tell whether all have had their turn."""
        return self.at >= len(self.ids)


Chosen = Annotated[Round, Depends(Round.read)]


@router.get("/all")
def ask(
    request: Request, visitor: ReviewingReader, wanted: Annotated[ReviewFilters, Depends(ReviewFilters.read)]
) -> Response:
    """Ask for one verdict on all operations that match the filters of the queue."""
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    found = list_reviews(
        db, tenant_id, store=wanted.store or None, dream_id=wanted.dream or None, only=wanted.only, limit=MOST
    )
    return page(
        request,
        visitor,
        "reviews/review_all.html",
        wanted=wanted,
        found=found,
        kinds=Counter(one.kind for one in found).most_common(),
        waiting=max(len(found), wanted.count(count_reviews_by_facet(db, tenant_id))),
        listed=_LISTED,
        reasons=REASONS,
    )


@router.post("/approve")
def approve_all(request: Request, visitor: Reviewer, chosen: Chosen) -> Response:
    """Approve operations one after another; a refused one does not stop the others."""
    ports = visitor.ports

    def decide(operation_id: str) -> RecordedOperation:
        return approve_operation(ports.db, ports.ids, visitor.tenant_id, operation_id, actor=visitor.actor)

    return _judge(request, visitor, chosen, decide, "Approved")


@router.post("/reject")
def reject_all(request: Request, visitor: Reviewer, why: Words, chosen: Chosen) -> Response:
    """Reject operations one after another, for one reason."""

    def decide(operation_id: str) -> RecordedOperation:
        return reject_operation(visitor.ports.db, visitor.tenant_id, operation_id, actor=visitor.actor, why=why)

    return _judge(request, visitor, chosen, decide, "Rejected", why)


@router.post("/reopen")
def reopen_all(request: Request, visitor: Reviewer, chosen: Chosen) -> Response:
    """Take verdicts back, one after another; their form names the last verdict first."""

    def decide(operation_id: str) -> RecordedOperation:
        return reopen_operation(visitor.ports.db, visitor.tenant_id, operation_id, actor=visitor.actor)

    return _judge(request, visitor, chosen, decide, "Taken back")


def _judge(request: Request, visitor: Visitor, chosen: Round, decide: Decide, verb: str, why: str = "") -> Response:
    if not chosen.ids:
        return go(visitor, f"/console/t/{visitor.tenant_id}/reviews", "No operation was chosen", "refused")
    upto = min(len(chosen.ids), chosen.at + AT_ONCE)
    done: list[RecordedOperation] = []
    refused: list[tuple[int, str]] = []
    for place in range(chosen.at, upto):
        try:
            done.append(decide(chosen.ids[place]))
        except (ConflictError, NotFoundError) as error:
            refused.append((place, say_without_option(error)))
    after = Round(ids=chosen.ids, at=upto, refused=(*chosen.refused, *(place for place, _ in refused)))
    return page(
        request,
        visitor,
        "reviews/review_bulk.html",
        round=after,
        verb=verb,
        why=why,
        done=done,
        refused=_tell_refused(after, dict(refused)),
        unlisted=max(0, len(after.refused) - _LISTED),
        can_take_back=bool(after.done) and verb != "Taken back",
    )


def _tell_refused(chosen: Round, said: dict[int, str]) -> list[tuple[str, str]]:
    """Return the operations that were left as they are, each with why; its own page tells it of those of earlier requests."""
    shown = sorted(chosen.refused, key=lambda place: place not in said)[:_LISTED]
    return [(chosen.ids[place], said.get(place, "its page shows why")) for place in shown]
