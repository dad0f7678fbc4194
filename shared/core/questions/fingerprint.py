"""Fingerprints of what a model is shown, to detect unchanged questions.

They cover knowledge, but not importance, use and upkeep dates.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass

from shared.core.memory.frontmatter import body_of, read_fields
from shared.core.memory.model import Memory
from shared.core.policy.policy import Policy
from shared.core.questions.question import Document, Question
from shared.core.text.wording import wording_of

#: Frontmatter fields that are part of the knowledge; the host maintains the others.
_KNOWLEDGE = ("title", "summary", "description", "category", "type", "tags", "keywords")
#: Values that follow from use or from the other documents, and are not news by themselves.
_COUNTED = "signal"
#: A digest of a domain, with lines in the order of importance.
_DIGEST = "summary"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingTerms:
    """The conditions of an answer besides the question's documents.

    Attributes:
        model: a new model may answer differently.
        prompts: the instructions in force, built-in or a directive, and the rules before them.
        version: of the phase; it grows when the same answer leads to other operations.
        settings: of the store (`settings_of`), so that a changed setting shows its effect.
        facts_tell: whether the host's facts about a document are news, such as complaints about a skill.
    """

    model: str
    prompts: tuple[str, ...]
    version: int = 1
    settings: str = ""
    facts_tell: bool = False


def settings_of(policy: Policy) -> str:
    """Return the settings that an answer and its operations depend on, as one text."""
    return json.dumps(policy.settings_for_answers(), sort_keys=True, default=_plain)


def _plain(value: object) -> object:
    # `asdict` copies each value deeply and takes four times as long; every phase of a dream calls this.
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return str(value)


def wording_fingerprint(statement: str) -> str:
    """Return the fingerprint of one statement, whatever its punctuation."""
    return _digest([wording_of(statement)])


def text_fingerprint(memory: Memory) -> str:
    """Return the fingerprint of a memory's knowledge, whatever its signals and its upkeep."""
    return _digest([memory.path, _knowledge_of(memory.content)])


def known_fields(content: str) -> dict[str, str]:
    """Return the frontmatter fields of a text that are part of its knowledge."""
    fields = read_fields(content)
    return {name: str(fields[name]) for name in _KNOWLEDGE if name in fields}


def cluster_fingerprint(memories: Iterable[Memory]) -> str:
    """Return the fingerprint of the knowledge of several memories, the same in any order."""
    return _digest(["cluster", *sorted(map(text_fingerprint, memories))])


def question_fingerprint(question: Question, terms: AskingTerms) -> str:
    """Return the fingerprint of a question: 64 hex digits, the same for the same documents in any order.

    The question's key is not included: it is the question's position in its dream, not its content.
    """
    documents = sorted(_document(one, terms) for one in question.documents if one.role != _COUNTED)
    asked = [question.phase, question.answer_type.__name__, sorted(question.hints), documents]
    return _digest([*asked, terms.model, list(terms.prompts), terms.version, terms.settings])


def _document(document: Document, terms: AskingTerms) -> list[str]:
    # `at` and most `facts` are about use and upkeep: reinforcement, importance, days untouched.
    facts = sorted(document.facts) if terms.facts_tell else []
    text = document.text
    if document.role == _DIGEST:
        text = "\n".join(sorted(text.splitlines()))
    return [document.path, document.role, _knowledge_of(text), *facts]


def _knowledge_of(text: str) -> str:
    return json.dumps([known_fields(text), body_of(text)], ensure_ascii=False, sort_keys=True)


def _digest(parts: Iterable[object]) -> str:
    whole = json.dumps(list(parts), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
