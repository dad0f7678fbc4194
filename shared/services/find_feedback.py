"""What was said about the work of a store's agent, and what its workflows came to, page by page."""

from shared.core.feedback import Feedback, WorkflowRun
from shared.ports.card_books import Place
from shared.ports.database import Database


def find_feedback(
    db: Database, tenant_id: str, store_name: str, *, limit: int, behind: Place | None = None
) -> list[Feedback]:
    """Return feedback, newest first. Raises NotFoundError for the store."""
    with db.transaction(tenant_id) as uow:
        return uow.feedback(uow.stores.get(store_name).id).find(limit=limit, behind=behind)


def find_workflow_runs(
    db: Database, tenant_id: str, store_name: str, *, limit: int, behind: Place | None = None
) -> list[WorkflowRun]:
    """Return workflow runs, newest first. Raises NotFoundError for the store."""
    with db.transaction(tenant_id) as uow:
        return uow.workflows(uow.stores.get(store_name).id).find(limit=limit, behind=behind)
