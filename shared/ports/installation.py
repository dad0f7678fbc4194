"""The installation: switches that hold for all tenants, the log of what operators did, and totals."""

from __future__ import annotations

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
        """Throw the kill switch and log it; return whether that changed anything."""

    def set_defer(self, percent: int, *, actor: str) -> None:
        """Set the deferred share and log it. Raises BadInputError."""

    def record(self, actor: str, action: str, **detail: object) -> None:
        """Append an action on all tenants at once to the log; the switches have methods of their own."""

    def find_log(self, limit: int) -> list[LogEntry]:
        """Return what operators did, newest first."""

    def find_audit(self, wanted: AuditFilter, *, behind: Place | None, limit: int) -> list[AuditEntry]:
        """Return the audit log of all tenants and of the installation, newest first."""

    def find_days(self, days: int) -> list[Day]:
        """Return the last days (at most 92) of all tenants together, today the last one; memories are not counted."""

    def find_costs(self, days: int, by: CostBy) -> list[Cost]:
        """Return what the last days (at most 92) of all tenants cost, the dearest first, at most 1,000."""

    def record_sweep(self) -> None:
        """Remember that a sweep ran just now."""
