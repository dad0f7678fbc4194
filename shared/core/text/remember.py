"""Cache the results of a function of texts for its latest arguments (an LRU cache).

A dream reads the same memory many times: a text is compared with each of its neighbours, and read again when a merge is
planned, judged and written.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from hashlib import blake2b
from typing import Any, TypeVar, cast

#: The results of the last 256 texts up to this length are kept, of the last two longer texts, and of none beyond the
#: second length, so that a cache stays within some megabytes whatever a tenant writes.
SHORT, LONG = 10_000, 65_536
_KEPT_SHORT, _KEPT_LONG, _KEPT_VERDICTS = 256, 2, 4_096

_Function = TypeVar("_Function", bound=Callable[..., Any])


def remember_last(function: _Function) -> _Function:
    """Return the function with a cache; its arguments must be texts, and its results must not be mutated."""
    short = lru_cache(maxsize=_KEPT_SHORT)(function)
    long = lru_cache(maxsize=_KEPT_LONG)(function)

    @wraps(function)
    def call(*texts: str) -> object:
        size = sum(map(len, texts))
        return (short if size <= SHORT else long if size <= LONG else function)(*texts)

    return cast("_Function", call)


def remember_verdicts(function: _Function) -> _Function:
    """Return the function with a cache of its results, which must be small: of the texts, digests are kept."""
    kept: dict[bytes, object] = {}

    @wraps(function)
    def call(*texts: str) -> object:
        key = blake2b(repr(texts).encode()).digest()
        verdict = kept.get(key)
        if verdict is None:
            verdict = function(*texts)
        if len(kept) >= _KEPT_VERDICTS:
            kept.clear()
        return kept.setdefault(key, verdict)

    return cast("_Function", call)
