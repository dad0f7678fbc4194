"""The answers that revise accepts: statements by the names that the host gave them, such as `b7`."""

from typing import TypeVar

from shared.core.questions.answer import Answer

ItemT = TypeVar("ItemT", bound=Answer)


class UpdateItem(Answer):
    """A statement that is no longer so, those that show it, and what stands in its place, if anything does."""

    old: str
    by: tuple[str, ...] = ()
    write: str = ""
    since: str = ""  # the day since which it is so, where one is told
    confidence: float | None = None


class RepeatItem(Answer):
    """A statement to leave out, because others of the same file say all of it."""

    drop: str
    said_by: tuple[str, ...] = ()
    confidence: float | None = None


class ConflictItem(Answer):
    """Statements of which only one can hold, and nothing tells which."""

    statements: tuple[str, ...] = ()
    question: str = ""


class MergeItem(Answer):
    """Files of one subject, the one that stays, and the lines of the note in their place (`shared/core/reading/arranged.py`)."""

    files: tuple[str, ...] = ()
    into: str = ""
    lines: tuple[str, ...] = ()
    reason: str = ""
    confidence: float | None = None


class DateItem(Answer):
    """Words of a statement that name a day only from the day of its text on, and that day."""

    statement: str
    words: str = ""
    day: str = ""
    confidence: float | None = None


class LinkItem(Answer):
    """Files of which a reader of one wants the other."""

    files: tuple[str, ...] = ()
    reason: str = ""
    confidence: float | None = None


class LookItem(Answer):
    """Files of the table of contents to see whole, or three words to search for, and the statements that make them wanted."""

    files: tuple[str, ...] = ()
    search: str = ""
    by: tuple[str, ...] = ()


class UpdateAnswer(Answer):
    """All that a careful reader of the whole store would mend."""

    updates: tuple[UpdateItem, ...] = ()
    repeats: tuple[RepeatItem, ...] = ()
    conflicts: tuple[ConflictItem, ...] = ()
    merges: tuple[MergeItem, ...] = ()
    dates: tuple[DateItem, ...] = ()
    links: tuple[LinkItem, ...] = ()
    look: LookItem | None = None

    def joined_with(self, later: "UpdateAnswer") -> "UpdateAnswer":
        """Return this answer with what a later one, to a question with the same names of statements, adds to it."""
        return UpdateAnswer(
            updates=_join(self.updates, later.updates),
            repeats=_join(self.repeats, later.repeats),
            conflicts=_join(self.conflicts, later.conflicts),
            merges=_join(self.merges, later.merges),
            dates=_join(self.dates, later.dates),
            links=_join(self.links, later.links),
            look=self.look,
        )


def _join(first: tuple[ItemT, ...], later: tuple[ItemT, ...]) -> tuple[ItemT, ...]:
    return tuple(dict.fromkeys((*first, *later)))
