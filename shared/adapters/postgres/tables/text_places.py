"""Every column of a tenant's tables in which a text can lie, made from the tables: what `forget` does to it there.

A new column is searched unless this module says why it cannot hold a text, so that none is forgotten.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Column, Table, Text
from sqlalchemy.dialects.postgresql import ARRAY, JSON, JSONB
from sqlmodel import SQLModel

import shared.adapters.postgres.tables.access
import shared.adapters.postgres.tables.dreams
import shared.adapters.postgres.tables.logs
import shared.adapters.postgres.tables.sessions
import shared.adapters.postgres.tables.steps
import shared.adapters.postgres.tables.stores  # noqa: F401 - the tables are known once they are imported
from shared.core.forgetting.places import Treatment


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A column that can hold a text, and what happens to it."""

    table: str
    column: str
    treatment: Treatment


_TABLES = {
    "memories": Treatment.REWRITTEN,
    # A model's words about a text are the text in other words; no undo reads these.
    "llm_calls": Treatment.EMPTIED,
    "phase_runs": Treatment.EMPTIED,
    "batch_calls": Treatment.EMPTIED,
    # What is derived, or repeats what was said elsewhere.
    "api_requests": Treatment.DELETED,
    "asked_questions": Treatment.DELETED,
    "evaluations": Treatment.DELETED,
    "evaluation_answers": Treatment.DELETED,
    "memory_links": Treatment.DELETED,
    "pending_merges": Treatment.DELETED,
    "probes": Treatment.DELETED,
    "saved_filters": Treatment.DELETED,
    "search_log": Treatment.DELETED,
    "session_terms": Treatment.DELETED,
    "skill_uses": Treatment.DELETED,
    # Settings: other words would be other settings.
    "tenants": Treatment.TOLD,
    "api_keys": Treatment.TOLD,
    "webhook_endpoints": Treatment.TOLD,
}
_COLUMNS = {
    ("stores", "name"): Treatment.TOLD,
    ("stores", "overrides"): Treatment.TOLD,
    ("stores", "llm"): Treatment.TOLD,
    ("stores", "arm"): Treatment.TOLD,
    ("stores", "arm_before"): Treatment.TOLD,
    ("directives", "name"): Treatment.TOLD,
    ("directives", "store"): Treatment.TOLD,
    ("sessions", "external_id"): Treatment.RENAMED,
    ("session_events", "event_id"): Treatment.RENAMED,
    ("feedback", "external_id"): Treatment.RENAMED,
    ("workflow_runs", "external_id"): Treatment.RENAMED,
    ("llm_calls", "detail"): Treatment.REPLACED,
    ("llm_calls", "key"): Treatment.RENAMED,
    ("batch_calls", "key"): Treatment.RENAMED,
    ("phase_runs", "reason"): Treatment.REPLACED,
}

_ID = "an id that slowwave makes"
_OWN_WORD = "one of slowwave's own words"
_DIGEST = "a hash"
_MODEL = "the name of a model or a server"
_NUMBERS = "numbers under slowwave's own names"
_SEALED = "a sealed signing secret"
#: Columns that cannot hold a text of a tenant, by name; `table.column` where the name alone would say too much.
NO_TEXT: dict[str, str] = {
    **dict.fromkeys(
        (
            "id", "tenant_id", "store_id", "dream_id", "operation_id", "memory_id", "session_id", "endpoint_id", "message_id",
            "batch_id", "key_id", "superseded_by", "consumed_by", "last_dream_id", "input_store_id", "session_ids", "suggested_by",
            "search_log.shown", "search_log.read_ids", "evaluation_id", "paid_for",
        ),
        _ID,
    ),
    **dict.fromkeys(
        (
            "state", "kind", "phase", "trigger", "review", "maturity", "tier", "author", "change", "origin", "rule", "event",
            "action", "autonomy", "profile", "behavior", "rating", "list_name", "budget", "outcome", "api_keys.role",
            "webhook_endpoints.events", "search_log.surface", "time_zone", "quiet_hours", "locale",
        ),
        _OWN_WORD,
    ),
    **dict.fromkeys(
        ("content_hash", "evaluations.terms", "fold_hash", "imported_hash", "secret_hash", "previous_hash", "request_hash", "question_hash", "fingerprint", "tombstones.hash", "tombstones.salt"),
        _DIGEST,
    ),
    **dict.fromkeys(("model", "exams.owner", "exams.server", "phase_runs.runner"), _MODEL),
    **dict.fromkeys(("signals", "counts", "retention", "exams.grade"), _NUMBERS),
    **dict.fromkeys(("sealed", "previous_sealed"), _SEALED),
}  # fmt: skip


def why_no_text(column: Column[object]) -> str | None:
    """Return why a column cannot hold a text of a tenant, or None if it can."""
    if not isinstance(column.type, Text | JSON | JSONB | ARRAY):
        return "no text"
    if column.computed is not None:
        return "derived by the database"
    return NO_TEXT.get(f"{column.table.name}.{column.name}") or NO_TEXT.get(column.name)


def find_tenant_tables() -> list[Table]:
    """Return the tables whose rows belong to a tenant, by name."""
    tables = SQLModel.metadata.tables.values()
    return sorted((one for one in tables if "tenant_id" in one.c or one.name == "tenants"), key=lambda one: one.name)


def find_text_places(table: Table) -> Iterator[TextPlace]:
    """Yield the columns of a table that can hold a text."""
    for column in table.columns:
        if why_no_text(column) is None:
            kind = _COLUMNS.get((table.name, column.name)) or _TABLES.get(table.name, Treatment.REPLACED)
            yield TextPlace(table.name, column.name, kind)
