"""Entries of daily logs without a model: what lasts is filed, what happened stays in the log.

An agent wrote an entry down on purpose, so that no cue of a user's speech is needed. What an entry states goes to the memory
that is about the same things, or else to one note for the day. What it only may state goes to a second note, which is
proposed. Work that was done, the state of the moment, plans and questions stay in the log alone.
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

SURE, UNSURE = 0.75, 0.6
PLACE = "notes"
_FEWEST_TELLING = 4
_FEWEST_UNSURE = 5
_WORDS = 40
_LONGEST = 600
_HEDGE = pattern_of("hedges")


def title_of_day(day: str, *, is_sure: bool = True) -> str:
    """Return the title of the note that a day's entries are filed under."""
    return f"From the log of {day}" if is_sure else f"Perhaps worth keeping from the log of {day}"


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
    confidence = decide_confidence(statement)
    if confidence is None:
        return None
    day = line.day or piece.at
    return GatheredMemory(
        kind="fact",
        window=piece.path,
        quote=line.text,
        statement=statement,
        title=title_of_day(day, is_sure=confidence >= SURE),
        target=target if confidence >= SURE else None,
        placement=PLACE,
        confidence=confidence,
    )


def decide_confidence(statement: str) -> float | None:
    """Return how surely an entry states something that lasts, or None when it does not."""
    if len(statement) > _LONGEST or is_question(statement) or is_transient(statement) or is_memory_order(statement):
        return None
    language = find_language(statement)
    if _HEDGE.search(statement) or language.narrates.search(statement) or language.reported.search(statement.lower()):
        return None
    telling = len(set(significant_words(statement, _WORDS)))
    has_specifics = bool(find_specifics(statement))
    is_named = has_specifics and (telling > 1 or not language.is_spaced)
    if language.states.search(statement) and (telling >= _FEWEST_TELLING or is_named):
        return SURE
    return UNSURE if has_specifics and telling >= _FEWEST_UNSURE else None
