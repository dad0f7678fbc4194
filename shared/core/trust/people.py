"""Keep apart what several people say of themselves: a statement in the first person names its speaker, "I like tea (Ann)."."""

import re

from shared.core.sessions.languages import find_language
from shared.core.sessions.statement_text import statements_of

_NAME_AT_END = re.compile(r"\(([^()\n]{1,60})\)\W{0,3}$")
_ENDING = " .!\u3002\uff01"


def name_speaker(statement: str, speaker: str) -> str:
    """Return a statement in the first person with its speaker's name at the end; any other one, and one that has the name, as it is."""
    is_named = not speaker or re.search(rf"\b{re.escape(speaker)}\b", statement, re.IGNORECASE)
    if is_named or not _is_of_oneself(statement):
        return statement
    words = statement.rstrip(_ENDING)
    return f"{words} ({speaker}){statement[len(words) :].rstrip()}"


def are_of_two_people(one: str, other: str) -> bool:
    """Tell whether two statements are what two people said of themselves, so that neither makes the other untrue."""
    first, second = _NAME_AT_END.search(one), _NAME_AT_END.search(other)
    return bool(first and second and first[1] != second[1] and _is_of_oneself(one) and _is_of_oneself(other))


def find_own(body: str, words: str, statement: str) -> str | None:
    """Return the words of a memory's text that a statement takes back, or None if they are what another person said of themselves.

    Args:
        body: the memory's text.
        words: the words that are named as no longer true; of several people who said them, those of the same speaker are meant.
        statement: the statement, with its speaker's name.
    """
    told = " ".join(words.split()).strip(_ENDING)
    held = [one for one in statements_of(body) if told and told in " ".join(one.split())]
    kept = [one for one in held if not are_of_two_people(statement, one)]
    if not kept:
        return None if held else words
    return kept[0] if _NAME_AT_END.search(statement) and _NAME_AT_END.search(kept[0]) else words


def _is_of_oneself(statement: str) -> bool:
    """Tell whether a statement is in the first person, so that its words alone do not say whom it is about."""
    return find_language(statement).first_person.search(statement) is not None
