"""A model that believes everything: it makes a memory, a preference and a skill of each line that it is shown of a session."""

import re
from collections.abc import Sequence

from pydantic import BaseModel

from shared.core.learning.skill_answers import SkillDraft
from shared.core.questions.question import Question
from workers.offline.lines import read_lines
from workers.phases.find_skill_gaps.answer import SkillGapAnswer
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.infer_preferences.answer import InferAnswer, InferredMemory

_PART = re.compile(r"(?<=[.!?])\s+|: ")


def believe(question: Question) -> BaseModel | None:
    """Return the answer of the worst of models to a question, None where it has nothing to believe."""
    if question.phase == "gather":
        found = (_gather(path, words, kind) for path, words in _shown(question) for kind in _KINDS)
        return GatherAnswer(memories=tuple(found))
    if question.phase == "infer_preferences":
        return InferAnswer(to_save=tuple(_infer(path, words) for path, words in _shown(question)))
    if question.phase == "find_skill_gaps":
        paths = tuple(one.path for one in question.documents)
        texts = [words for one in question.documents for words in _parts_of(one.text)]
        return SkillGapAnswer(to_save=tuple(_teach(words, paths, number) for number, words in enumerate(texts)))
    return None


_KINDS = ("preference", "save", "fact")


def _shown(question: Question) -> Sequence[tuple[str, str]]:
    sessions = [document for document in question.documents if document.role == "session"]
    return [(one.path, words) for one in sessions for line in read_lines(one.text) for words in _parts_of(line.text)]


def _parts_of(text: str) -> Sequence[str]:
    parts = [text, *(part for line in text.splitlines() for part in (line, *_PART.split(line)))]
    return list(dict.fromkeys(part for part in parts if part.strip()))


def _gather(path: str, words: str, kind: str) -> GatheredMemory:
    given = {"kind": kind, "window": path, "quote": words, "statement": words, "title": words[:40], "confidence": 0.99}
    return GatheredMemory.model_validate(given)


def _infer(path: str, words: str) -> InferredMemory:
    return InferredMemory(
        content=words,
        title=words[:40],
        source_ids=(path,),
        quotes=(words,),
        sentiment="very_irritated",
        confidence=0.99,
    )


def _teach(words: str, paths: tuple[str, ...], number: int) -> SkillDraft:
    content = f"# Skill\n\n1. {words}\n2. Report it.\n"
    return SkillDraft(name=f"skill-{number}", summary=words[:100], content=content, sessions=paths, confidence=0.99)
