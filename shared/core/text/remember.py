"""Cache the results of a function of texts for its latest arguments (an LRU cache).

A dream reads the same memory many times: a text is compared with each of its neighbours, and read again when a merge is
planned, judged and written.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

#: The results of the last 256 texts up to this length are kept, of the last two longer texts, and of none beyond the
#: second length, so that a cache stays within some megabytes whatever a tenant writes.
SHORT, LONG = 10_000, 65_536
_KEPT_SHORT, _KEPT_LONG = 256, 2

_Function = TypeVar("_Function", bound=Callable[..., Any])


def remember_last(function: _Function) -> _Function:
    """Return the function with a cache; its arguments must be texts, and its results must not be mutated."""
    short = lru_cache(maxsize=_KEPT_SHORT)(function)
    long = lru_cache(maxsize=_KEPT_LONG)(function)

    @wraps(function)
    def call(*texts: str) -> object:
        size = sum(map(len, texts))
        if size <= SHORT:
            return short(*texts)
        return long(*texts) if size <= LONG else function(*texts)

    return cast("_Function", call)
