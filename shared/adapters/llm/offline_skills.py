"""Skills without a model: requests in nearly the same words, skills in nearly the same words, corrections word for word.

What no rule can know is left out: a sparse skill is not expanded, and the steps of a new one are what users said.
"""

import re
from collections.abc import Sequence
from itertools import combinations

from shared.adapters.llm.offline_merge import merge_bodies, restore_specifics
from shared.core.answers import SkillDraft, SkillGapAnswer, SkillsAnswer
from shared.core.opposites import decide_opposites
from shared.core.paths import slug_of
from shared.core.question import Document, Question
from shared.core.similarity import NEAR_DUPLICATE, decide_near_duplicate, significant_words
from shared.core.skill_rules import GUIDE, decide_apart, find_clusters
from shared.core.texts import body_of

#: Two openings ask for the same when they share so many telling words, and such a part of the shorter one's.
_FEWEST_SHARED = 3
_SHARED_PART = 0.5
_NAME_WORDS = 4
_TERMS = 30
#: A request says what it is about in its first telling words; what is pasted behind them is another matter.
_OPENING_TERMS = 12
#: When somebody asks is no part of what is asked.
_TIMES = frozenset(
    (
        "last",
        "next",
        "week",
        "weeks",
        "month",
        "year",
        "years",
        "today",
        "yesterday",
        "tomorrow",
        "again",
        "please",
        "hello",
    )
)
_GREETING = re.compile(
    r"^\W*(?:hey|hi|hello|good (?:morning|afternoon|evening))\b[^.!?,\n]{0,30}[.!?,]\s*", re.IGNORECASE
)
_REQUEST = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so|now|and|also|then|thanks)[,.! ]+)*(?:(?:can|could|would|will) (?:you|we) |please |"
    r"(?:i|we) (?:need|want|would like|'d like) (?:you )?to |help me (?:to )?|let'?s |just |go ahead and )*([a-z]+)",
    re.IGNORECASE,
)
#: "Implement the following plan" is how a host begins any work.
_PASTED_PLAN = re.compile(r"\bthe following (?:plan|steps|task)\b", re.IGNORECASE)
_VERBS_TEXT = """summarize summarise write create add fix update review explain generate translate draft prepare export find list
check run deploy convert analyze analyse compare plan book schedule send reply answer refactor implement test document format
clean remove merge rename move extract import build make show give search research compile calculate compute count rewrite edit
proofread investigate debug upgrade migrate install configure print release publish sync verify validate optimize report plot
draw design order transcribe classify sort group collect fetch download upload restore rotate look read open pull prioritize"""
_VERBS = frozenset(_VERBS_TEXT.split())
_PAIR = re.compile(r"^- (\S+) and (\S+): \d+ session", re.MULTILINE)
_CONFIDENCE = 0.6


def decide_skill_gaps(question: Question) -> SkillGapAnswer:
    """Return one skill for each group of at least two openings that ask for the same."""
    sessions = [document for document in question.documents if document.role == "session"]
    known = [set(_terms(f"{d.path} {d.text}")) for d in question.documents if d.role == "skill"]
    drafts, taken = [], set[str]()
    for first in sorted(sessions, key=lambda document: (document.at, document.path)):
        alike = [one for one in sessions if one.path not in taken and (one is first or _asks_the_same(first, one))]
        shared = _shared_terms(first, alike)
        if first.path in taken or len(alike) < 2 or any(set(shared) <= terms for terms in known):
            continue
        taken |= {one.path for one in alike}
        drafts.append(_gap(shared, alike))
    return SkillGapAnswer(to_save=tuple(drafts))


def _terms(text: str) -> tuple[str, ...]:
    return tuple(word for word in significant_words(text, _TERMS) if len(word) >= 4)


def _asks_the_same(left: Document, right: Document) -> bool:
    """Tell whether two openings are requests, begin with the same verb, and are about the same things."""
    verb = _verb(left.text)
    first, second = set(_opening(left.text)), set(_opening(right.text))
    shared = len(first & second)
    is_same = verb != "" and verb == _verb(right.text)
    return is_same and shared >= _FEWEST_SHARED and shared >= _SHARED_PART * min(len(first), len(second))


def _verb(text: str) -> str:
    """Return what an opening asks to be done, or nothing when it is no request in words that are known."""
    found = None if _PASTED_PLAN.search(text) else _REQUEST.match(_GREETING.sub("", text, count=1))
    verb = found[1].lower() if found else ""
    return verb if verb in _VERBS else ""


def _opening(text: str) -> tuple[str, ...]:
    return tuple(word for word in significant_words(text, _OPENING_TERMS) if len(word) >= 4 and word not in _TIMES)


def _shared_terms(first: Document, alike: Sequence[Document]) -> tuple[str, ...]:
    others = [set(_opening(one.text)) for one in alike]
    return tuple(word for word in _opening(first.text) if all(word in terms for terms in others))


def _gap(shared: Sequence[str], alike: Sequence[Document]) -> SkillDraft:
    ordered = sorted(alike, key=lambda document: (document.at, document.path))
    said = [" ".join(document.text.split()) for document in ordered]
    quoted = "\n".join(f"- {one.at}: “{text}”" for one, text in zip(ordered, said, strict=True))
    title = " ".join(shared[:_NAME_WORDS]).capitalize()
    varies = [", ".join(word for word in _opening(text) if word not in shared) for text in said]
    varying = "\n".join(f"- {words}" for words in dict.fromkeys(varies) if words) or "- nothing but the time"
    content = (
        f"# {title}\n\n## When to use\n\nA user asks for it again. What the requests share: {', '.join(shared)}.\n\n{quoted}\n\n"
        f"## What varies\n\n{varying}\n\n"
        "## Steps\n\nThe requests do not say how it is done: write the steps here when it has been done once more.\n"
    )
    return SkillDraft(
        name=slug_of(" ".join(shared[:_NAME_WORDS]), 60),
        summary=f"Use for requests such as: {said[0][:200]}",
        content=content,
        sessions=tuple(one.path for one in ordered),
        confidence=_CONFIDENCE,
    )


def decide_skill_merges(question: Question) -> SkillsAnswer:
    """Return merges of skills that say the same, a guide for each prefix that has none, and who should refer to whom."""
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
    drafts += [SkillDraft(name=n, see_also=tuple(o)) for n, o in links.items() if n in skills and n not in merged]
    return SkillsAnswer(to_delete=tuple(d for draft in drafts for d in draft.source_names), to_save=tuple(drafts))


def _merges(skills: dict[str, Document]) -> list[SkillDraft]:
    drafts: list[SkillDraft] = []
    taken: set[str] = set()
    for left, right in combinations(skills.values(), 2):
        texts = [body_of(left.text), body_of(right.text)]
        if {left.path, right.path} & taken or decide_apart([left.path, right.path]):
            continue
        if decide_near_duplicate(*texts) < NEAR_DUPLICATE or decide_opposites(*texts):
            continue
        keeper, other = sorted((left, right), key=lambda one: (-len(one.text), one.path))
        whole = [keeper.text, other.text]
        content = restore_specifics(merge_bodies(body_of(keeper.text), [body_of(other.text)]), whole)
        drafts.append(
            SkillDraft(
                name=keeper.path,
                content=content,
                source_names=(other.path,),
                reason=f"{keeper.path} and {other.path} say the same",
                confidence=_CONFIDENCE,
            )
        )
        taken |= {left.path, right.path}
    return drafts


def _guide(prefix: str, siblings: Sequence[Document]) -> SkillDraft:
    lines = "\n".join(f"- `{one.path}`: {_first_sentence(one.text)}" for one in siblings)
    names = ", ".join(one.path for one in siblings)
    return SkillDraft(
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


def decide_skill_repairs(question: Question) -> SkillsAnswer:
    """Return each skill that was corrected with the corrections, word for word, behind it."""
    drafts = []
    for document in question.documents:
        corrections = [fact for fact in document.facts if " correction: " in fact]
        body = body_of(document.text).partition("\n\n### Review note")[0].rstrip()
        fresh = [fact for fact in corrections if fact not in body]
        if document.role == "skill" and fresh:
            listed = "\n".join(f"- {fact}" for fact in fresh)
            heading = "" if "## Corrections" in body else "\n\n## Corrections\n"
            drafts.append(
                SkillDraft(
                    name=document.path,
                    content=f"{body}{heading}\n{listed}\n",
                    reason="Users corrected what came of it",
                    confidence=_CONFIDENCE,
                )
            )
    return SkillsAnswer(to_save=tuple(drafts))
