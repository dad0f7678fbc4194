"""Turn a model's drafts into synthesis files: novel, grounded, safely placed, with the published frontmatter."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from shared.core.dream.operations import Create, Operation, OperationKind, Plan, Skip
from shared.core.errors import BadInputError
from shared.core.memory.doc_type import SYNTHESIS
from shared.core.memory.frontmatter import MAX_CONTENT_CHARS, body_of, build_frontmatter
from shared.core.memory.model import MemoryKind, domain_of, kind_of
from shared.core.memory.paths import check_memory_path, stem_of
from shared.core.merging.confidence import confidence_of, find_doubt, needs_look
from shared.core.merging.specifics import find_missing_specifics
from shared.core.policy.policy import SynthesizePolicy
from shared.core.search.bm25 import TextIndex
from shared.core.sessions.grounding import find_made_up, with_path
from shared.core.text.similarity import significant_words
from workers.phases.synthesize import NAME
from workers.phases.synthesize.answer import SynthesisDraft
from workers.phases.synthesize.content import has_content

_QUERY_WORDS = 40
_SELF = "\0draft"  # no path holds a NUL
_KEBAB = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesizeView:
    """The facts that the rules decide by: the offered summaries by path, existing syntheses, taken paths."""

    summaries: dict[str, str]
    existing: tuple[tuple[str, str], ...]  # (path, text) of files of type synthesis
    live_paths: frozenset[str]
    policy: SynthesizePolicy
    now: datetime


def plan_synthesis(view: SynthesizeView, drafts: Sequence[SynthesisDraft]) -> Plan:
    """Return one CREATE per novel draft; every draft that is dropped says why."""
    operations: list[Operation] = []
    skips: list[Skip] = []
    known = list(view.existing)
    for number, draft in enumerate(drafts):
        title = " ".join(draft.title.split())[:200]
        if number >= view.policy.max_drafts:
            skips.append(Skip(code="cap", detail=f"{title}: more than {view.policy.max_drafts} drafts"))
            continue
        planned = _plan_draft(view, draft, title, known, {o.changes[0].path for o in operations})  # type: ignore[union-attr] # every change here is a Create
        if isinstance(planned, Skip):
            skips.append(planned)
            continue
        operations.append(planned)
        known.append((title, _text_of(title, draft)))
    return Plan(operations=tuple(operations), skips=tuple(skips))


def _plan_draft(
    view: SynthesizeView,
    draft: SynthesisDraft,
    title: str,
    known: Sequence[tuple[str, str]],
    planned_paths: set[str],
) -> Operation | Skip:
    refused = _decide_refused(view, draft, title, known)
    if refused is not None:
        return refused
    sources = _sources(view, draft)
    path = _place(draft, title, sources)
    if isinstance(path, Skip):
        return path
    if path in view.live_paths or path in planned_paths:
        return Skip(code="name_taken", detail=f"{title}: {path} exists already")
    try:
        content = _content(draft, title, sources, view)
    except BadInputError as error:
        return Skip(code="incomplete_action", detail=f"{title}: {error}")
    said = [with_path(path, view.summaries[path]) for path in sources]
    unfounded = find_missing_specifics("\n".join(said), [body_of(draft.content)])
    note = f" — not in the summaries: {', '.join(unfounded[:3])}" if unfounded else ""
    return Operation(
        kind=OperationKind.CREATE,
        phase=NAME,
        reason=f"Cross-domain synthesis: {title}{note}",
        changes=(Create(path=path, content=content),),
        confidence=confidence_of(draft.confidence),
        needs_review=bool(unfounded) or needs_look(draft.confidence, view.policy.review_below_confidence),
        propose_only=draft.doubt
        or find_doubt(draft.confidence, view.policy.review_below_confidence)
        or find_made_up(f"{body_of(draft.content)}\n{draft.summary}", said),
    )


def _sources(view: SynthesizeView, draft: SynthesisDraft) -> list[str]:
    return [path for path in dict.fromkeys(draft.sources) if path in view.summaries]


def _decide_refused(
    view: SynthesizeView,
    draft: SynthesisDraft,
    title: str,
    known: Sequence[tuple[str, str]],
) -> Skip | None:
    sources = _sources(view, draft)
    if not title or not body_of(draft.content).strip() or len(draft.content) > MAX_CONTENT_CHARS:
        return Skip(code="incomplete_action", detail=f"{title or 'a draft'}: needs a title and a text of sane size")
    if not has_content(title, draft.content):
        return Skip(code="no_content", detail=f"{title}: says nothing beyond its title")
    if len(sources) < len(set(draft.sources)) and len(sources) < view.policy.min_domains:
        return Skip(code="not_offered", detail=f"{title}: names summaries that were not offered")
    if len({domain_of(path) for path in sources}) < view.policy.min_domains:
        return Skip(code="one_domain", detail=f"{title}: does not span {view.policy.min_domains} domains")
    twin = _find_twin(view, title, draft, known)
    return Skip(code="known_insight", detail=f"{title}: {twin} says it already") if twin else None


def _find_twin(view: SynthesizeView, title: str, draft: SynthesisDraft, known: Sequence[tuple[str, str]]) -> str | None:
    """Return the synthesis that says the same: its BM25 score is at least half (the threshold) of the draft's own.

    ByteRover normalises s / (1 + s). That depends on how many syntheses there are: the only one that exists scores
    below 1 for its own title, and among fifty one shared rare word scores above it. A share of the own score does not.
    """
    if not known:
        return None
    words = significant_words(f"{title} {draft.summary}", _QUERY_WORDS)
    hits = TextIndex([*known, (_SELF, _text_of(title, draft))]).search(words, len(known) + 1)
    wanted = dict(hits).get(_SELF, 0.0) * view.policy.duplicate_bm25
    others = [hit for hit in hits if hit[0] != _SELF][: view.policy.duplicate_limit]
    return next((key for key, score in others if score >= wanted), None)


def _text_of(title: str, draft: SynthesisDraft) -> str:
    return f"{title} {draft.summary} {draft.content}"


def _place(draft: SynthesisDraft, title: str, sources: Sequence[str]) -> str | Skip:
    """Return the path of the new file: the wanted folder, else the first source's domain."""
    folder = (draft.placement or domain_of(sources[0])).strip("/ ")
    folder = str(PurePosixPath(folder).parent) if folder.endswith(".md") else folder
    path = f"{folder}/{stem_of(title)}.md"
    try:
        check_memory_path(path)
    except BadInputError as error:
        return Skip(code="unsafe_path", detail=f"{title}: {error}")
    if domain_of(path) not in {domain_of(source) for source in sources} or kind_of(path) is not MemoryKind.TOPIC:
        return Skip(code="unsafe_path", detail=f"{title}: {path[:200]!r} lies in no domain that it draws from")
    return path


def _content(draft: SynthesisDraft, title: str, sources: list[str], view: SynthesizeView) -> str:
    policy = view.policy
    moment = view.now.strftime("%Y-%m-%dT%H:%M:%SZ")
    fields: dict[str, object] = {
        "title": title,
        "type": SYNTHESIS,
        "confidence": round(confidence_of(draft.confidence) or 0.0, 2),
        "sources": sources,
        "synthesized_at": moment,
        "summary": " ".join(draft.summary.split())[: policy.summary_cap_chars],
        "tags": _kebabs(draft.tags)[: policy.max_tags],
        "related": [],
        "keywords": [" ".join(word.split()) for word in draft.keywords if word.strip()][: policy.max_keywords],
        "createdAt": moment,
        "updatedAt": moment,
    }
    body = body_of(draft.content).replace("\x00", "").strip()
    return build_frontmatter(fields, f"# {title}\n\n{body}\n" if not body.startswith("#") else f"{body}\n")


def _kebabs(tags: Sequence[str]) -> list[str]:
    kebabs = (_KEBAB.sub("-", tag.lower()).strip("-") for tag in tags)
    return list(dict.fromkeys(tag for tag in kebabs if tag))
