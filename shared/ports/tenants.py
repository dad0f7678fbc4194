"""Keys of one tenant, and the lookup of a key before the tenant is known.

The saved filters of lists.

The audit log of one tenant, inside one transaction. Entries are appended and never changed.

The exams of models, at the tenant's own endpoint or at the installation's. Results are appended, never changed.

A tenant's directives, inside one transaction. Versions are appended, never changed.

Purging, the only destructive operation: of a tenant, a store, a session, or expired rows. Inside one transaction of one tenant.

Statistics of one tenant: current counts, those of the last days, and what its memories learned.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.core.budgets.dollars import BudgetUse, DollarBudget
    from shared.core.budgets.savings import SparedQuestions, TokenSums
    from shared.core.dream.operation_filter import OperationFilter, PendingCount, PendingOperation
    from shared.core.exam.model import ExaminedModel, ExamResult
    from shared.core.insight.model import Judged, NewMemories, OperationsOfKind, Recalls, Spent, ToldMemory
    from shared.core.listings.dream_name import DreamName
    from shared.core.listings.saved_filters import FilteredList, SavedFilter
    from shared.core.questions.directives import Directive
    from shared.core.tenants.api_keys import ApiKey
    from shared.core.tenants.audit import AuditEntry
    from shared.ports.api_lists import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundKey:
    """A key by its id, or none; and the database's time, by which keys expire."""

    key: ApiKey | None
    now: datetime


class KeyRepository(Protocol):
    """The keys of one tenant, inside one transaction. No key is ever deleted: a revoked one stays on record."""

    def add(self, key: ApiKey) -> None:
        """Insert a key."""

    def get(self, key_id: str) -> ApiKey:
        """Return a key, held until the transaction ends. Raises NotFoundError."""

    def find_all(self) -> list[ApiKey]:
        """Return the tenant's keys, newest first."""

    def save(self, key: ApiKey) -> None:
        """Write a key's hashes and times, except when it was last used."""

    def record_use(self, key_id: str) -> None:
        """Record that a key was used just now, with at most one write per minute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptResponse:
    """The answer to a request that came with an idempotency key."""

    status: int
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestClaim:
    """The state of a request with an idempotency key: new (`is_mine`), already answered, or repeated with another body."""

    is_mine: bool
    is_other_request: bool = False
    response: KeptResponse | None = None


class RequestRepository(Protocol):
    """Requests that came with an idempotency key, of one tenant, inside one transaction."""

    def claim(self, key_id: str, request_key: str, request_hash: str, *, hold_seconds: float) -> RequestClaim:
        """Claim a request, unless it was answered, is in progress, or differs from the first one with this key."""

    def keep(self, key_id: str, request_key: str, response: KeptResponse, *, keep_hours: float) -> None:
        """Store the answer for a repeat of the request."""

    def release(self, key_id: str, request_key: str) -> None:
        """Release a failed request, so that it can be retried at once."""

    def delete(self, words: Collection[str]) -> None:
        """Delete the stored answers that contain one of these words; a repeated request is then processed again."""


class SavedFilterRepository(Protocol):
    """The filters of lists that persons keep under names, of one tenant, inside one transaction."""

    def find_all(self, of: FilteredList, owner: str) -> list[SavedFilter]:
        """Return a person's saved filters of a list, by name."""

    def save(self, of: FilteredList, owner: str, kept: SavedFilter) -> None:
        """Save filters, replacing those of the same name."""

    def delete(self, of: FilteredList, owner: str, name: str) -> bool:
        """Delete a filter; return whether there was one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """The filters of the audit log; None: all. `action` is a whole action, or its first word with a dot: `memory.`; a day is of UTC."""

    actor: str | None = None
    action: str | None = None
    day: date | None = None


class AuditRepository(Protocol):
    """One audited change and its author."""

    def find_page(self, wanted: AuditFilter, *, start_after: Place | None, limit: int) -> list[AuditEntry]:
        """Return entries, newest first."""

    def append_all(self, actor: str, action: str, details: Sequence[Mapping[str, object]]) -> None:
        """Append an entry for each of these, as `UnitOfWork.record_audit` does for one."""


class ExamRepository(Protocol):
    """The exams of the models that one tenant may ask, inside one transaction."""

    def add(self, result: ExamResult) -> None:
        """Append a result: the tenant's, or, where its owner is the installation, one that all tenants see."""

    def find_all(self, examined: ExaminedModel | None = None) -> list[ExamResult]:
        """Return the results at the installation's endpoint and at the tenant's, or of one model, newest first, at most 200."""

    def sum_calls(self, dream_id: str, phase: str, keys: Sequence[str]) -> tuple[int, float]:
        """Return the tokens and dollars of an exam's questions in a dream, failed calls included."""


class DirectiveRepository(Protocol):
    """Directives of one tenant, and of its stores: `store` names one, empty is the tenant itself."""

    def find_current(self, store: str = "") -> dict[str, Directive]:
        """Return the newest version of each directive by name; one that was reset has no content."""

    def find_in_force(self, store: str) -> dict[str, Directive]:
        """Return the directives that hold for a store: its own, and the tenant's where it has none."""

    def find_versions(
        self, name: str, *, store: str = "", below: int | None = None, limit: int | None = None
    ) -> list[Directive]:
        """Return a directive's versions, newest first."""

    def add(self, name: str, content: str | None, *, actor: str, store: str = "") -> Directive:
        """Append a version; None resets to what holds without it. Raises ConflictError when another came first."""


class PurgeRepository(Protocol):
    """Deletes for good."""

    def erase_tenant(self, actor: str) -> dict[str, int]:
        """Delete the tenant of this transaction and every row of its; return the rows deleted by table.

        The operator's log records this, and that no rows are left, which is verified before the commit.
        """

    def delete_session(self, session_id: str) -> int:
        """Delete a session with its events and everything that dreams stored of it; return the number of events.

        Raises NotFoundError.
        """

    def delete_store(self, store_id: str) -> dict[str, int]:
        """Delete a store with everything in it; return the rows deleted by table."""

    def purge_aged(self, rule: str, *, before: datetime, undo_since: datetime, limit: int, dry_run: bool) -> int:
        """Purge at most `limit` rows of a retention rule that are older than `before`; return how many.

        Rows that an undo may need stay: of dreams that ended after `undo_since`, and of operations that wait for a review.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsNow:
    """A tenant with its counts. Due stores are those whose check is due; flagged operations wait for a person.

    Quarantined stores are those that the last check found so.
    """

    stores: int = 0
    paused_stores: int = 0
    quarantined: int = 0
    due: int = 0
    queued: int = 0
    running: int = 0
    flagged: int = 0
    memories: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One day (UTC). Dreams are counted by state on the day they were asked for; `memories` is at the day's end."""

    day: date
    dreams: Mapping[str, int] = field(default_factory=dict)
    tokens: int = 0
    cost_usd: float = 0.0
    model_calls: int = 0
    memories: int = 0


class CostBy(StrEnum):
    """The columns by which costs can be grouped."""

    TENANT = "tenant"
    STORE = "store"
    MODEL = "model"
    PHASE = "phase"
    DAY = "day"


@dataclass(frozen=True, slots=True, kw_only=True)
class CostFilter:
    """The filters of the calls that are summed up; empty: all."""

    store: str = ""
    model: str = ""
    phase: str = ""


#: The calls of all stores, models and phases.
ALL_CALLS = CostFilter()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The model calls of one tenant, store (`tenant/store`), model, phase or day (UTC), summed up."""

    name: str
    model_calls: int
    tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCounts:
    """The counts of a store: live memories, those changed since its last dream, and operations that wait for a person."""

    live: int
    changed: int
    to_review: int


class StatisticsRepository(Protocol):
    """Statistics of one tenant, inside one transaction."""

    @property
    def learned(self) -> LearnedRepository:
        """Return what the tenant's memories have learned."""

    def count_now(self) -> CountsNow:
        """Return the tenant's current counts."""

    def count_memories(self) -> Mapping[str, int]:
        """Return how many live memories each store has, by its name."""

    def count_store(self, store_id: str) -> StoreCounts:
        """Return the current counts of one store."""

    def count_pending(self) -> list[PendingCount]:
        """Return the number of operations that wait for a review, by kind, phase, store, dream and confidence."""

    def list_pending(
        self, only: OperationFilter, *, store_id: str | None, dream_id: str | None, limit: int | None
    ) -> list[PendingOperation]:
        """Return operations that wait for a review, in a line each, oldest first; with no limit, all of them."""

    def find_days(self, days: int, *, live: int) -> list[Day]:
        """Return the last days, up to today, which ends with the given number of live memories (from `CountsNow`)."""
        ...

    def find_costs(self, days: int, by: CostBy, wanted: CostFilter = ALL_CALLS) -> list[Cost]:
        """Return what the last days (at most 92) cost, the most expensive first, at most 1,000."""

    def find_saved(self, days: int, wanted: CostFilter) -> tuple[list[TokenSums], list[SparedQuestions]]:
        """Return the sums for computing the savings of the last days (at most 92), by model and by phase."""


class BudgetRepository(Protocol):
    """The use of budgets in dollars, inside one transaction. The tenant's row is locked before something is reserved."""

    def find_uses(self, budgets: Sequence[DollarBudget], now: datetime) -> tuple[BudgetUse, ...]:
        """Return the use of budgets in their current period, in the given order."""

    def reserve(self, reservation_id: str, *, store_id: str, dream_id: str, epoch: int, usd: float) -> None:
        """Reserve the maximum price of a question, for as long as its dream runs in this epoch."""

    def hold(self, reservation_id: str, *, store_id: str, usd: float, seconds: float) -> None:
        """Reserve what an evaluation may spend, for a limited time. Expired reservations are deleted."""

    def release(self, reservation_ids: Collection[str]) -> None:
        """Release reservations."""

    def release_dream(self, dream_id: str) -> None:
        """Release all reservations of a dream, because none of its processes asks any more."""

    def record_told(self, use: BudgetUse) -> bool:
        """Record the alert of a budget in its period; return whether it is the first one."""

    def record_refused(self, use: BudgetUse) -> None:
        """Record that a question was refused because too little of a budget was left."""


class LearnedRepository(Protocol):
    """The queries about what a tenant's memories learned, inside one transaction. `store` is a name; empty: all stores."""

    def find_deeds(self, since: datetime, until: datetime, *, examples: int, store: str = "") -> list[OperationsOfKind]:
        """Return the operations of dreams in a period, by kind: applied ones, and flags that no person has rejected."""

    def count_new(self, since: datetime, until: datetime, *, most: int, store: str = "") -> NewMemories:
        """Return the number of new memories in a period that are still there, each number at most `most`."""

    def find_new(self, since: datetime, until: datetime, *, limit: int, store: str = "") -> list[ToldMemory]:
        """Return the newest new memories that are still live, without those of imports."""

    def count_judged(self, since: datetime, until: datetime, *, store: str = "") -> Judged:
        """Return what became of the changes to knowledge that the dreams of a period made or proposed."""

    def sum_calls(self, since: datetime, until: datetime, *, store: str = "") -> Spent:
        """Return the sums of the model calls in a period."""

    def find_decided(self, *, by: str | None, limit: int, after: str | None = None) -> list[str]:
        """Return the ids of operations with a verdict, of one person or of all, the newest verdict first; with `after` those after that operation."""

    def name_dreams(self, dream_ids: Collection[str]) -> Mapping[str, DreamName]:
        """Return the names of those of these dreams that exist, by id."""

    def find_recalls(self, *, limit: int) -> Recalls:
        """Return the memories that agents were shown most, and the number of live memories that were never shown."""
