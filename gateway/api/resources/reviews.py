"""List operations that wait for a review, and approve or reject them, one by one or in bulk."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from gateway.api.http.auth import Caller, Reader, Reviewer
from gateway.api.http.failures import failure_of
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import Cursor, Limit, NotedPage, decode_cursor, encode_cursor, find_within
from gateway.api.http.parameters import ID, OperationId, StoreFilter
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.dreams import OperationOut, operation_out, size_of
from gateway.api.shapes.stores import NAME
from shared.core.dream.operation_filter import ConfidenceBand, OperationFilter
from shared.core.dream.operations import OperationKind
from shared.ports.dreams import RecordedOperation
from shared.services.approval import approve as approve_it
from shared.services.operations.bulk_review import MOST_AT_ONCE, decide_all
from shared.services.operations.review import (
    MAX_COMMENT,
    MAX_WHY,
    assign_review,
    comment_review,
    find_places,
    find_reviews,
    get_operation,
    reject_operation,
    reopen_operation,
)

router = APIRouter(prefix="/api/reviews", tags=["reviews"], route_class=OneThreadRoute)


Why = Annotated[
    str,
    Field(
        max_length=MAX_WHY, description="The reason; it is stored, and shown if a later dream proposes the same again."
    ),
]


class Rejection(BaseModel):
    """Options of a rejection."""

    model_config = ConfigDict(extra="forbid")

    force: bool = Field(False, description="Also overwrite edits made after the dream; each edit is proposed again.")
    why: Why = ""


class Reopening(BaseModel):
    """Options of reopening a review."""

    model_config = ConfigDict(extra="forbid")

    force: bool = Field(False, description="Also overwrite edits made after the verdict; each edit is proposed again.")


class Assignment(BaseModel):
    """The person or key to decide an operation."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"to": "me"}})

    to: str = Field(
        max_length=200,
        pattern=r"^[^\x00]*$",
        description="`me`, the id or the name of a key that may review, or a person as the audit log names them; empty: none in particular.",
    )


class NoteIn(BaseModel):
    """A comment on an operation."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"text": "Ask Mara before this is merged."}}
    )

    text: str = Field(min_length=1, max_length=MAX_COMMENT, pattern=r"^[^\x00]*$")


class BulkIn(BaseModel):
    """The operations to approve or reject."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"ids": ["op_01JD0000000000000000000000"]}})

    ids: list[Annotated[str, Field(pattern=ID)]] = Field(min_length=1, max_length=MOST_AT_ONCE)


class BulkApproval(BulkIn):
    """The operations to approve."""

    accept_changed: bool = Field(
        False, description="Also apply proposals whose outcome has changed since they were made, without a second look."
    )


class BulkRejection(BulkIn):
    """The operations to reject."""

    why: Why = ""


class BulkLine(BaseModel):
    """The result for one operation."""

    id: str
    ok: bool
    detail: str = Field(description="Why it was refused; empty on success.")
    problem: str = Field(
        "", description="The kind of refusal, such as `changed-proposal`, `moot` or `conflict`; empty on success."
    )


class BulkOut(BaseModel):
    """The result for each operation."""

    done: int
    results: list[BulkLine]


def _read_filter(
    kind: Annotated[OperationKind | None, Query(description="Only this kind of operation.")] = None,
    phase: Annotated[str | None, Query(pattern=NAME, description="Only this phase.")] = None,
    confidence: Annotated[ConfidenceBand | None, Query(description="Only this class of confidence.")] = None,
    assigned_to: Annotated[
        str | None,
        Query(max_length=200, pattern=r"^[^\x00]*$", description="Only what is assigned to this key: `key:key_…`."),
    ] = None,
) -> OperationFilter:
    return OperationFilter(kind=kind, phase=phase, confidence=confidence, assigned_to=assigned_to)


@router.get("", responses=answers(), summary="List pending reviews")
def list_pending(
    caller: Reader,
    only: Annotated[OperationFilter, Depends(_read_filter)],
    store: StoreFilter = None,
    dream: Annotated[str | None, Query(pattern=ID, description="Only this dream.")] = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> NotedPage[OperationOut]:
    """List operations that wait for a review, oldest first, with their diffs.

    Those of a dream that share memories are one change: they have one `group`, and each its `position` in it.
    """
    note = ""

    def find(after: str | None, wanted: int) -> list[RecordedOperation]:
        nonlocal note
        found = find_reviews(
            caller.ports.db, caller.tenant_id, store=store, dream_id=dream, only=only, after=after, limit=wanted
        )
        note = found.note
        return found

    shown, is_more = find_within(find, decode_cursor(cursor), limit, size_of=size_of, place=lambda one: one.id)
    following = encode_cursor(shown[-1].id) if is_more else None
    places = find_places(caller.ports.db, caller.tenant_id, shown)
    data = [operation_out(one, places.get(one.id)) for one in shown]
    return NotedPage(data=data, next_cursor=following, note=note or None)


@router.get("/{operation_id}", responses=answers(), summary="Get an operation")
def get(operation_id: OperationId, caller: Reader) -> OperationOut:
    """Return an operation with its diffs, reviewed or not."""
    found = get_operation(caller.ports.db, caller.tenant_id, operation_id)
    return operation_out(found, find_places(caller.ports.db, caller.tenant_id, [found]).get(found.id))


@router.post("/approve", response_model=BulkOut, responses=answers(409), summary="Approve several operations")
def approve_all(body: BulkApproval, caller: Reviewer, once: Idempotent) -> Response:
    """Approve operations, those of a dream in its order; a refused one does not stop the others, nor does a client that leaves."""

    def approve_one(operation_id: str) -> RecordedOperation:
        return approve_it(
            caller.ports.db, caller.ports.ids, caller.tenant_id, operation_id, actor=caller.actor,
            accepts_change=body.accept_changed,
        )  # fmt: skip

    return once.answer(caller, 200, lambda: _bulk(caller, body.ids, approve_one))


@router.post("/reject", response_model=BulkOut, responses=answers(409), summary="Reject several operations")
def reject_all(body: BulkRejection, caller: Reviewer, once: Idempotent) -> Response:
    """Reject operations, those of a dream in its order; a refused one does not stop the others, nor does a client that leaves."""

    def reject_one(operation_id: str) -> RecordedOperation:
        return reject_operation(caller.ports.db, caller.tenant_id, operation_id, actor=caller.actor, why=body.why)

    return once.answer(caller, 200, lambda: _bulk(caller, body.ids, reject_one))


@router.post("/{operation_id}/approve", response_model=OperationOut, responses=answers(409), summary="Approve one")
def approve(operation_id: OperationId, caller: Reviewer, once: Idempotent) -> Response:
    """Keep an applied operation, or apply a proposed one to the memories as they are now.

    409 with the type `changed-proposal`: its memories have changed, and so has its outcome. It waits as it would be applied now:
    get it, look at its diff, and approve it again. 409 with `moot`: it has no place any more, and was closed.
    """
    ports = caller.ports
    return _answer(
        caller, once, lambda: approve_it(ports.db, ports.ids, caller.tenant_id, operation_id, actor=caller.actor)
    )


@router.post("/{operation_id}/reject", response_model=OperationOut, responses=answers(409), summary="Reject one")
def reject(operation_id: OperationId, caller: Reviewer, once: Idempotent, body: Rejection | None = None) -> Response:
    """Restore what an applied operation changed, or drop a proposed one."""
    wanted, db, tenant_id, actor = body or Rejection(), caller.ports.db, caller.tenant_id, caller.actor
    return _answer(
        caller,
        once,
        lambda: reject_operation(db, tenant_id, operation_id, actor=actor, force=wanted.force, why=wanted.why),
    )


@router.post("/{operation_id}/reopen", response_model=OperationOut, responses=answers(409), summary="Reopen one")
def reopen(operation_id: OperationId, caller: Reviewer, once: Idempotent, body: Reopening | None = None) -> Response:
    """Reverse a verdict: a rejected change is applied again, and a proposal waits again, without what its approval changed."""
    force, db, tenant_id, actor = body is not None and body.force, caller.ports.db, caller.tenant_id, caller.actor
    return _answer(caller, once, lambda: reopen_operation(db, tenant_id, operation_id, actor=actor, force=force))


@router.post("/{operation_id}/assign", response_model=OperationOut, responses=answers(409), summary="Assign one")
def assign(operation_id: OperationId, body: Assignment, caller: Reviewer, once: Idempotent) -> Response:
    """Ask a member of the tenant to decide an operation that waits for a review. Others still may."""
    db, tenant_id, actor = caller.ports.db, caller.tenant_id, caller.actor
    return _answer(caller, once, lambda: assign_review(db, tenant_id, operation_id, body.to, actor=actor))


@router.post("/{operation_id}/comment", response_model=OperationOut, responses=answers(409), summary="Comment on one")
def comment(operation_id: OperationId, body: NoteIn, caller: Reviewer, once: Idempotent) -> Response:
    """Append a comment to an operation. Secrets in it are masked, and it decides nothing."""
    db, tenant_id, actor = caller.ports.db, caller.tenant_id, caller.actor
    return _answer(caller, once, lambda: comment_review(db, tenant_id, operation_id, body.text, actor=actor))


def _answer(caller: Caller, once: Idempotent, decide: Callable[[], RecordedOperation]) -> Response:
    return once.answer(caller, 200, lambda: operation_out(decide()))


def _bulk(caller: Caller, ids: list[str], decide: Callable[[str], RecordedOperation]) -> BulkOut:
    lines = []
    for one in decide_all(caller.ports.db, caller.tenant_id, ids, decide):
        failure = failure_of(one.refusal) if one.refusal is not None else None
        detail, problem = (failure.detail, failure.slug) if failure is not None else ("", "")
        lines.append(BulkLine(id=one.id, ok=failure is None, detail=detail, problem=problem))
    return BulkOut(done=sum(line.ok for line in lines), results=lines)
