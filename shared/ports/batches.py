"""Questions beyond a dream: what many dreams send together as a Message Batch, at half the price, and what was asked before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from shared.core.errors import PermanentError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from shared.core.questions.change_gate import Asked
    from shared.ports.llm import LlmReply, LlmRequest


class BatchState(StrEnum):
    """The state of a question. `sending` is stored before a batch is created, so that a crash cannot create it twice."""

    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    ENDED = "ended"


class BatchRefusedError(PermanentError):
    """The model server refused to create a batch, so nothing was sent."""


class BatchFailedError(BatchRefusedError):
    """The model server took a batch and then refused it whole, so nothing in it was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchEntry:
    """A question in a batch: its id there, and what the Messages API takes."""

    id: str
    request: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchCall:
    """A question of a dream that is answered by a batch. `result` is what the API gave, once it has ended."""

    id: str
    dream_id: str
    phase: str
    key: str
    model: str
    state: BatchState
    created_at: datetime
    result: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchedDream:
    """A dream with questions in one state, and in one batch if they were sent; since when the oldest is."""

    tenant_id: str
    dream_id: str
    state: BatchState
    batch_id: str
    since: datetime


class BatchQueue(Protocol):
    """The sweep's queries across tenants about batches."""

    def find(self, limit: int) -> list[BatchedDream]:
        """Return the dreams that wait for batches, by state and batch, the longest waiting first."""


class BatchCallRepository(Protocol):
    """The questions of one tenant that batches answer, inside one transaction."""

    def find(self, dream_id: str, phase: str) -> dict[str, BatchCall]:
        """Return the questions of a phase by their keys."""

    def add(
        self,
        dream_id: str,
        phase: str,
        model: str,
        requests: Mapping[str, Mapping[str, Any]],
        reserved: Mapping[str, float] | None = None,
    ) -> None:
        """Add waiting questions by key; existing ones stay as they are.

        A row reserves the dollars of its question (`reserved`) until it is deleted.

        From now on the dream asks in batches, even if the settings change: sent questions are not asked again.
        """

    def claim(self, dream_id: str, limit: int) -> list[BatchEntry]:
        """Take questions that wait, and mark them as being sent."""

    def record_sent(self, ids: Collection[str], batch_id: str) -> None:
        """Record the batch of the questions being sent, and delete their texts."""

    def release(self, ids: Collection[str]) -> None:
        """Reset the questions being sent to waiting, because no batch contains them."""

    def find_in(self, dream_id: str, state: BatchState, batch_id: str = "") -> list[BatchCall]:
        """Return the questions of a dream that are in a state, and in this batch."""

    def count_open(self, dream_id: str) -> int:
        """Return how many questions of a dream have not ended."""

    def end(self, results: Mapping[str, Mapping[str, Any]]) -> None:
        """Store results by the ids of their questions. Ended questions stay as they are."""

    def delete(self, ids: Collection[str]) -> None:
        """Delete questions whose cost has been recorded."""


class MessageBatches(Protocol):
    """The batches of one account: of one key at one endpoint."""

    @property
    def account(self) -> str:
        """Return an identifier of this account that does not contain its key."""

    def build(self, request: LlmRequest) -> dict[str, Any]:
        """Return a request in the form of a batch entry."""

    def read(self, model: str, result: Mapping[str, Any], answer_type: type[BaseModel]) -> LlmReply:
        """Parse a result into a reply, at the price of a batch."""

    def create(self, entries: Sequence[BatchEntry]) -> str:
        """Create a batch and return its id.

        Raises:
            BatchRefusedError: it was refused, for a reason that stays.
            RateLimitedError: it was refused, and may be tried later.
            ServiceUnavailableError: it is not known whether the batch was created.
        """

    def find_results(self, batch_id: str) -> dict[str, Mapping[str, Any]] | None:
        """Return the results of a batch by the ids of its entries, in no order; None while it is in progress.

        Raises:
            BatchFailedError: nothing in the batch was asked, and never will be.
            BatchRefusedError: the batch cannot be read now; perhaps with another key.
            ServiceUnavailableError: the server cannot be reached now.
        """

    def find_since(self, moment: datetime) -> list[str]:
        """Return the ids of the account's batches that were created since a moment. Raises the same."""


class AskedRepository(Protocol):
    """The questions and settled clusters of one store. Each dream adds its own; the newest of a fingerprint counts."""

    def find_last(self, phase: str, fingerprints: Collection[str]) -> dict[str, Asked]:
        """Return the newest record of each known fingerprint."""

    def find_due(self, phase: str, *, now: datetime, limit: int) -> list[Asked]:
        """Return the settled clusters that are due again, the longest due first."""

    def record(self, asked: Sequence[Asked]) -> None:
        """Append the questions of a dream."""

    def restore(self, dream_id: str) -> None:
        """Delete the questions of a dream, so that earlier ones count again."""

    def delete(self, *, before: datetime, fingerprints: Collection[str]) -> None:
        """Delete the records from before a time, and those with these fingerprints."""

    def delete_all(self) -> None:
        """Delete all records: the next dream asks all questions again."""
