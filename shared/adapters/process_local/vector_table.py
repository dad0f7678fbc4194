"""A table of vectors in memory, which finds the nearest ones by comparing all: with numpy where it is installed.

numpy is not a dependency: it comes with the extra `embeddings`. Without it, a table of 10,000 vectors takes a hundred times as
long, so that a search compares only as many as it has time for.
"""

from collections.abc import MutableSequence, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from operator import itemgetter, mul
from typing import Any

from shared.core.search.vectors import least_cosine, unpack_vector

#: Vectors that are compared without numpy: 384 numbers each take 15 µs, and a search must not take longer than 50 ms.
MAX_PLAIN = 2_000
#: Pairs that one dream compares without numpy, in two seconds; with it, memories that are compared with all others.
_PLAIN_PAIRS = 100_000
_NUMPY_ASKED = 1_000
_FIRST_ROWS = 64


@cache
def has_numpy() -> bool:
    """Tell whether numpy is installed."""
    return find_spec("numpy") is not None


class PlainTable:
    """Vectors by key, compared in Python. Beyond MAX_PLAIN, those that were written first are left out."""

    def __init__(self, size: int) -> None:
        """Begin empty, for vectors of the given number of bytes."""
        self._size = size
        self._vectors: dict[str, MutableSequence[float]] = {}

    def __len__(self) -> int:
        return len(self._vectors)

    @property
    def most_asked(self) -> int:
        """Return for how many memories at once the nearest ones may be asked."""
        return _PLAIN_PAIRS // max(1, min(MAX_PLAIN, len(self)))

    def put(self, key: str, vector: bytes) -> None:
        """Add or replace a vector; one of another size is left out, and so is what it would have replaced."""
        self.drop(key)
        if len(vector) == self._size:
            self._vectors[key] = unpack_vector(vector)

    def drop(self, key: str) -> None:
        """Remove a vector, if it is there."""
        self._vectors.pop(key, None)

    def nearest(self, vector: bytes, limit: int) -> list[str]:
        """Return the keys of the vectors that stand out as near, nearest first."""
        return self._find(unpack_vector(vector), limit) if len(vector) == self._size else []

    def nearest_to(self, key: str, limit: int) -> list[str]:
        """Return the keys of the vectors that stand out as near to this one, without itself."""
        own = self._vectors.get(key)
        return [] if own is None else self._find(own, limit, besides=key)

    def _score(self, wanted: Sequence[float], besides: str) -> list[tuple[str, float]]:
        newest = islice(reversed(self._vectors.items()), MAX_PLAIN)
        return [(key, sum(map(mul, wanted, one))) for key, one in newest if key != besides]

    def _find(self, wanted: Sequence[float], limit: int, besides: str = "") -> list[str]:
        scores = self._score(wanted, besides)
        total, squares = sum(score for _, score in scores), sum(score * score for _, score in scores)
        least = least_cosine(len(scores), total, squares)
        best = sorted(scores, key=itemgetter(1), reverse=True)[:limit]
        return [key for key, score in best if score >= least]


class NumpyTable:
    """Vectors by key in one matrix."""

    def __init__(self, size: int) -> None:
        """Begin empty, for vectors of the given number of bytes."""
        self._numpy: Any = import_module("numpy")
        self._size = size
        self._rows: dict[str, int] = {}
        self._keys: list[str] = []
        self._matrix = self._numpy.zeros((_FIRST_ROWS, size // 4), dtype="<f4")

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def most_asked(self) -> int:
        """Return for how many memories at once the nearest ones may be asked."""
        return _NUMPY_ASKED

    def put(self, key: str, vector: bytes) -> None:
        """Add or replace a vector; one of another size is left out, and so is what it would have replaced."""
        if len(vector) != self._size:
            self.drop(key)
            return
        row = self._rows.setdefault(key, len(self._keys))
        if row == len(self._keys):
            self._keys.append(key)
        if row == len(self._matrix):
            self._matrix = self._numpy.concatenate([self._matrix, self._numpy.zeros_like(self._matrix)])
        self._matrix[row] = self._numpy.frombuffer(vector, dtype="<f4")

    def drop(self, key: str) -> None:
        """Remove a vector, if it is there; the last one takes its row."""
        row = self._rows.pop(key, None)
        if row is None:
            return
        last = self._keys.pop()
        if last != key:
            self._matrix[row] = self._matrix[len(self._keys)]
            self._keys[row], self._rows[last] = last, row

    def nearest(self, vector: bytes, limit: int) -> list[str]:
        """Return the keys of the vectors that stand out as near, nearest first."""
        wanted = self._numpy.frombuffer(vector, dtype="<f4")
        return self._find(wanted, limit) if len(vector) == self._size else []

    def nearest_to(self, key: str, limit: int) -> list[str]:
        """Return the keys of the vectors that stand out as near to this one, without itself."""
        row = self._rows.get(key)
        return [] if row is None else self._find(self._matrix[row], limit, own=row)

    def _find(self, wanted: Any, limit: int, own: int | None = None) -> list[str]:  # noqa: ANN401 - numpy has no types where it is missing
        scores = self._matrix[: len(self._keys)] @ wanted
        alone = float(scores[own]) if own is not None else 0.0
        others = len(scores) - (own is not None)
        least = least_cosine(others, float(scores.sum()) - alone, float(scores @ scores) - alone * alone)
        if own is not None:
            scores[own] = -2.0
        return [self._keys[row] for row in self._best(scores, limit) if row != own and float(scores[row]) >= least]

    def _best(self, scores: Any, limit: int) -> Sequence[int]:  # noqa: ANN401 - the same
        if limit < len(scores):
            first = self._numpy.argpartition(-scores, limit - 1)[:limit]
            order = first[self._numpy.argsort(-scores[first], kind="stable")]
        else:
            order = self._numpy.argsort(-scores, kind="stable")
        return [int(row) for row in order]


VectorTable = PlainTable | NumpyTable


def make_table(size: int) -> VectorTable:
    """Return an empty table for vectors of the given number of bytes."""
    return NumpyTable(size) if has_numpy() else PlainTable(size)
