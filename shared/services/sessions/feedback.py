"""Record and list feedback on an agent's work and the outcomes of its workflows. An external id is stored once."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from shared.core.learning.feedback import (
    MAX_TEXT_CHARS,
    Feedback,
    NewFeedback,
    NewRun,
    WorkflowRun,
    check_feedback,
    check_run,
)
from shared.core.policy.masked import name_masked
from shared.core.sessions.transcript import clean_text
from shared.core.tenants.store import Store, check_name
from shared.counting import count
from shared.ports.api_lists import Place
from shared.ports.database import Database
from shared.services.left_out import leave_out_of
from shared.services.secrets import refuse_secrets

#: Masks secrets in a text.
Mask = Callable[[str], str]


def record_feedback(
    db: Database,
    tenant_id: str,
    store_name: str,
    feedback: Sequence[NewFeedback],
    *,
    mask: Mask | None = None,
    actor: str = "",
) -> int:
    """Record feedback in one transaction and return the number of new items; `mask` removes secrets.

    Raises:
        NotFoundError: there is no such store.
        BadInputError: an item is invalid; nothing of the batch is recorded.
    """
    check_name("tenant", tenant_id)
    checked = [check_feedback(replace(one, text=_masked(one.text, mask))) for one in feedback]
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        store_id = store.id
        _note_masked(store, [name_masked(one.text, kept.text) for one, kept in zip(feedback, checked, strict=True)])
        added = uow.feedback(store_id).add([leave_out_of(uow, store_id, one) for one in checked])
        if added:
            uow.activity.record(store_id, curations=added)
            uow.record_audit(actor, "feedback.record", store=store_name, added=added)
        return added


def record_workflow_runs(
    db: Database,
    tenant_id: str,
    store_name: str,
    runs: Sequence[NewRun],
    *,
    mask: Mask | None = None,
    actor: str = "",
) -> int:
    """Record workflow runs in one transaction and return the number of new ones. Raises as `record_feedback` does."""
    check_name("tenant", tenant_id)
    checked = [check_run(_masked_run(one, mask)) for one in runs]
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        store_id = store.id
        _note_masked(store, [name_masked(_said(one), _said(kept)) for one, kept in zip(runs, checked, strict=True)])
        added = uow.workflows(store_id).add([leave_out_of(uow, store_id, one) for one in checked])
        if added:
            uow.activity.record(store_id, curations=added)
            uow.record_audit(actor, "workflow.record", store=store_name, added=added)
        return added


def _said(run: NewRun) -> str:
    return "\n".join((run.description, run.error, *run.steps))


def _note_masked(store: Store, masked: Sequence[Sequence[str]]) -> None:
    """Count what was masked. Raises BadInputError if the store refuses secrets."""
    for kinds in filter(None, masked):
        refuse_secrets(store, "It", kinds)
        count("slowwave_secrets_masked_total", where="feedback")


def _masked(text: str, mask: Mask | None) -> str:
    """Mask a text before it is cut to size: a cut could leave half a key."""
    return mask(clean_text(text[: 2 * MAX_TEXT_CHARS])) if mask is not None else text


def _masked_run(run: NewRun, mask: Mask | None) -> NewRun:
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
