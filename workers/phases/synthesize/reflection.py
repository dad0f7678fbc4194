"""Ask for reflections on the top memories of a store, and turn them into memories and flags.

As SwarmClaw publishes it for its second tier: 2 to 5 insights, 1 to 3 reflections, flags on outdated or contradictory
memories; written in the durable tier with `origin: dream`. SwarmClaw validates no id; here only offered ones count. The
sources stay unchanged and are named in the new memory.

While a flag waits, its memory is not flagged again. Once a person has decided, it is not flagged again for the same text
beside the same texts. An edit of either, or a conflict with another memory, is news.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.core.dream.operations import Create, Flag, Operation, OperationKind, Plan, Skip
from shared.core.errors import BadInputError
from shared.core.memory import importance as scoring
from shared.core.memory.doc_type import CONSOLIDATED_INSIGHT, DREAM_REFLECTION, DREAMT
from shared.core.memory.frontmatter import MAX_CONTENT_CHARS, body_of, build_frontmatter, preview_of
from shared.core.memory.model import (
    ROOT_DOMAIN,
    Memory,
    MemoryHead,
    MemoryKind,
    Signals,
    Tier,
    domain_of,
    is_ordinary_domain,
    kind_of,
)
from shared.core.memory.paths import check_memory_path, stem_of
from shared.core.merging.confidence import confidence_of, find_doubt, needs_look
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.times import describe_times
from shared.core.policy.policy import ReflectPolicy
from shared.core.questions.fingerprint import text_fingerprint
from shared.core.questions.question import Document, Question
from shared.core.sessions.grounding import find_made_up, with_path
from shared.core.text.excerpt import excerpt_of
from shared.core.text.similarity import NEAR_DUPLICATE, similarity
from shared.core.upkeep.decay import decay_heads
from workers.phase.flags import decide_shown
from workers.phase.shape import PhaseContext
from workers.phases.synthesize import NAME
from workers.phases.synthesize.answer import FlaggedMemory, ReflectAnswer, Reflection
from workers.phases.synthesize.content import has_content

_HOME = "insights"  # of what rests on memories without an ordinary domain
_DURABLE = Signals(tier=Tier.DURABLE)
KEY = "reflection"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectView:
    """The facts that the rules decide by: the offered memories by path, what dreams wrote before, and which paths are taken."""

    offered: Mapping[str, Memory]
    existing: tuple[tuple[str, str], ...]  # (path, text)
    live_paths: frozenset[str]
    flagged: frozenset[str]  # what a person was shown already (workers/phase/flags.py)
    policy: ReflectPolicy
    review_below_confidence: float
    now: datetime


def plan_reflection(view: ReflectView, answer: ReflectAnswer) -> Plan:
    """Return one CREATE per novel insight or reflection and one FLAG per flagged memory; the rest says why not."""
    operations: list[Operation] = []
    skips: list[Skip] = []
    known = list(view.existing)
    taken = set(view.live_paths)
    wanted = [(CONSOLIDATED_INSIGHT, one) for one in answer.insights[: view.policy.max_insights]]
    wanted += [(DREAM_REFLECTION, one) for one in answer.reflections[: view.policy.max_reflections]]
    for category, one in wanted:
        planned = _plan_one(view, category, one, known, taken)
        if isinstance(planned, Skip):
            skips.append(planned)
            continue
        operation, create = planned
        operations.append(operation)
        known.append((create.path, create.content))
        taken.add(create.path)
    skips += _over_cap(view.policy, answer)
    for flag in answer.flags[: view.policy.max_flags]:
        flagged = _plan_flag(view, flag)
        operations.append(flagged) if isinstance(flagged, Operation) else skips.append(flagged)
    return Plan(operations=tuple(operations), skips=tuple(skips))


def _over_cap(policy: ReflectPolicy, answer: ReflectAnswer) -> list[Skip]:
    counted = {
        "insights": (len(answer.insights), policy.max_insights),
        "reflections": (len(answer.reflections), policy.max_reflections),
        "flags": (len(answer.flags), policy.max_flags),
    }
    return [
        Skip(code="cap", detail=f"reflection: {count} {name}, more than {cap}")
        for name, (count, cap) in counted.items()
        if count > cap
    ]


def _plan_one(
    view: ReflectView, category: str, one: Reflection, known: Sequence[tuple[str, str]], taken: set[str]
) -> tuple[Operation, Create] | Skip:
    title, body = " ".join(one.title.split())[:200], body_of(one.content).strip()
    sources = [path for path in dict.fromkeys(one.sources) if path in view.offered]
    needed = 2 if category == CONSOLIDATED_INSIGHT else 1
    if not title or not body or len(body) > MAX_CONTENT_CHARS:
        return Skip(code="incomplete_action", detail=f"{title or category}: needs a title and a text of sane size")
    if not has_content(title, body):
        return Skip(code="no_content", detail=f"{title}: says nothing beyond its title")
    if len(sources) < needed:
        return Skip(code="not_offered", detail=f"{title}: rests on fewer than {needed} offered memories")
    twin = next((path for path, text in known if _says_the_same(body, text)), None)
    if twin is not None:
        return Skip(code="known_insight", detail=f"{title}: {twin} says it already")
    path = _place(sources, title)
    if path is None or path in taken:
        return Skip(code="name_taken", detail=f"{title}: {path or 'no path'} cannot be written")
    try:
        create = Create(path=path, content=_content(view, category, one, title, sources), signals=_DURABLE)
    except BadInputError as error:
        return Skip(code="incomplete_action", detail=f"{title}: {error}")
    return _operation(view, category, one, create, sources), create


def _operation(view: ReflectView, category: str, one: Reflection, create: Create, sources: list[str]) -> Operation:
    said = [with_path(path, view.offered[path].content) for path in sources]
    unfounded = find_missing_specifics("\n".join(said), [one.content])
    note = f" — not in its sources: {', '.join(unfounded[:3])}" if unfounded else ""
    what = "Insight" if category == CONSOLIDATED_INSIGHT else "Reflection"
    return Operation(
        kind=OperationKind.CREATE,
        phase=NAME,
        reason=f"{what} from {', '.join(sources[:5])}: {' '.join(one.title.split())[:200]}{note}",
        changes=(create,),
        confidence=confidence_of(one.confidence),
        needs_review=bool(unfounded) or needs_look(one.confidence, view.review_below_confidence),
        propose_only=find_doubt(one.confidence, view.review_below_confidence)
        or find_made_up(body_of(one.content), said),
    )


def _says_the_same(body: str, text: str) -> bool:
    return similarity(body, text) >= NEAR_DUPLICATE


def _place(sources: Sequence[str], title: str) -> str | None:
    domain = domain_of(sources[0])
    path = f"{domain if is_ordinary_domain(domain) else _HOME}/{stem_of(title)}.md"
    try:
        return check_memory_path(path)
    except BadInputError:
        return None


def _content(view: ReflectView, category: str, one: Reflection, title: str, sources: list[str]) -> str:
    moment = view.now.strftime("%Y-%m-%dT%H:%M:%SZ")
    fields: dict[str, object] = {
        "title": title,
        "type": category,
        "category": category,
        "origin": "dream",
        "confidence": round(confidence_of(one.confidence) or 0.0, 2),
        "sources": sources,
        "related": sources,
        "createdAt": moment,
        "updatedAt": moment,
    }
    body = body_of(one.content).replace("\x00", "").strip()
    return build_frontmatter(fields, f"{body}\n" if body.startswith("#") else f"# {title}\n\n{body}\n")


def _plan_flag(view: ReflectView, flag: FlaggedMemory) -> Operation | Skip:
    memory = view.offered.get(flag.file)
    if memory is None:
        return Skip(code="not_offered", detail=f"flag on {flag.file[:200]!r}: not offered to the model")
    digest = text_fingerprint(memory)
    about = tuple(path for path in dict.fromkeys(flag.about) if path in view.offered and path != memory.path)
    beside_digests = tuple(text_fingerprint(view.offered[path]) for path in about)
    if decide_shown(view.flagged, digest, beside_digests):
        return Skip(code="flagged_before", detail=f"{memory.path}: a person was shown it already")
    beside = f" (see {', '.join(about)})" if about else ""
    return Operation(
        kind=OperationKind.FLAG,
        phase=NAME,
        reason=f"{memory.path} may be outdated or contradictory{beside}: {flag.reason or 'no reason given'}",
        changes=(
            Flag(
                memory_id=memory.id,
                version=memory.version,
                path=memory.path,
                about=about,
                fingerprint=digest,
                about_fingerprints=beside_digests,
            ),
        ),
        confidence=confidence_of(flag.confidence),
        needs_review=True,
    )


def find_top_memories(context: PhaseContext, heads: Sequence[MemoryHead]) -> tuple[Memory, ...] | Skip:
    """Return the memories to reflect on, best first, or why there is no reflection.

    Args:
        context: of the phase.
        heads: the most important memories of each domain.
    """
    policy = context.policy.reflect
    if not policy.enabled:
        return Skip(code="reflection_off", detail=f"reflection is off in profile {context.policy.profile!r}")
    faded = decay_heads(heads, context.now, context.policy.decay)
    usable = [head for head in faded if _is_knowledge(head)]
    if len(usable) < policy.min_memories:
        detail = f"reflection: fewer than {policy.min_memories} memories ({len(usable)})"
        return Skip(code="too_few_memories", detail=detail)
    ranked = sorted(
        usable, key=lambda h: (-scoring.compound_score(0, h.signals, h.updated_at, context.now), h.path)
    )  # fmt: skip
    order = {head.id: place for place, head in enumerate(ranked[: policy.max_memories])}
    found = context.uow.memories(context.store.id).find_live(list(order))
    return tuple(sorted(found, key=lambda memory: order[memory.id]))


def _is_knowledge(head: MemoryHead) -> bool:
    """Tell whether a memory is knowledge to reflect on; texts that dreams wrote are not."""
    domain = domain_of(head.path)
    is_place = domain == ROOT_DOMAIN or is_ordinary_domain(domain)
    return is_place and kind_of(head.path) is MemoryKind.TOPIC and head.doc_type not in DREAMT


def reflect_question(memories: Sequence[Memory], preview_chars: int, known_chars: int = 0) -> Question:
    """Return the question, with each memory cut to its beginning.

    Args:
        memories: the memories to reflect on.
        preview_chars: the characters of each memory.
        known_chars: the characters of one without a write since the last dream; 0: `preview_chars`.
    """
    return Question(
        phase=NAME,
        key=KEY,
        documents=tuple(_document(memory, preview_chars, known_chars) for memory in memories),
        answer_type=ReflectAnswer,
        without_model=lambda _: (
            ReflectAnswer()
        ),  # rules invent no insight, and contradictions are found by `consolidate`
        instructions_name="reflect",
    )


def _document(memory: Memory, preview_chars: int, known_chars: int) -> Document:
    text = excerpt_of(preview_of(memory.content, preview_chars + 1), preview_chars)
    if not memory.is_dirty and 0 < known_chars < len(text):
        return Document(path=memory.path, text=text, role="memory", excerpt=excerpt_of(text, known_chars))
    return Document(path=memory.path, text=text, role="memory", facts=(describe_times(memory),))
