"""Write the table of docs/retention.md from the schema: `python -m deploy.pages.retention`, which prints the page."""

import sys
from pathlib import Path

from sqlalchemy import Table

from shared.adapters.postgres.tables.text_places import find_tenant_tables, find_text_places

PAGE = Path(__file__).parents[2] / "docs" / "retention.md"
_BEGIN, _END = "<!-- made by `python -m deploy.pages.retention` -->\n", "<!-- end of the table -->\n"
_KEPT = "none: it stays until the tenant is deleted"
_WITH_STORE = "none: it stays until its store is deleted"
#: Each table that can hold a text: what that is, and what deletes it.
HELD = {
    "api_keys": ("the names of keys", _KEPT),
    "api_requests": ("answers for an `Idempotency-Key`", "a day after the request"),
    "asked_questions": ("paths that a question was about", "with its dream"),
    "audit_log": ("who did what, by ids and names", "`audit`"),
    "batch_calls": ("questions of Message Batches, and answers", "when the answer is stored"),
    "directives": ("a tenant's own prompts", "`directives`; the newest stays"),
    "dream_orders": ("what a caller of `/v1` asked of a dream", "`dreams`"),
    "dreams": ("why a dream ran, its summary, and what its undo needs", "`dreams`"),
    "evaluations": ("questions, and what dreams over copies would do to the answers", "`dreams`"),
    "evaluation_answers": ("what a model answered to copies", "24 hours"),
    "exams": ("why a model passed or failed", "`exams`; the newest stays"),
    "feedback": ("corrections, failures and ratings", "`feedback`"),
    "llm_calls": ("prompts and answers", "`calls`"),
    "memories": ("what agents read, and retired memories", "`archived`; live ones stay"),
    "memory_links": ("where links lead", "with its memory"),
    "memory_versions": ("old texts", "`versions`, `archived`"),
    "operations": ("changes and proposals with their texts, reasons and verdicts", "`dreams`"),
    "pending_merges": ("merges that one dream suggests to the next", "by the next dream"),
    "phase_runs": ("what a phase read and planned", "`dreams`"),
    "probes": ("people's own questions about a store, with quotes", "by the person who replaces them"),
    "saved_filters": ("filters that a person keeps", _KEPT),
    "search_log": ("what agents searched for", "`searches`"),
    "session_events": ("what was said", "`sessions`"),
    "session_terms": ("the words of an event", "`sessions`"),
    "sessions": ("titles and details of sessions", "`sessions`"),
    "skill_uses": ("which skill was used in which session", "`skill_uses`"),
    "stores": ("a store's description and settings", _WITH_STORE),
    "tenants": ("the model settings", _KEPT),
    "webhook_deliveries": ("messages, sent and waiting", "`deliveries`"),
    "webhook_endpoints": ("addresses and their descriptions", _KEPT),
    "workflow_runs": ("tasks, steps and errors", "`workflows`"),
}


def render_page() -> str:
    """Return docs/retention.md with a table that follows the schema."""
    before, _, rest = PAGE.read_text("utf-8").partition(_BEGIN)
    rows = "".join(line for table in find_tenant_tables() for line in _rows(table))
    head = "| table | holds | columns | deleted by | `forget` |\n|---|---|---|---|---|\n"
    return before + _BEGIN + head + rows + _END + rest.partition(_END)[2]


def _rows(table: Table) -> list[str]:
    by_treatment: dict[str, list[str]] = {}
    for place in find_text_places(table):
        by_treatment.setdefault(place.treatment, []).append(f"`{place.column}`")
    return [
        f"| `{table.name}` | {HELD[table.name][0]} | {', '.join(columns)} | {HELD[table.name][1]} | {treatment} |\n"
        for treatment, columns in by_treatment.items()
    ]


if __name__ == "__main__":
    sys.stdout.write(render_page())
