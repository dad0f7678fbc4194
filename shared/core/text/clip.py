"""Clip a text to fit into a reason or a log line."""

_MOST_CHARS = 80


def clip(text: str) -> str:
    """Return a text on one line, with an ellipsis in place of what is beyond 80 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _MOST_CHARS else f"{line[: _MOST_CHARS - 1]}\u2026"
