"""The recall of a dream: the answers that a search found to the same questions before and after it, for each kind of questions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

_COUNT = "recall_"
_NAMES = ("asked", "before", "after", "lost")
#: In the name of a count: so many answers were lost by the operation whose id follows.
_LOST_BY = "lost_by_"


class ProbeKind(StrEnum):
    """The origins of questions; those that say most about an agent's work come first."""

    OWN = "own"
    ASKED = "asked"
    PAIR = "pair"
    SAID = "said"


#: What a search was asked, in the words of pages and tables.
ABOUT: Mapping[ProbeKind, str] = {
    ProbeKind.OWN: "your own questions",
    ProbeKind.ASKED: "what agents searched for",
    ProbeKind.PAIR: "facts of the memories",
    ProbeKind.SAID: "what users asked in sessions",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """The answers that a search found to the same questions before and after a dream.

    Attributes:
        lost: the answers that were found only before, whatever was gained.
        lost_by: how many of them each operation lost, by its id; not all operations are named.
    """

    asked: int
    before: int
    after: int
    lost: int
    lost_by: dict[str, int] = field(default_factory=dict)

    @property
    def delta(self) -> float | None:
        """Return the share of answers gained by the dream, less than 0 if it lost some; None if nothing was asked."""
        return (self.after - self.before) / self.asked if self.asked else None


def say_found(kind: ProbeKind, recall: Recall, finds: str = "finds") -> str:
    """Return the beginning of a sentence on what a search finds now: `Facts of the memories: a search finds 95 of 96`."""
    answers = "answers to " if kind in {ProbeKind.OWN, ProbeKind.SAID} else ""
    return f"{ABOUT[kind].capitalize()}: a search {finds} {answers}{recall.after:,} of {recall.asked:,}"


def count_recall(kind: ProbeKind, recall: Recall) -> dict[str, int]:
    """Return the recall of one kind as counts of a phase."""
    told = {name: getattr(recall, name) for name in _NAMES}
    told |= {f"{_LOST_BY}{operation}": number for operation, number in recall.lost_by.items()}
    return {f"{_COUNT}{kind}_{name}": number for name, number in told.items()}


def read_recall(counts: Mapping[str, int]) -> dict[ProbeKind, Recall]:
    """Return the recall that a phase's counts tell, by kind; without the kinds of which nothing was asked."""
    found = {}
    for kind in ProbeKind:
        begins = f"{_COUNT}{kind}_"
        told = {name.removeprefix(begins): number for name, number in counts.items() if name.startswith(begins)}
        if told.get("asked"):
            lost_by = {
                name.removeprefix(_LOST_BY): number for name, number in told.items() if name.startswith(_LOST_BY)
            }
            found[kind] = Recall(**{name: told[name] for name in _NAMES}, lost_by=lost_by)
    return found


def by_kind(recall: Mapping[ProbeKind, Recall]) -> list[tuple[ProbeKind, Recall]]:
    """Return recall in the order in which people are told of it; a database keeps none."""
    return [(kind, recall[kind]) for kind in ProbeKind if kind in recall]


def add_up(recalls: Iterable[Recall]) -> Recall:
    """Return the recall of several dreams together, without the operations."""
    found = list(recalls)
    return Recall(**{name: sum(getattr(one, name) for one in found) for name in _NAMES})
