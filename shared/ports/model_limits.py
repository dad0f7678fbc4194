"""Limits on model calls, shared by all processes."""

from typing import Protocol

from shared.core.call_scope import CallScope


class ModelLimits(Protocol):
    """Turns at the model. No method raises: a server of limits that is away must not stop dreams."""

    def take(self, scope: CallScope, call_id: str, *, hold_seconds: float) -> float:
        """Return 0.0 when the call may be made now, else the seconds after which to ask again.

        A call that is never given back, because its process died, stops counting after `hold_seconds`.
        """

    def give_back(self, scope: CallScope, call_id: str) -> None:
        """Say that a call is over."""

    def close(self, scope: CallScope, seconds: float) -> None:
        """Let nobody call the scope's endpoint for so long: its server has said so."""
