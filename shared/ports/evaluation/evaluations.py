"""Evaluations of one tenant's stores, inside one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.core.evaluation.model import Evaluation, EvaluationOrder


class EvaluationRepository(Protocol):
    """Evaluations: what was asked for, what is measured, what came out."""

    def add(self, evaluation_id: str, store_id: str, order: EvaluationOrder) -> Evaluation:
        """Insert a queued evaluation. Raises ConflictError when the store has an active one."""

    def get(self, evaluation_id: str, *, lock: bool = False) -> Evaluation:
        """Return an evaluation; with `lock` its row is held. Raises NotFoundError."""

    def find_all(self, *, store_id: str | None = None, limit: int, before: str | None = None) -> list[Evaluation]:
        """Return evaluations, newest first, without their work; with `before` those that came before that one."""

    def find_active(self, store_id: str) -> Evaluation | None:
        """Return the evaluation of a store that is queued or running."""

    def keep(self, evaluation: Evaluation) -> None:
        """Write the state, terms, progress, reason, cost, report and work of an evaluation; a final state is dated now."""
