"""Turn a model's inferences into operations: each needs enough evidence in the user's own words; security needs a person.

Evidence is the places where the user said it; each place counts once, however often it is quoted. An inferred
preference is tentative: a recall, a pin or an edit ratifies it, and an unratified one is archived after some time. A
preference that replaces others keeps their specifics; none is replaced by nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.core.dream.operations import Create, Operation, OperationKind, Plan, Retire, Skip
from shared.core.errors import BadInputError
from shared.core.learning.feedback import Feedback, FeedbackKind
from shared.core.learning.preferences import ANTI_PATTERNS, INFERRED, IS_SENSITIVE, is_inferred, merge_signals
from shared.core.memory.frontmatter import body_of, build_frontmatter
from shared.core.memory.model import Memory, MemoryState
from shared.core.memory.paths import check_memory_path, slug_of, stem_of
from shared.core.memory.provenance import FIELD, Source, read_sources, unite_sources
from shared.core.memory.writers import Rank, Said, Through, Writer
from shared.core.merging.confidence import confidence_of, needs_look
from shared.core.merging.specifics import find_missing_specifics
from shared.core.policy.policy import PreferencePolicy
from shared.core.sessions.excerpts import PEOPLE, Excerpt, find_quoted, find_unsaid
from shared.core.sessions.grounding import find_ungrounded
from shared.core.sessions.orders import is_memory_order
from shared.core.sessions.sentiment import Sentiment, decide_sentiment, needed_occurrences, sentiment_of
from shared.core.sessions.statement_text import knows_already
from shared.core.sessions.statements.leaning import leans
from shared.core.sessions.statements.plain_sentence import plain_sentence
from shared.core.text.similarity import significant_words
from workers.phases.infer_preferences import NAME
from workers.phases.infer_preferences.answer import InferAnswer, InferredMemory

_MAX_QUOTES = 100
_MAX_CONTENT_CHARS = 2_000
#: So many telling words beside what was filed of a correction are another statement.
_FEWEST_OF_REST = 4
_LEVELS = list(Sentiment)
_PERMISSION = "it touches security, credentials or finance, so a person has to allow it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One place of evidence. For words of a session, `kind` is None and `feedback_id` is empty."""

    session_id: str
    event_id: str
    at: datetime
    text: str
    kind: FeedbackKind | None = None
    feedback_id: str = ""
    rank: Rank = Rank.USER

    @property
    def writer(self) -> Writer:
        """Return who said it."""
        through, session = (Through.FEEDBACK, "") if self.feedback_id else (Through.SESSION, self.session_id)
        return Writer(self.rank, "", through, self.at.date().isoformat(), session)

    @property
    def source(self) -> Source:
        """Return the place as a source of a memory."""
        day = self.at.date().isoformat()
        return Source(session_id=self.session_id, event_id=self.event_id, day=day, quote=self.text)


def find_evidence(
    excerpts: Sequence[Excerpt], feedback: Sequence[Feedback], source_ids: Collection[str], quotes: Sequence[str]
) -> list[Evidence]:
    """Return the evidence for a statement: named feedback, and quotes of a person in a named piece of a session.

    Ids that were not offered are no evidence, nor are words of others and words that the person pasted.
    """
    said = [
        Evidence(
            session_id=one.id,
            event_id="feedback",
            at=one.occurred_at,
            text=one.text,
            kind=one.kind,
            feedback_id=one.id,
            rank=one.rank,
        )
        for one in feedback
        if one.id in source_ids
    ]
    named = [one for one in excerpts if one.path in source_ids]
    found: dict[tuple[str, str], Evidence] = {}
    for quote in quotes[:_MAX_QUOTES]:
        for excerpt in named:
            line = find_quoted(excerpt, quote)
            if line is not None and find_unsaid(line, quote) is None:
                place = (excerpt.session_id, line.event_id)
                made = Evidence(session_id=place[0], event_id=place[1], at=line.at, text=quote)
                found.setdefault(place, made)
    return [*said, *found.values()]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceView:
    """The facts for the rules: the offered documents, and the other live paths."""

    excerpts: tuple[Excerpt, ...]
    feedback: tuple[Feedback, ...]
    existing: tuple[Memory, ...]
    live_paths: frozenset[str]
    policy: PreferencePolicy
    now: datetime
    filed: tuple[Memory, ...] = ()  # other memories that may say it already
    proposed: tuple[str, ...] = ()  # the texts that wait for a review


@dataclass
class _Draft:
    operations: list[Operation] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    used: dict[str, None] = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)
    said: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)


def plan_preferences(view: PreferenceView, answer: InferAnswer) -> Plan:
    """Return one operation per preference or anti-pattern; each dropped one has a reason."""
    draft = _Draft(taken=set(view.live_paths))
    cap = view.policy.max_memories
    for item in answer.to_save[:cap]:
        made = _decide(draft, view, item)
        draft.operations.append(made) if isinstance(made, Operation) else draft.skips.append(made)
    draft.skips += [Skip(code="cap", detail=f"more than {cap} preferences")] * max(0, len(answer.to_save) - cap)
    offered = {memory.path for memory in view.existing}
    for path in dict.fromkeys(answer.to_delete):
        if path not in offered:
            draft.skips.append(Skip(code="not_offered", detail=f"{path[:200]!r} was not offered to the model"))
        elif path not in draft.replaced:
            draft.skips.append(Skip(code="deletion_without_replacement", detail=f"{path} would be gone for nothing"))
    return Plan(operations=tuple(draft.operations), skips=tuple(draft.skips), used=tuple(draft.used))


def _decide(draft: _Draft, view: PreferenceView, answered: InferredMemory) -> Operation | Skip:
    item = answered.model_copy(
        update={"content": plain_sentence(answered.content), "title": plain_sentence(answered.title)}
    )
    name = " ".join((item.title or item.content).split())[:80] or "a preference"
    is_anti_pattern = item.category.startswith(f"{ANTI_PATTERNS}/")
    unfit = _find_unfit(item, name, is_anti_pattern=is_anti_pattern)
    if unfit is not None:
        return unfit
    found = find_evidence(view.excerpts, view.feedback, item.source_ids, item.quotes)
    if is_anti_pattern:
        found = [one for one in found if one.kind is FeedbackKind.CORRECTION]
    if not found:
        return _why_unfounded(view, item, name)
    claimed = sentiment_of(item.sentiment)
    is_refined = any(memory.path in item.source_ids for memory in view.existing)
    need = 1 if is_anti_pattern or is_refined else needed_occurrences(claimed, view.policy)
    if len(found) < need:
        return Skip(code="too_few_occurrences", detail=f"{name}: said {len(found)} of {need} times ({claimed})")
    if _is_known(draft, view, item, found):
        draft.used |= dict.fromkeys(one.feedback_id for one in found if one.feedback_id)
        return Skip(code="known_already", detail=f"{name}: a memory says it already")
    return _write(draft, view, item, found)


def _why_unfounded(view: PreferenceView, item: InferredMemory, name: str) -> Skip:
    """Return why an item has no evidence: its quotes are no person's words, do not stand there, or nothing of it was offered."""
    named = [excerpt for excerpt in view.excerpts if excerpt.path in item.source_ids]
    found = ((find_quoted(one, quote), quote) for one in named for quote in item.quotes[:_MAX_QUOTES])
    unsaid = next((find_unsaid(line, quote) for line, quote in found if line is not None), None)
    if unsaid is not None:
        return Skip(code=unsaid, detail=f"{name}: words {unsaid.reason}")
    known = {e.path for e in view.excerpts} | {f.id for f in view.feedback} | {m.path for m in view.existing}
    code = "unfounded_quote" if known & set(item.source_ids) else "not_offered"
    return Skip(code=code, detail=f"{name}: no offered excerpt says that")


def _find_unfit(item: InferredMemory, name: str, *, is_anti_pattern: bool) -> Skip | None:
    """Return why an inference is no preference, whatever its evidence, or None."""
    if not item.content.strip() or len(item.content) > _MAX_CONTENT_CHARS:
        return Skip(code="incomplete_action", detail=f"{name}: needs a content of sane size")
    if not is_anti_pattern and not item.category.startswith("user-preferences"):
        return Skip(code="wrong_category", detail=f"{name}: {item.category[:100]!r} is not a category of this phase")
    if is_memory_order(item.content):
        return Skip(code="order", detail="an order about the memory is not a lasting wish")
    if not is_anti_pattern and leans(item.content):
        return Skip(code="no_subject", detail=f"{name}: it does not say what it is about")
    return None


def _is_known(draft: _Draft, view: PreferenceView, item: InferredMemory, found: Sequence[Evidence]) -> bool:
    """Tell whether a memory, a proposal or this answer says it already, or was made of some of its evidence."""
    memories = {one.path: one.content for one in (*view.filed, *view.existing) if one.path not in item.source_ids}
    known = [*memories.values(), *view.proposed, *draft.said]
    return any(knows_already(text, item.content) for text in known) or any(
        _is_made_of(one, source) for text in known for source in read_sources(text) for one in found
    )


def _is_made_of(one: Evidence, source: Source) -> bool:
    """Tell whether a memory's source is a piece of evidence; a noted correction may say more than was filed of it."""
    if (source.session_id, source.event_id) != (one.session_id, one.event_id):
        return False
    said, filed = (" ".join(text.split()).casefold() for text in (one.text, source.quote.rstrip("…")))
    rest = significant_words(said.replace(filed, " "), _FEWEST_OF_REST)
    return said in filed or (filed in said and (not one.feedback_id or len(rest) < _FEWEST_OF_REST))


def _write(draft: _Draft, view: PreferenceView, item: InferredMemory, found: list[Evidence]) -> Operation | Skip:
    title = " ".join((item.title or item.content).split())[:120].rstrip(" .")
    olds = [m for m in view.existing if m.path in item.source_ids and m.path not in draft.replaced]
    problem = _decide_replaceable(olds, item, title)
    if problem is not None:
        return problem
    path = _new_path(draft, item, title)
    if path is None:
        return Skip(code="unsafe_path", detail=f"{title}: {item.category[:100]!r} is not a place for it, or it is full")
    try:
        content = _render(item, found, title)
    except BadInputError as error:
        return Skip(code="uneditable_frontmatter", detail=f"{title}: {error}")
    latest = max(one.at for one in found)
    signals = merge_signals(sentiment_of(item.sentiment), len(found), latest, [m.signals for m in olds])
    retired = [
        Retire(memory_id=m.id, version=m.version, path=m.path, state=MemoryState.SUPERSEDED, superseded_by=path)
        for m in olds
    ]
    draft.taken.add(path)
    draft.said.append(item.content)
    draft.replaced |= {m.path for m in olds}
    draft.used |= dict.fromkeys(one.feedback_id for one in found if one.feedback_id)
    notes = _notes(item, found)
    return Operation(
        kind=OperationKind.INFER,
        phase=NAME,
        reason=_reason(item, found, notes),
        changes=(Create(path=path, content=content, signals=signals), *retired),
        confidence=confidence_of(item.confidence),
        needs_review=bool(notes) or needs_look(item.confidence, view.policy.review_below_confidence),
        propose_only=_PERMISSION if _needs_permission(item) else _find_unsaid(view, item, found),
        said=(Said(body_of(content), min((one.writer for one in found), key=lambda one: one.rank)),),
    )


def _find_unsaid(view: PreferenceView, item: InferredMemory, found: Sequence[Evidence]) -> str | None:
    """Return why a preference may not be what was said, or None: quotes that occur prove nothing of words that stand beside them."""
    said = [one.text for one in found]
    around = [
        line.own_words
        for one in view.excerpts
        if one.path in item.source_ids
        for line in one.lines
        if line.role in PEOPLE
    ]
    known = [body_of(one.content) for one in view.existing if one.path in item.source_ids]
    quoted, window = "\n".join(said), "\n".join([*said, *around, *known])
    return find_ungrounded(item.content, quoted, window, window)


def _decide_replaceable(olds: Sequence[Memory], item: InferredMemory, title: str) -> Skip | None:
    foreign = next((m.path for m in olds if not is_inferred(m.path, m.author)), None)
    if foreign is not None:
        return Skip(code="protected", detail=f"{title}: {foreign} was not inferred by a dream, so none replaces it")
    lost = find_missing_specifics(item.content, [body_of(m.content) for m in olds])
    if lost:
        return Skip(code="lost_specifics", detail=f"{title}: {', '.join(lost[:3])} would be lost")
    return None


def _new_path(draft: _Draft, item: InferredMemory, title: str) -> str | None:
    folder = INFERRED
    if item.category.startswith(f"{ANTI_PATTERNS}/"):
        folder = f"{ANTI_PATTERNS}/{slug_of(item.category.partition('/')[2])}"
    stem = f"{folder}/{stem_of(title)}"
    candidates = (f"{stem}.md", *(f"{stem}-{number}.md" for number in range(2, 10)))
    return next((check_memory_path(path) for path in candidates if path not in draft.taken), None)


def _needs_permission(item: InferredMemory) -> bool:
    flag = item.metadata.requires_user_permission if item.metadata else False
    words = f"{item.title} {item.content} {item.category} {' '.join(item.tags)}"
    return flag is True or str(flag).strip().lower() == "true" or IS_SENSITIVE.search(words) is not None


def _render(item: InferredMemory, found: Sequence[Evidence], title: str) -> str:
    is_anti_pattern = item.category.startswith(f"{ANTI_PATTERNS}/")
    tags = [slug_of(tag) for tag in item.tags if tag.strip()][:8]
    fields: dict[str, object] = {
        "title": title,
        "category": f"{ANTI_PATTERNS}/{slug_of(item.category.partition('/')[2])}" if is_anti_pattern else INFERRED,
        "tags": list(dict.fromkeys([*([] if is_anti_pattern else ["inferred"]), *tags])),
        "origin": "dream",
        "occurrences": len(found),
        **({} if is_anti_pattern else {"sentiment": sentiment_of(item.sentiment).value}),
        **({"requires_user_permission": True} if _needs_permission(item) else {}),
        FIELD: unite_sources((), [one.source for one in found]),
    }
    if not fields["tags"]:
        del fields["tags"]
    return build_frontmatter(fields, f"# {title}\n\n{item.content.strip()}\n")


def _notes(item: InferredMemory, found: Sequence[Evidence]) -> list[str]:
    if item.category.startswith(f"{ANTI_PATTERNS}/"):
        return []
    sounds = min((decide_sentiment(one.text) for one in found), key=_LEVELS.index)
    claimed = sentiment_of(item.sentiment)
    is_stronger = _LEVELS.index(claimed) < _LEVELS.index(sounds)
    return [f"taken for {claimed.label}, sounds {sounds.label}"] if is_stronger else []


def _reason(item: InferredMemory, found: Sequence[Evidence], notes: Sequence[str]) -> str:
    days = sorted({one.at.date().isoformat() for one in found})
    times = "once" if len(found) == 1 else f"{len(found)} times"
    is_correction = item.category.startswith(f"{ANTI_PATTERNS}/")
    how = f"Corrected {times}" if is_correction else f"Said {times}, {sentiment_of(item.sentiment).label}"
    note = f" — {'; '.join(notes)}" if notes else ""
    return f"{how}, on {', '.join(days[:5])}: {' '.join(item.content.split())[:200]}{note}"
