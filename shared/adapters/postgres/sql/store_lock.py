"""Whoever writes memories of a store waits for its turn: one transaction at a time, from its first row lock on.

Two that lock rows in the order of their own plans, or insert paths into one index, would wait for each other, and
PostgreSQL would end one of them. docs/locks.md has the order in which everything is locked.
"""

from typing import LiteralString

from sqlalchemy import Connection

from shared.adapters.postgres.sql.statements import tell

#: A hash of the store's id, which no migration's lock shares; it ends with the transaction, also a savepoint's.
TAKE_TURN: LiteralString = "SELECT pg_advisory_xact_lock(hashtextextended(%(store_id)s, 7))"


def take_turn(connection: Connection, store_id: str) -> None:
    """Wait until no other transaction writes memories of this store; taking it again costs a message."""
    tell(connection, TAKE_TURN, {"store_id": store_id})
