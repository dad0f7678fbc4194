"""Evidence: the places where somebody said what a model makes of it. Each place counts once, however often it is quoted."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.core.excerpt import Excerpt, find_quoted
from shared.core.feedback import Feedback, FeedbackKind
from shared.core.provenance import Source

_PEOPLE = frozenset({"user", "log"})
_MAX_QUOTES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One place. `kind` is None for words of a session, `feedback_id` is empty for them."""

    session_id: str
    event_id: str
    at: datetime
    text: str
    kind: FeedbackKind | None = None
    feedback_id: str = ""

    @property
    def source(self) -> Source:
        """Return the provenance that a memory names."""
        day = self.at.date().isoformat()
        return Source(session_id=self.session_id, event_id=self.event_id, day=day, quote=self.text)


def find_evidence(
    excerpts: Sequence[Excerpt], feedback: Sequence[Feedback], source_ids: Collection[str], quotes: Sequence[str]
) -> list[Evidence]:
    """Return what supports a statement: named feedback, and quotes that a person said in a named piece of a session.

    An id that was not offered supports nothing, and neither do words that an assistant said.
    """
    said = [
        Evidence(
            session_id=one.id, event_id="feedback", at=one.occurred_at, text=one.text, kind=one.kind, feedback_id=one.id
        )
        for one in feedback
        if one.id in source_ids
    ]
    named = [one for one in excerpts if one.path in source_ids]
    found: dict[tuple[str, str], Evidence] = {}
    for quote in quotes[:_MAX_QUOTES]:
        for excerpt in named:
            line = find_quoted(excerpt, quote)
            if line is not None and line.role in _PEOPLE:
                place = (excerpt.session_id, line.event_id)
                made = Evidence(session_id=place[0], event_id=place[1], at=line.at, text=quote)
                found.setdefault(place, made)
    return [*said, *found.values()]
