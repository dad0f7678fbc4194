"""Entries of daily logs without a model: what lasts is filed, what happened stays in the log.

An agent wrote an entry down on purpose, so that no cue of a user's speech is needed. What an entry states goes to the memory
that is about the same things, or else to one note for the day. Work that was done, the state of the moment, plans, questions,
and what only may last stay in the log alone.
"""

from shared.core.merging.specifics import find_specifics
from shared.core.questions.question import Document
from shared.core.sessions.cues import is_question, is_transient
from shared.core.sessions.languages import find_language
from shared.core.sessions.orders import is_memory_order
from shared.core.text.similarity import significant_words
from shared.languages.language_file import pattern_of
from workers.offline.lines import ShownLine
from workers.offline.phrases import state_plainly
from workers.phases.gather.answer import GatheredMemory

_SURE = 0.75
PLACE = "notes"
_FEWEST_TELLING = 4
_WORDS = 40
_LONGEST = 600
_HEDGE = pattern_of("hedges")


def path_of_day(day: str) -> str:
    """Return where the note of a day is found."""
    return f"{PLACE}/from-the-log-of-{day}.md"


def is_of_day(path: str) -> bool:
    """Tell whether a memory is the note of a day, which entries of any subject are filed under."""
    return path.startswith(f"{PLACE}/from-the-log-of-")


def decide_entry(piece: Document, line: ShownLine, target: str | None) -> GatheredMemory | None:
    """Return what an entry states, or None when it belongs in the log alone.

    Args:
        piece: the excerpt.
        line: the entry without its bullet and its time of day.
        target: the memory about the same things.
    """
    statement = state_plainly(line.text)
    if not lasts(statement):
        return None
    return GatheredMemory(
        kind="fact",
        window=piece.path,
        quote=line.text,
        statement=statement,
        title=f"From the log of {line.day or piece.at}",
        target=target,
        placement=PLACE,
        confidence=_SURE,
    )


def lasts(statement: str) -> bool:
    """Tell whether an entry states something that lasts."""
    if len(statement) > _LONGEST or is_question(statement) or is_transient(statement) or is_memory_order(statement):
        return False
    language = find_language(statement)
    if _HEDGE.search(statement) or language.narrates.search(statement) or language.reported.search(statement.lower()):
        return False
    telling = len(set(significant_words(statement, _WORDS)))
    is_named = bool(find_specifics(statement)) and (telling > 1 or not language.is_spaced)
    return language.states.search(statement) is not None and (telling >= _FEWEST_TELLING or is_named)
