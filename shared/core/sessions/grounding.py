"""Tell whether a statement says what its quote says. A quote that really stands in a session proves nothing by itself.

The words of a statement have to come from the event that is quoted, or at least from around it: a name that only an
earlier event gives is no invention, a whole predicate is. A negation has to be the speaker's own.
"""

import re

from shared.core.merging.opposites import NEGATIONS
from shared.core.merging.subject_words import list_stems
from shared.core.text.words import as_spaced

#: Words that a report of speech adds: who spoke, that something was wished or chosen, and why.
_FRAME_TEXT = """
user users agent agents people person team customer want wants wanted prefer prefers likes asked asks said says remember noted
chose chosen choice decided decision because since always should
"""
_BESIDE_THE_POINT = frozenset(list_stems(f"{_FRAME_TEXT} {' '.join(NEGATIONS)}"))
#: Below these shares a statement says something else: of its words in the event, and of those in the window around it.
_SHARE_OF_EVENT, _SHARE_OF_WINDOW = 0.5, 0.6
#: An answer that begins so denies what was said before, not what follows.
_DENIAL = re.compile(r"^\W*(?:no|nope|nein|non|nej)\b[\s,.!:;\u2013\u2014-]", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")


def find_ungrounded(statement: str, quote: str, event: str, window: str) -> str | None:
    """Return why a statement may not be what was said, as the end of a sentence, or None when it is.

    Args:
        statement: what is to be remembered.
        quote: the words that are said to say it.
        event: the whole event in which the quote stands.
        window: the events around it, this one included.
    """
    wanted = _stems_of(statement) - _BESIDE_THE_POINT
    if _denies(statement) and not _denies(event):
        return "it denies what the quoted words do not deny"
    if not wanted:
        return None
    in_event, in_window = (len(wanted & _stems_of(text)) / len(wanted) for text in (event, window))
    if in_event < _SHARE_OF_EVENT or in_window < _SHARE_OF_WINDOW:
        return "the quoted words do not say it"
    if _denies(quote) and not _denies(statement) and wanted <= _stems_of(quote):
        return "the quoted words deny it"
    return None


def _denies(text: str) -> bool:
    words = (found.casefold().replace("\u2019", "'") for found in _WORD.findall(_DENIAL.sub("", text)))
    return any(word.replace("'", "") in NEGATIONS or word.endswith("n't") for word in words)


def _stems_of(text: str) -> frozenset[str]:
    return frozenset(list_stems(as_spaced(text)))
