"""One transcript on its way into a store: where it goes, what waits to be written, and what became of its lines."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from shared.core.errors import BadInputError
from shared.core.transcript import FoundEvent, MalformedLine, SkippedLine, clean_id

_SHOWN_MALFORMED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportTarget:
    """Where a transcript goes, and how. `mask` returns a text without secrets; None: texts are stored as they are.

    `actor` is on whose behalf.
    """

    tenant_id: str
    store: str
    source: str
    mask: Callable[[str], str] | None = None
    is_current: bool = False
    actor: str = ""


@dataclass(slots=True, kw_only=True)
class ImportCounts:
    """What became of a transcript's lines: `added + known + skipped + malformed` is how many there were."""

    added: int = 0
    known: int = 0
    skipped: int = 0
    malformed: int = 0
    masked: int = 0
    replaced: int = 0  # events added that hold the character for bytes which are no UTF-8
    new_sessions: int = 0
    sessions: set[str] = field(default_factory=set)  # external ids
    kinds: Counter[str] = field(default_factory=Counter)  # of the events added
    first_malformed: list[MalformedLine] = field(default_factory=list)

    @property
    def lines(self) -> int:
        """Return how many lines there were, empty ones left out."""
        return self.added + self.known + self.skipped + self.malformed


@dataclass(slots=True)
class Margin:
    """What is no event but belongs to a session."""

    title: str = ""
    skipped: int = 0
    malformed: int = 0


@dataclass(slots=True)
class ImportedFile:
    """One file on its way in."""

    target: ImportTarget
    counts: ImportCounts = field(default_factory=ImportCounts)
    waiting: dict[str, list[FoundEvent]] = field(default_factory=dict)
    margins: dict[str, Margin] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    session: str = ""
    before: Margin = field(default_factory=Margin)  # of lines before the first event
    is_read: bool = False
    is_recorded: bool = False
    error: BadInputError | OSError | None = None

    def add(self, event: FoundEvent) -> None:
        """Have an event wait for the next batch."""
        self.session = clean_id(event.session)
        if self.session not in self.margins:
            self.margins[self.session] = self.before if not self.margins else Margin()
        self.waiting.setdefault(self.session, []).append(event)

    def count(self, item: SkippedLine | MalformedLine) -> None:
        """Count a line that is no event."""
        margin = self.margins.get(self.session, self.before)
        if isinstance(item, SkippedLine):
            self.counts.skipped += 1
            margin.skipped += 1
            margin.title = item.title or margin.title
            return
        self.counts.malformed += 1
        margin.malformed += 1
        if len(self.counts.first_malformed) < _SHOWN_MALFORMED:
            self.counts.first_malformed.append(item)
