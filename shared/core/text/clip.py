"""Clip a text to fit into a reason or a log line."""

_MOST_CHARS = 80


def clip(text: str) -> str:
    """Return a text on one line; beyond 80 characters an ellipsis replaces the rest."""
    line = " ".join(text.split())
    return line if len(line) <= _MOST_CHARS else f"{line[: _MOST_CHARS - 1]}\u2026"
