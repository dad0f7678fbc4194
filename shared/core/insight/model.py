"""One week of a tenant or a store, as its owner asks about it. Everything is counted from records; nothing is estimated."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from shared.core.dream.operations import OperationKind
from shared.core.dream.recall import ProbeKind, Recall

#: A larger number of new memories is shown as "more than 10,000".
MOST_NEW = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationExample:
    """An operation of a week: the store, the first memory that it touched, and its reason."""

    operation_id: str
    store: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationsOfKind:
    """The operations of one kind in a week: their number, the number of memories they changed, and the newest ones."""

    kind: OperationKind
    number: int
    memories: int
    examples: tuple[OperationExample, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldMemory:
    """A memory as a digest names it; `times` is how often agents were shown it."""

    id: str
    store: str
    path: str
    title: str
    times: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalls:
    """The memories that agents were shown most, by searches and reads, and the number of live ones that were never shown."""

    live: int
    never: int
    most: tuple[ToldMemory, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemories:
    """The memories of a week that are still there: those that agents, people and dreams wrote, and those of imports.

    A memory whose dream was undone is not counted.
    """

    written: int = 0
    imported: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The fate of the changes to knowledge that the dreams of a week made or proposed. Each is counted once.

    Attributes:
        approved: a person approved it.
        rejected: a person rejected it.
        taken_back: it was undone with its dream, or the recall guard put it back.
        waiting: it waits for a person.
        unjudged: it is in force, and no person has looked at it.
    """

    approved: int = 0
    rejected: int = 0
    taken_back: int = 0
    waiting: int = 0
    unjudged: int = 0

    @property
    def number(self) -> int:
        """Return how many changes there were."""
        return self.approved + self.rejected + self.taken_back + self.waiting + self.unjudged


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """The model calls of a week."""

    model_calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A statement that a dream brought into the memory, and that is there now.

    Attributes:
        text: the statement as it was written.
        instead_of: the statement that it took the place of; empty if it is new.
    """

    operation_id: str
    kind: OperationKind
    store: str
    path: str
    text: str
    instead_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamRecall:
    """The answers that a search found before and after one dream, by kind of questions."""

    dream_id: str
    store: str
    recall: Mapping[ProbeKind, Recall]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """The newest finished evaluation: its verdict as a sentence."""

    evaluation_id: str
    store: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """The seven days from a Monday on. `to_review`, `quarantined`, `recalls` and `evaluated` are as of now.

    Attributes:
        time_zone: the tenant's, in which the days begin.
        today: the present day there.
        store: its name; empty for all stores of the tenant.
        lessons: the statements that matter most, at most five.
        recall: of the last dreams whose recall was measured, newest first.
        to_review: the number of waiting operations by kind.
    """

    monday: date
    time_zone: str
    today: date
    store: str
    new: NewMemories
    newest: tuple[ToldMemory, ...]
    lessons: tuple[Lesson, ...]
    deeds: Mapping[OperationKind, OperationsOfKind]
    judged: Judged
    spent: Spent
    recall: tuple[DreamRecall, ...]
    evaluated: Evaluated | None
    to_review: Mapping[OperationKind, int]
    quarantined: tuple[str, ...]
    recalls: Recalls

    def find_recall(self, kind: ProbeKind) -> list[Recall]:
        """Return the recall of one kind of questions by those dreams that asked some."""
        return [one.recall[kind] for one in self.recall if kind in one.recall]

    @property
    def sunday(self) -> date:
        """Return its last day."""
        return self.monday + timedelta(days=6)

    @property
    def is_now(self) -> bool:
        """Tell whether it is not over."""
        return self.today <= self.sunday

    @property
    def waiting(self) -> int:
        """Return how many operations wait for a person."""
        return sum(self.to_review.values())


def find_monday(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())
