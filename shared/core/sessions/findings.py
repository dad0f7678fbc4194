"""The detector for one event: cues in the words of people and agents, terms in the words of people."""

from shared.core.sessions.cues import DETECTOR_VERSION, find_cues, find_terms
from shared.core.sessions.model import NOTHING_FOUND, SPOKEN, CueSpan, EventKind, Findings

__all__ = ["DETECTOR_VERSION", "find_in_event"]


def find_in_event(kind: EventKind, text: str) -> Findings:
    """Return what is worth a dream's attention in an event's text; nothing in tool results and the like."""
    is_spoken = kind in SPOKEN
    if not is_spoken and kind is not EventKind.ASSISTANT:
        return NOTHING_FOUND
    cues = find_cues(text, is_assistant=not is_spoken)
    spans = tuple(CueSpan(kind=c.kind, start=c.start, end=c.end, strength=c.strength, rule=c.rule) for c in cues)
    return Findings(cues=spans, terms=find_terms(text) if is_spoken else ())
