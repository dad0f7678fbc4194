"""Purging, the only destructive word: a whole tenant, or what retention lets go. Inside one transaction of one tenant."""

from typing import Protocol


class PurgeBook(Protocol):
    """Deletes for good."""

    def erase_tenant(self, actor: str) -> dict[str, int]:
        """Delete the tenant of this transaction and every row of its; return the rows deleted by table.

        The operator's log keeps that, and that nothing is left, which was counted before the commit.
        """
