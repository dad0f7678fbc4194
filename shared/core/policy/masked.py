"""The marks in a text for what was not stored: `[masked: AWS Access Key]` for a secret or personal data, `[forgotten]` for what is to be forgotten."""

import re
from collections import Counter

#: Stands for what was forgotten, in every text that keeps its other words.
FORGOTTEN_MARK = "[forgotten]"
#: The kind of what was forgotten before and so left out.
FORGOTTEN = "forgotten text"
_MARK = re.compile(r"\[masked: ([^\]\n]{1,60})\]")


def marks_in(stored: str) -> list[str]:
    """Return the kinds of what was masked in a text."""
    return _MARK.findall(stored) if "[masked: " in stored else []


def name_masked(given: str, stored: str) -> list[str]:
    """Return the kinds of what was masked in a text before it was stored, each as often as it was found.

    What was left out because it had been forgotten is a kind of its own.
    """
    if given == stored or not given:
        return []
    found = Counter(_MARK.findall(stored)) - Counter(_MARK.findall(given))
    found[FORGOTTEN] = stored.count(FORGOTTEN_MARK) - given.count(FORGOTTEN_MARK)
    return sorted((+found).elements())


def find_masked(given: str, stored: str) -> dict[str, str]:
    """Return what was masked in a text before it was stored, with its kind; up to a place where more was changed."""
    (begin, *marks), at, found = _MARK.split(stored), 0, dict[str, str]()
    at = len(begin) if given.startswith(begin) else len(given)
    for kind, after in zip(marks[::2], marks[1::2], strict=True):
        end = given.find(after, at) if after else len(given)
        if end < 0:
            break
        if not _MARK.fullmatch(given[at:end]):
            found[given[at:end]] = kind
        at = end + len(after)
    return found
