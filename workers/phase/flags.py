"""Show a person nothing twice: which flags wait or were decided, by the texts that they were about."""

from collections.abc import Iterable, Sequence

from shared.core.dream.model import ReviewState
from shared.core.dream.operations import Flag
from workers.phase.shape import PhaseContext

#: Only the newest decisions are read: beyond these, a person may be asked about the oldest again.
_MAX_FLAGS = 2_000


def find_flagged(context: PhaseContext) -> frozenset[str]:
    """Return the flags that a person was shown, waiting or decided, so that none is shown twice."""
    recorded = context.uow.operations.find_flags(context.store.id, _MAX_FLAGS)
    return find_shown(
        (change, one.review) for one in recorded for change in one.operation.changes if isinstance(change, Flag)
    )


def find_shown(flags: Iterable[tuple[Flag, ReviewState]]) -> frozenset[str]:
    """Return what `decide_shown` looks up, of flags that wait or were decided."""
    shown: set[str] = set()
    for flag, review in flags:
        # A flag from before the texts beside it were kept is taken as one about anything.
        is_whole = review is ReviewState.PENDING or len(flag.about_fingerprints) < len(flag.about)
        shown |= _keys(flag.fingerprint, flag.about_fingerprints) | ({flag.fingerprint} if is_whole else set())
    return frozenset(shown)


def decide_shown(shown: frozenset[str], text: str, about: Sequence[str]) -> bool:
    """Tell whether a person was shown the same before.

    Args:
        shown: from `find_shown`.
        text: the fingerprint of the flagged memory.
        about: the fingerprints of the memories that it is at odds with.
    """
    return text in shown or _keys(text, about) <= shown


def _keys(text: str, about: Sequence[str]) -> set[str]:
    # Which of two statements is named first says nothing.
    return {"/".join(sorted((text, other))) for other in about} or {f"{text}/"}
