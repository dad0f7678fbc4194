"""Tell a writer what was masked in a text before it was stored."""

from collections.abc import Sequence

from shared.core.policy.masked import name_masked


def tell_masked(given: str, stored: str) -> str:
    """Return the end of a sentence, about what was masked; empty if nothing was."""
    return tell_kinds(name_masked(given, stored))


def tell_kinds(kinds: Sequence[str]) -> str:
    """Return the end of a sentence, about kinds of what was masked; empty if there are none."""
    return f"; masked: {', '.join(kinds)}" if kinds else ""
