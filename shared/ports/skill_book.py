"""Skills of one store beside their texts, which are memories: who used them when, and what sessions begin with."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from shared.core.skill import Opening, SkillUse


class SkillBook(Protocol):
    """The skill uses of one store of one tenant, inside one transaction."""

    def record_uses(self, uses: Sequence[SkillUse]) -> int:
        """Record uses; return how many were new. The same skill at the same moment of a session is the same use."""

    def find_uses(self, since: datetime | None, limit: int) -> list[SkillUse]:
        """Return the newest uses since a moment, newest first."""

    def find_openings(self, limit: int, *, max_chars: int) -> list[Opening]:
        """Return what the newest ended sessions begin with, newest first, each cut to `max_chars`."""
