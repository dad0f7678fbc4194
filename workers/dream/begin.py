"""Begin a dream: check the gates or load the queued row, claim it, and send its chain."""

from functools import partial

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, Trigger
from shared.core.errors import BadInputError, NotFoundError, ReportedFailureError, ServiceUnavailableError
from shared.core.gates.snooze import SnoozeTerms
from shared.core.tenants.model_settings import use_store_model
from shared.counting import count
from shared.logger import get_logger
from shared.model_endpoint import uses_batches
from shared.services.dreams.claim import LeaseTerms, claim_dream, find_refusal
from shared.services.dreams.next_check import schedule_check_after
from shared.services.dreams.start import start_dream
from shared.tracing import traced
from workers.phase.work import PhaseKey
from workers.phases import get_catalog, get_chain
from workers.process.hand_over import release_dream

_log = get_logger()


def begin_dream(ports: Ports, tenant_id: str, store: str, *, force: bool, dream_id: str | None) -> str | None:
    """Start a dream, or claim a queued one; return its id, or None with the reason in the log and on the store.

    Raises ReportedFailureError for a tenant or a store that does not exist, since nothing but the task can tell it.
    """
    if dream_id is None:
        try:
            started = start_dream(ports.db, tenant_id, store, trigger=Trigger.DELAY, force=force, phases=get_catalog)
        except NotFoundError as error:
            _log.warning("dream_skipped", reason=str(error))
            count("slowwave_refusals_total", gate="unknown")
            raise ReportedFailureError(str(error)) from None
        if started.dream is None:
            _log.info("dream_skipped", gate=started.verdict.gate, reason=f"Dream skipped: {started.verdict.reason}")
            return None
        dream_id = started.dream.id
    with traced("task dream", {"slowwave.tenant": tenant_id}, dream_id=dream_id):
        return _claim_and_send(ports, tenant_id, dream_id)


def _claim_and_send(ports: Ports, tenant_id: str, dream_id: str) -> str | None:
    settings = ports.settings
    dream, model = _find_model(ports, tenant_id, dream_id)
    terms = LeaseTerms(
        lease_seconds=settings.lease_seconds,
        model=model,
        slots=settings.max_active_dreams,
        snooze=SnoozeTerms(max_snoozes=settings.max_snoozes, longest_seconds=settings.longest_snooze_seconds),
    )
    try:
        claimed = claim_dream(
            ports.db,
            ports.lock,
            tenant_id,
            dream_id,
            terms,
            found=dream,
            find_refusal=partial(find_refusal, ports.kept),
        )
    except NotFoundError as error:  # its tenant was deleted, or the database was restored from an older backup
        _log.warning("dream_unknown", dream_id=dream_id, reason=str(error))
        return None
    if claimed.dream is None:
        _log.info("dream_not_claimed", dream_id=dream_id, reason=claimed.reason)
        if claimed.is_duplicate:
            count("slowwave_spare_wakeups_total")
        return None
    _send_chain(ports, claimed.dream, claimed.budget_seconds)
    return dream_id


def _find_model(ports: Ports, tenant_id: str, dream_id: str) -> tuple[Dream | None, str]:
    """Return the dream and its model's name for the log; cancel a queued dream, with the reason, if its model cannot be used."""
    with ports.db.transaction(tenant_id) as uow:
        try:
            dream = uow.dreams.get(dream_id)
            tenant = use_store_model(uow.stores.get_tenant(), uow.stores.get(dream.store), ports.settings.llm)
            if dream.is_batched or uses_batches(ports.settings, tenant):
                ports.choose_batches(tenant)  # refused here, before anything is read, where the provider has none
            return dream, ports.choose_llm(tenant).model
        except NotFoundError:
            return None, ""  # the claim gives the reason
        except BadInputError as error:
            dream = uow.dreams.get(dream_id, lock=True)
            if dream.state is DreamState.QUEUED:
                uow.dreams.finish(dream_id, DreamState.CANCELED, reason=str(error))
                schedule_check_after(uow, dream)
            return dream, ""


def _send_chain(ports: Ports, dream: Dream, budget_seconds: float) -> None:
    """Send all phases; tasks of ended phases return at once. A dream that was rescued too often goes straight to `finish`."""
    is_spent = dream.rescue_count > ports.settings.max_rescues
    phases = () if is_spent else tuple(phase.name for phase in get_chain(dream.trigger))
    if is_spent:
        _log.warning("rescue_limit_reached", dream_id=dream.id, epoch=dream.epoch, rescues=dream.rescue_count)
        count("slowwave_rescues_spent_total")
    try:
        ports.dispatch.send_chain(
            dream.tenant_id, dream.id, dream.epoch, phases, store=dream.store, budget_seconds=budget_seconds
        )
    except ServiceUnavailableError as error:
        # No worker was lost, so this counts as no rescue: the reconciler sends the dream when the broker is back.
        key = PhaseKey(tenant_id=dream.tenant_id, dream_id=dream.id, epoch=dream.epoch, phase="")
        _log.warning("chain_dispatch_failed", dream_id=dream.id, epoch=dream.epoch, reason=str(error))
        release_dream(ports, key, dream.store, planned=True)
