"""The audit log of one tenant, inside one transaction. It is appended to, and nobody can change it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from shared.core.audit import AuditEntry
from shared.ports.card_books import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """Which entries; None: all. `action` is a whole action, or its first word with a dot: `memory.`."""

    actor: str | None = None
    action: str | None = None


class AuditBook(Protocol):
    """What was changed, and by whom."""

    def find_page(self, wanted: AuditFilter, *, behind: Place | None, limit: int) -> list[AuditEntry]:
        """Return entries, newest first."""

    def append_all(self, actor: str, action: str, details: Sequence[Mapping[str, object]]) -> None:
        """Append an entry for each of these, as `UnitOfWork.record_audit` does for one."""
