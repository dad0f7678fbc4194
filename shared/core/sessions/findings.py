"""The detector for one event: cues in the words of people and agents, terms in the words of people."""

import re

from shared.core.sessions.cue_terms import find_terms
from shared.core.sessions.cues import DETECTOR_VERSION, find_cues
from shared.core.sessions.model import NOTHING_FOUND, CueSpan, EventKind, Findings, Origin, Session, is_spoken

#: The reason to look at an entry of a daily log that has no cue: an agent wrote it down, so that each is read once.
ENTRY = "entry"
_MAX_ENTRY_CHARS = 2_000
_HEADING = re.compile(r"\s{0,3}#{1,6}\s[^\n]*\s*\Z")


def find_in_event(kind: EventKind, text: str, origin: Origin = Origin.PERSON) -> Findings:
    """Return the cues and terms in an event's text; none in what tools and other programs wrote, and in what is pasted."""
    is_said = is_spoken(kind, origin)
    if not is_said and kind is not EventKind.ASSISTANT:
        return NOTHING_FOUND
    cues = find_cues(text, is_assistant=not is_said, is_log=kind is EventKind.LOG)
    spans = tuple(CueSpan(kind=c.kind, start=c.start, end=c.end, strength=c.strength, rule=c.rule) for c in cues)
    if kind is EventKind.LOG and not spans and text.strip() and not _HEADING.match(text):
        spans = (CueSpan(kind=ENTRY, start=0, end=min(len(text), _MAX_ENTRY_CHARS), strength=0.5, rule=ENTRY),)
    return Findings(cues=spans, terms=find_terms(text) if is_said else ())


def searched_upto(session: Session) -> int:
    """Return the position up to which the current detector has searched all events that a dream may read."""
    if session.detector_version != DETECTOR_VERSION:
        return session.gathered_position
    return max(session.gathered_position, session.searched_position)
