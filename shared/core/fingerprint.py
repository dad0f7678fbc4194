"""Fingerprints: whether a model would be shown the same again. Knowledge counts; importance, use and dates of upkeep do not."""

import hashlib
import json
from collections.abc import Iterable

from shared.core.frontmatter import read_fields
from shared.core.memory import Memory
from shared.core.question import Document, Question
from shared.core.texts import body_of

#: Fields of a frontmatter that say something about the knowledge itself; the host keeps the others up to date.
_KNOWLEDGE = ("title", "summary", "description", "category", "type", "tags", "keywords")


def text_fingerprint(memory: Memory) -> str:
    """Return the fingerprint of what a memory says, wherever its signals and its upkeep stand."""
    return _digest([memory.path, _knowledge_of(memory.content)])


def question_fingerprint(question: Question, model: str, prompt: str) -> str:
    """Return the fingerprint of what a model is asked: 64 hex digits, the same for the same documents in any order.

    Args:
        question: its documents, hints and answer type.
        model: a new model may answer differently.
        prompt: the instructions in force.
    """
    documents = sorted(map(_document, question.documents))
    parts = [question.phase, question.answer_type.__name__, model, prompt, documents, sorted(question.hints)]
    return _digest(parts)


def _document(document: Document) -> list[str]:
    # `facts` and `at` tell of use and of upkeep: reinforcement, importance, days untouched.
    return [document.path, document.role, _knowledge_of(document.text)]


def _knowledge_of(text: str) -> str:
    fields = read_fields(text)
    known = {name: str(fields[name]) for name in _KNOWLEDGE if name in fields}
    return json.dumps([known, body_of(text)], ensure_ascii=False, sort_keys=True)


def _digest(parts: Iterable[object]) -> str:
    whole = json.dumps(list(parts), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
