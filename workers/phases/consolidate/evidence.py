"""See for ourselves whether two memories contradict each other, before one of them is retired on a model's word.

The model quotes a statement from each. The host finds both, looks whether they say opposite things of one subject, which of
them came later, and whether the other memory loses nothing else. Where it is not sure, a person decides.
"""

import re
from collections.abc import Collection
from datetime import datetime
from difflib import SequenceMatcher
from pathlib import PurePosixPath

from shared.core.memory.frontmatter import body_of
from shared.core.memory.headline import title_of
from shared.core.memory.model import Author, Memory
from shared.core.merging.opposites import reason_opposed
from shared.core.merging.same_subject import reason_different
from shared.core.sessions.statement_text import knows_already, statements_of
from shared.core.text.clip import clip
from shared.core.text.words import cut
from shared.languages.function_words import NEGATIONS
from shared.languages.language_file import every_word

_MIN_QUOTE_CHARS = 8
#: Words that tell nothing about what a file is about.
_GENERIC_TEXT = """
a an the of and or to in on for with old new copy draft note notes index readme memory current latest final v1 v2 md
"""
_GENERIC = frozenset(_GENERIC_TEXT.split())
#: Words that do not change the meaning of a sentence about a thing.
_LITTLE = every_word("little")
#: The difference comes after this many equal words, which name the subject of the sentence.
_SUBJECT_WORDS = 3
_WORD = re.compile(r"[^\s\"'`*_()\[\]]+")
_ENDS = ".,;:!?"


def find_unproven(
    winner: Memory, loser: Memory, quotes: tuple[str, str], recent_winners: Collection[str]
) -> str | None:
    """Return why a memory is not retired for a contradiction without a person, or None when the host sees it, too.

    Args:
        winner: what stays.
        loser: what would go.
        quotes: the statement of the winner and that of the loser, as the model copied them.
        recent_winners: ids of memories for which others were recently retired.
    """
    if loser.id in recent_winners:
        return f"{loser.path} took the place of another memory a short while ago"
    holds, falls = _find_statement(winner, quotes[0]), _find_statement(loser, quotes[1])
    if holds is None or falls is None:
        missing = winner if holds is None else loser
        return f"no statement of {missing.path} was quoted"
    if not are_opposite(holds, falls):
        return f'"{clip(falls)}" and "{clip(holds)}" do not plainly contradict each other'
    different = reason_different([winner, loser])
    if different is not None or not _is_about_the_same(winner, loser):
        return different or f"{winner.path} and {loser.path} may be about different things"
    if _said_at(winner) <= _said_at(loser):
        return f"{winner.path} is not later than {loser.path}"
    more = next((one for one in statements_of(body_of(loser.content)) if one != falls and not _says(winner, one)), None)
    if more is not None or "```" in loser.content:
        return f'{loser.path} says more than that: "{clip(more or "code")}"'
    return None


def are_opposite(one: str, other: str) -> bool:
    """Tell whether two sentences say opposite things of one subject: they differ in one place, and not in their subject."""
    if reason_opposed(one, other) is None:
        return False
    ours, theirs = _words_of(one), _words_of(other)
    slots = [code for code in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes() if code[0] != "equal"]
    if len(slots) != 1:
        return False
    _, begin, end, its_begin, its_end = slots[0]
    differing = {*ours[begin:end], *theirs[its_begin:its_end]}
    is_negated = any(word.lower() in NEGATIONS for word in differing)
    return begin >= _SUBJECT_WORDS or is_negated or not any(map(_is_naming, differing))


def _find_statement(memory: Memory, quote: str) -> str | None:
    """Return the whole statement of a memory in which a quote stands; a part of one could be made to say anything."""
    wanted = _flat(quote)
    if len(wanted) < _MIN_QUOTE_CHARS:
        return None
    return next((one for one in statements_of(body_of(memory.content)) if wanted in _flat(one)), None)


def _is_about_the_same(left: Memory, right: Memory) -> bool:
    """Tell whether neither memory's name has a word of its own that the other nowhere knows."""
    ours, theirs = _names_of(left), _names_of(right)
    return not (ours - _all_words(right)) or not (theirs - _all_words(left))


def _names_of(memory: Memory) -> set[str]:
    named = f"{title_of(memory.path, memory.content)} {PurePosixPath(memory.path).stem.replace('_', ' ')}"
    return {word for word in cut(named) if word not in _GENERIC}


def _all_words(memory: Memory) -> set[str]:
    return {*cut(memory.content), *cut(memory.path)}


def _said_at(memory: Memory) -> datetime:
    """Return when a memory's words were said; what a dream wrote is as old as what it was made from."""
    return memory.created_at if memory.author is Author.DREAM else memory.updated_at


def _says(memory: Memory, statement: str) -> bool:
    return knows_already(body_of(memory.content), statement)


def _words_of(sentence: str) -> list[str]:
    words = (found.strip(_ENDS) for found in _WORD.findall(sentence))
    return [word for word in words if word and word.lower() not in _LITTLE]


def _is_naming(word: str) -> bool:
    return word[:1].isupper() or any(sign.isdigit() for sign in word)


def _flat(text: str) -> str:
    return " ".join(text.split()).strip("\"'\u201c\u201d ").casefold()
