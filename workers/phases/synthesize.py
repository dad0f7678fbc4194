"""Synthesize: find patterns that span domains and write each as a draft synthesis file.

Reads one summary per domain (its `_index.md`, or a digest of titles and summaries) and the synthesis files that
exist. May want CREATE. Runs only when something changed and at least two domains exist. Prompt: prompts/synthesize.md.
"""

from dataclasses import dataclass

from shared.core.answers import SynthesisDraft, SynthesizeAnswer
from shared.core.doc_type import SYNTHESIS
from shared.core.frontmatter import read_fields
from shared.core.memory import DOMAIN_INDEX, Memory, MemoryHead, MemoryKind, domain_of, is_ordinary_domain, kind_of
from shared.core.operation import OperationKind, Plan
from shared.core.plan_index import GENERATED_BY
from shared.core.plan_synthesize import SynthesizeView, plan_synthesis
from shared.core.question import Document, Question
from shared.core.texts import body_of
from workers.phase import Answers, NothingToDo, Phase, PhaseContext, Surroundings

_KEY = "domains"
#: More lines than these do not fit into a digest.
_TOP_PER_DOMAIN = 60
#: A domain summary that was written by hand or by another tool says more than a digest, and may be longer.
_WRITTEN_SUMMARY_CHARS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What the one call is made from."""

    summaries: dict[str, str]
    existing: tuple[tuple[str, str], ...]
    live_paths: frozenset[str]


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Collect the domain summaries."""
    if context.changed_at_start == 0:
        return NothingToDo("no memory changed since the last dream")
    memories = context.uow.memories(context.store.id)
    paths = [line.path for line in memories.find_survey()]
    found = {domain_of(path) for path in paths if kind_of(path) is MemoryKind.TOPIC}
    domains = sorted(domain for domain in found if is_ordinary_domain(domain))
    if len(domains) < context.policy.synthesize.min_domains:
        return NothingToDo(f"fewer than {context.policy.synthesize.min_domains} domains ({len(domains)})")
    limit = context.policy.synthesize.domain_digest_chars
    top = memories.find_top_heads(_TOP_PER_DOMAIN)
    ordinary = [head for head in top if head.doc_type != SYNTHESIS and kind_of(head.path) is MemoryKind.TOPIC]
    written = memories.find_by_paths([f"{domain}/{DOMAIN_INDEX}" for domain in domains])
    summaries = {
        path: _summary(written.get(path)) or _digest(ordinary, domain, limit)
        for domain, path in ((domain, f"{domain}/{DOMAIN_INDEX}") for domain in domains)
    }
    existing = tuple((m.path, m.content) for m in memories.find_of_type(SYNTHESIS))
    return Inputs(summaries=summaries, existing=existing, live_paths=frozenset(paths))


def _summary(index: Memory | None) -> str:
    """Return the domain's own summary, when somebody else than slowwave wrote one."""
    if index is None or read_fields(index.content).get("generated_by") == GENERATED_BY:
        return ""
    return body_of(index.content).strip()[:_WRITTEN_SUMMARY_CHARS]


def _digest(heads: list[MemoryHead], domain: str, limit_chars: int) -> str:
    """Return titles and summaries of a domain in the given order, within the limit."""
    inside = [head for head in heads if domain_of(head.path) == domain]
    lines, left = [], limit_chars
    for head in inside:
        line = f"- {head.title}: {head.summary}" if head.summary else f"- {head.title}"
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
    return "\n".join(lines)


def ask(inputs: Inputs) -> tuple[Question, ...]:
    """Ask one question over all summaries."""
    documents = [Document(path=path, text=text, role="summary") for path, text in inputs.summaries.items()]
    documents += [Document(path=path, text=text[:500], role="existing") for path, text in inputs.existing[:50]]
    return (Question(phase="synthesize", key=_KEY, documents=tuple(documents), answer_type=SynthesizeAnswer),)


def plan(inputs: Inputs, answers: Answers, around: Surroundings) -> Plan:
    """Turn drafts into files under every rule."""
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


PHASE = Phase(
    name="synthesize",
    inputs_type=Inputs,
    read=read,
    ask=ask,
    plan=plan,
    may_emit=frozenset({OperationKind.CREATE}),
)
