"""Merge skills without a model: skills in nearly the same words, guides and links."""

import re
from collections.abc import Sequence
from itertools import combinations

from shared.core.learning.skill_merging import GUIDE, find_clusters, reason_apart, same_skill_subject
from shared.core.memory.frontmatter import body_of
from shared.core.merging.opposites import reason_opposed
from shared.core.questions.question import Document, Question
from shared.core.text.similarity import NEAR_DUPLICATE, similarity
from workers.phases.merge_skills.answer import MergedSkill, MergeSkillsAnswer

_PAIR = re.compile(r"^- (\S+) and (\S+): \d+ session", re.MULTILINE)


_CONFIDENCE = 0.6


def decide_skill_merges(question: Question) -> MergeSkillsAnswer:
    """Return merges of skills with the same content, a guide for each prefix without one, and links between related skills."""
    skills = {document.path: document for document in question.documents if document.role == "skill"}
    drafts = [*_merges(skills)]
    merged = {name for draft in drafts for name in (draft.name, *draft.source_names)}
    links: dict[str, list[str]] = {}
    for prefix, names in find_clusters(skills):
        siblings = [name for name in names if name not in merged]
        guide = f"{prefix}/{GUIDE}"
        if guide not in skills and len(siblings) >= 2:
            drafts.append(_guide(prefix, [skills[name] for name in siblings]))
        for name in siblings:
            links.setdefault(name, []).extend(other for other in (*siblings, guide) if other != name)
    for signal in (document.text for document in question.documents if document.path == "used-together"):
        for left, right in _PAIR.findall(signal):
            links.setdefault(left, []).append(right)
            links.setdefault(right, []).append(left)
    drafts += [MergedSkill(name=n, see_also=tuple(o)) for n, o in links.items() if n in skills and n not in merged]
    return MergeSkillsAnswer(to_delete=tuple(d for draft in drafts for d in draft.source_names), to_save=tuple(drafts))


def _merges(skills: dict[str, Document]) -> list[MergedSkill]:
    drafts: list[MergedSkill] = []
    taken: set[str] = set()
    for left, right in combinations(skills.values(), 2):
        texts = [body_of(left.text), body_of(right.text)]
        if {left.path, right.path} & taken or reason_apart([left.path, right.path]):
            continue
        if similarity(*texts) < NEAR_DUPLICATE or reason_opposed(*texts):
            continue
        subject = same_skill_subject(left.path, left.text, right.path, right.text)
        if subject.is_different:
            continue
        keeper, other = sorted((left, right), key=lambda one: (-len(one.text), one.path))
        drafts.append(
            MergedSkill(
                name=keeper.path,
                edits=(),  # the host joins the skills: of a long one only the beginning is shown
                source_names=(other.path,),
                reason=f"{keeper.path} and {other.path} say the same",
                confidence=_CONFIDENCE,
                doubt=""
                if subject.is_same
                else f"rules alone do not know whether both teach one thing: {subject.reason}",
            )
        )
        taken |= {left.path, right.path}
    return drafts


def _guide(prefix: str, siblings: Sequence[Document]) -> MergedSkill:
    lines = "\n".join(f"- `{one.path}`: {_first_sentence(one.text)}" for one in siblings)
    names = ", ".join(one.path for one in siblings)
    return MergedSkill(
        name=f"{prefix}/{GUIDE}",
        summary=f"Choose between {names}",
        content=f"# Which of the {prefix} skills\n\n{lines}\n",
        see_also=tuple(one.path for one in siblings),
        confidence=_CONFIDENCE,
    )


def _first_sentence(text: str) -> str:
    from_field = re.search(r"^description:[ \t]*(.+)$", text, re.MULTILINE)
    told = from_field[1].strip("\"' ") if from_field else next(iter(body_of(text).strip().splitlines()), "")
    return told.lstrip("# ")[:200]
