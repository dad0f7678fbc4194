"""Find the other memories that say what a correction makes untrue: it is to reach all of them."""

from collections.abc import Iterable, Iterator, Sequence

from shared.core.filing.belonging import are_apart, read_candidate
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from shared.core.sessions.statement_text import find_place, statements_of
from shared.core.sessions.statements.leaning import leans
from shared.core.sessions.statements.same_statement import key_of, says_the_same
from shared.core.text.similarity import significant_words

#: A sentence of a memory that a correction may speak of shares this many words with what was said.
_FEWEST_SHARED = 2
_WORDS = 2_000


def find_holders(topics: Iterable[Memory], offered: Sequence[Memory], said: str) -> tuple[Memory, ...]:
    """Return the memories beside the offered ones that hold a statement of those of which something was said.

    Args:
        topics: the store's memories.
        offered: those among which a statement finds its place.
        said: the words of the sessions.
    """
    spoken = set(significant_words(said, _WORDS))
    told = {
        one: max(words, key=len)
        for memory in offered
        for one in statements_of(body_of(memory.content))
        if len(spoken.intersection(words := significant_words(one, _WORDS))) >= _FEWEST_SHARED
    }
    known, keys = {memory.path for memory in offered}, {key_of(one) for one in told}
    marks = set(told.values())  # what cannot hold one of them is not cut into statements
    return tuple(
        memory
        for memory in topics
        if memory.path not in known
        and _has_any(memory.content, marks)
        and not keys.isdisjoint(map(key_of, statements_of(body_of(memory.content))))
    )


def _has_any(text: str, marks: Iterable[str]) -> bool:
    flat = text.casefold()
    return any(mark[:4].casefold() in flat for mark in marks)


def find_repeats(body: str, words: str, bodies: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the paths of the memories that hold the statement with these words, each with what the correction replaces there.

    Args:
        body: the text that the correction was planned on.
        words: what it replaces there.
        bodies: the paths and texts of the other memories.
    """
    flat = " ".join(words.split())
    statement = next((one for one in statements_of(body) if flat in " ".join(one.split())), words)
    for path, text in bodies:
        same = next((one for one in statements_of(text) if says_the_same(one, statement)), None)
        for held in (words, same) if same is not None else ():
            if find_place(text, held) is not None:
                yield path, held
                break


def find_doubt_of_repeat(first: Memory, other: Memory, words: str) -> str | None:
    """Return why a person has to decide whether a correction of one memory holds for another one with the same statement."""
    if leans(words) or are_apart(read_candidate(first.path, first.content), read_candidate(other.path, other.content)):
        return f"{other.path} may say the same about something else than {first.path}, which was corrected"
    return None
