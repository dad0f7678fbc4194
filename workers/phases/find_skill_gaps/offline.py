"""Find skill gaps without a model: requests in nearly the same words become a skill.

A rule cannot know the steps of a new skill, so they are the users' own words.
"""

import re
from collections.abc import Sequence

from shared.core.learning.skill_answers import SkillDraft
from shared.core.memory.paths import ascii_slug_of
from shared.core.questions.question import Document, Question
from shared.core.text.similarity import significant_words
from workers.phases.find_skill_gaps.answer import SkillGapAnswer

#: Two openings are the same request if they share this many telling words, and this part of the shorter one's.
_FEWEST_SHARED = 3


_SHARED_PART = 0.5


_NAME_WORDS = 4


_TERMS = 30


#: The number of telling words that show the subject of a request; pasted text after them is ignored.
_OPENING_TERMS = 12


#: Words for times, which are not part of the request itself.
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


_CONFIDENCE = 0.6


def decide_skill_gaps(question: Question) -> SkillGapAnswer:
    """Return one skill for each group of at least two openings with the same request."""
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
    """Return the verb of the request in an opening, or nothing if it is not a request in known words."""
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
        name=ascii_slug_of(" ".join(shared[:_NAME_WORDS]), 60),
        summary=f"Use for requests such as: {said[0][:200]}",
        content=content,
        sessions=tuple(one.path for one in ordered),
        confidence=_CONFIDENCE,
    )
