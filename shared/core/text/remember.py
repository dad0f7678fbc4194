"""Remember what a function of texts has returned for the last short ones it was given.

A dream reads the same memory many times: a text is compared with each of its neighbours, and looked at again when a merge is
planned, judged and written.
"""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

#: Longer texts are not cached, so that the cache stays within some megabytes whatever a tenant writes.
MAX_CHARS = 10_000
_KEPT = 256

_Function = TypeVar("_Function", bound=Callable[..., Any])


def remember_short(function: _Function) -> _Function:
    """Return the function with a memory; its arguments are texts, and what it returns is never changed."""
    kept = lru_cache(maxsize=_KEPT)(function)

    @wraps(function)
    def call(*texts: str) -> object:
        return kept(*texts) if sum(map(len, texts)) <= MAX_CHARS else function(*texts)

    return cast("_Function", call)
