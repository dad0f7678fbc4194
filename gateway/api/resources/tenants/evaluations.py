"""Order evaluations, which say whether dreams help a store, and read and cancel them."""

from fastapi import APIRouter, Response

from gateway.api.http.auth import Administrator, Caller, Reader
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import Cursor, Limit, Page, decode_cursor, page_of
from gateway.api.http.parameters import EvaluationId, StoreName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.evaluations import (
    EvaluationDetail,
    EvaluationIn,
    EvaluationOut,
    evaluation_detail,
    evaluation_out,
    own_probes,
)
from gateway.phases import get_phases
from shared.core.errors import NotFoundError
from shared.core.evaluation.model import Evaluation, EvaluationOrder
from shared.services.evaluation.evaluations import (
    cancel_evaluation,
    find_evaluations,
    get_evaluation,
    start_evaluation,
)

router = APIRouter(prefix="/api/stores/{store}/evaluations", tags=["evaluations"], route_class=OneThreadRoute)


@router.post("", status_code=202, response_model=EvaluationOut, responses=answers(409), summary="Start an evaluation")
def start(store: StoreName, body: EvaluationIn, caller: Administrator, once: Idempotent) -> Response:
    """Dream over copies of the store, and measure what is found before and after. The store itself is not changed."""
    order = EvaluationOrder(
        store=store,
        actor=caller.actor,
        profile=body.profile,
        model=body.model,
        without=tuple(dict.fromkeys(body.without)),
        ablate=body.ablate,
        dreams=body.dreams,
        repeats=body.repeats,
        max_usd=body.max_usd,
        own=own_probes(body.probes),
    )
    return once.answer(
        caller, 202, lambda: evaluation_out(start_evaluation(caller.ports, caller.tenant_id, order, get_phases()))
    )


@router.get("", responses=answers(), summary="List evaluations")
def list_all(store: StoreName, caller: Reader, limit: Limit = 20, cursor: Cursor = None) -> Page[EvaluationOut]:
    """List the evaluations of a store, newest first, without their reports."""
    found = find_evaluations(
        caller.ports.db, caller.tenant_id, store_name=store, limit=limit + 1, before=decode_cursor(cursor)
    )
    shown, following = page_of(found, limit, lambda one: one.id)
    return Page(data=[evaluation_out(one) for one in shown], next_cursor=following)


@router.get("/{evaluation_id}", responses=answers(), summary="Get an evaluation")
def get(store: StoreName, evaluation_id: EvaluationId, caller: Reader) -> EvaluationDetail:
    """Return an evaluation with its report, or how far it has come."""
    return evaluation_detail(_get(caller, store, evaluation_id))


@router.post(
    "/{evaluation_id}/cancel", response_model=EvaluationOut, responses=answers(409), summary="Cancel an evaluation"
)
def cancel(store: StoreName, evaluation_id: EvaluationId, caller: Administrator, once: Idempotent) -> Response:
    """Cancel an evaluation and delete its copies of the store; 409 if it has ended."""

    def produce() -> EvaluationOut:
        wanted = _get(caller, store, evaluation_id)
        return evaluation_out(cancel_evaluation(caller.ports, caller.tenant_id, wanted.id, actor=caller.actor))

    return once.answer(caller, 200, produce)


def _get(caller: Caller, store: str, evaluation_id: str) -> Evaluation:
    found = get_evaluation(caller.ports.db, caller.tenant_id, evaluation_id)
    if found.store != store:
        raise NotFoundError
    return found
