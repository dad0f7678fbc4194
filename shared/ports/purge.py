"""Purging, the only destructive word: a whole tenant, or what retention lets go. Inside one transaction of one tenant."""

from datetime import datetime
from typing import Protocol


class PurgeBook(Protocol):
    """Deletes for good."""

    def erase_tenant(self, actor: str) -> dict[str, int]:
        """Delete the tenant of this transaction and every row of its; return the rows deleted by table.

        The operator's log keeps that, and that nothing is left, which was counted before the commit.
        """

    def purge_aged(self, rule: str, *, before: datetime, undo_since: datetime, limit: int, dry_run: bool) -> int:
        """Purge at most `limit` rows of a retention rule that are older than `before`; return how many.

        What may still be undone stays: dreams that ended after `undo_since`, and what waits for a review.
        """
