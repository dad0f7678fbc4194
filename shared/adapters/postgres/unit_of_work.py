"""One transaction of one tenant: its repositories, each made when first used."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cached_property

from sqlalchemy import Connection

from shared.adapters.postgres.dreams.asked import PostgresAskedRepository
from shared.adapters.postgres.dreams.calls import PostgresCallRepository
from shared.adapters.postgres.dreams.dreams import PostgresDreamRepository
from shared.adapters.postgres.dreams.operations import PostgresOperationRepository
from shared.adapters.postgres.dreams.orders import PostgresOrderRepository
from shared.adapters.postgres.dreams.phases import PostgresPhaseFactsRepository, PostgresPhaseRepository
from shared.adapters.postgres.memories.api_lists import PostgresMemoryListing
from shared.adapters.postgres.memories.catalog import PostgresMemoryCatalogRepository
from shared.adapters.postgres.memories.maintenance import PostgresMaintenanceRepository
from shared.adapters.postgres.memories.pending_merges import PostgresPendingMergeRepository
from shared.adapters.postgres.memories.recall import PostgresRecallRepository
from shared.adapters.postgres.memories.store import PostgresMemoryRepository
from shared.adapters.postgres.sessions.api_lists import PostgresSessionListing
from shared.adapters.postgres.sessions.chosen import PostgresChosenSessions
from shared.adapters.postgres.sessions.feedback import PostgresFeedbackRepository, PostgresWorkflowRepository
from shared.adapters.postgres.sessions.gather import PostgresGatherRepository
from shared.adapters.postgres.sessions.ingest import PostgresIngestRepository
from shared.adapters.postgres.sessions.sessions import PostgresSessionRepository
from shared.adapters.postgres.sessions.skill_uses import PostgresSkillRepository
from shared.adapters.postgres.tenants.activity import PostgresActivityRepository
from shared.adapters.postgres.tenants.api_lists import PostgresStoreListing
from shared.adapters.postgres.tenants.audit import PostgresAuditRepository
from shared.adapters.postgres.tenants.directives import PostgresDirectiveRepository
from shared.adapters.postgres.tenants.keys import PostgresKeyRepository
from shared.adapters.postgres.tenants.purge import PostgresPurgeRepository
from shared.adapters.postgres.tenants.requests import PostgresRequestRepository
from shared.adapters.postgres.tenants.statistics import PostgresStatisticsRepository
from shared.adapters.postgres.tenants.stores import PostgresStoreRepository
from shared.adapters.postgres.webhooks.deliveries import PostgresDeliveryRepository
from shared.adapters.postgres.webhooks.endpoints import PostgresEndpointRepository


class PostgresUnitOfWork:
    """Implements `UnitOfWork` on one connection. A repository is made when it is first used: most transactions open two."""

    def __init__(self, connection: Connection, tenant_id: str, now: datetime) -> None:
        self._connection = connection
        self._now = now
        self.tenant_id = tenant_id

    @cached_property
    def stores(self) -> PostgresStoreRepository:
        """Return tenants and stores."""
        return PostgresStoreRepository(self._connection, self.tenant_id)

    @cached_property
    def activity(self) -> PostgresActivityRepository:
        """Return what moves a store's next check."""
        return PostgresActivityRepository(self._connection, self.tenant_id)

    @cached_property
    def dreams(self) -> PostgresDreamRepository:
        """Return dreams."""
        return PostgresDreamRepository(self._connection, self.tenant_id)

    @cached_property
    def phases(self) -> PostgresPhaseRepository:
        """Return the stored steps of dreams."""
        return PostgresPhaseRepository(self._connection, self.tenant_id)

    @cached_property
    def phase_facts(self) -> PostgresPhaseFactsRepository:
        """Return what a phase goes by."""
        return PostgresPhaseFactsRepository(self._connection, self.tenant_id)

    @cached_property
    def operations(self) -> PostgresOperationRepository:
        """Return operations and reviews."""
        return PostgresOperationRepository(self._connection, self.tenant_id)

    @cached_property
    def calls(self) -> PostgresCallRepository:
        """Return model calls."""
        return PostgresCallRepository(self._connection, self.tenant_id)

    @cached_property
    def purges(self) -> PostgresPurgeRepository:
        """Return what deletes for good."""
        return PostgresPurgeRepository(self._connection)

    @cached_property
    def keys(self) -> PostgresKeyRepository:
        """Return the tenant's API keys."""
        return PostgresKeyRepository(self._connection, self.tenant_id)

    @cached_property
    def requests(self) -> PostgresRequestRepository:
        """Return requests that are answered once."""
        return PostgresRequestRepository(self._connection, self.tenant_id)

    @cached_property
    def directives(self) -> PostgresDirectiveRepository:
        """Return the tenant's own prompts."""
        return PostgresDirectiveRepository(self._connection, self.tenant_id)

    @cached_property
    def recalls(self) -> PostgresRecallRepository:
        """Return what counts accesses of memories."""
        return PostgresRecallRepository(self._connection, self.tenant_id)

    @cached_property
    def statistics(self) -> PostgresStatisticsRepository:
        """Return the tenant's statistics."""
        return PostgresStatisticsRepository(self._connection, self.tenant_id)

    @cached_property
    def store_listing(self) -> PostgresStoreListing:
        """Return stores as the API lists them."""
        return PostgresStoreListing(self._connection, self.tenant_id)

    @cached_property
    def session_listing(self) -> PostgresSessionListing:
        """Return the sessions of all stores."""
        return PostgresSessionListing(self._connection, self.tenant_id)

    @cached_property
    def orders(self) -> PostgresOrderRepository:
        """Return dreams that were ordered over the API."""
        return PostgresOrderRepository(self._connection, self.tenant_id)

    @cached_property
    def webhooks(self) -> PostgresEndpointRepository:
        """Return where the tenant wants to be told of events."""
        return PostgresEndpointRepository(self._connection, self.tenant_id)

    @cached_property
    def deliveries(self) -> PostgresDeliveryRepository:
        """Return the outbox of what it is told."""
        return PostgresDeliveryRepository(self._connection, self.tenant_id)

    def memories(self, store_id: str) -> PostgresMemoryRepository:
        """Return the memories of a store."""
        return PostgresMemoryRepository(self._connection, self.tenant_id, store_id)

    def catalog(self, store_id: str) -> PostgresMemoryCatalogRepository:
        """Return the memories of a store, to be read page by page."""
        return PostgresMemoryCatalogRepository(self._connection, self.tenant_id, store_id)

    def memory_listing(self, store_id: str) -> PostgresMemoryListing:
        """Return the memories of a store and their versions as the API lists them."""
        return PostgresMemoryListing(self._connection, self.tenant_id, store_id)

    def merges(self, store_id: str) -> PostgresPendingMergeRepository:
        """Return the pending merges of a store."""
        return PostgresPendingMergeRepository(self._connection, self.tenant_id, store_id)

    def asked(self, store_id: str) -> PostgresAskedRepository:
        """Return what dreams have asked about a store."""
        return PostgresAskedRepository(self._connection, self.tenant_id, store_id)

    def sessions(self, store_id: str) -> PostgresSessionRepository:
        """Return the sessions of a store, one at a time."""
        return PostgresSessionRepository(self._connection, self.tenant_id, store_id)

    def ingest(self, store_id: str) -> PostgresIngestRepository:
        """Return the sessions of a store, to add to many at once."""
        return PostgresIngestRepository(self._connection, self.tenant_id, store_id)

    def gathering(self, store_id: str, session_ids: Sequence[str] | None = None) -> PostgresGatherRepository:
        """Return the sessions of a store, for a dream to gather from; or these of any store, whole, without cursors."""
        if session_ids is not None:
            return PostgresChosenSessions(self._connection, self.tenant_id, session_ids)
        return PostgresGatherRepository(self._connection, self.tenant_id, store_id)

    def feedback(self, store_id: str) -> PostgresFeedbackRepository:
        """Return what was said about the work of a store's agent."""
        return PostgresFeedbackRepository(self._connection, self.tenant_id, store_id)

    def workflows(self, store_id: str) -> PostgresWorkflowRepository:
        """Return the workflow runs of a store."""
        return PostgresWorkflowRepository(self._connection, self.tenant_id, store_id)

    def skills(self, store_id: str) -> PostgresSkillRepository:
        """Return what is known of a store's skills beside their texts."""
        return PostgresSkillRepository(self._connection, self.tenant_id, store_id)

    def maintenance(self, store_id: str) -> PostgresMaintenanceRepository:
        """Return what a store's upkeep asks about all its memories."""
        return PostgresMaintenanceRepository(self._connection, self.tenant_id, store_id)

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
        return PostgresAuditRepository(self._connection, self.tenant_id)
