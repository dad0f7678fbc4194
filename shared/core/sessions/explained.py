"""Explain what happened to an event of a session, or why nothing was gathered from it, by the rules of gathering."""

from enum import StrEnum

from shared.core.sessions.cues import find_own_words, is_model_instruction, is_question, is_transient
from shared.core.sessions.excerpts import SHOWN
from shared.core.sessions.model import Origin, Session, SessionEvent


class Fate(StrEnum):
    """The reason why nothing was gathered from an event; the value is the sentence to show."""

    MACHINE = "Tools and systems are not gathered from"
    GOES_ON = "Not read yet: the session goes on, and a dream reads it once it has ended"
    WAITS = "Not read yet: the next dream reads it"
    EMPTY = "It says nothing"
    NOT_KEPT = "A dream read it and found nothing in it to keep"
    ORDER = "An order to the model is not knowledge"
    PASTED = "Pasted or quoted: not the user's own words"
    QUESTION = "A question, which states nothing"
    REQUEST = "A request: wanted done once, and nothing to keep"
    NO_CUE = "No cue: nothing in it looks like a correction, a wish, a decision or something to keep"


def decide_fate(event: SessionEvent, session: Session, *, has_cue: bool) -> Fate:
    """Return why nothing was gathered from an event, if no memory and no refused statement names it."""
    if event.kind not in SHOWN or event.origin in {Origin.TOOL, Origin.MACHINE}:
        return Fate.MACHINE
    if not event.text.strip():
        return Fate.EMPTY
    if event.position > session.gathered_position:
        return Fate.GOES_ON if session.is_current else Fate.WAITS
    if has_cue:
        return Fate.NOT_KEPT
    if event.origin is Origin.PASTED:
        return Fate.PASTED
    return _decide_no_cue(event.text) if event.is_spoken else Fate.NO_CUE


def _decide_no_cue(text: str) -> Fate:
    """Return why a person's message has no cue."""
    if is_model_instruction(text):
        return Fate.ORDER
    own = find_own_words(text).strip()
    if not own:
        return Fate.PASTED
    if is_question(own):
        return Fate.QUESTION
    return Fate.REQUEST if is_transient(own) else Fate.NO_CUE
