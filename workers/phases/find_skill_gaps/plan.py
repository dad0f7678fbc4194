"""Find recurring requests, and turn a model's drafts for them into new skills."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.core.dream.operations import Create, Operation, OperationKind, Plan, Skip
from shared.core.errors import BadInputError
from shared.core.learning.skill_answers import SkillDraft
from shared.core.learning.skills import CREATED, Opening, build_skill, check_skill_name, format_moment, skill_path
from shared.core.memory.frontmatter import body_of
from shared.core.memory.provenance import FIELD, Source, format_source
from shared.core.merging.confidence import confidence_of
from shared.core.policy.policy import SkillsPolicy
from shared.core.sessions.pasted import blank_documents, blank_pasted
from shared.core.text.similarity import NEAR_DUPLICATE, similarity
from shared.core.text.words import cut, is_unspaced
from shared.languages.function_words import STOP_WORDS
from workers.phases.find_skill_gaps import NAME

MAX_SKILL_CHARS = 20_000
#: A numbered step, or a block of commands. Bullets may list anything: when to use it, what varies.
_STEP = re.compile(r"^[ \t]*(?:\d{1,2}(?:[.)][ \t]|\u3001)|(?:```|~~~).*\n)[ \t]*\S", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSkill:
    """An existing skill: its name and its purpose."""

    name: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillGapView:
    """The facts for the rules."""

    openings: tuple[Opening, ...]
    skills: tuple[KnownSkill, ...]
    policy: SkillsPolicy
    now: datetime


@dataclass
class _Draft:
    operations: list[Operation] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


def terms_of(text: str, policy: SkillsPolicy) -> frozenset[str]:
    """Return the terms of a first message: words of at least four letters, without words that indicate no topic.

    What was pasted asks for nothing. Where a script writes no spaces, pairs of characters stand for words.
    """
    words = (word for word in cut(_own_words(text)) if len(word) >= policy.min_term_chars or is_unspaced(word))
    return frozenset(word for word in words if word not in STOP_WORDS and not word.isdecimal())


def _own_words(text: str) -> str:
    return blank_documents(blank_pasted(text))


def find_recurring_terms(openings: Sequence[Opening], policy: SkillsPolicy) -> tuple[tuple[str, int], ...]:
    """Return the terms of first messages with their numbers of sessions, the most frequent first."""
    by_session: dict[str, frozenset[str]] = {}
    for opening in openings:
        by_session[opening.session_id] = by_session.get(opening.session_id, frozenset()) | terms_of(
            opening.text, policy
        )
    counts = Counter(term for terms in by_session.values() for term in terms)
    recurring = [(term, number) for term, number in counts.items() if number >= policy.min_sessions]
    return tuple(sorted(recurring, key=lambda item: (-item[1], item[0])))


def render_terms(terms: Sequence[tuple[str, int]]) -> str:
    """Return the recurring terms as a hint for the model, in RockBot's published words."""
    lines = "\n".join(f'- "{term}": {number} session(s)' for term, number in terms)
    return f"Recurring topics across sessions (term frequency ≥ 2 sessions):\n{lines}"


def plan_skill_gaps(view: SkillGapView, drafts: Sequence[SkillDraft]) -> Plan:
    """Return one CREATE_SKILL per draft with at least two offered sessions as evidence; other drafts get a reason."""
    draft = _Draft(names={skill.name for skill in view.skills})
    for one in drafts:
        made = _plan_one(draft, view, one)
        if isinstance(made, Skip):
            draft.skips.append(made)
        else:
            draft.operations.append(made)
            draft.names.add(one.name)
    return Plan(operations=tuple(draft.operations), skips=tuple(draft.skips))


def _plan_one(draft: _Draft, view: SkillGapView, one: SkillDraft) -> Operation | Skip:
    name = one.name[:80]
    try:
        path = skill_path(check_skill_name(one.name))
    except BadInputError as error:
        return Skip(code="unsafe_path", detail=str(error))
    problem = _find_problem(draft, view, one)
    if problem is not None:
        return problem
    evidence = _find_evidence(view, one)
    if isinstance(evidence, Skip):
        return evidence
    try:
        content = _content(one, evidence, view.now)
    except BadInputError as error:
        return Skip(code="uneditable_frontmatter", detail=f"skill {name}: {error}")
    asked = ", ".join(f"“{_short(_own_words(opening.text))}”" for opening in evidence[:3])
    return Operation(
        kind=OperationKind.CREATE_SKILL,
        phase=NAME,
        reason=f"{len(evidence)} sessions asked for it and no skill covers it: {asked}",
        changes=(Create(path=path, content=content),),
        confidence=confidence_of(one.confidence),
        # Agents will follow this text, and it comes from users' messages: a person reviews it.
        needs_review=True,
        propose_only=None
        if _STEP.search(body_of(one.content))
        else "it has no numbered steps and no commands: a note, not a skill",
    )


def _find_problem(draft: _Draft, view: SkillGapView, one: SkillDraft) -> Skip | None:
    body = body_of(one.content).strip()
    if not body or not one.summary.strip() or len(body) > MAX_SKILL_CHARS:
        return Skip(code="incomplete_action", detail=f"skill {one.name}: needs a summary and a content of sane size")
    if one.name in draft.names:
        return Skip(code="name_taken", detail=f"skill {one.name} exists already or waits for a review")
    twin = next((known for known in view.skills if _is_twin(known, one)), None)
    if twin is not None:
        return Skip(code="known_already", detail=f"skill {one.name}: {twin.name} does it already")
    if len(draft.operations) >= view.policy.max_new:
        return Skip(code="cap", detail=f"more than {view.policy.max_new} new skills in one dream")
    return None


def _is_twin(known: KnownSkill, one: SkillDraft) -> bool:
    return bool(known.summary) and similarity(known.summary, one.summary) >= NEAR_DUPLICATE


def _find_evidence(view: SkillGapView, one: SkillDraft) -> tuple[Opening, ...] | Skip:
    """Return the sessions with requests for a skill: those that the model names, or those with its recurring terms."""
    offered = {opening.session_id: opening for opening in view.openings}
    named = tuple(offered[session] for session in dict.fromkeys(one.sessions) if session in offered)
    if not one.sessions:
        recurring = {term for term, _ in find_recurring_terms(view.openings, view.policy)}
        telling = terms_of(f"{one.name.replace('-', ' ')} {one.summary}", view.policy) & recurring
        named = tuple(o for o in offered.values() if telling & terms_of(o.text, view.policy))
    if len(named) < view.policy.min_sessions:
        detail = (
            f"skill {one.name}: {len(named)} of the offered sessions call for it, {view.policy.min_sessions} are needed"
        )
        return Skip(code="too_few_sessions", detail=detail)
    return tuple(sorted(named, key=lambda opening: (opening.at, opening.session_id)))


def _content(one: SkillDraft, evidence: Sequence[Opening], now: datetime) -> str:
    sources = [
        Source(session_id=o.session_id, event_id=o.event_id, day=o.at.date().isoformat(), quote=_own_words(o.text))
        for o in evidence
    ]
    fields = {CREATED: format_moment(now), FIELD: [format_source(source) for source in sources]}
    return build_skill(one.name, one.summary, body_of(one.content), fields)


def _short(text: str, limit_chars: int = 60) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit_chars else f"{flat[: limit_chars - 1]}…"
