"""The lock of a store: one transaction at a time writes a store's memories, from its first row lock on.

Two transactions that lock rows in the order of their own plans, or insert paths into one index, would wait for each other,
and PostgreSQL would end one of them. docs/locks.md has the order in which everything is locked.
"""

from sqlalchemy import Connection, Text, bindparam, func, select

from shared.adapters.postgres.sql.statements import Fixed, execute

#: A hash of the store's id, which no migration's lock shares; it ends with the transaction, also a savepoint's.
_LOCK = Fixed(
    "store_lock.lock",
    select(func.pg_advisory_xact_lock(func.hashtextextended(bindparam("store", type_=Text), 7))),
    reason="3 times a dream, and before every write of memories",
)


def lock_store(connection: Connection, store_id: str) -> None:
    """Wait until no other transaction writes memories of this store. Locking it again costs one message."""
    execute(connection, _LOCK, {"store": store_id})
