"""Show whether dreams help a store: order an evaluation, follow it, and read its page."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of
from gateway.api.http.parameters import EvaluationId, StoreName
from gateway.console.pages import go, page
from gateway.console.visitor import Administrator, AdminReader, Reader, Visitor
from gateway.evaluation.formats import word_of
from gateway.evaluation.view import TONES, view_evaluation
from gateway.phases import estimate_dream, get_phases
from shared.core.errors import BadInputError, ConflictError, NotFoundError
from shared.core.evaluation.model import MAX_DREAMS, MAX_USD, Evaluation, EvaluationOrder, count_repeats
from shared.core.questions.prices import FREE_MODEL
from shared.core.tenants.roles import Permission
from shared.services.evaluation.arms import find_arm_of
from shared.services.evaluation.evaluations import (
    cancel_evaluation,
    find_evaluations,
    find_model,
    get_evaluation,
    start_evaluation,
)
from shared.services.evaluation.own_probes import find_own_probes
from shared.services.tenants.stores import get_store, get_tenant

router = APIRouter(prefix="/console/t/{tenant}/stores/{store}/evaluations", include_in_schema=False)
_ON_A_PAGE = 20
_MAX_USD = 1.0


@router.get("")
def list_all(request: Request, visitor: Reader, store: StoreName, cursor: Cursor = None) -> Response:
    """List the evaluations of a store, and let an admin order one."""
    db, before = visitor.ports.db, decode_cursor(cursor)
    found = find_evaluations(db, visitor.tenant_id, store_name=store, limit=_ON_A_PAGE + 1, before=before)
    shown, following = page_of(found, _ON_A_PAGE, lambda one: one.id)
    lines = [(one, word_of(one), _tone(one)) for one in shown]
    is_active = any(one.is_active for one in shown)
    model = _model_of(visitor, store)
    arm = find_arm_of(db, visitor.tenant_id, store)
    may_see_own = visitor.session.may(Permission.REVIEW)
    own = len(find_own_probes(db, visitor.tenant_id, store)) if may_see_own else None
    known: dict[str, Any] = {"is_free": model == FREE_MODEL, "model": model, "max_usd": _MAX_USD, "most_usd": MAX_USD}
    return page(
        request,
        visitor,
        "evaluations/evaluations.html",
        store=store,
        lines=lines,
        following=following,
        is_active=is_active,
        arm=arm,
        own=own,
        most_dreams=MAX_DREAMS,
        **known,
    )


@router.get("/price")
def price(request: Request, visitor: AdminReader, store: StoreName) -> Response:
    """Show what an evaluation with the store's model may cost, as part of the list: an estimate reads the whole store."""
    model = _model_of(visitor, store)
    found = estimate_dream(visitor.ports, visitor.tenant_id, store, force=True).configured.cost_usd
    copies = count_repeats(EvaluationOrder(store=store, actor=visitor.actor), model)
    return page(request, visitor, "evaluations/price.html", dream_usd=found, copies=copies, model=model)


@router.post("")
def start(
    visitor: Administrator,
    store: StoreName,
    *,
    dreams: Annotated[int, Form(ge=1, le=MAX_DREAMS)] = 1,
    max_usd: Annotated[float, Form(ge=0, le=MAX_USD)] = _MAX_USD,
    ablate: Annotated[bool, Form()] = False,
) -> Response:
    """Order an evaluation, or say why it cannot be carried out."""
    order = EvaluationOrder(store=store, actor=visitor.actor, dreams=dreams, max_usd=max_usd, ablate=ablate)
    base = f"/console/t/{visitor.tenant_id}/stores/{store}/evaluations"
    try:
        started = start_evaluation(visitor.ports, visitor.tenant_id, order, get_phases())
    except (BadInputError, ConflictError) as error:
        return go(visitor, base, f"Not started: {error}", "refused")
    return go(visitor, f"{base}/{started.id}", "The evaluation was ordered")


@router.get("/{evaluation_id}")
def show(request: Request, visitor: Reader, store: StoreName, evaluation_id: EvaluationId) -> Response:
    """Show the page of an evaluation, or how far it has come; as a part while it is followed."""
    found = _get(visitor, store, evaluation_id)
    is_part = bool(request.headers.get("hx-request"))
    template = "evaluations/shown.html" if is_part else "evaluations/evaluation.html"
    view = view_evaluation(visitor.tenant_id, found)
    return page(request, visitor, template, one=found, view=view, store=store)


@router.post("/{evaluation_id}/cancel")
def cancel(visitor: Administrator, store: StoreName, evaluation_id: EvaluationId) -> Response:
    """Cancel an evaluation."""
    where = f"/console/t/{visitor.tenant_id}/stores/{store}/evaluations/{evaluation_id}"
    found = _get(visitor, store, evaluation_id)
    try:
        cancel_evaluation(visitor.ports, visitor.tenant_id, found.id, actor=visitor.actor)
    except ConflictError as error:
        return go(visitor, where, str(error), "refused")
    return go(visitor, where, "Canceled; its copies of the store are deleted")


def _get(visitor: Visitor, store: str, evaluation_id: str) -> Evaluation:
    found = get_evaluation(visitor.ports.db, visitor.tenant_id, evaluation_id)
    if found.store != store:
        raise NotFoundError
    return found


def _tone(evaluation: Evaluation) -> str:
    word = word_of(evaluation)
    return TONES[word] if word is not None else ""


def _model_of(visitor: Visitor, store: str) -> str:
    """Return the model that the store's dreams ask; empty if none can be asked as it is set."""
    ports = visitor.ports
    found = get_store(ports.db, visitor.tenant_id, store)
    try:
        return find_model(ports.settings, get_tenant(ports.db, visitor.tenant_id), found, None)
    except BadInputError:
        return ""
