"""Record and list feedback on an agent's work and the outcomes of its workflows. An external id is stored once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from shared.core.learning.feedback import (
    MAX_TEXT_CHARS,
    Feedback,
    NewFeedback,
    NewRun,
    WorkflowRun,
    check_feedback,
    check_run,
)
from shared.core.sessions.transcript import clean_text
from shared.core.tenants.store import Store, check_name
from shared.ports.api_lists import Place
from shared.ports.database import Database
from shared.services.left_out import leave_out_of
from shared.services.masking import Mask, mask_of, note_masked


@dataclass(frozen=True, slots=True)
class Recorded:
    """The number of new items of a batch, and the kinds of what was masked in it, each as often as it was found."""

    added: int
    masked: tuple[str, ...] = ()


def record_feedback(
    db: Database,
    tenant_id: str,
    store_name: str,
    feedback: Sequence[NewFeedback],
    *,
    actor: str = "",
) -> Recorded:
    """Record feedback in one transaction, without what the store keeps out.

    Raises:
        NotFoundError: there is no such store.
        BadInputError: an item is invalid; nothing of the batch is recorded.
    """
    check_name("tenant", tenant_id)
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        store_id, mask = store.id, mask_of(uow, store.policy)
        clean = [replace(one, text=_masked(one.text, mask)) for one in feedback]
        checked = [check_feedback(one) for one in clean]
        masked = _note_masked(store, [(one.text, kept.text) for one, kept in zip(feedback, clean, strict=True)])
        added = uow.feedback(store_id).add([leave_out_of(uow, store_id, one) for one in checked])
        if added:
            uow.activity.record(store_id, curations=added)
            uow.record_audit(actor, "feedback.record", store=store_name, added=added)
        return Recorded(added, masked)


def record_workflow_runs(
    db: Database,
    tenant_id: str,
    store_name: str,
    runs: Sequence[NewRun],
    *,
    actor: str = "",
) -> Recorded:
    """Record workflow runs in one transaction. Raises as `record_feedback` does."""
    check_name("tenant", tenant_id)
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        store_id, mask = store.id, mask_of(uow, store.policy)
        clean = [_masked_run(one, mask) for one in runs]
        checked = [check_run(one) for one in clean]
        masked = _note_masked(store, [(_said(one), _said(kept)) for one, kept in zip(runs, clean, strict=True)])
        added = uow.workflows(store_id).add([leave_out_of(uow, store_id, one) for one in checked])
        if added:
            uow.activity.record(store_id, curations=added)
            uow.record_audit(actor, "workflow.record", store=store_name, added=added)
        return Recorded(added, masked)


def _said(run: NewRun) -> str:
    return "\n".join((run.description, run.error, *run.steps))


def _note_masked(store: Store, texts: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Count what was masked in texts as given and as stored, and return its kinds. Raises BadInputError if the store refuses it."""
    noted = (note_masked(store, "It", given, stored, where="feedback") for given, stored in texts)
    return tuple(chain.from_iterable(noted))


def _masked(text: str, mask: Mask) -> str:
    """Mask a text before it is cut to size: a cut could leave half a key."""
    return mask(clean_text(text[: 2 * MAX_TEXT_CHARS]))


def _masked_run(run: NewRun, mask: Mask) -> NewRun:
    steps = tuple(_masked(step, mask) for step in run.steps)
    return replace(run, description=_masked(run.description, mask), error=_masked(run.error, mask), steps=steps)


def find_feedback(
    db: Database, tenant_id: str, store_name: str, *, limit: int, start_after: Place | None = None
) -> list[Feedback]:
    """Return feedback, newest first. Raises NotFoundError for the store."""
    with db.transaction(tenant_id) as uow:
        return uow.feedback(uow.stores.get(store_name).id).find(limit=limit, start_after=start_after)


def find_workflow_runs(
    db: Database, tenant_id: str, store_name: str, *, limit: int, start_after: Place | None = None
) -> list[WorkflowRun]:
    """Return workflow runs, newest first. Raises NotFoundError for the store."""
    with db.transaction(tenant_id) as uow:
        return uow.workflows(uow.stores.get(store_name).id).find(limit=limit, start_after=start_after)
