"""Shorten a text to its beginning and the statement that shares most with other texts."""

from collections.abc import Collection

from shared.core.text.markdown import split_at_stops
from shared.core.text.similarity import significant_words

#: A statement that shares fewer words with other texts does not show that they are related.
_MIN_SHARED = 2
#: Only this much of a long text is searched.
_LOOKED_THROUGH_CHARS = 8_000
_WORDS_OF_A_STATEMENT = 60
#: A statement counts as shown if at least this many of its characters are in the beginning.
_TELLING_CHARS = 20
_GAP = " …"


def excerpt_of(text: str, limit_chars: int, others: Collection[str] = ()) -> str:
    """Return a part of a text within the limit; gaps are marked.

    Args:
        text: a memory's text, without frontmatter.
        limit_chars: the longest result.
        others: words of the texts to compare with; half of the limit is reserved for the statement that shares most of
            them.
    """
    if len(text) <= limit_chars:
        return text
    closest = _find_closest(text[:_LOOKED_THROUGH_CHARS], frozenset(others))
    shown = _cut(closest, limit_chars // 2)
    beginning = _cut(text, limit_chars - len(shown) - 1)
    if not closest or closest[:_TELLING_CHARS] in " ".join(beginning.split()):
        return _cut(text, limit_chars)
    return f"{beginning} {shown}"


def _find_closest(text: str, others: frozenset[str]) -> str:
    """Return the statement that shares the most words with the others, or nothing if none shares enough."""
    best, most = "", _MIN_SHARED - 1
    for line in text.splitlines() if others else ():
        for statement in split_at_stops(line):
            shared = len(others.intersection(significant_words(statement, _WORDS_OF_A_STATEMENT)))
            if shared > most:
                best, most = statement, shared
    return best


def _cut(text: str, limit_chars: int) -> str:
    """Cut a text at the last space within the limit."""
    if len(text) <= limit_chars:
        return text
    beginning = text[: max(0, limit_chars - len(_GAP))]
    return f"{beginning.rpartition(' ')[0] or beginning}{_GAP}"
