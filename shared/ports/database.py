"""Transactions of one tenant each, and the few queries across tenants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.core.dream.model import Trigger
    from shared.core.memory.model import Memory
    from shared.core.policy.policy import Policy
    from shared.ports.api_lists import MemoryListing, OrderRepository, SessionListing, StoreListing
    from shared.ports.batches import AskedRepository, BatchCallRepository, BatchQueue
    from shared.ports.dreams import (
        CallRepository,
        DreamRepository,
        OperationRepository,
        PhaseFactsRepository,
        PhaseRepository,
        VerdictRepository,
    )
    from shared.ports.embedder import VectorRepository
    from shared.ports.evaluation.evaluations import EvaluationQueue, EvaluationRepository, ProbeRepository
    from shared.ports.evidence.search_log import SearchLogWriter
    from shared.ports.installation import InstallationRepository, OperatorRepository
    from shared.ports.memories import (
        MaintenanceRepository,
        MemoryCatalogRepository,
        MemoryRepository,
        MemoryTreeRepository,
        PendingMergeRepository,
        RecallRepository,
    )
    from shared.ports.sessions import (
        FeedbackRepository,
        GatherRepository,
        IngestRepository,
        SessionRepository,
        SkillRepository,
        WorkflowRepository,
    )
    from shared.ports.stores import (
        ActivityRepository,
        DueStore,
        ForgetRepository,
        LinkRepository,
        ShutVerdict,
        StoreRepository,
        StoreState,
    )
    from shared.ports.tenants import (
        AuditRepository,
        BudgetRepository,
        DirectiveRepository,
        ExamRepository,
        FoundKey,
        KeyRepository,
        PurgeRepository,
        RequestRepository,
        SavedFilterRepository,
        StatisticsRepository,
    )
    from shared.ports.webhooks import DeliveryQueue, DeliveryRepository, EndpointRepository


class UnitOfWork(Protocol):
    """One transaction of one tenant. Everything read and written through it is that tenant's."""

    @property
    def tenant_id(self) -> str:
        """Return the tenant of this transaction."""

    #: Masks secrets in a text, and returns any other text as it is. What a store keeps out is said by `shared/services/masking.py`.
    mask: Callable[[str], str]

    @property
    def stores(self) -> StoreRepository:
        """Return tenants and stores."""

    @property
    def activity(self) -> ActivityRepository:
        """Return the repository of stores' activity."""

    @property
    def dreams(self) -> DreamRepository:
        """Return dreams."""

    @property
    def phases(self) -> PhaseRepository:
        """Return the stored steps of dreams."""

    @property
    def phase_facts(self) -> PhaseFactsRepository:
        """Return the facts that a phase needs when it begins."""

    @property
    def operations(self) -> OperationRepository:
        """Return operations and reviews."""

    @property
    def calls(self) -> CallRepository:
        """Return model calls."""

    @property
    def batch_calls(self) -> BatchCallRepository:
        """Return the questions that Message Batches answer."""

    @property
    def budgets(self) -> BudgetRepository:
        """Return the use of budgets in dollars."""

    @property
    def purges(self) -> PurgeRepository:
        """Return the repository that deletes rows for good."""

    @property
    def keys(self) -> KeyRepository:
        """Return the tenant's API keys."""

    @property
    def requests(self) -> RequestRepository:
        """Return requests with an idempotency key."""

    @property
    def saved_filters(self) -> SavedFilterRepository:
        """Return people's saved filters."""

    @property
    def exams(self) -> ExamRepository:
        """Return the exams of models."""

    @property
    def evaluations(self) -> EvaluationRepository:
        """Return evaluations."""

    @property
    def directives(self) -> DirectiveRepository:
        """Return the tenant's directives."""

    @property
    def recalls(self) -> RecallRepository:
        """Return the counter of accesses of memories."""

    @property
    def statistics(self) -> StatisticsRepository:
        """Return the tenant's statistics."""

    @property
    def store_listing(self) -> StoreListing:
        """Return stores as the API lists them."""

    @property
    def session_listing(self) -> SessionListing:
        """Return the sessions of all stores."""

    @property
    def orders(self) -> OrderRepository:
        """Return dreams that were ordered over the API."""

    @property
    def webhooks(self) -> EndpointRepository:
        """Return the tenant's webhook endpoints."""

    @property
    def deliveries(self) -> DeliveryRepository:
        """Return the outbox of its deliveries."""

    def memories(self, store_id: str) -> MemoryRepository:
        """Return the memories of a store."""

    def catalog(self, store_id: str) -> MemoryCatalogRepository:
        """Return the memories of a store, to be read page by page."""

    def tree(self, store_id: str) -> MemoryTreeRepository:
        """Return the memories of a store as files in folders."""

    def links(self, store_id: str) -> LinkRepository:
        """Return the links between the memories of a store."""

    def memory_listing(self, store_id: str) -> MemoryListing:
        """Return the memories of a store and their versions as the API lists them."""

    def merges(self, store_id: str) -> PendingMergeRepository:
        """Return the pending merges of a store."""

    def vectors(self, store_id: str) -> VectorRepository:
        """Return the vectors of a store's memories."""

    def asked(self, store_id: str) -> AskedRepository:
        """Return the recorded questions of dreams over a store."""

    def probes(self, store_id: str) -> ProbeRepository:
        """Return people's own questions about a store."""

    def verdicts(self, store_id: str) -> VerdictRepository:
        """Return the verdicts on a store's operations."""

    def sessions(self, store_id: str) -> SessionRepository:
        """Return the sessions of a store, one at a time."""

    def ingest(self, store_id: str) -> IngestRepository:
        """Return the sessions of a store, to add to many at once."""

    def gathering(self, store_id: str, session_ids: Sequence[str] | None = None) -> GatherRepository:
        """Return the sessions of a store, for a dream to gather from; or these of any store, whole, without cursors."""

    def feedback(self, store_id: str) -> FeedbackRepository:
        """Return the feedback on the work of a store's agent."""

    def workflows(self, store_id: str) -> WorkflowRepository:
        """Return the workflow runs of a store."""

    def skills(self, store_id: str) -> SkillRepository:
        """Return the uses of a store's skills, and the openings of its sessions."""

    def search_log(self, store_id: str) -> SearchLogWriter:
        """Return what adds to the log of a store's searches."""

    def maintenance(self, store_id: str) -> MaintenanceRepository:
        """Return the queries of upkeep over all memories of a store."""

    def forgetting(self, store_id: str) -> ForgetRepository:
        """Return every text of a store, and what was forgotten in it."""

    def policy_of(self, store_id: str) -> Policy:
        """Return the policy of a store by its id. Raises NotFoundError."""

    def leave_out(self, store_id: str) -> Callable[[str], str]:
        """Return what replaces in a text that is about to be stored what was forgotten in the store, and returns any other as it is."""

    def savepoint(self) -> AbstractContextManager[object]:
        """Open a part of the transaction that an exception rolls back alone."""

    def now(self) -> datetime:
        """Return the database's time; the same throughout a transaction."""

    def record_audit(self, actor: str, action: str, **detail: object) -> None:
        """Append to the audit log: ids, names and fields, no texts. The actor "" is slowwave itself: nothing is appended."""

    @property
    def audit(self) -> AuditRepository:
        """Return the audit log, to be read."""


@dataclass(frozen=True, slots=True)
class StalledDream:
    """A dream whose lease lapsed, or that was queued and never started."""

    tenant_id: str
    dream_id: str


@dataclass(frozen=True, slots=True)
class Measured:
    """A gauge over all tenants; `state` is its label, or empty."""

    name: str
    state: str
    value: float


class SweepRepository(Protocol):
    """The queries across tenants that sweeps alone may run."""

    def claim_due_stores(self, limit: int, hold_seconds: float, upkeep: Trigger | None = None) -> list[DueStore]:
        """Return stores due for a dream, or for that upkeep, oldest first; hide them for about `hold_seconds`."""

    def read_states(self, due: Sequence[DueStore], *, ended: int) -> list[StoreState]:
        """Return the states of existing stores for the gates, each with a limited number of ended dreams."""

    def keep_verdicts(self, shut: Sequence[ShutVerdict]) -> set[str]:
        """Store the verdicts of stores that are unchanged and not locked; return their ids."""

    def release(self, due: Sequence[DueStore]) -> None:
        """Return claimed stores to their place in the queue."""

    def find_stalled_dreams(self, limit: int, unsent_seconds: float) -> list[StalledDream]:
        """Return running dreams with a lapsed lease and queued ones not picked up for `unsent_seconds`."""

    def count_active_dreams(self, slots: int) -> int:
        """Return the number of slots taken by queued or running dreams, counting at most its share for each tenant."""

    def find_tenants(self, *, after: str = "", limit: int | None = None, holding: str = "") -> list[str]:
        """Return the ids of tenants in order, after `after`, at most `limit`; with letters, only ids that contain them."""

    def claim_tenants_to_purge(self, limit: int, every_seconds: float) -> list[str]:
        """Return tenants whose last purge is `every_seconds` ago, longest ago first; it counts as done now."""

    def measure(self) -> list[Measured]:
        """Return the gauges of the metrics; the cost does not grow with the number of tenants."""


class AdmissionRepository(Protocol):
    """The number of dreams of all tenants that may run at once."""

    def count_running(self) -> int:
        """Return the number of running dreams that are not snoozed."""

    def find_next(self, slots: int) -> list[StalledDream]:
        """Return the dreams that may begin or go on now, as many as are wanting for `slots` of them to run.

        Woken ones first, then those queued: each tenant's next that its own slots have room for, then its second.
        """


class Database(Protocol):
    """Opens transactions. Raises ServiceUnavailableError when the database does not answer."""

    @property
    def sweeps(self) -> SweepRepository:
        """Return the sweeps' queries across tenants."""

    @property
    def admission(self) -> AdmissionRepository:
        """Return the queries about running dreams and the next in line."""

    @property
    def delivery_queue(self) -> DeliveryQueue:
        """Return the due webhook deliveries of all tenants."""

    @property
    def batch_queue(self) -> BatchQueue:
        """Return the dreams of all tenants that wait for Message Batches."""

    @property
    def evaluation_queue(self) -> EvaluationQueue:
        """Return the evaluations of all tenants that wait for a step."""

    @property
    def installation(self) -> InstallationRepository:
        """Return the switches that hold for all tenants."""

    @property
    def operators(self) -> OperatorRepository:
        """Return the queries that only an operator may run."""

    def find_key(self, key_id: str) -> FoundKey:
        """Return an API key of any tenant by its id, to authenticate a request."""

    def find_memory(self, tenant_id: str, store_name: str, memory_id: str) -> Memory | None:
        """Return a memory in any state but `removed`, in its own transaction: this is the most frequent query."""

    def with_shadows(self) -> Database:
        """Return the same database, whose transactions also see the copies of stores that evaluations dream over."""

    def for_agents(self) -> Database:
        """Return the same database, whose transactions read nothing that stores hide from agents (`recall.least_rank`).

        A transaction hides what the tenant's strictest store hides, and once it has read a store by name, what that one hides.
        """

    def for_persons(self) -> Database:
        """Return the same database, whose transactions read everything: search indexes are built from it."""

    def transaction(
        self, tenant_id: str, *, idle_seconds: float = 60.0, read_only: bool = False
    ) -> AbstractContextManager[UnitOfWork]:
        """Open a transaction of one tenant; it commits at the end of the block and rolls back on an exception.

        It also rolls back after `idle_seconds` without a statement, so that a frozen process blocks no other. With
        `read_only` the server refuses every write.
        """
