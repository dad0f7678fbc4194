"""What a dream may still spend on a model, as its calls run side by side."""

import threading
from dataclasses import dataclass, field


@dataclass
class TokenBudget:
    """Tokens that a dream may still spend, reserved before a call is made, so that parallel calls cannot overshoot."""

    per_call: int
    left: int
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reserve(self, tokens: int) -> str | None:
        """Take tokens; return the sentence that refuses them, or None."""
        with self._lock:
            if tokens > self.per_call:
                return f"a call of {tokens:,} tokens is over the limit of {self.per_call:,}"
            if tokens > self.left:
                return f"a call of {tokens:,} tokens is over the {max(0, self.left):,} that are left of the budget"
            self.left -= tokens
            return None

    def settle(self, reserved: int, used: int) -> None:
        """Give back what a call did not use."""
        with self._lock:
            self.left += reserved - used
