"""Purging in PostgreSQL: functions of a role of its own, since the application role may delete next to nothing."""

from datetime import datetime

from sqlalchemy import Connection, text

#: The functions of rules whose rows nothing refers to.
_FUNCTIONS = {
    "feedback": "slowwave_purge_signals",
    "workflows": "slowwave_purge_signals",
    "skill_uses": "slowwave_purge_skill_uses",
    "deliveries": "slowwave_purge_deliveries",
}


class PostgresPurgeRepository:
    """Implements `PurgeRepository`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def erase_tenant(self, actor: str) -> dict[str, int]:
        """Delete the tenant of this transaction and every row of its; return the rows deleted by table."""
        # No other transaction may add a row that refers to the tenant while one table after the other is emptied.
        self._connection.execute(
            text("SELECT FROM tenants WHERE id = current_setting('slowwave.tenant_id') FOR UPDATE")
        )
        query = text("SELECT table_name, deleted FROM slowwave_erase_tenant(:actor)")
        return {row[0]: int(row[1]) for row in self._connection.execute(query, {"actor": actor})}

    def purge_aged(self, rule: str, *, before: datetime, undo_since: datetime, limit: int, dry_run: bool) -> int:
        """Purge at most `limit` rows of a retention rule that are older than `before`; return how many."""
        function = _FUNCTIONS.get(rule, "slowwave_purge_aged")
        query = text(f"SELECT {function}(:rule, :before, :undo_since, :limit, :dry_run)")
        values = {"rule": rule, "before": before, "undo_since": undo_since, "limit": limit, "dry_run": dry_run}
        return int(self._connection.execute(query, values).scalar_one())
