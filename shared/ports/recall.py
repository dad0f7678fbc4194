"""That memories were read: noted on the read path at no cost, written to the memories in batches."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class Recall(Protocol):
    """Counts accesses. What was noted and not yet written is lost with the process, and only that."""

    def note(self, tenant_id: str, memory_ids: Sequence[str]) -> None:
        """Remember that somebody read these memories, each once. Touches no server and never raises."""

    def flush(self) -> None:
        """Write everything that was noted, waiting for writers who hold a memory. Never raises."""

    def close(self) -> None:
        """Flush, and note no more."""


class RecallBook(Protocol):
    """Accesses of a tenant's memories, inside one transaction."""

    def record(self, times: Mapping[str, int], *, wait: bool) -> list[str]:
        """Count accesses by memory id, as `scoring.accessed` does; live memories only, no version, nothing dirty.

        Returns:
            Ids that another transaction holds: they were passed over, to be tried again. Nobody waits with more than
            one id, or with `wait` off, so that counting is never part of a deadlock.

        Raises:
            ServiceUnavailableError: also when the wait for one memory took too long.
        """
