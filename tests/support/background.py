"""Tell what a test does from what the process writes in the background, on behalf of any test before it."""

from threading import current_thread

#: `BufferedRecall` writes which memories were read, `BufferedSearches` what was searched for, `BufferedCounts` the metrics, each
#: every few seconds.
_BACKGROUND = frozenset({"counts", "recall", "searches"})


def is_background() -> bool:
    """Tell whether this thread writes what requests of any test have counted so far."""
    return current_thread().name in _BACKGROUND
