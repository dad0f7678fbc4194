"""Find on which day each statement of a memory was said: its heading, its file's name or the sessions that said it tell.

The day on which a file was last written says nothing about each of its statements.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from shared.core.dates.anchor import find_written_day
from shared.core.memory.provenance import MAX_SOURCES, Source, read_sources
from shared.core.reading.placed import Placed
from shared.core.sessions.statement_text import repeats_its_sources
from shared.core.text.similarity import significant_words
from shared.core.text.wording import stem_of

_MANY = 2_000
_NUMBER = re.compile(r"\d+(?:[.,_]\d+)*")


@dataclass(frozen=True, slots=True)
class DatedQuote:
    """One source as it is compared: its day, and the telling words of its quote."""

    day: date
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class SaidDays:
    """The days of a memory's statements, as far as its text and its sources tell them.

    Attributes:
        path_day: the day in the name of its file.
        sources: what sessions said of it.
        is_gathered: each of its lines has a source.
    """

    path_day: date | None
    sources: tuple[DatedQuote, ...]
    is_gathered: bool

    def find_day(self, placed: Placed) -> date | None:
        """Return the day on which a statement was said, None if nothing tells."""
        return self.find_written(placed) or self.find_gathered(placed)

    def find_written(self, placed: Placed) -> date | None:
        """Return the day that stands above a statement, or in the file's name: a reader sees it."""
        named = (find_written_day("", heading) for heading in reversed(placed.under))
        return next((day for day in named if day is not None), None) or self.path_day

    def find_gathered(self, placed: Placed) -> date | None:
        """Return the day of the session that said a statement.

        Where sessions of several days are named, that is the one whose quote holds at least half of its words, more of them
        than any quote of another day, and every number that another day's quote has.
        """
        if not self.sources:
            return None
        days = {one.day for one in self.sources}
        if len(days) == 1 and self.is_gathered:
            return days.pop()
        words = _words_of(placed.text)
        best = max(self.sources, key=lambda one: len(words & one.words))
        if 2 * len(shared := words & best.words) < len(words) or not shared:
            return None
        others = [words & one.words for one in self.sources if one.day != best.day]
        is_surely = all(len(one) < len(shared) and not any(map(_is_number, one - shared)) for one in others)
        return best.day if is_surely else None


def read_said_days(path: str, content: str) -> SaidDays:
    """Return what a memory tells about the days of its statements."""
    sources = tuple(_read(read_sources(content)[-MAX_SOURCES:]))
    return SaidDays(find_written_day(path, ""), sources, is_gathered=bool(sources) and repeats_its_sources(content))


def _read(sources: Sequence[Source]) -> Iterator[DatedQuote]:
    for source in sources:
        try:
            yield DatedQuote(date.fromisoformat(source.day), _words_of(source.quote))
        except ValueError:  # it was written by hand
            continue


def _words_of(text: str) -> frozenset[str]:
    """Return the stems of a text's telling words, and its numbers in one spelling."""
    words = (stem_of(word) for word in significant_words(text, _MANY) if word.isalpha())
    return frozenset((*words, *(re.sub("[,_]", "", found) for found in _NUMBER.findall(text))))


def _is_number(word: str) -> bool:
    return word[:1].isdigit()
