"""Gather: turn what agents said and did since the last dream into memories.

Reads hits of new sessions and daily logs in windows of a few events (never whole transcripts), with a model also what else people
said, within a budget, noted corrections, and the live memories about the same things. Where the phase is switched off, the noted corrections are still read. May want
GATHER (a new memory, or an addition to one), CORRECT (a statement replaces one that it makes untrue) and FLAG (a thumbs-down
without words: a person has to look) and FORGET (a person or an agent asked for it: only proposed). The cursors of the sessions move when the dream ends. Prompt: prompt.md.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain

from shared.core.dates.rewrite import rewrite_dates
from shared.core.dream.model import PhaseState
from shared.core.dream.operations import Plan, Skip
from shared.core.forgetting.asked import Asked, Told, plan_asked, plan_told
from shared.core.learning.feedback import Feedback
from shared.core.memory.doc_type import is_digest
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import Memory, MemoryKind, kind_of
from shared.core.memory.provenance import find_quoted, place_of, without_sources
from shared.core.questions.question import Document, Question
from shared.core.sessions.excerpts import Excerpt, render_excerpt
from shared.core.sessions.model import Window
from shared.core.text.similarity import significant_words
from shared.services.index_cache import INDEX_CACHE
from workers.phase.disliked import Disliked, find_disliked, plan_flags
from workers.phase.proposed_texts import find_made_texts, find_proposed_texts
from workers.phase.shape import (
    Answers,
    Consumed,
    Coverage,
    EndedPhase,
    NothingToDo,
    Offered,
    Phase,
    PhaseContext,
    Surroundings,
)
from workers.phases.gather import ENTRY, NAME
from workers.phases.gather.answer import GatherAnswer
from workers.phases.gather.episodes import find_episode
from workers.phases.gather.groups import GatherGroup, find_spoken, group_excerpts
from workers.phases.gather.noted import choose_noted, complete_noted, find_corrections, is_noted
from workers.phases.gather.offline import decide_gathering
from workers.phases.gather.placement import list_homes
from workers.phases.gather.plan import GatherView, plan_gathering
from workers.phases.gather.search import Reading, find_excerpts
from workers.phases.gather.spread import find_holders
from workers.phases.gather.unmarked import Unmarked

_QUERY_WORDS = 60
_SUSPECT_WORDS = 3
_NO_CUES = Skip(code="no_cues", detail="the new sessions hold nothing that looks worth remembering")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the calls. `windows` says how far the sessions' cursors move once the calls are answered."""

    groups: tuple[GatherGroup, ...]
    windows: tuple[Window, ...]
    live_paths: frozenset[str]
    time_zone: str
    #: Where the phase is switched off, only the noted corrections are read.
    reads_sessions: bool = True
    #: How many sessions are left for the next dream.
    left: int = 0
    #: How many messages without a hit were not shown, and of how many sessions.
    unshown: int = 0
    unshown_sessions: int = 0
    #: The paths of the memories that noted corrections name, by the path of the excerpt.
    about: Mapping[str, str] = field(default_factory=dict)
    #: The memories that were not offered, and hold a statement of an offered one: a correction of it is to reach them.
    holders: tuple[Memory, ...] = ()
    #: Memories that were not offered, and have the name under which an answer would file something.
    namesakes: tuple[Memory, ...] = ()
    #: The memories that have a thumbs-down without words.
    disliked: tuple[Disliked, ...] = ()
    #: What people asked to forget.
    asked: tuple[Asked, ...] = ()
    #: What waits for a review already.
    proposed: tuple[str, ...] = ()
    #: Which texts were made of the events of the excerpts already, and of which words.
    quoted: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    def find_corrections(self) -> frozenset[str]:
        """Return the ids of the noted corrections among the excerpts."""
        return frozenset(one.session_id for group in self.groups for one in group.excerpts if is_noted(one))


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Find what is worth looking at in sessions that have something new."""
    policy = context.policy.gather
    order = context.uow.orders.find(context.dream.id)
    repository = context.uow.gathering(context.store.id, order.session_ids if order else None)
    reads_sessions = ENTRY.runs_whole_by(context.policy)
    tokens = context.policy.show.session_tokens if reads_sessions and context.has_model() else 0
    reading = Reading(repository=repository, policy=policy, finds_cues=context.is_estimate, unmarked_tokens=tokens)
    found = find_excerpts(reading, lambda: _suspects(context), context.now) if reads_sessions else None
    hears = order is None and policy.corrections
    corrections = find_corrections(context) if hears else []
    disliked = find_disliked(context) if hears else ()
    said = found.excerpts if found is not None else ()
    unmarked = found.unmarked if found is not None else Unmarked()
    has_any = said or corrections or unmarked.excerpts
    memories = context.uow.memories(context.store.id).find_live() if has_any else []
    groups, about, holders = (
        _find_groups(context, memories, said, corrections, unmarked.excerpts) if has_any else ([], {}, ())
    )
    if found is None and not groups and not disliked:
        return NothingToDo("no new sessions" if reads_sessions else "no correction or thumbs-down about a memory")
    proposed = find_proposed_texts(context) if groups else ()
    return Inputs(
        groups=tuple(groups),
        reads_sessions=reads_sessions,
        windows=found.windows if found is not None else (),
        left=found.left if found is not None else 0,
        unshown=unmarked.unshown,
        unshown_sessions=unmarked.unshown_sessions,
        about=about,
        holders=holders,
        disliked=disliked,
        asked=plan_asked(said, NAME, context.uow.memories(context.store.id).find_live),
        proposed=proposed,
        quoted=_find_quoted(context, memories, proposed, groups) if groups else {},
        live_paths=frozenset(path for _, path in context.uow.catalog(context.store.id).find_paths("")),
        time_zone=context.uow.stores.get_tenant().time_zone,
    )


def _is_knowledge(memory: Memory) -> bool:
    return kind_of_text(memory.path, memory.content) is MemoryKind.TOPIC and not is_digest(memory.content)


def _suspects(context: PhaseContext) -> list[str]:
    """Return search terms for what may have drifted: memories that a merge is pending for, then changed ones."""
    merges = context.uow.merges(context.store.id).find_open()
    pending = {path for merge in merges for path in (merge.source_path, merge.target_path)}
    memories, policy = context.uow.memories(context.store.id), context.policy
    heads = memories.find_top_heads(policy.gather.max_suspects, context.now, policy.decay)
    wanted = [head for head in heads if head.path in pending] + [head for head in heads if head.is_dirty]
    words = (significant_words(head.title, _SUSPECT_WORDS) for head in wanted if kind_of(head.path) is MemoryKind.TOPIC)
    return list(dict.fromkeys(" ".join(found) for found in words if len(found) > 1))


def _find_quoted(
    context: PhaseContext, memories: Sequence[Memory], proposed: Sequence[str], groups: Sequence[GatherGroup]
) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return which texts were made of what is shown of sessions already: a question without an answer is asked again with others."""
    said = (one for group in groups for one in group.excerpts if not is_noted(one))
    places = {place_of(one.session_id, line.event_id) for one in said for line in one.lines}
    live = ((memory.path, memory.content) for memory in memories)
    waiting = (("a change that waits for a review", text) for text in proposed)
    return find_quoted(chain(live, waiting, find_made_texts(context)), places)


def _find_groups(
    context: PhaseContext,
    memories: Sequence[Memory],
    said: Sequence[Excerpt],
    corrections: Sequence[Feedback],
    unmarked: Sequence[Excerpt],
) -> tuple[list[GatherGroup], dict[str, str], tuple[Memory, ...]]:
    """Return the groups, the paths of the memories that noted corrections name, and those that repeat offered ones."""
    policy = context.policy.gather
    topics = [memory for memory in memories if _is_knowledge(memory)]
    searched = ((memory.path, without_sources(memory.content)) for memory in topics)
    with INDEX_CACHE.borrow(context.store.id, searched) as index:

        def find_near(text: str) -> list[str]:
            return [path for path, _ in index.search(significant_words(text, _QUERY_WORDS), policy.related_limit)]

        noted = choose_noted(corrections, topics, find_near)
        about = {one.excerpt.path: one.about for one in noted if one.about}
        # What has no hit comes last, so that it takes no hit's place where a budget ends the calls.
        excerpts = (*said, *(one.excerpt for one in noted), *unmarked)
        groups = group_excerpts(excerpts, topics, find_near, context.policy, about)
    offered = [memory for group in groups for memory in group.existing]
    return groups, about, find_holders(topics, offered, " ".join(map(find_spoken, excerpts)))


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question per group."""
    return tuple(_question(group) for group in inputs.groups)


def _question(group: GatherGroup) -> Question:
    pieces = [
        Document(path=one.path, text=render_excerpt(one), role="session", at=_day(one), facts=one.reasons)
        for one in group.excerpts
    ]
    known = [Document(path=memory.path, text=memory.content, role="existing") for memory in group.existing]
    return Question(
        phase=NAME,
        key=group.key,
        documents=(*pieces, *known),
        answer_type=GatherAnswer,
        without_model=decide_gathering,
    )


def _day(excerpt: Excerpt) -> str:
    return excerpt.lines[-1].at.date().isoformat()


def look(context: PhaseContext, inputs: Inputs, answers: Answers) -> Inputs:
    """Return the inputs with the live memories under whose names the answers would file new statements: they may belong there."""
    items = [one for answer in answers.values() if isinstance(answer, GatherAnswer) for one in answer.memories]
    has_episodes = context.policy.gather.episodes
    wanted = {
        path
        for one in items[: context.policy.gather.max_memories]
        for path in list_homes(one, one.statement, (has_episodes and find_episode(one.kind, one.statement)) or "")
    } & inputs.live_paths
    found = context.uow.memories(context.store.id).find_by_paths(sorted(wanted)) if wanted else {}
    offered = {memory.path for group in inputs.groups for memory in group.existing}
    namesakes = tuple(found[path] for path in sorted(found.keys() - offered) if _is_knowledge(found[path]))
    return replace(inputs, namesakes=namesakes) if namesakes else inputs


def plan(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    """Turn statements into memories under every rule; a group without an answer stays to be gathered."""
    valid = {key: answer for key, answer in answers.items() if isinstance(answer, GatherAnswer)}
    every = [memory for answer in valid.values() for memory in answer.memories]
    found = [one for one in every if one.kind != "forget"]

    def resolve_dates(text: str, said_at: datetime) -> str:
        moment = said_at.astimezone(UTC) if said_at.tzinfo else said_at  # a database answers in its own zone
        return rewrite_dates(text, moment, zone=inputs.time_zone)

    offered = [group.existing for group in inputs.groups]
    view = GatherView(
        excerpts=tuple(excerpt for group in inputs.groups for excerpt in group.excerpts),
        existing=tuple({m.path: m for known in (*offered, inputs.namesakes) for m in known}.values()),
        live_paths=inputs.live_paths,
        policy=around.policy.gather,
        resolve_dates=resolve_dates,
        now=around.now,
        time_zone=inputs.time_zone,
        proposed=inputs.proposed,
        quoted=inputs.quoted,
        holders=inputs.holders,
        is_trusted=around.has_passed,
        counts_wishes=around.policy.preferences.counted_first,
    )
    answered = [excerpt for group in inputs.groups if group.key in valid for excerpt in group.excerpts]
    planned = plan_gathering(view, list(complete_noted(view, answered, found, inputs.about)))
    flags = plan_flags(NAME, inputs.disliked)
    shown = {excerpt.path for excerpt in answered}
    asked = [operation for one in inputs.asked if one.window in shown for operation in one.operations]
    wishes = [Told(one.window, one.quote, one.statement, one.replaces or "") for one in every if one.kind == "forget"]
    asked += plan_told(wishes, answered, NAME, (*view.existing, *view.holders), asked)
    return replace(
        planned,
        operations=(*planned.operations, *flags.operations, *asked),
        skips=(*planned.skips, *flags.skips, *_tell_unread(inputs)),
        used=(*(one.session_id for one in answered if is_noted(one)), *flags.used),
    )


def _tell_unread(inputs: Inputs) -> Iterator[Skip]:
    """Yield what was not shown to a model, and why."""
    if not (inputs.groups or inputs.unshown):
        yield _NO_CUES
    if inputs.unshown:
        detail = (
            f"{inputs.unshown} messages of {inputs.unshown_sessions} sessions were not shown, since no search found anything "
            "in them and the budget (show.session_tokens) is used up"
        )
        yield Skip(code="not_shown", detail=detail)


def offer(inputs: Inputs) -> Offered:
    """Offer the excerpts, so that later phases need not search the sessions again."""
    said = (excerpt for group in inputs.groups for excerpt in group.excerpts if not is_noted(excerpt))
    return Offered(excerpts=tuple(said))


def consume(ended: EndedPhase[Inputs]) -> Consumed:
    """Move the cursors past what a model has answered for: of a session with an open question, to the first piece of it."""
    state, found = ended.run.state, ended.inputs
    coverage = Coverage.READ if found is None or found.reads_sessions else Coverage.NOTHING
    if state not in {PhaseState.DONE, PhaseState.PARTIAL}:
        is_idle = state is PhaseState.SKIPPED and not ended.run.counts
        waiting_feedback = found.find_corrections() if found is not None else frozenset()
        is_idle = is_idle or coverage is Coverage.NOTHING
        return Consumed(sessions=Coverage.NOTHING if is_idle else Coverage.MISSED, waiting_feedback=waiting_feedback)
    if found is None or ended.uow.orders.find(ended.dream.id) is not None:
        return Consumed(
            sessions=Coverage.READ
        )  # an order names its sessions; their own stores' dreams move the cursors
    answered = ended.find_answered() if state is PhaseState.PARTIAL else {group.key for group in found.groups}
    waiting = _find_waiting(found.groups, answered)
    waiting_feedback = found.find_corrections().intersection(waiting)
    reached = (replace(one, upto=min(one.upto, waiting.get(one.session_id, one.upto))) for one in found.windows)
    windows = tuple(one for one in reached if one.upto > one.after or one.session_id not in waiting)
    has_read = any(one.upto > one.after for one in windows)
    rest = len(waiting) - len(waiting_feedback) + found.left if has_read else 0
    return Consumed(sessions=coverage, windows=windows, waiting_feedback=waiting_feedback, waiting_sessions=rest)


def _find_waiting(groups: Sequence[GatherGroup], answered: Collection[str]) -> dict[str, int]:
    """Return the sessions with an open question, each with the last position before the first piece that it is about.

    What has no hit does not let a session wait whose hits are answered for: it comes last, so a small budget would leave it out
    every time, and the hits would be paid for in each dream.
    """
    heard = {one.session_id for group in groups if group.key in answered for one in group.excerpts if one.reasons}
    left = (one for group in groups if group.key not in answered for one in group.excerpts)
    waiting: dict[str, int] = {}
    for one in left:
        if one.reasons or one.session_id not in heard:
            first = next((line for line in one.lines if line.is_hit), one.lines[0]).position
            waiting[one.session_id] = min(first - 1, waiting.get(one.session_id, first))
    return waiting


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    look=look,
    plan=plan,
    consume=consume,
    offer=offer,
    keeps_inputs=True,
    asks_new_events_only=True,
    searches_sessions=True,
    needs_exam=True,
)
