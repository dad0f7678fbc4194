"""What a dream may spend on a model. Dreams of one tenant that spend at once see what the others have spent by then.

What is on its way to the model is known to its own dream alone, so that a tenant's day can end above its budget by the
calls that its other dreams are making at that moment, and by no more.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class TokenBudget:
    """Tokens that a dream may still spend, reserved before a call is made, so that parallel calls cannot overshoot."""

    per_call: int
    left: int
    find_left_today: Callable[[], int] | None = None  # of a tenant that may have several dreams at once
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reserve(self, tokens: int) -> str | None:
        """Take tokens; return the sentence that refuses them, or None."""
        with self._lock:
            if tokens > self.per_call:
                return f"a call of {tokens:,} tokens is over the limit of {self.per_call:,}"
            left = self.left if self.find_left_today is None else min(self.left, self.find_left_today())
            if tokens > left:
                return f"a call of {tokens:,} tokens is over the {max(0, left):,} that are left of the budget"
            self.left -= tokens
            return None

    def settle(self, reserved: int, used: int) -> None:
        """Give back what a call did not use."""
        with self._lock:
            self.left += reserved - used
