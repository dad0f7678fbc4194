"""The installation: switches that hold for all tenants, the log of what operators did, and totals.

Also an operator's queries across tenants: tenants that need attention, the tenant of a dream, quarantined stores, passes of sweeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.core.gates.deferral import Installation, LogEntry
    from shared.core.tenants.audit import AuditEntry
    from shared.ports.api_lists import Place
    from shared.ports.tenants import AuditFilter, Cost, CostBy, Day


class InstallationRepository(Protocol):
    """The switches that hold for all tenants."""

    def get(self) -> Installation:
        """Return the switches."""

    def set_paused(self, *, paused: bool, actor: str) -> bool:
        """Set the kill switch and log it; return whether that changed anything."""

    def set_defer(self, percent: int, *, actor: str) -> None:
        """Set the deferred share and log it. Raises BadInputError."""

    def record(self, actor: str, action: str, **detail: object) -> None:
        """Append an action on all tenants at once to the log; the switches have methods of their own."""

    def find_log(self, limit: int) -> list[LogEntry]:
        """Return the log of operators' actions, newest first."""

    def find_audit(self, wanted: AuditFilter, *, start_after: Place | None, limit: int) -> list[AuditEntry]:
        """Return the audit log of all tenants and of the installation, newest first."""

    def find_days(self, days: int) -> list[Day]:
        """Return the last days (at most 92) of all tenants together, today the last one; memories are not counted."""

    def find_costs(self, days: int, by: CostBy) -> list[Cost]:
        """Return the costs of the last days (at most 92) of all tenants, the most expensive first, at most 1,000."""

    def record_sweep(self, name: str, *, seconds: float, rows: Mapping[str, int], error: str = "") -> None:
        """Record a pass of a sweep: its duration, its rows (found, acted, failed), and its error, if any."""


class TenantOrder(StrEnum):
    """The orders of a list of tenants, the largest value first; `name` orders by id."""

    ATTENTION = "attention"
    NAME = "name"
    FAILED = "failed"
    QUARANTINED = "quarantined"
    OVERDUE = "overdue"
    TO_REVIEW = "to_review"
    SPENT = "spent"
    RUNNING = "running"
    PARTIAL = "partial"
    TOKENS = "tokens"
    COST = "cost"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedTenant:
    """A tenant, and what may need a person's attention.

    `rank` is its place in the order that was asked for. Dreams are those of seven days, a check is overdue after an hour, and
    `spent` is the share of the tenant's own budget of the day, in tokens or dollars; None: it has no such budget.
    """

    tenant_id: str
    rank: float
    is_paused: bool
    quarantined: int
    failed: int
    partial: int
    overdue: int
    to_review: int
    running: int
    tokens_today: int
    cost_today: float
    spent: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPass:
    """The last pass of a sweep, and its last error."""

    name: str
    at: datetime
    seconds: float
    found: int
    acted: int
    failed: int
    error: str = ""
    error_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetShare:
    """A budget in dollars of a tenant, or of a store of one, and what is spent of it in its present period."""

    tenant_id: str
    store: str
    period: str
    limit_usd: float
    spent_usd: float

    @property
    def share(self) -> float:
        """Return the share that is spent."""
        return self.spent_usd / self.limit_usd


class OperatorRepository(Protocol):
    """Queries that only an operator may run. They return numbers and ids, and no texts of tenants."""

    def check_schema(self) -> None:
        """Raise ConflictError, with what to do, if this code cannot use the schema of the database."""

    def rank_tenants(
        self, order: TenantOrder, *, start_after: tuple[float, str] | None, limit: int, holding: str = ""
    ) -> list[RankedTenant]:
        """Return tenants in an order, after a rank and an id."""

    def find_owner_of_dream(self, dream_id: str) -> str | None:
        """Return the tenant of a dream."""

    def find_quarantined(self, *, start_after: tuple[str, str], limit: int) -> list[tuple[str, str]]:
        """Return (tenant, store) of the stores in quarantine, in their order, after one of them."""

    def measure_recent(self) -> dict[tuple[str, str], float]:
        """Return the recent counts that alerts compare, by name and state: dreams, model calls and their cost."""

    def find_sweeps(self) -> list[SweepPass]:
        """Return the last pass of each sweep, by name."""

    def find_budgets(self) -> list[BudgetShare]:
        """Return the budgets in dollars of all tenants, the most used first, at most 1,000; budgets of 0 are left out."""
