"""Infer preferences: unrecorded wishes of the user, and things to avoid according to corrections.

Reads the excerpts of this dream's gathering with a correction or a wish, similar statements of the 30 days before,
feedback of the last 7 days, and the existing preferences. May propose INFER (a preference or an anti-pattern, which may
replace others) and UNRATIFY (archive a preference that was not recalled in 30 days). Prompt: prompt.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from pydantic import ValidationError

from shared.core.dream.model import WHOLE_TRIGGERS, DreamState, PhaseRun, PhaseState
from shared.core.dream.operations import Plan, Skip, retired_ids
from shared.core.learning.feedback import Feedback, Rating
from shared.core.learning.preferences import ANTI_PATTERNS
from shared.core.memory.doc_type import is_digest
from shared.core.memory.model import Memory, MemoryKind, kind_of
from shared.core.memory.provenance import read_sources, without_sources
from shared.core.merging.loss_cap import get_loss_budget
from shared.core.policy.policy import PreferencePolicy
from shared.core.questions.question import Document, Question
from shared.core.sessions.excerpts import PEOPLE, Excerpt, render_excerpt
from shared.core.text.similarity import significant_words
from shared.services.index_cache import INDEX_CACHE
from workers.phase.proposed_texts import find_proposed_texts
from workers.phase.shape import Answers, EndedPhase, NothingToDo, Phase, PhaseContext, Surroundings, load_inputs
from workers.phases.infer_preferences import ENTRY, NAME
from workers.phases.infer_preferences.answer import InferAnswer
from workers.phases.infer_preferences.due import find_waiting, is_over
from workers.phases.infer_preferences.earlier_wishes import find_earlier_wishes
from workers.phases.infer_preferences.offline import decide_preferences
from workers.phases.infer_preferences.plan import PreferenceView, plan_preferences
from workers.phases.infer_preferences.unratified import plan_unratified

_KEY = "preferences"
_FOLDERS = ("user-preferences/", f"{ANTI_PATTERNS}/", "preferences/")
_REASONS = ("preference", "correction")
_NO_WISH = "nothing that users said or that feedback says shows a wish"
_NOT_SPOKEN = "what shows a wish is in agents' words alone, and no user speaks beside it"
#: Dreams that asked nothing about wishes may stand between the one that did and this one.
_ENDED, _LOOKED_BACK = frozenset({DreamState.COMPLETED, DreamState.PARTIAL}), 10
_FEEDBACK_CHARS = 2_000
#: So many words of so many texts are searched for, and so many memories are closest to each.
_QUERY_WORDS, _MAX_TEXTS, _NEAREST = 60, 200, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the one call, and the tentative preferences that were not recalled in time."""

    excerpts: tuple[Excerpt, ...]
    feedback: tuple[Feedback, ...]
    existing: tuple[Memory, ...]
    waiting: tuple[Memory, ...]
    live_paths: frozenset[str]
    more: int = 0
    #: Other memories that may hold one of the wishes already, and what waits for a review.
    filed: tuple[Memory, ...] = ()
    proposed: tuple[str, ...] = ()


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Find statements and feedback that may contain a wish, and preferences that were not recalled."""
    policy = context.policy.preferences
    memories = context.uow.memories(context.store.id)
    heads = memories.find_heads(_FOLDERS)
    since = context.now - timedelta(days=policy.feedback_days)
    feedback = context.uow.feedback(context.store.id).find(
        limit=policy.max_feedback, since=since, only_unused=True
    )  # fmt: skip
    offered = _find_excerpts(context)
    excerpts, more = _cap(_with_earlier(context, [one for one in offered if _is_spoken(one)]), policy)
    waiting = find_waiting(memories, heads)
    expired = [one for one in waiting if is_over(one, context.now, policy)]
    if not (excerpts or feedback or expired):
        return NothingToDo(_NOT_SPOKEN if offered else _NO_WISH)
    newest = sorted(heads, key=lambda head: (head.updated_at, head.path), reverse=True)[: policy.max_existing]
    return Inputs(
        excerpts=excerpts,
        feedback=tuple(replace(one, text=one.text[:_FEEDBACK_CHARS]) for one in feedback),
        existing=tuple(memories.find_live([head.id for head in newest])) if newest else (),
        waiting=tuple(expired),
        live_paths=frozenset(head.path for head in heads),
        more=more,
        filed=_find_filed(context, excerpts, feedback),
        proposed=find_proposed_texts(context),
    )


def _find_filed(context: PhaseContext, excerpts: Sequence[Excerpt], feedback: Sequence[Feedback]) -> tuple[Memory, ...]:
    """Return the memories that were made of these words, and those that are closest to them."""
    said = {one.session_id for one in excerpts} | {one.id for one in feedback}
    texts = [line.text for one in excerpts for line in one.lines if line.is_hit] + [one.text for one in feedback]
    if not texts:
        return ()
    topics = {one.path: one for one in context.uow.memories(context.store.id).find_live() if _is_topic(one)}
    searched = ((path, without_sources(one.content)) for path, one in topics.items())
    with INDEX_CACHE.borrow(context.store.id, searched) as index:
        words = (significant_words(text, _QUERY_WORDS) for text in texts[:_MAX_TEXTS])
        near = {path for some in words for path, _ in index.search(some, _NEAREST)}
    sourced = {
        path for path, one in topics.items() if any(source.session_id in said for source in read_sources(one.content))
    }
    return tuple(topics[path] for path in sorted(near | sourced))


def _is_topic(one: Memory) -> bool:
    return kind_of(one.path) is MemoryKind.TOPIC and not is_digest(one.content)


def _find_excerpts(context: PhaseContext) -> list[Excerpt]:
    """Return the pieces with a correction or a wish that this dream has read, then those that an earlier one left unanswered."""
    offered = context.find_offered().excerpts
    found = [one for one in offered if any(reason.startswith(_REASONS) for reason in one.reasons)]
    return list({one.path: one for one in (*found, *_find_left(context))}.values())


def _find_left(context: PhaseContext) -> Sequence[Excerpt]:
    """Return the pieces about which the model gave no answer when this phase last asked about the store's own sessions.

    Their sessions are not gathered again for them: that would pay for every answer about them a second time.
    """
    uow, store = context.uow, context.store
    if store.last_dream_id is None or uow.orders.find(context.dream.id) is not None:
        return ()
    recent = uow.dreams.find_recent(store_id=store.id, states=_ENDED, triggers=WHOLE_TRIGGERS, limit=_LOOKED_BACK)
    for dream in recent:
        if dream.is_dry_run or uow.orders.find(dream.id) is not None:
            continue
        for run in uow.phases.find_all(dream.id, phase=NAME):
            if run.inputs is not None or run.state is PhaseState.DONE:
                return _unanswered_in(EndedPhase(uow=uow, dream=dream, run=run, inputs=_load(run), spared=frozenset()))
    return ()


def _load(run: PhaseRun) -> Inputs | None:
    try:
        inputs: Inputs | None = load_inputs(PHASE, run)
    except ValidationError:  # another version wrote them
        return None
    return inputs


def _unanswered_in(ended: EndedPhase[Inputs]) -> Sequence[Excerpt]:
    return () if ended.inputs is None or ended.is_through or ended.find_answered() else ended.inputs.excerpts


def _is_spoken(excerpt: Excerpt) -> bool:
    """Tell whether a user speaks in a piece; only a user's words tell a wish."""
    return any(line.role in PEOPLE for line in excerpt.lines)


def _with_earlier(context: PhaseContext, excerpts: list[Excerpt]) -> list[Excerpt]:
    """Return the new statements, followed by similar earlier ones from sessions that this dream may read."""
    if not excerpts:
        return excerpts
    order = context.uow.orders.find(context.dream.id)
    repository = context.uow.gathering(context.store.id, order.session_ids if order else None)
    return [*excerpts, *find_earlier_wishes(repository, excerpts, context.policy.preferences.tentative_days)]


def _cap(excerpts: Sequence[Excerpt], policy: PreferencePolicy) -> tuple[tuple[Excerpt, ...], int]:
    kept: list[Excerpt] = []
    size = 0
    for excerpt in excerpts:
        size += len(render_excerpt(excerpt))
        if kept and size > policy.payload_cap_chars:
            break
        kept.append(excerpt)
    return tuple(kept), len(excerpts) - len(kept)


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question; none when only time has passed."""
    if not (inputs.excerpts or inputs.feedback):
        return ()
    said = [
        Document(path=one.path, text=render_excerpt(one), role="session", facts=one.reasons) for one in inputs.excerpts
    ]
    told = [
        Document(path=one.id, text=one.text, role="feedback", at=one.occurred_at.date().isoformat(), facts=_facts(one))
        for one in inputs.feedback
    ]
    known = [Document(path=one.path, text=one.content[:_FEEDBACK_CHARS], role="existing") for one in inputs.existing]
    documents = (*said, *told, *known)
    return (
        Question(
            phase=NAME,
            key=_KEY,
            documents=documents,
            answer_type=InferAnswer,
            without_model=decide_preferences,
        ),
    )


def _facts(feedback: Feedback) -> tuple[str, ...]:
    rating = f"rating {feedback.rating}" if feedback.rating is not Rating.NONE else ""
    subject = f"about {feedback.subject}" if feedback.subject else ""
    skill = f"skill {feedback.skill}" if feedback.skill else ""
    return tuple(fact for fact in (str(feedback.kind), rating, subject, skill) if fact)


def plan(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    """Turn inferences into operations, subject to all rules, and retire preferences that were not recalled."""
    policy = around.policy.preferences
    loss = get_loss_budget(around.live_memories, around.already_retired, around.policy.safety)
    retired = plan_unratified(inputs.waiting, days=policy.tentative_days, now=around.now, loss=loss)
    answer = answers.get(_KEY)
    if not isinstance(answer, InferAnswer):
        asked = bool(inputs.excerpts or inputs.feedback)
        no_answer = (Skip(code="no_answer", detail=f"{NAME}: the model gave no usable answer"),)
        return replace(retired, skips=(*retired.skips, *(no_answer if asked else ())))
    going = {memory_id for operation in retired.operations for memory_id in retired_ids(operation)}
    view = PreferenceView(
        excerpts=inputs.excerpts,
        feedback=inputs.feedback,
        existing=tuple(one for one in inputs.existing if one.id not in going),
        live_paths=inputs.live_paths,
        policy=policy,
        now=around.now,
        filed=inputs.filed,
        proposed=inputs.proposed,
    )
    inferred = plan_preferences(view, answer)
    return Plan(
        operations=(*retired.operations, *inferred.operations),
        skips=(*retired.skips, *inferred.skips),
        used=inferred.used,
    )


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    plan=plan,
    facts_tell=True,
)
