"""Falls of recall after dreams: when one is worth an alert."""

from collections.abc import Sequence
from enum import StrEnum

from shared.core.dream.recall import Recall
from shared.core.evaluation.intervals import mcnemar
from shared.core.evaluation.verdict import Terms

_SIGNIFICANT = 0.05
#: So many dreams in a row that each lost answers.
IN_A_ROW = 3


class Fall(StrEnum):
    """The reasons for an alert."""

    BEYOND_MARGIN = "beyond_margin"
    IN_A_ROW = "three_in_a_row"


def decide_fall(newest_first: Sequence[Recall]) -> Fall | None:
    """Return why the last of these dreams of one store is worth an alert; all asked one kind, and what asked nothing is no fall.

    One loss beyond the margin counts if chance would make so uneven a split of the changed answers in less than 5 of 100 dreams.
    """
    if not newest_first or not _falls(newest_first[0]):
        return None
    last = newest_first[0]
    gained = last.after - last.before + last.lost
    if (last.delta or 0.0) <= -Terms().margin and mcnemar(gained, last.lost) < _SIGNIFICANT:
        return Fall.BEYOND_MARGIN
    measured = [one for one in newest_first if one.asked][:IN_A_ROW]
    return Fall.IN_A_ROW if len(measured) == IN_A_ROW and all(map(_falls, measured)) else None


def _falls(recall: Recall) -> bool:
    return (recall.delta or 0.0) < 0
