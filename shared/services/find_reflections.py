"""The titles of what dreams have synthesised."""

from collections.abc import Sequence

from shared.core.frontmatter import title_of
from shared.core.operation import Create, OperationKind
from shared.ports.database import Database


def find_reflections(db: Database, tenant_id: str, dream_ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the titles of the memories that each dream has created."""
    with db.transaction(tenant_id) as uow:
        return {
            dream_id: [
                title_of(change.path, change.content)
                for recorded in uow.operations.find_all(dream_id)
                if recorded.operation.kind is OperationKind.CREATE
                for change in recorded.operation.changes
                if isinstance(change, Create)
            ]
            for dream_id in dream_ids
        }
