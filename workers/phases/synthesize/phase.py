"""Synthesize: find patterns that span domains, and reflect on the most important memories.

Reads one summary for each domain (its `_index.md`, or a digest of titles and summaries), the top memories, and earlier
syntheses and reflections. Of many domains it shows those that changed and the nearest of the others. May want CREATE, and FLAG for memories that a person should look at. Runs only when something
changed: the synthesis with at least two domains, the reflection with at least three memories. Prompts: prompt.md, reflect.md.
"""

from dataclasses import dataclass, field

from shared.core.dream.operations import Create, Plan, Skip
from shared.core.memory.doc_type import CONSOLIDATED_INSIGHT, DREAM_REFLECTION, DREAMT, GENERATED_BY, SYNTHESIS
from shared.core.memory.frontmatter import body_of, read_fields
from shared.core.memory.model import (
    DOMAIN_INDEX,
    Memory,
    MemoryHead,
    MemoryKind,
    domain_of,
    is_ordinary_domain,
    kind_of,
)
from shared.core.policy.policy import SynthesizePolicy
from shared.core.questions.question import Document, Question
from shared.core.upkeep.due import DIGESTS_FOLDER
from workers.phase.flags import find_flagged
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phase.this_dream import find_gathered
from workers.phases.synthesize import ENTRY, NAME
from workers.phases.synthesize.answer import ReflectAnswer, SynthesisDraft, SynthesizeAnswer
from workers.phases.synthesize.nearest import find_nearest
from workers.phases.synthesize.plan import SynthesizeView, plan_synthesis
from workers.phases.synthesize.reflection import KEY as REFLECTION
from workers.phases.synthesize.reflection import (
    ReflectView,
    find_top_memories,
    plan_reflection,
    reflect_question,
)

_KEY = "domains"
_REFLECTED = (CONSOLIDATED_INSIGHT, DREAM_REFLECTION)
#: More lines than these do not fit into a digest.
_TOP_PER_DOMAIN = 60
#: A domain summary that was written by hand or by another tool says more than a digest, and may be longer.
_WRITTEN_SUMMARY_CHARS = 4_000
#: However many domains there are, the first line of each digest is shown so far.
_LEAST_LINE_CHARS = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The inputs of the one call."""

    summaries: dict[str, str]
    existing: tuple[tuple[str, str], ...]
    live_paths: frozenset[str]
    reflected: tuple[Memory, ...] = ()
    dreamt: tuple[tuple[str, str], ...] = ()  # (path, text) of earlier insights and reflections
    flagged: frozenset[str] = frozenset()  # what a person was shown, by fingerprint
    preview_chars: int = 300
    known_chars: int = 0
    briefs: dict[str, str] = field(default_factory=dict)  # what a model sees of the digests that are made here, by path
    skips: tuple[Skip, ...] = ()  # why one of the two parts does not run


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Collect the domain summaries."""
    if context.changed_at_start == 0:
        return NothingToDo("no memory changed since the last dream")
    memories = context.uow.memories(context.store.id)
    paths = [path for _, path in context.uow.catalog(context.store.id).find_paths("")]
    top = memories.find_top_heads(_TOP_PER_DOMAIN, context.now, context.policy.decay)
    summaries = _summaries(context, paths, top)
    reflected = find_top_memories(context, top)
    skips = tuple(one for one in (summaries, reflected) if isinstance(one, Skip))
    if isinstance(summaries, Skip) and isinstance(reflected, Skip):
        return NothingToDo(summaries.detail)
    if isinstance(summaries, Summaries) and summaries.unshown:
        detail = f"{summaries.unshown} domains without a change were not shown (synthesize.known_domains)"
        skips += (Skip(code="not_shown", detail=detail),)
    return Inputs(
        summaries={} if isinstance(summaries, Skip) else summaries.texts,
        existing=tuple((m.path, m.content) for m in memories.find_of_type(SYNTHESIS)),
        live_paths=frozenset(paths),
        reflected=() if isinstance(reflected, Skip) else reflected,
        dreamt=tuple((m.path, m.content) for kind in _REFLECTED for m in memories.find_of_type(kind)),
        flagged=find_flagged(context),
        preview_chars=context.policy.reflect.preview_chars,
        known_chars=context.policy.reflect.known_chars,
        briefs={} if isinstance(summaries, Skip) else find_briefs(summaries, context.policy.synthesize),
        skips=skips,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Summaries:
    """One summary for each domain, by the path of its index, the paths of those that were made here, and how many were left out."""

    texts: dict[str, str]
    made: frozenset[str]
    unshown: int = 0


def _summaries(context: PhaseContext, paths: list[str], top: list[MemoryHead]) -> Summaries | Skip:
    """Return one summary per domain, or why there is no synthesis."""
    if not ENTRY.runs_whole_by(context.policy):
        return Skip(code="synthesis_off", detail=f"synthesis is off in profile {context.policy.profile!r}")
    memories = context.uow.memories(context.store.id)
    found = {domain_of(path) for path in paths if kind_of(path) is MemoryKind.TOPIC}
    domains = sorted(domain for domain in found - {DIGESTS_FOLDER} if is_ordinary_domain(domain))
    if len(domains) < context.policy.synthesize.min_domains:
        detail = f"fewer than {context.policy.synthesize.min_domains} domains ({len(domains)})"
        return Skip(code="too_few_domains", detail=detail)
    limit = context.policy.synthesize.domain_digest_chars
    inside: dict[str, list[MemoryHead]] = {domain: [] for domain in domains}
    for head in top:
        if head.doc_type not in DREAMT and kind_of(head.path) is MemoryKind.TOPIC and domain_of(head.path) in inside:
            inside[domain_of(head.path)].append(head)
    by_hand = {
        index.path: text
        for index in memories.find_by_paths([f"{domain}/{DOMAIN_INDEX}" for domain in domains]).values()
        if (text := _summary(index))
    }
    made = {f"{domain}/{DOMAIN_INDEX}": _digest(heads, limit) for domain, heads in inside.items()}
    texts = made | by_hand
    shown = _choose_shown(context, texts)
    return Summaries(
        texts={path: text for path, text in texts.items() if path in shown},
        made=shown & made.keys() - by_hand.keys(),
        unshown=len(texts) - len(shown),
    )


def _choose_shown(context: PhaseContext, texts: dict[str, str]) -> frozenset[str]:
    """Return the paths of the summaries that a model sees; the changed set is read only where there are too many domains."""
    most = context.policy.synthesize.known_domains
    if not 0 < most < len(texts):
        return frozenset(texts)
    dirty = (one.path for one in context.uow.memories(context.store.id).find_changed())
    changed = {domain_of(path) for path in (*dirty, *find_gathered(context))}
    return find_nearest(texts, {f"{domain}/{DOMAIN_INDEX}" for domain in changed}, most)


def find_briefs(summaries: Summaries, policy: SynthesizePolicy) -> dict[str, str]:
    """Return what a model sees of the digests that were made here: the beginning of each line, as many as their share allows.

    A share is one of all domains, also of those that are left out.
    """
    limit = policy.shown_digests_chars // max(1, len(summaries.made) + summaries.unshown)
    line_chars = min(policy.shown_line_chars, max(limit, _LEAST_LINE_CHARS)) if policy.shown_line_chars else 0
    found = {path: _shorten(summaries.texts[path], line_chars, limit) for path in sorted(summaries.made)}
    return {path: brief for path, brief in found.items() if len(brief) < len(summaries.texts[path])}


def _shorten(digest: str, line_chars: int, limit_chars: int) -> str:
    """Return as many lines as the limit allows, each cut; the first one always."""
    first, *lines = (
        line if len(line) <= (line_chars or len(line)) else f"{line[: line_chars - 1].rstrip()}…"
        for line in digest.split("\n")
    )
    left = limit_chars - len(first)
    kept = [first]
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            break
        kept.append(line)
    return "\n".join(kept)


def _summary(index: Memory) -> str:
    """Return the domain's own summary, unless slowwave generated it."""
    if read_fields(index.content).get("generated_by") == GENERATED_BY:
        return ""
    return body_of(index.content).strip()[:_WRITTEN_SUMMARY_CHARS]


def _digest(heads: list[MemoryHead], limit_chars: int) -> str:
    """Return titles and summaries in the given order, within the limit."""
    lines, left = [], limit_chars
    for head in heads:
        line = f"- {head.title}: {head.summary}" if head.summary else f"- {head.title}"
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
    return "\n".join(lines)


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question over all summaries, and one over the top memories."""
    questions = []
    if inputs.summaries:
        documents = [
            Document(path=path, text=text, role="summary", excerpt=inputs.briefs.get(path, ""))
            for path, text in inputs.summaries.items()
        ]
        documents += [Document(path=path, text=text[:500], role="existing") for path, text in inputs.existing[:50]]
        questions.append(
            Question(
                phase=NAME,
                key=_KEY,
                documents=tuple(documents),
                answer_type=SynthesizeAnswer,
                without_model=lambda _: SynthesizeAnswer(),  # words that recur are nothing that was learned
            )
        )
    if inputs.reflected:
        questions.append(reflect_question(inputs.reflected, inputs.preview_chars, inputs.known_chars))
    return tuple(questions)


def plan(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    """Turn drafts, insights and flags into operations under every rule."""
    drafted = _plan_drafts(inputs, answers, around)
    created = frozenset(change.path for op in drafted.operations for change in op.changes if isinstance(change, Create))
    reflected = _plan_reflection(inputs, answers, around, created)
    return Plan(
        operations=(*drafted.operations, *reflected.operations),
        skips=(*inputs.skips, *drafted.skips, *reflected.skips),
    )


def _plan_drafts(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    answer = answers.get(_KEY)
    drafts: tuple[SynthesisDraft, ...] = answer.syntheses if isinstance(answer, SynthesizeAnswer) else ()
    view = SynthesizeView(
        summaries=inputs.summaries,
        existing=inputs.existing,
        live_paths=inputs.live_paths,
        policy=around.policy.synthesize,
        now=around.now,
    )
    return plan_synthesis(view, drafts)


def _plan_reflection(inputs: Inputs, answers: Answers, around: Surroundings, created: frozenset[str]) -> Plan:
    answer = answers.get(REFLECTION)
    if not inputs.reflected:
        return Plan()
    if not isinstance(answer, ReflectAnswer):
        return Plan(skips=(Skip(code="no_answer", detail="reflection: the model gave no usable answer"),))
    view = ReflectView(
        offered={memory.path: memory for memory in inputs.reflected},
        existing=inputs.dreamt,
        live_paths=inputs.live_paths | created,
        flagged=inputs.flagged,
        policy=around.policy.reflect,
        review_below_confidence=around.policy.synthesize.review_below_confidence,
        now=around.now,
    )
    return plan_reflection(view, answer)


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    ask=ask,
    plan=plan,
)
