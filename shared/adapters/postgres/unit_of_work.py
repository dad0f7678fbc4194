"""One transaction of one tenant: its repositories, each made when first used.

A repository's module is imported then, too: a short command pays for the tables and statements that it uses. A process that
stays imports all of them as it makes its ports (`shared/adapters/postgres/repositories.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from shared.core.forgetting.words import replace_in

if TYPE_CHECKING:
    from shared.adapters.postgres.memories.hidden import Hidden
    from shared.adapters.postgres.repositories import (
        PostgresActivityRepository,
        PostgresAskedRepository,
        PostgresAuditRepository,
        PostgresBatchCallRepository,
        PostgresBudgetRepository,
        PostgresCallRepository,
        PostgresDeliveryRepository,
        PostgresDirectiveRepository,
        PostgresDreamRepository,
        PostgresEndpointRepository,
        PostgresEvaluationRepository,
        PostgresExamRepository,
        PostgresFeedbackRepository,
        PostgresForgetRepository,
        PostgresGatherRepository,
        PostgresIngestRepository,
        PostgresKeyRepository,
        PostgresLinkRepository,
        PostgresMaintenanceRepository,
        PostgresMemoryCatalogRepository,
        PostgresMemoryListing,
        PostgresMemoryRepository,
        PostgresMemoryTreeRepository,
        PostgresOperationRepository,
        PostgresOrderRepository,
        PostgresPendingMergeRepository,
        PostgresPhaseFactsRepository,
        PostgresPhaseRepository,
        PostgresProbeRepository,
        PostgresPurgeRepository,
        PostgresRecallRepository,
        PostgresRequestRepository,
        PostgresSavedFilterRepository,
        PostgresSearchLogWriter,
        PostgresSessionListing,
        PostgresSessionRepository,
        PostgresSkillRepository,
        PostgresStatisticsRepository,
        PostgresStoreListing,
        PostgresStoreRepository,
        PostgresVectorRepository,
        PostgresVerdictRepository,
        PostgresWorkflowRepository,
    )
    from shared.core.policy.policy import Policy


class PostgresUnitOfWork:
    """Implements `UnitOfWork` on one connection. A repository is made when it is first used: most transactions open two."""

    def __init__(
        self,
        connection: Connection,
        tenant_id: str,
        now: datetime,
        mask: Callable[[str], str],
        keys: Sequence[bytes],
        hidden: Hidden | None = None,
    ) -> None:
        self.mask = mask
        self._policies: dict[str, Policy] = {}
        self._left_out: dict[str, Callable[[str], str]] = {}
        self._connection = connection
        self._now = now
        self._hidden = hidden
        self._keys = keys
        self.tenant_id = tenant_id

    @cached_property
    def stores(self) -> PostgresStoreRepository:
        """Return tenants and stores."""
        from shared.adapters.postgres.tenants.stores import PostgresStoreRepository

        return PostgresStoreRepository(self._connection, self.tenant_id, self._hidden)

    @cached_property
    def activity(self) -> PostgresActivityRepository:
        """Return the repository of stores' activity."""
        from shared.adapters.postgres.tenants.activity import PostgresActivityRepository

        return PostgresActivityRepository(self._connection, self.tenant_id)

    @cached_property
    def dreams(self) -> PostgresDreamRepository:
        """Return dreams."""
        from shared.adapters.postgres.dreams.dreams import PostgresDreamRepository

        return PostgresDreamRepository(self._connection, self.tenant_id)

    @cached_property
    def phases(self) -> PostgresPhaseRepository:
        """Return the stored steps of dreams."""
        from shared.adapters.postgres.dreams.phases import PostgresPhaseRepository

        return PostgresPhaseRepository(self._connection, self.tenant_id)

    @cached_property
    def phase_facts(self) -> PostgresPhaseFactsRepository:
        """Return the facts that a phase needs when it begins."""
        from shared.adapters.postgres.dreams.phases import PostgresPhaseFactsRepository

        return PostgresPhaseFactsRepository(self._connection, self.tenant_id)

    @cached_property
    def operations(self) -> PostgresOperationRepository:
        """Return operations and reviews."""
        from shared.adapters.postgres.dreams.operations import PostgresOperationRepository

        return PostgresOperationRepository(self._connection, self.tenant_id, self._hidden)

    @cached_property
    def calls(self) -> PostgresCallRepository:
        """Return model calls."""
        from shared.adapters.postgres.dreams.calls import PostgresCallRepository

        return PostgresCallRepository(self._connection, self.tenant_id)

    @cached_property
    def batch_calls(self) -> PostgresBatchCallRepository:
        """Return the questions that Message Batches answer."""
        from shared.adapters.postgres.dreams.batch_calls import PostgresBatchCallRepository

        return PostgresBatchCallRepository(self._connection, self.tenant_id)

    @cached_property
    def budgets(self) -> PostgresBudgetRepository:
        """Return the use of budgets in dollars."""
        from shared.adapters.postgres.tenants.budgets import PostgresBudgetRepository

        return PostgresBudgetRepository(self._connection, self.tenant_id)

    @cached_property
    def purges(self) -> PostgresPurgeRepository:
        """Return the repository that deletes rows for good."""
        from shared.adapters.postgres.tenants.purge import PostgresPurgeRepository

        return PostgresPurgeRepository(self._connection)

    @cached_property
    def keys(self) -> PostgresKeyRepository:
        """Return the tenant's API keys."""
        from shared.adapters.postgres.tenants.keys import PostgresKeyRepository

        return PostgresKeyRepository(self._connection, self.tenant_id)

    @cached_property
    def requests(self) -> PostgresRequestRepository:
        """Return requests with an idempotency key."""
        from shared.adapters.postgres.tenants.requests import PostgresRequestRepository

        return PostgresRequestRepository(self._connection, self.tenant_id)

    @cached_property
    def saved_filters(self) -> PostgresSavedFilterRepository:
        """Return people's saved filters."""
        from shared.adapters.postgres.dreams.saved_filters import PostgresSavedFilterRepository

        return PostgresSavedFilterRepository(self._connection, self.tenant_id)

    @cached_property
    def exams(self) -> PostgresExamRepository:
        """Return the exams of models."""
        from shared.adapters.postgres.dreams.exams import PostgresExamRepository

        return PostgresExamRepository(self._connection, self.tenant_id)

    @cached_property
    def evaluations(self) -> PostgresEvaluationRepository:
        """Return evaluations."""
        from shared.adapters.postgres.dreams.evaluations import PostgresEvaluationRepository

        return PostgresEvaluationRepository(self._connection, self.tenant_id)

    @cached_property
    def directives(self) -> PostgresDirectiveRepository:
        """Return the tenant's directives."""
        from shared.adapters.postgres.tenants.directives import PostgresDirectiveRepository

        return PostgresDirectiveRepository(self._connection, self.tenant_id)

    @cached_property
    def recalls(self) -> PostgresRecallRepository:
        """Return the counter of accesses of memories."""
        from shared.adapters.postgres.memories.recall import PostgresRecallRepository

        return PostgresRecallRepository(self._connection, self.tenant_id)

    @cached_property
    def statistics(self) -> PostgresStatisticsRepository:
        """Return the tenant's statistics."""
        from shared.adapters.postgres.tenants.statistics import PostgresStatisticsRepository

        return PostgresStatisticsRepository(self._connection, self.tenant_id)

    @cached_property
    def store_listing(self) -> PostgresStoreListing:
        """Return stores as the API lists them."""
        from shared.adapters.postgres.tenants.api_lists import PostgresStoreListing

        return PostgresStoreListing(self._connection, self.tenant_id, self._hidden)

    @cached_property
    def session_listing(self) -> PostgresSessionListing:
        """Return the sessions of all stores."""
        from shared.adapters.postgres.sessions.api_lists import PostgresSessionListing

        return PostgresSessionListing(self._connection, self.tenant_id, self._hidden)

    @cached_property
    def orders(self) -> PostgresOrderRepository:
        """Return dreams that were ordered over the API."""
        from shared.adapters.postgres.dreams.orders import PostgresOrderRepository

        return PostgresOrderRepository(self._connection, self.tenant_id)

    @cached_property
    def webhooks(self) -> PostgresEndpointRepository:
        """Return the tenant's webhook endpoints."""
        from shared.adapters.postgres.webhooks.endpoints import PostgresEndpointRepository

        return PostgresEndpointRepository(self._connection, self.tenant_id)

    @cached_property
    def deliveries(self) -> PostgresDeliveryRepository:
        """Return the outbox of its deliveries."""
        from shared.adapters.postgres.webhooks.deliveries import PostgresDeliveryRepository

        return PostgresDeliveryRepository(self._connection, self.tenant_id)

    def memories(self, store_id: str) -> PostgresMemoryRepository:
        """Return the memories of a store."""
        from shared.adapters.postgres.memories.store import PostgresMemoryRepository

        return PostgresMemoryRepository(self._connection, self.tenant_id, store_id)

    def catalog(self, store_id: str) -> PostgresMemoryCatalogRepository:
        """Return the memories of a store, to be read page by page."""
        from shared.adapters.postgres.memories.catalog import PostgresMemoryCatalogRepository

        return PostgresMemoryCatalogRepository(self._connection, self.tenant_id, store_id)

    def tree(self, store_id: str) -> PostgresMemoryTreeRepository:
        """Return the memories of a store as files in folders."""
        from shared.adapters.postgres.memories.tree import PostgresMemoryTreeRepository

        return PostgresMemoryTreeRepository(self._connection, self.tenant_id, store_id)

    def links(self, store_id: str) -> PostgresLinkRepository:
        """Return the links between the memories of a store."""
        from shared.adapters.postgres.memories.links import PostgresLinkRepository

        return PostgresLinkRepository(self._connection, self.tenant_id, store_id)

    def memory_listing(self, store_id: str) -> PostgresMemoryListing:
        """Return the memories of a store and their versions as the API lists them."""
        from shared.adapters.postgres.memories.api_lists import PostgresMemoryListing

        return PostgresMemoryListing(self._connection, self.tenant_id, store_id)

    def merges(self, store_id: str) -> PostgresPendingMergeRepository:
        """Return the pending merges of a store."""
        from shared.adapters.postgres.memories.pending_merges import PostgresPendingMergeRepository

        return PostgresPendingMergeRepository(self._connection, self.tenant_id, store_id)

    def vectors(self, store_id: str) -> PostgresVectorRepository:
        """Return the vectors of a store's memories."""
        from shared.adapters.postgres.memories.vectors import PostgresVectorRepository

        return PostgresVectorRepository(self._connection, self.tenant_id, store_id)

    def asked(self, store_id: str) -> PostgresAskedRepository:
        """Return what dreams have asked about a store."""
        from shared.adapters.postgres.dreams.asked import PostgresAskedRepository

        return PostgresAskedRepository(self._connection, self.tenant_id, store_id)

    def probes(self, store_id: str) -> PostgresProbeRepository:
        """Return people's own questions about a store."""
        from shared.adapters.postgres.dreams.evaluations import PostgresProbeRepository

        return PostgresProbeRepository(self._connection, self.tenant_id, store_id)

    def verdicts(self, store_id: str) -> PostgresVerdictRepository:
        """Return the verdicts on a store's operations."""
        from shared.adapters.postgres.dreams.verdicts import PostgresVerdictRepository

        return PostgresVerdictRepository(self._connection, self.tenant_id, store_id)

    def sessions(self, store_id: str) -> PostgresSessionRepository:
        """Return the sessions of a store, one at a time."""
        from shared.adapters.postgres.sessions.sessions import PostgresSessionRepository

        return PostgresSessionRepository(self._connection, self.tenant_id, store_id, self._hidden)

    def ingest(self, store_id: str) -> PostgresIngestRepository:
        """Return the sessions of a store, to add to many at once."""
        from shared.adapters.postgres.sessions.ingest import PostgresIngestRepository

        return PostgresIngestRepository(self._connection, self.tenant_id, store_id)

    def gathering(self, store_id: str, session_ids: Sequence[str] | None = None) -> PostgresGatherRepository:
        """Return the sessions of a store, for a dream to gather from; or these of any store, whole, without cursors."""
        from shared.adapters.postgres.sessions.chosen import PostgresChosenSessions
        from shared.adapters.postgres.sessions.gather import PostgresGatherRepository

        if session_ids is not None:
            return PostgresChosenSessions(self._connection, self.tenant_id, session_ids)
        return PostgresGatherRepository(self._connection, self.tenant_id, store_id)

    def feedback(self, store_id: str) -> PostgresFeedbackRepository:
        """Return the feedback on the work of a store's agent."""
        from shared.adapters.postgres.sessions.feedback import PostgresFeedbackRepository

        return PostgresFeedbackRepository(self._connection, self.tenant_id, store_id)

    def workflows(self, store_id: str) -> PostgresWorkflowRepository:
        """Return the workflow runs of a store."""
        from shared.adapters.postgres.sessions.feedback import PostgresWorkflowRepository

        return PostgresWorkflowRepository(self._connection, self.tenant_id, store_id)

    def skills(self, store_id: str) -> PostgresSkillRepository:
        """Return the uses of a store's skills, and the openings of its sessions."""
        from shared.adapters.postgres.sessions.skill_uses import PostgresSkillRepository

        return PostgresSkillRepository(self._connection, self.tenant_id, store_id)

    def search_log(self, store_id: str) -> PostgresSearchLogWriter:
        """Return what adds to the log of a store's searches."""
        from shared.adapters.postgres.sessions.search_log import PostgresSearchLogWriter

        return PostgresSearchLogWriter(self._connection, store_id)

    def maintenance(self, store_id: str) -> PostgresMaintenanceRepository:
        """Return the queries of upkeep over all memories of a store."""
        from shared.adapters.postgres.memories.maintenance import PostgresMaintenanceRepository

        return PostgresMaintenanceRepository(self._connection, self.tenant_id, store_id)

    def forgetting(self, store_id: str) -> PostgresForgetRepository:
        """Return every text of a store, and what was forgotten in it."""
        from shared.adapters.postgres.memories.forgetting import PostgresForgetRepository

        return PostgresForgetRepository(self._connection, self.tenant_id, store_id, self._keys)

    def policy_of(self, store_id: str) -> Policy:
        """Return the policy of a store; it is read once in a transaction."""
        from shared.adapters.postgres.tenants.stores import read_policy

        if store_id not in self._policies:
            self._policies[store_id] = read_policy(self._connection, self.tenant_id, store_id)
        return self._policies[store_id]

    def leave_out(self, store_id: str) -> Callable[[str], str]:
        """Return what leaves out of a new text what was forgotten in a store; it is read once in a transaction."""
        if store_id not in self._left_out:
            buried = self.forgetting(store_id).find_buried()
            self._left_out[store_id] = partial(replace_in, find=buried) if buried else str
        return self._left_out[store_id]

    def savepoint(self) -> AbstractContextManager[object]:
        """Open a part of the transaction that an exception rolls back alone."""
        return self._connection.begin_nested()

    def now(self) -> datetime:
        """Return the database's time; the same throughout a transaction."""
        return self._now

    def record_audit(self, actor: str, action: str, **detail: object) -> None:
        """Append to the audit log."""
        self.audit.append(actor, action, detail)

    @cached_property
    def audit(self) -> PostgresAuditRepository:
        """Return the audit log."""
        from shared.adapters.postgres.tenants.audit import PostgresAuditRepository

        return PostgresAuditRepository(self._connection, self.tenant_id)
