"""Flags that a person was shown: which of them must not come back.

While a flag waits, its memory is not flagged again for anything. Once a person has decided, it is not flagged again for
the same: the same text, beside the same texts. An edit of either, or another memory that it is at odds with, is news.
"""

from collections.abc import Iterable, Sequence

from shared.core.dream import ReviewState
from shared.core.operation import Flag


def find_shown(flags: Iterable[tuple[Flag, ReviewState]]) -> frozenset[str]:
    """Return what `decide_shown` looks up, of flags that wait or were decided."""
    shown: set[str] = set()
    for flag, review in flags:
        # A flag from before the texts beside it were kept is taken as one about anything.
        is_whole = review is ReviewState.PENDING or len(flag.about_fingerprints) < len(flag.about)
        shown |= {flag.fingerprint} if is_whole else _keys(flag.fingerprint, flag.about_fingerprints)
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
    return {f"{text}/{other}" for other in about} or {f"{text}/"}
