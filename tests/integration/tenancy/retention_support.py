"""Aging: a tenant's rows as if they had been written long ago."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from shared.core.policy.retention import RetentionPolicy
from shared.settings import Settings
from tests.support.servers import plain_url

#: As little as may be kept: what happened within a day.
BRIEF = RetentionPolicy(
    undo=1, versions=1, archived=1, dreams=1, calls=1, audit=1, sessions=1, feedback=1, workflows=1, skill_uses=1
)
_MOMENTS = {
    "memory_versions": ("created_at",),
    "dreams": ("created_at", "started_at", "finished_at"),
    "operations": ("created_at", "decided_at"),
    "llm_calls": ("created_at",),
    "audit_log": ("created_at",),
    "feedback": ("created_at", "occurred_at"),
    "workflow_runs": ("created_at", "occurred_at"),
    "skill_uses": ("created_at", "used_at"),
    "sessions": ("created_at", "last_event_at", "consumed_at"),
}


@contextmanager
def open_owner(settings: Settings) -> Iterator[psycopg.Connection]:
    with psycopg.connect(plain_url(settings.owner_database_url), autocommit=True) as connection:
        yield connection


def age(settings: Settings, tenant: str, days: int = 400) -> None:
    """Move everything that a tenant has into the past."""
    with open_owner(settings) as owner:
        for table, columns in _MOMENTS.items():
            moved = ", ".join(f"{name} = {name} - interval '{days} days'" for name in columns)
            owner.execute(f"UPDATE {table} SET {moved} WHERE tenant_id = %s".encode(), [tenant])


def count_rows(settings: Settings, tenant: str) -> dict[str, int]:
    """Count a tenant's rows by table."""
    with open_owner(settings) as owner:
        counts = {}
        for table in (*_MOMENTS, "memories"):
            row = owner.execute(f"SELECT count(*) FROM {table} WHERE tenant_id = %s".encode(), [tenant]).fetchone()
            assert row is not None
            counts[table] = int(row[0])
        return counts
