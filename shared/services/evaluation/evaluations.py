"""Order, read and cancel evaluations: what dreams would do to a store, tried on copies of it.

An evaluation is a row that workers take one step at a time (workers/evaluation); a lost message only delays it.
"""

from collections.abc import Mapping
from dataclasses import replace

from shared.all_ports import Ports
from shared.core.dream.phase_catalog import PhaseCatalog
from shared.core.errors import ArchivedError, BadInputError, ConflictError, ServiceUnavailableError
from shared.core.evaluation.model import PREFIX, Evaluation, EvaluationOrder, EvaluationState, check_order
from shared.core.questions.prices import FREE_MODEL, find_price
from shared.core.tenants.model_settings import use_store_model
from shared.core.tenants.store import Store, Tenant
from shared.logger import get_logger
from shared.model_endpoint import OFFLINE, find_tenant_prices, name_model
from shared.ports.database import Database, UnitOfWork
from shared.ports.dispatch import Dispatch
from shared.services.evaluation.shadows import remove_shadows
from shared.settings import Settings

_log = get_logger()
_LAST = 20


def start_evaluation(ports: Ports, tenant_id: str, order: EvaluationOrder, phases: PhaseCatalog) -> Evaluation:
    """Queue an evaluation of a store. It asks no model and reads no memory yet.

    An order without questions of one's own takes those that the store keeps.

    Raises:
        BadInputError: the order is wrong, or the price of its model is not known, so that `max_usd` could not be kept.
        NotFoundError: there is no such store.
        ArchivedError: the store is archived.
        ConflictError: the store is paused, or is being evaluated already.
    """
    order = check_order(order, phases)
    with ports.db.transaction(tenant_id) as uow:
        tenant, store = uow.stores.get_tenant(), uow.stores.get(order.store, lock=True)
        _check_store(uow, tenant, store)
        _check_price(ports.settings, tenant, store, order)
        if not order.own:
            order = replace(order, own=tuple(uow.probes(store.id).find_all()))
        evaluation = uow.evaluations.add(ports.ids.new(PREFIX), store.id, order)
        uow.record_audit(order.actor, "evaluation.start", evaluation_id=evaluation.id, store=store.name)
    send_evaluation(ports.dispatch, tenant_id, evaluation.id)
    return evaluation


def send_evaluation(dispatch: Dispatch, tenant_id: str, evaluation_id: str) -> None:
    """Send the task of an evaluation; the sweep sends it again if the broker is away."""
    try:
        dispatch.send_evaluation(tenant_id, evaluation_id)
    except ServiceUnavailableError as error:
        _log.warning("evaluation_waits", tenant_id=tenant_id, evaluation_id=evaluation_id, reason=str(error))


def get_evaluation(db: Database, tenant_id: str, evaluation_id: str) -> Evaluation:
    """Return an evaluation. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        return uow.evaluations.get(evaluation_id)


def find_evaluations(
    db: Database, tenant_id: str, *, store_name: str | None = None, limit: int, before: str | None = None
) -> list[Evaluation]:
    """Return evaluations of a tenant or of one store, newest first; with `before` those that came before that one.

    Raises NotFoundError if there is no such store.
    """
    with db.transaction(tenant_id) as uow:
        store_id = uow.stores.get(store_name).id if store_name is not None else None
        return uow.evaluations.find_all(store_id=store_id, limit=limit, before=before)


def find_last_evaluation(db: Database, tenant_id: str, store_name: str) -> Evaluation | None:
    """Return the newest of a store's last evaluations that has a report; without any, the newest one.

    Raises NotFoundError if there is no such store.
    """
    newest = find_evaluations(db, tenant_id, store_name=store_name, limit=_LAST)
    return next((one for one in newest if one.report is not None), newest[0] if newest else None)


def cancel_evaluation(ports: Ports, tenant_id: str, evaluation_id: str, *, actor: str) -> Evaluation:
    """Cancel an evaluation, and delete its copies; a canceled one is returned as it is.

    A copy in which a dream is running goes when that has stopped.

    Raises:
        NotFoundError: there is no such evaluation.
        ConflictError: it is done, or has failed.
    """
    with ports.db.transaction(tenant_id) as uow:
        evaluation = uow.evaluations.get(evaluation_id, lock=True)
        if evaluation.state is EvaluationState.CANCELED:
            return evaluation
        if not evaluation.is_active:
            raise ConflictError(f"{evaluation_id} has ended already: it is {evaluation.state}")
        uow.evaluations.keep(replace(evaluation, state=EvaluationState.CANCELED, progress="", work={}))
        uow.record_audit(actor, "evaluation.cancel", evaluation_id=evaluation_id, store=evaluation.store)
    remove_shadows(ports.db, tenant_id, evaluation_id)
    return get_evaluation(ports.db, tenant_id, evaluation_id)


def choose_model_settings(settings: Settings, tenant: Tenant, store: Store, model: str | None) -> Mapping[str, str]:
    """Return the model settings of a store that dreams with this model; None: with its own.

    A store without a model dreams with Anthropic's API. A model that is named here answers every phase.
    """
    if model is None:
        return store.llm
    if model == FREE_MODEL:
        return {"adapter": OFFLINE}
    is_offline = use_store_model(tenant, store, settings.llm).llm.get("adapter", settings.llm) == OFFLINE
    kept = {name: value for name, value in store.llm.items() if name != "better_model" and "." not in name}
    return {**kept, **({"adapter": "anthropic"} if is_offline else {}), "model": model}


def find_model(settings: Settings, tenant: Tenant, store: Store, model: str | None) -> str:
    """Return the name of the model that an evaluation of a store asks. Raises BadInputError."""
    return name_model(settings, _with_model(settings, tenant, store, model))


def _with_model(settings: Settings, tenant: Tenant, store: Store, model: str | None) -> Tenant:
    changed = replace(store, llm=dict(choose_model_settings(settings, tenant, store, model)))
    return use_store_model(tenant, changed, settings.llm)


def _check_store(uow: UnitOfWork, tenant: Tenant, store: Store) -> None:
    if store.archived_at is not None:
        raise ArchivedError
    for paused_at, what, command in (
        (uow.stores.get_installation().paused_at, "The installation", "slowwave resume"),
        (tenant.paused_at, f"Tenant {tenant.id}", f"slowwave resume {tenant.id}"),
        (store.paused_at, f"{tenant.id}/{store.name}", f"slowwave resume {tenant.id}/{store.name}"),
    ):
        if paused_at is not None:
            raise ConflictError(f"{what} is paused, so that no copy of the store may dream either: {command}")


def _check_price(settings: Settings, tenant: Tenant, store: Store, order: EvaluationOrder) -> None:
    asked = _with_model(settings, tenant, store, order.model)
    model = name_model(settings, asked)
    if model == FREE_MODEL:
        return
    if not order.max_usd:
        raise BadInputError(f"{model} is not free: max_usd must be above 0, or the model {FREE_MODEL}")
    if find_price(model, find_tenant_prices(settings, asked)) is None:
        raise BadInputError(f"The price of {model!r} is not known, so max_usd cannot be enforced: see docs/costs.md")
