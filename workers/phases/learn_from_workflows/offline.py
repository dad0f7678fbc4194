"""Learn from workflows without a model: the step at which runs of a kind ended, and the steps that successes share."""

import re
from collections import Counter

from shared.core.memory.paths import ascii_slug_of
from shared.core.questions.question import Document, Question
from shared.core.text.similarity import significant_words
from workers.phases.learn_from_workflows.answer import PromotedSkill, SkillAnnotation, WorkflowAnswer

_STEP = re.compile(r"^\d+\. (.+)$", re.MULTILINE)
_HEAD = re.compile(r"^\d{4}-\d{2}-\d{2} (.+)$", re.MULTILINE)
_ERROR = re.compile(r"^ended with: (.+)$", re.MULTILINE)
_NAME_WORDS = 5


def decide_workflows(question: Question) -> WorkflowAnswer:
    """Return one note for each group of failures, and one draft for each group of successes."""
    by_role: dict[str, list[Document]] = {}
    for document in question.documents:
        by_role.setdefault(document.role, []).append(document)
    skills = {document.path.removeprefix("skills/").removesuffix("/SKILL.md") for document in by_role.get("skill", [])}
    return WorkflowAnswer(
        annotations=tuple(_note(document, skills) for document in by_role.get("failures", [])),
        to_save=tuple(_draft(document) for document in by_role.get("successes", [])),
    )


def _note(document: Document, skills: set[str]) -> SkillAnnotation:
    kind = _fact(document, "classification ")
    used = [name for name in _fact(document, "skills ").split(", ") if name in skills]
    last = Counter(steps[-1] for part in document.text.split("\n\n") if (steps := _STEP.findall(part)))
    errors = Counter(_ERROR.findall(document.text))
    where = f' after the step "{last.most_common(1)[0][0][:200]}"' if last else ""
    why = f": {errors.most_common(1)[0][0][:200]}" if errors else ""
    what = " ".join(_description(document).split())[:120]
    return SkillAnnotation(
        name=used[0] if used else "",
        topic="" if used else f"{kind} {what}",
        annotation=f"{what} fails with {kind}{where}{why}. Check this step before going on.",
        source_ids=(document.path,),
        confidence=0.7,
    )


def _draft(document: Document) -> PromotedSkill:
    parts = [_STEP.findall(part) for part in document.text.split("\n\n")]
    steps = max((part for part in parts if part), key=len, default=[])
    what = " ".join(_description(document).split())[:200]
    listed = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    return PromotedSkill(
        name=ascii_slug_of(" ".join(significant_words(what, _NAME_WORDS)) or what),
        summary=what,
        content=f"# {what}\n\n{listed}",
        source_ids=(document.path,),
        confidence=0.7,
    )


def _fact(document: Document, head: str) -> str:
    return next((fact.removeprefix(head) for fact in document.facts if fact.startswith(head)), "")


def _description(document: Document) -> str:
    found = _HEAD.search(document.text)
    return found[1] if found else document.path
