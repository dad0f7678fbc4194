"""Feedback and workflow runs of one store: recorded by agents and people, made use of by dreams."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from shared.core.feedback import Feedback, FeedbackKind, NewFeedback, NewRun, WorkflowRun
from shared.ports.card_books import Place


class FeedbackBook(Protocol):
    """The feedback of one store of one tenant, inside one transaction."""

    def add(self, feedback: Sequence[NewFeedback]) -> int:
        """Record feedback; return how many were new. What has a known external id is left as it is."""

    def find(
        self,
        *,
        limit: int,
        since: datetime | None = None,
        kinds: Collection[FeedbackKind] = (),
        only_unused: bool = False,
        behind: Place | None = None,
    ) -> list[Feedback]:
        """Return feedback, newest first; `kinds` empty: of every kind; `only_unused`: what no dream has consumed."""

    def consume(self, ids: Collection[str], dream_id: str) -> None:
        """Mark feedback as made use of by a dream; what another dream consumed stays that one's."""

    def give_back(self, dream_id: str) -> None:
        """Take a dream's marks back: an undone dream has made use of nothing."""


class WorkflowBook(Protocol):
    """The workflow runs of one store of one tenant, inside one transaction."""

    def add(self, runs: Sequence[NewRun]) -> int:
        """Record runs; return how many were new. What has a known external id is left as it is."""

    def find(
        self,
        *,
        limit: int,
        since: datetime | None = None,
        only_unused: bool = False,
        behind: Place | None = None,
    ) -> list[WorkflowRun]:
        """Return runs, newest first; `only_unused`: what no dream has consumed."""

    def consume(self, ids: Collection[str], dream_id: str) -> None:
        """Mark runs as learnt from by a dream; what another dream consumed stays that one's."""

    def give_back(self, dream_id: str) -> None:
        """Take a dream's marks back."""
