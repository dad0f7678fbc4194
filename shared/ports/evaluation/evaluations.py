"""Evaluations of one tenant's stores, inside one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.core.evaluation.arms import ArmStore
    from shared.core.evaluation.model import Evaluation, EvaluationOrder
    from shared.core.tenants.store import Store


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
        """Write the state, terms, progress, reason, report and work of an evaluation; a final state is dated now."""

    def keep_calls(self, copy_id: str, store_name: str) -> None:
        """Leave what the calls of a copy have cost to the store with this name, if it is there, without their texts."""

    def add_cost(self, evaluation_id: str, usd: float) -> None:
        """Add what dreams over a copy have cost, as the copy is deleted."""

    def find_arms(self, arm: str | None = None) -> list[ArmStore]:
        """Return stores with what their dreams did since they were put into their arm; with a name only those of that arm.

        Costs and verdicts are only counted without a name.
        """

    @property
    def shadows(self) -> ShadowRepository:
        """Return the copies of stores that evaluations dream over."""


class ProbeRepository(Protocol):
    """People's own questions about one store: rows as `probes_of_owner` takes them."""

    def find_all(self) -> Sequence[Mapping[str, object]]:
        """Return the rows in their order: `question`, `evidence` as a list of quotes, and `group` where there is one."""

    def replace(self, rows: Sequence[Mapping[str, object]]) -> None:
        """Keep these rows, which were checked, instead of all others. The caller holds the lock of the store."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingEvaluation:
    """An evaluation without a step for a while, or one that has ended or is gone and has left copies behind."""

    tenant_id: str
    evaluation_id: str


class EvaluationQueue(Protocol):
    """The evaluations of all tenants."""

    def find_waiting(self, *, silent_seconds: float, limit: int) -> list[WaitingEvaluation]:
        """Return the evaluations to take further, or to clean up after."""


class ShadowRepository(Protocol):
    """Copies of stores that evaluations dream over. Only transactions of `Database.with_shadows` find them."""

    def copy(
        self,
        evaluation_id: str,
        source: Store,
        *,
        profile: str,
        overrides: Mapping[str, object],
        llm: Mapping[str, str],
        repeat: int = 0,
    ) -> Store:
        """Copy a store or a shadow of it, with these settings: what a dream reads, and nothing of the past.

        `repeat` counts the copies that dream alike, which take no answers of each other.
        """

    def find(self, evaluation_id: str) -> list[Store]:
        """Return the shadows of an evaluation, the oldest first."""
