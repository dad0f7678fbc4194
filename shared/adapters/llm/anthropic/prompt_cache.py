"""Decide which prompts are marked for the server's prompt cache, so that a mark never costs more than it saves.

A marked beginning costs a quarter more when the server writes it, a tenth when it reads it, and is kept for five
minutes after each use. It can be read once the answer to the call that wrote it has begun; concurrent calls would each
write it. So one call marks a beginning when it recurs within five minutes, or at once if the caller knows that it will
recur. Once that call is answered, every call marks and reads it. Below a model's least length a mark does nothing, and
where an answer's usage names neither a write nor a read, the server caches nothing, and the beginning is left alone for
an hour.

Least lengths: "Cache limitations" in Anthropic's public documentation on prompt caching, and what users measured of
Sonnet 4.6 (anthropic-sdk-python, issue 1194). For other models the largest of them is assumed.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from shared.core.questions.prices import plain_model

#: Least tokens of a cached beginning, by the prefix of a model's id; the first match counts.
LEAST_TOKENS: Mapping[str, int] = {
    "claude-opus-4-5": 4_096, "claude-opus-4-6": 4_096, "claude-haiku-4-5": 4_096, "claude-sonnet-4-6": 2_048,
    "claude-sonnet-4": 1_024, "claude-opus-4-1": 1_024, "claude-opus-4-0": 1_024, "claude-opus-4-2": 1_024,
    "claude-3-7-sonnet": 1_024, "claude-3-5-haiku": 2_048, "claude-3-haiku": 2_048,
}  # fmt: skip
_LEAST_OF_OTHERS = 4_096
_KEPT_SECONDS = 5 * 60.0
_LEFT_ALONE_SECONDS = 60 * 60.0
_MAX_KNOWN = 1_000


def least_tokens(model: str) -> int:
    """Return the least length in tokens of a beginning that this model caches."""
    name = plain_model(model)
    return next((tokens for start, tokens in LEAST_TOKENS.items() if name.startswith(start)), _LEAST_OF_OTHERS)


@dataclass
class _Beginning:
    """The known state of a prompt's beginning: when it was last sent, and whether the server cached it."""

    at: float
    is_written: bool = False
    is_being_written: bool = False
    left_alone_until: float = 0.0


class PromptCache:
    """A record of the beginnings that this process sent. Thread-safe; other processes keep their own."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin empty. `clock` returns seconds."""
        self._clock = clock
        self._known: OrderedDict[int, _Beginning] = OrderedDict()
        self._lock = threading.Lock()

    def decide_marked(self, key: int, *, is_expected: bool = False) -> bool:
        """Tell whether the next call marks its beginning; if so, `note` has to follow.

        Args:
            key: the key of the beginning.
            is_expected: other calls with the same beginning will follow.
        """
        with self._lock:
            now = self._clock()
            one = self._known.get(key)
            if one is None or now - one.at > _KEPT_SECONDS:
                left_alone = one.left_alone_until if one else 0.0
                self._known[key] = _Beginning(at=now, left_alone_until=left_alone)
                self._known.move_to_end(key)
                while len(self._known) > _MAX_KNOWN:
                    self._known.popitem(last=False)
                if not is_expected:
                    return False
                one = self._known[key]
            one.at = now
            if one.is_being_written or now < one.left_alone_until:
                return False
            one.is_being_written = not one.is_written
            return True

    def is_left_alone(self, key: int) -> bool:
        """Tell whether the last answer to a marked call named neither a write nor a read, within the last hour."""
        with self._lock:
            one = self._known.get(key)
            return one is not None and self._clock() < one.left_alone_until

    def would_write(self, key: int) -> bool:
        """Tell whether the next expected call would write this beginning: no call has written it or is about to."""
        with self._lock:
            now = self._clock()
            one = self._known.get(key)
            if one is None:
                return True
            is_kept = now - one.at <= _KEPT_SECONDS
            return now >= one.left_alone_until and not (is_kept and (one.is_written or one.is_being_written))

    def note(self, key: int, *, is_answered: bool, is_cached: bool) -> None:
        """Record the result of a marked call: whether it was answered, and whether its usage named the cache."""
        with self._lock:
            one = self._known.setdefault(key, _Beginning(at=self._clock()))
            one.is_being_written = False
            if is_answered:
                one.is_written = is_cached
                one.left_alone_until = 0.0 if is_cached else self._clock() + _LEFT_ALONE_SECONDS


#: One for the process, since each dream creates new clients.
OF_PROCESS = PromptCache()
