"""Redrive a failed dream: queue a new dream for its store. Each of the two names the other."""

from dataclasses import dataclass

from shared.core.dream.model import WHOLE_TRIGGERS, Dream, DreamState, Trigger
from shared.core.errors import ConflictError
from shared.ports.database import Database
from shared.services.dreams.quarantine import forgive_store
from shared.services.dreams.start import start_dream


@dataclass(frozen=True, slots=True, kw_only=True)
class Redriven:
    """The failed dream, and the queued one or the reason for the refusal."""

    failed: str
    store: str
    dream: Dream | None
    refused: str = ""


def find_failed(db: Database, tenant_id: str) -> list[str]:
    """Return the failed dreams of stores that have not dreamt since. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        uow.stores.get_tenant()
        last = (
            dream
            for store in uow.stores.find_all()
            for dream in uow.dreams.find_recent(store_id=store.id, triggers=WHOLE_TRIGGERS, limit=1)
        )
        return [dream.id for dream in last if _is_failed(dream)]


def redrive_dream(db: Database, tenant_id: str, dream_id: str, *, actor: str) -> Redriven:
    """Queue a new dream for a failed one's store, and lift its quarantine. The caller dispatches the dream.

    A pause, the budget and an active dream still refuse it.

    Raises:
        NotFoundError: there is no such dream.
        ConflictError: the dream did not fail.
    """
    with db.transaction(tenant_id) as uow:
        failed = uow.dreams.get(dream_id)
        if not _is_failed(failed):
            what = "upkeep, which its own sweep tries again" if failed.is_upkeep else str(failed.state)
            msg = f"{dream_id} is {what}: only a failed dream can be redriven"
            raise ConflictError(msg)
        forgive_store(uow, uow.stores.get(failed.store))
    started = start_dream(
        db, tenant_id, failed.store, trigger=Trigger.CLI, force=True, dry_run=failed.is_dry_run, actor=actor
    )
    if started.dream is None:
        return Redriven(failed=dream_id, store=failed.store, dream=None, refused=started.verdict.reason)
    new_id = started.dream.id
    with db.transaction(tenant_id) as uow:
        uow.dreams.set_reason(dream_id, f"{failed.reason} · redriven as {new_id}".removeprefix(" · "))
        uow.dreams.set_reason(new_id, f"redrives {dream_id}: {failed.reason}")
        uow.record_audit(actor, "dream.redrive", dream_id=dream_id, new_dream_id=new_id)
        return Redriven(failed=dream_id, store=failed.store, dream=uow.dreams.get(new_id))


def _is_failed(dream: Dream) -> bool:
    """Tell whether a dream ended in error, or as partial at the rescue limit, and was not undone since."""
    has_failed = dream.state is DreamState.ERROR or (dream.has_failed and dream.state is DreamState.PARTIAL)
    return has_failed and not dream.is_upkeep
