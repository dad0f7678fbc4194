"""The writers of a memory's statements, and the rank of each: values that are stored beside its text.

A dream's rewrite has no rank of its own: what it carries over stays its first writer's.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import NamedTuple


class Rank(IntEnum):
    """The trust in a writer. The greater one wins; docs/security.md has the table."""

    MACHINE = 0  # a scheduler, a host, another agent's prompt
    PASTED = 1  # a person sent it, and did not write it
    TOOL = 2  # what a tool returned
    AGENT = 3  # an agent's key, an import, a conclusion of a dream
    USER = 4  # a person who spoke to an agent
    OWNER = 5  # an administrator's key, the console, the command line

    @property
    def word(self) -> str:
        """Return its name as the API and the command line show it."""
        return self.name.lower()


class Through(StrEnum):
    """The door by which a statement came."""

    API = "api"
    SDK = "v1"
    MCP = "mcp"
    CONSOLE = "console"
    COMMAND = "cli"
    IMPORT = "import"
    SYNC = "sync"
    SESSION = "session"
    FEEDBACK = "feedback"
    DREAM = "dream"
    UNKNOWN = ""


_DOORS = {
    Through.API: "by the API",
    Through.SDK: "by the API of SDKs",
    Through.MCP: "by MCP",
    Through.CONSOLE: "in the console",
    Through.COMMAND: "on the command line",
    Through.IMPORT: "by an import",
    Through.SYNC: "by a sync",
    Through.SESSION: "in a session",
    Through.FEEDBACK: "by feedback",
    Through.DREAM: "in a dream",
}


@dataclass(frozen=True, slots=True)
class Writer:
    """The writer of a statement: the rank, the principal (`key:key_…`, a speaker's name), the door, the day and the session.

    `day` is an ISO date; what is not known is empty.
    """

    rank: Rank
    who: str = ""
    through: Through = Through.UNKNOWN
    day: str = ""
    session: str = ""
    project: str = ""

    @property
    def told(self) -> str:
        """Return the writer in a few words, for reasons: `an agent (key:key_1)`."""
        words = {
            Rank.MACHINE: "a program",
            Rank.PASTED: "a pasted text",
            Rank.TOOL: "a tool",
            Rank.AGENT: "an agent",
            Rank.USER: "a user",
            Rank.OWNER: "an owner",
        }[self.rank]
        return f"{words} ({self.who})" if self.who else words

    @property
    def in_full(self) -> str:
        """Return all that is known of the writer: `an agent (key:key_1), by the API, on 2026-05-03, in session sesn_…`."""
        if not self.is_recorded:
            return "a writer that is not recorded, who counts as an agent"
        day = f"on {self.day}" if self.day else ""
        session = f"in session {self.session}" if self.session else ""
        project = f"of the project {self.project}" if self.project else ""
        return ", ".join(filter(None, (self.told, self.door, day, f"{session} {project}".strip())))

    @property
    def is_recorded(self) -> bool:
        """Tell whether anything is known; texts that were stored without their writers count as an agent's."""
        return self != Writer(Rank.AGENT)

    @property
    def door(self) -> str:
        """Return the door in words, `by the API`; empty if it is not known, or if the session says it."""
        return "" if self.session and self.through is Through.SESSION else _DOORS.get(self.through, "")


#: What a dream concludes by itself counts as an agent's.
DREAM = Writer(Rank.AGENT, "dream", Through.DREAM)


@dataclass(frozen=True, slots=True)
class Writers:
    """The writers of a memory's statements: the first of those not marked, and marks (the statement's key, the writer's place)."""

    by: tuple[Writer, ...]
    marks: tuple[tuple[str, int], ...] = ()

    @property
    def lowest(self) -> Writer:
        """Return the least trusted of them."""
        return min(self.by, key=lambda one: one.rank)

    @property
    def highest(self) -> Writer:
        """Return the most trusted of them."""
        return max(self.by, key=lambda one: one.rank)

    @property
    def newest_day(self) -> str:
        """Return the ISO date on which the newest statement was said or written; empty if it is not known."""
        return max(one.day for one in self.by)


#: Of a text that was stored without its writers.
UNKNOWN = Writers((Writer(Rank.AGENT),))


class Said(NamedTuple):
    """A statement that a text takes from elsewhere, and its writer."""

    text: str
    writer: Writer
