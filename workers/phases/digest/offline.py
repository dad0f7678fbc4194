"""Digest without a model: a bullet for each of the first memories, from their titles and first sentences."""

from shared.core.memory.headline import summary_of, title_of
from shared.core.questions.question import Document, Question
from workers.phases.digest.answer import DigestAnswer, DigestBullet

_MAX_BULLETS = 7


def decide_digest(question: Question) -> DigestAnswer:
    """Return a bullet for each memory in the offered order, at most seven."""
    offered = [document for document in question.documents if document.role == "memory"]
    bullets = (DigestBullet(text=_say(one), sources=(one.path,), confidence=0.9) for one in offered[:_MAX_BULLETS])
    return DigestAnswer(bullets=tuple(bullets))


def _say(document: Document) -> str:
    title, summary = title_of(document.path, document.text), summary_of(document.text)
    return f"{title.rstrip('.')}: {summary}" if summary and summary != title else title
