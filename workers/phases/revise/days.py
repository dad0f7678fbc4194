"""Tell a model on which day each statement was said: the frame's day where all of a memory have one, else a fact."""

from itertools import groupby

from shared.core.dates.anchor import find_said_at
from shared.core.memory.model import Memory
from shared.core.reading.placed import Placed
from shared.core.reading.said import SaidDays
from workers.phase.by_reference import Statements


def tell_days(statements: Statements, memory: Memory) -> tuple[str, tuple[str, ...]]:
    """Return the day of a memory's frame, if there is one, and the fact that gives the days of statements from other days.

    A day that stands above a statement is not told again.
    """
    days, placed, letters = statements.read_days(memory), statements.read(memory), statements.letters[memory.path]
    found, said_at = {days.find_day(one) for one in placed}, find_said_at(memory)
    day = said_at.date() if said_at is not None else found.pop() if len(found) == 1 else None
    at = day.isoformat() if day is not None else ""
    rows = []
    for told, group in groupby(placed, lambda one: _tell(days, one)):
        names = [f"{letters}{one.number}" for one in group]
        if told not in {"", at}:
            rows.append(f"{'-'.join(dict.fromkeys((names[0], names[-1])))} {told}")
    return at, (f"said: {', '.join(rows)}",) if rows else ()


def _tell(days: SaidDays, placed: Placed) -> str:
    """Return the day of the session that said a statement; where only its note's days are known, what it lies between."""
    if days.find_written(placed) is not None:
        return ""
    day = days.find_gathered(placed)
    if day is not None:
        return day.isoformat()
    between = sorted({one.day.isoformat() for one in days.sources})
    return f"{between[0]} to {between[-1]}" if days.is_gathered else ""
