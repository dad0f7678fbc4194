"""A tenant's directives, inside one transaction. Versions are appended, never changed."""

from typing import Protocol

from shared.core.directives import Directive


class DirectiveBook(Protocol):
    """Directives of one tenant."""

    def find_current(self) -> dict[str, Directive]:
        """Return the newest version of each directive by name; one that was reset has no content."""

    def find_versions(self, name: str) -> list[Directive]:
        """Return a directive's versions, newest first."""

    def add(self, name: str, content: str | None, *, actor: str) -> Directive:
        """Append a version; None resets to the built-in prompt. Raises ConflictError when another came first."""
