"""Hide from agents what a store's `recall.least_rank` hides: memories with a statement of a lower rank.

Live indexes stay: they name nothing that is hidden; older ones may. Of sessions, an event has the rank of who speaks in it.
"""

from collections.abc import Iterable
from typing import TypeVar

from shared.core.memory.model import MemoryKind, kind_of
from shared.core.memory.writers import Rank
from shared.core.policy.policy import RecallPolicy
from shared.core.sessions.model import EventKind, Origin, SessionEvent

T = TypeVar("T")
#: The name of the setting, which a store's overrides have it by.
LEAST_RANK = "recall.least_rank"
_RANKS = {
    Origin.PERSON: Rank.USER,
    Origin.ASSISTANT: Rank.AGENT,
    Origin.TOOL: Rank.TOOL,
    Origin.PASTED: Rank.PASTED,
    Origin.MACHINE: Rank.MACHINE,
}


class Shown(list[T]):
    """The things that may be shown, and a sentence about the hidden ones, empty if there are none."""

    def __init__(self, shown: Iterable[T], note: str = "") -> None:
        """Hold what is shown."""
        super().__init__(shown)
        self.note = note


def least_of(policy: RecallPolicy) -> Rank:
    """Return the least rank that is shown."""
    return Rank[policy.least_rank.name]


def is_shown(path: str, trust: Rank, least: Rank, *, is_live: bool = True) -> bool:
    """Tell whether a memory is shown, by the rank of its least trusted statement."""
    if kind_of(path) is MemoryKind.INDEX:
        return is_live or least is Rank.MACHINE
    return trust >= least


def rank_of(word: str) -> Rank:
    """Return the rank that a store's overrides name."""
    return Rank[word.upper()]


def say_setting(least: Rank) -> str:
    """Return the setting that hides something, in words: `recall.least_rank is user`."""
    return f"{LEAST_RANK} is {least.word}"


def rank_of_event(event: SessionEvent) -> Rank:
    """Return the rank of who speaks in an event; what an agent writes into its daily log is its own."""
    return Rank.AGENT if event.kind is EventKind.LOG else _RANKS[event.origin]


def note_hidden(number: int, least: Rank, things: tuple[str, str] = ("hit", "hits"), what: str = "hidden") -> str:
    """Return the sentence about hidden things: `3 hits are hidden: recall.least_rank is user`; empty for none."""
    if not number:
        return ""
    told = f"1 {things[0]} is" if number == 1 else f"{number:,} {things[1]} are"
    return f"{told} {what}: {say_setting(least)}"


def note_below(number: int, least: Rank) -> str:
    """Return the sentence for a person about hits that agents are not shown; empty for none."""
    return note_hidden(number, least, what="below the rank that this store shows to agents")
