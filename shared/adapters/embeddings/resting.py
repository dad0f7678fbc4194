"""Skip an embedder that has just failed: each search would wait for it, and log a warning."""

import time
from collections.abc import Callable, Sequence

from shared.ports.embedder import Embedder, EmbedderError, Vector

#: After a failure, searches use only words for this long.
REST_SECONDS = 30.0


class RestingEmbedder:
    """Implements `Embedder` by another one. Only queries pause: a dream has time, and its next batch tries again."""

    def __init__(self, embedder: Embedder, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._embedder, self._clock = embedder, clock
        self._rests_until = float("-inf")

    @property
    def model(self) -> str:
        """Return the name that vectors are kept under."""
        return self._embedder.model

    @property
    def batch_size(self) -> int:
        """Return the preferred number of texts per call."""
        return self._embedder.batch_size

    def embed(self, texts: Sequence[str], *, seconds: float, is_query: bool = False) -> list[Vector]:
        """Return one vector for each text. Raises EmbedderError without a call during the pause."""
        if is_query and self._clock() < self._rests_until:
            raise EmbedderError("It failed a moment ago", is_resting=True)
        try:
            return self._embedder.embed(texts, seconds=seconds, is_query=is_query)
        except EmbedderError as error:
            if not error.is_refused:
                self._rests_until = self._clock() + REST_SECONDS
            raise
