"""One transaction of one tenant: its books, each made when it is opened."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import cached_property

from sqlalchemy import Connection

from shared.adapters.postgres.dreams.asked import PostgresAskedBook
from shared.adapters.postgres.dreams.calls import PostgresCallLedger
from shared.adapters.postgres.dreams.dreams import PostgresDreamBook
from shared.adapters.postgres.dreams.operations import PostgresOperationLog
from shared.adapters.postgres.dreams.orders import PostgresOrderBook
from shared.adapters.postgres.dreams.phases import PostgresPhaseBook, PostgresPhaseFacts
from shared.adapters.postgres.memories.api_lists import PostgresMemoryCardBook
from shared.adapters.postgres.memories.catalog import PostgresMemoryCatalog
from shared.adapters.postgres.memories.maintenance import PostgresMaintenanceQueries
from shared.adapters.postgres.memories.pending_merges import PostgresPendingMerges
from shared.adapters.postgres.memories.recall import PostgresRecallBook
from shared.adapters.postgres.memories.store import PostgresMemoryStore
from shared.adapters.postgres.sessions.api_lists import PostgresSessionCardBook
from shared.adapters.postgres.sessions.chosen import PostgresChosenSessions
from shared.adapters.postgres.sessions.feedback import PostgresFeedbackBook, PostgresWorkflowBook
from shared.adapters.postgres.sessions.gather import PostgresGatherBook
from shared.adapters.postgres.sessions.ingest import PostgresIngestBook
from shared.adapters.postgres.sessions.sessions import PostgresSessionBook
from shared.adapters.postgres.sessions.skill_uses import PostgresSkillBook
from shared.adapters.postgres.tenants.activity import PostgresActivityBook
from shared.adapters.postgres.tenants.api_lists import PostgresStoreCardBook
from shared.adapters.postgres.tenants.audit import PostgresAuditBook
from shared.adapters.postgres.tenants.directives import PostgresDirectiveBook
from shared.adapters.postgres.tenants.keys import PostgresKeyBook
from shared.adapters.postgres.tenants.purge import PostgresPurgeBook
from shared.adapters.postgres.tenants.requests import PostgresRequestBook
from shared.adapters.postgres.tenants.statistics import PostgresStatistics
from shared.adapters.postgres.tenants.stores import PostgresStoreBook
from shared.adapters.postgres.webhooks.deliveries import PostgresDeliveryBook
from shared.adapters.postgres.webhooks.endpoints import PostgresEndpointBook


class PostgresUnitOfWork:
    """Implements `UnitOfWork` on one connection. A book is made when it is opened: most transactions open two."""

    def __init__(self, connection: Connection, tenant_id: str, now: datetime) -> None:
        self._connection = connection
        self._now = now
        self.tenant_id = tenant_id

    @cached_property
    def stores(self) -> PostgresStoreBook:
        """Return tenants and stores."""
        return PostgresStoreBook(self._connection, self.tenant_id)

    @cached_property
    def activity(self) -> PostgresActivityBook:
        """Return what moves a store's next check."""
        return PostgresActivityBook(self._connection, self.tenant_id)

    @cached_property
    def dreams(self) -> PostgresDreamBook:
        """Return dreams."""
        return PostgresDreamBook(self._connection, self.tenant_id)

    @cached_property
    def phases(self) -> PostgresPhaseBook:
        """Return the stored steps of dreams."""
        return PostgresPhaseBook(self._connection, self.tenant_id)

    @cached_property
    def phase_facts(self) -> PostgresPhaseFacts:
        """Return what a phase goes by."""
        return PostgresPhaseFacts(self._connection, self.tenant_id)

    @cached_property
    def operations(self) -> PostgresOperationLog:
        """Return operations and reviews."""
        return PostgresOperationLog(self._connection, self.tenant_id)

    @cached_property
    def calls(self) -> PostgresCallLedger:
        """Return model calls."""
        return PostgresCallLedger(self._connection, self.tenant_id)

    @cached_property
    def purges(self) -> PostgresPurgeBook:
        """Return what deletes for good."""
        return PostgresPurgeBook(self._connection)

    @cached_property
    def keys(self) -> PostgresKeyBook:
        """Return the tenant's API keys."""
        return PostgresKeyBook(self._connection, self.tenant_id)

    @cached_property
    def requests(self) -> PostgresRequestBook:
        """Return requests that are answered once."""
        return PostgresRequestBook(self._connection, self.tenant_id)

    @cached_property
    def directives(self) -> PostgresDirectiveBook:
        """Return the tenant's own prompts."""
        return PostgresDirectiveBook(self._connection, self.tenant_id)

    @cached_property
    def recalls(self) -> PostgresRecallBook:
        """Return what counts accesses of memories."""
        return PostgresRecallBook(self._connection, self.tenant_id)

    @cached_property
    def statistics(self) -> PostgresStatistics:
        """Return what the tenant's books add up to."""
        return PostgresStatistics(self._connection, self.tenant_id)

    @cached_property
    def store_cards(self) -> PostgresStoreCardBook:
        """Return stores as the API lists them."""
        return PostgresStoreCardBook(self._connection, self.tenant_id)

    @cached_property
    def session_cards(self) -> PostgresSessionCardBook:
        """Return the sessions of all stores."""
        return PostgresSessionCardBook(self._connection, self.tenant_id)

    @cached_property
    def orders(self) -> PostgresOrderBook:
        """Return dreams that were ordered over the API."""
        return PostgresOrderBook(self._connection, self.tenant_id)

    @cached_property
    def webhooks(self) -> PostgresEndpointBook:
        """Return where the tenant wants to be told of events."""
        return PostgresEndpointBook(self._connection, self.tenant_id)

    @cached_property
    def deliveries(self) -> PostgresDeliveryBook:
        """Return the outbox of what it is told."""
        return PostgresDeliveryBook(self._connection, self.tenant_id)

    def memories(self, store_id: str) -> PostgresMemoryStore:
        """Return the memories of a store."""
        return PostgresMemoryStore(self._connection, self.tenant_id, store_id)

    def catalog(self, store_id: str) -> PostgresMemoryCatalog:
        """Return the memories of a store, to be read page by page."""
        return PostgresMemoryCatalog(self._connection, self.tenant_id, store_id)

    def memory_cards(self, store_id: str) -> PostgresMemoryCardBook:
        """Return the memories of a store and their versions as cards."""
        return PostgresMemoryCardBook(self._connection, self.tenant_id, store_id)

    def merges(self, store_id: str) -> PostgresPendingMerges:
        """Return the pending merges of a store."""
        return PostgresPendingMerges(self._connection, self.tenant_id, store_id)

    def asked(self, store_id: str) -> PostgresAskedBook:
        """Return what dreams have asked about a store."""
        return PostgresAskedBook(self._connection, self.tenant_id, store_id)

    def sessions(self, store_id: str) -> PostgresSessionBook:
        """Return the sessions of a store, one at a time."""
        return PostgresSessionBook(self._connection, self.tenant_id, store_id)

    def ingest(self, store_id: str) -> PostgresIngestBook:
        """Return the sessions of a store, to add to many at once."""
        return PostgresIngestBook(self._connection, self.tenant_id, store_id)

    def gathering(self, store_id: str, session_ids: Sequence[str] | None = None) -> PostgresGatherBook:
        """Return the sessions of a store, for a dream to gather from; or these of any store, whole, without cursors."""
        if session_ids is not None:
            return PostgresChosenSessions(self._connection, self.tenant_id, session_ids)
        return PostgresGatherBook(self._connection, self.tenant_id, store_id)

    def feedback(self, store_id: str) -> PostgresFeedbackBook:
        """Return what was said about the work of a store's agent."""
        return PostgresFeedbackBook(self._connection, self.tenant_id, store_id)

    def workflows(self, store_id: str) -> PostgresWorkflowBook:
        """Return the workflow runs of a store."""
        return PostgresWorkflowBook(self._connection, self.tenant_id, store_id)

    def skills(self, store_id: str) -> PostgresSkillBook:
        """Return what is known of a store's skills beside their texts."""
        return PostgresSkillBook(self._connection, self.tenant_id, store_id)

    def maintenance(self, store_id: str) -> PostgresMaintenanceQueries:
        """Return what a store's upkeep asks about all its memories."""
        return PostgresMaintenanceQueries(self._connection, self.tenant_id, store_id)

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
    def audit(self) -> PostgresAuditBook:
        """Return the audit log."""
        return PostgresAuditBook(self._connection, self.tenant_id)
