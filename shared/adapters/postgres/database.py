"""Transactions on PostgreSQL. The tenant is set first, so that row-level security applies to all statements.

A repository's module is imported when the repository is first used (`unit_of_work.py` says why).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, literal_column, select

from shared.adapters.postgres.sql.transactions import (
    GENEROUS,
    IDLE_SECONDS,
    TimeLimits,
    find_pool_use,
    make_engine,
    open_tenants_transaction,
    open_transaction,
)
from shared.adapters.postgres.unit_of_work import PostgresUnitOfWork
from shared.adapters.secrets.mask import SecretMask
from shared.core.errors import NotFoundError

if TYPE_CHECKING:
    from shared.adapters.postgres.memories.hidden import Hidden
    from shared.adapters.postgres.repositories import (
        PostgresAdmissionRepository,
        PostgresBatchQueue,
        PostgresDeliveryQueue,
        PostgresEvaluationQueue,
        PostgresInstallationRepository,
        PostgresOperatorRepository,
        PostgresSweepRepository,
    )
    from shared.core.memory.model import Memory
    from shared.ports.evidence.search_log import AskedSearch
    from shared.ports.tenants import FoundKey


#: As long as a verified key is remembered.
_REMEMBERED_SECONDS = 2.0
_MOST_TENANTS = 10_000
_READ_ONLY = select(func.set_config("transaction_read_only", "on", literal_column("true")))


class PostgresDatabase:
    """Implements `Database` and `SearchLogReader`. The engine connects on first use, so that a forked child has its own connections."""

    def __init__(
        self,
        url: str,
        *,
        pool_size: int = 12,
        limits: TimeLimits = GENEROUS,
        mask: Callable[[str], str] | None = None,
        keys: Sequence[bytes] = (),
    ) -> None:
        self._mask = mask or SecretMask()
        self._keys = keys
        self._engine = make_engine(url, pool_size=pool_size, limits=limits)
        self._sees_shadows = False
        self._for_agents = False
        self._strictest: dict[str, tuple[float, int]] = {}  # by tenant: until when it is known, and the rank

    def with_shadows(self) -> PostgresDatabase:
        """Return the same database, whose transactions also see the copies that evaluations dream over."""
        seeing = copy(self)
        seeing._sees_shadows = True  # noqa: SLF001 - of the same class
        return seeing

    def for_agents(self) -> PostgresDatabase:
        """Return the same database, whose transactions read nothing that stores hide from agents."""
        reading = copy(self)
        reading._for_agents = True  # noqa: SLF001 - of the same class
        return reading

    def for_persons(self) -> PostgresDatabase:
        """Return the same database, whose transactions read everything."""
        reading = copy(self)
        reading._for_agents = False  # noqa: SLF001 - of the same class
        return reading

    @cached_property
    def sweeps(self) -> PostgresSweepRepository:
        """Return the sweeps' queries across tenants."""
        from shared.adapters.postgres.dreams.sweeps import PostgresSweepRepository

        return PostgresSweepRepository(self._engine)

    @cached_property
    def admission(self) -> PostgresAdmissionRepository:
        """Return the repository of running and next dreams of all tenants."""
        from shared.adapters.postgres.dreams.sweeps import PostgresAdmissionRepository

        return PostgresAdmissionRepository(self._engine)

    @cached_property
    def delivery_queue(self) -> PostgresDeliveryQueue:
        """Return the due webhook deliveries of all tenants."""
        from shared.adapters.postgres.webhooks.endpoints import PostgresDeliveryQueue

        return PostgresDeliveryQueue(self._engine)

    @cached_property
    def batch_queue(self) -> PostgresBatchQueue:
        """Return the dreams of all tenants that wait for Message Batches."""
        from shared.adapters.postgres.dreams.batch_calls import PostgresBatchQueue

        return PostgresBatchQueue(self._engine)

    @cached_property
    def evaluation_queue(self) -> PostgresEvaluationQueue:
        """Return the evaluations of all tenants that wait for a step."""
        from shared.adapters.postgres.dreams.evaluations import PostgresEvaluationQueue

        return PostgresEvaluationQueue(self._engine)

    @cached_property
    def installation(self) -> PostgresInstallationRepository:
        """Return the switches that hold for all tenants."""
        from shared.adapters.postgres.tenants.installation import PostgresInstallationRepository

        return PostgresInstallationRepository(self._engine)

    @cached_property
    def operators(self) -> PostgresOperatorRepository:
        """Return the queries that only an operator may run."""
        from shared.adapters.postgres.tenants.operators import PostgresOperatorRepository

        return PostgresOperatorRepository(self._engine)

    def find_key(self, key_id: str) -> FoundKey:
        """Return a key of any tenant by its id."""
        from shared.adapters.postgres.tenants.keys import find_key

        with open_transaction(self._engine) as connection:
            return find_key(connection, key_id)

    def find_memory(self, tenant_id: str, store_name: str, memory_id: str) -> Memory | None:
        """Return a memory of a tenant by its store's name and its id, in one message."""
        from shared.adapters.postgres.memories.catalog import find_memory

        return find_memory(self._engine, tenant_id, store_name, memory_id, for_agents=self._for_agents)

    def find_asked(self, tenant_id: str, store_id: str, limit: int) -> list[AskedSearch]:
        """Return the searches of a store after which something was read or told."""
        from shared.adapters.postgres.sessions.search_log import find_asked

        with open_tenants_transaction(self._engine, tenant_id, IDLE_SECONDS) as (connection, _):
            return find_asked(connection, store_id, limit)

    @contextmanager
    def transaction(
        self, tenant_id: str, *, idle_seconds: float = IDLE_SECONDS, read_only: bool = False
    ) -> Iterator[PostgresUnitOfWork]:
        """Open a transaction of one tenant; with `read_only`, the server refuses writes."""
        least = self._find_strictest(tenant_id) if self._for_agents else 0
        with open_tenants_transaction(
            self._engine, tenant_id, idle_seconds, shadows=self._sees_shadows, least_rank=least
        ) as (connection, now):
            if read_only:
                connection.execute(_READ_ONLY)
            hidden = self._hide_in(connection, least) if self._for_agents else None
            try:
                yield PostgresUnitOfWork(connection, tenant_id, now, self._mask, self._keys, hidden)
            except NotFoundError as error:
                raise error if hidden is None else hidden.explain(error) from error

    def _find_strictest(self, tenant_id: str) -> int:
        """Return the least rank that the tenant's strictest store shows to agents, as it was at most two seconds ago."""
        known = self._strictest.get(tenant_id)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        from shared.adapters.postgres.memories.hidden import find_strictest

        with open_tenants_transaction(self._engine, tenant_id) as (connection, _):
            found = find_strictest(connection, tenant_id)
        if len(self._strictest) >= _MOST_TENANTS:
            self._strictest.clear()
        self._strictest[tenant_id] = time.monotonic() + _REMEMBERED_SECONDS, found
        return found

    def _hide_in(self, connection: Connection, least: int) -> Hidden:
        from shared.adapters.postgres.memories.hidden import Hidden

        return Hidden(connection, least)

    def find_pool_use(self) -> tuple[int, int]:
        """Return the number of connections in use, and the limit."""
        return find_pool_use(self._engine)

    def dispose(self, *, close: bool = True) -> None:
        """Drop pooled connections; use `close=False` in a forked child, whose parent still uses them."""
        self._engine.dispose(close=close)
