"""A memory that says of itself that it is over, and the verdict of a model that quotes it."""

from typing import Any

from workers.phases.prune.answer import PruneDecision

OVER = "This note is obsolete."


def archive(path: str, **more: Any) -> PruneDecision:
    """Return the verdict that archives the memory at this path, whose text holds `OVER`."""
    return PruneDecision(file=path, decision="ARCHIVE", ground="over", quote=OVER, **more)
