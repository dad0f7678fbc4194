"""Turn a model's findings in windows of sessions into operations: grounded in a quote, dated, merged into existing memories.

A statement must lie in an offered window, quote words that the user said there, and be no passing intent. A later statement
wins over an earlier one, and a correction over every older one; the replaced statement stays in the file as superseded. Each
memory gets at most one operation.

Statements that a user asked to keep, corrected or prefers are knowledge in every profile. Others may be episodes, with
RockBot's categories: the category follows from the kind of the statement and, for a fact, from its words, so that the same
statement always has the same one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

from shared.core.dates.since import find_since
from shared.core.dates.spoken import find_stamped
from shared.core.dates.stamps import names_zone
from shared.core.dates.until import find_last_day
from shared.core.dates.words import STOP
from shared.core.dream.operations import Operation, Plan, Skip
from shared.core.errors import BadInputError
from shared.core.filing.belonging import Candidate, find_misplaced, read_candidate, speaks_of_the_same
from shared.core.memory.expiry import read_expiry
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import ROOT_INDEX, Memory, MemoryKind, kind_of
from shared.core.memory.paths import check_memory_path
from shared.core.memory.provenance import Quoted, find_quoting, place_of
from shared.core.merging.confidence import LEAST_SURE, confidence_of, find_doubt
from shared.core.policy.policy import GatherPolicy
from shared.core.sessions.cues import is_model_instruction, is_question, is_transient
from shared.core.sessions.excerpts import Excerpt, ExcerptLine, Unsaid, find_quoted, find_unsaid
from shared.core.sessions.grounding import find_ungrounded
from shared.core.sessions.orders import is_memory_order
from shared.core.sessions.statement_text import knows_already
from shared.core.sessions.statements.leaning import find_whole, leans
from shared.core.sessions.statements.plain_sentence import plain_sentence
from shared.core.sessions.statements.same_statement import says_the_same
from shared.core.text.clip import clip
from shared.core.trust.people import name_speaker
from workers.phases.gather.answer import GatheredMemory
from workers.phases.gather.entries import is_of_day
from workers.phases.gather.episodes import find_episode
from workers.phases.gather.placement import (
    ABOUT,
    NOTED,
    GroundedStatement,
    MemoryDraft,
    add_statement,
    find_around,
    find_replaced,
    find_title,
    list_homes,
    make_operation,
    with_own_target,
)
from workers.phases.gather.spread import find_doubt_of_repeat, find_repeats
from workers.phases.gather.targets import find_contradicted

_FindDay = Callable[[str, datetime, str], date | None]
_MAX_STATEMENT_CHARS, _MOST_DENIED = 2_000, 3
_MOST_ROOT_LINES = 100  # they leave half of what hosts load to the index
#: What only a person can say: an assistant's own words are not a correction, wish or preference of the user.
_USERS_OWN = frozenset({"correction", "save", "preference"})
_PASTED_WORDS = "the user pasted or quoted these words"
#: A stamp that is further from the time of its message stands in what was pasted.
_PASTED = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class GatherView:
    """The facts that the rules decide by: the offered windows and memories, and which live paths exist beyond them."""

    excerpts: tuple[Excerpt, ...]
    existing: tuple[Memory, ...]
    live_paths: frozenset[str]
    policy: GatherPolicy
    resolve_dates: Callable[[str, datetime], str]  # text, said at → the text with absolute dates beside relative ones
    now: datetime
    time_zone: str = "UTC"  # of the speakers
    proposed: tuple[str, ...] = ()  # the texts that wait for a review
    quoted: Quoted = field(default_factory=dict)  # the texts that were made of the same events already
    holders: tuple[Memory, ...] = ()  # memories that were not offered and hold a statement of an offered one
    is_trusted: bool = False  # the model has passed its exam
    counts_wishes: bool = False  # a new preference is counted first, and becomes a memory when it was said often enough


def decide_grounded(view: GatherView, item: GatheredMemory) -> GroundedStatement | Skip:
    """Return a statement with its place in a session, or why it is not believed."""
    name = " ".join(item.statement.split())[:80] or "a statement"
    excerpt = next((one for one in view.excerpts if one.path == item.window), None)
    if excerpt is None:
        return Skip(code="not_offered", detail=f"{name}: the window {item.window[:100]!r} was not offered to the model")
    if not item.statement.strip() or len(item.statement) > _MAX_STATEMENT_CHARS:
        return Skip(code="incomplete_action", detail=f"{name}: needs a statement of sane size")
    line = find_quoted(excerpt, item.quote)
    if line is None:
        return Skip(code="unfounded_quote", detail=f"{name}: the quote does not stand in {excerpt.path}")
    if line.role == "log" and item.kind in {"correction", "preference"}:  # an agent's log states what the agent knows
        item = item.model_copy(update={"kind": "fact"})
    place, unsaid = place_of(excerpt.session_id, line.event_id), find_unsaid(line, item.quote)
    if unsaid is not None and not _may_say(line, item.kind, unsaid):
        return Skip(code=unsaid, detail=f"{name}: a {item.kind} {unsaid.reason}", said_in=place)
    if no_fact := _find_no_fact(item, name, is_noted=line.event_id == NOTED, is_trusted=view.is_trusted):
        return replace(no_fact, said_in=place)
    about = next((fact.removeprefix(ABOUT) for fact in excerpt.reasons if fact.startswith(ABOUT)), "")
    said_at = _find_said_at(line)
    item = item if about else _as_whole(item, line)
    plain = name_speaker(plain_sentence(" ".join(item.statement.split())), line.speaker)
    since, expires = _find_days(item, said_at, view.time_zone)
    return GroundedStatement(
        item=item,
        statement=plain if said_at is None else view.resolve_dates(plain, said_at),
        since=since,
        expires=expires,
        session_id=excerpt.session_id,
        event_id=line.event_id,
        position=line.position,
        at=line.at,
        speaker=line.speaker,
        rank=line.rank_of(unsaid),
        context=_tell_session(view, excerpt),
        around=find_around(line.role, line.text, [one.text for one in excerpt.lines]),
        about=about,
        confidence=confidence_of(item.confidence),
        doubt=_find_ungrounded(view, item, line, excerpt, unsaid),
    )


def _as_whole(item: GatheredMemory, line: ExcerptLine) -> GatheredMemory:
    whole = find_whole(item.statement, item.quote, line.own_words)
    return item if whole is None else item.model_copy(update={"statement": whole[0], "quote": whole[1]})


def _find_ungrounded(
    view: GatherView, item: GatheredMemory, line: ExcerptLine, excerpt: Excerpt, unsaid: Unsaid | None
) -> str | None:
    if unsaid is Unsaid.PASTED:
        return _PASTED_WORDS
    found = find_ungrounded(item.statement, item.quote, line.own_words, _tell(excerpt), is_trusted=view.is_trusted)
    if found is not None or not view.is_trusted:
        return found
    return find_doubt(item.confidence, view.policy.review_below_confidence if item.replaces else LEAST_SURE)


def _tell(excerpt: Excerpt) -> str:
    """Return the lines of an excerpt behind their days and years: a statement may say when it was said."""
    return "\n".join(
        f"{line.at.date().isoformat()} {line.at.year} {line.speaker} {line.text}" for line in excerpt.lines
    )


def _tell_session(view: GatherView, excerpt: Excerpt) -> str:
    """Return all that was shown of a session, the excerpt first: a name that fell earlier is not made up."""
    others = (one for one in view.excerpts if one.session_id == excerpt.session_id and one is not excerpt)
    return "\n".join(map(_tell, (excerpt, *others)))


def _may_say(line: ExcerptLine, kind: str, unsaid: Unsaid) -> bool:
    """Tell whether words that are not a person's own may state something: a fact in a paste is proposed, an agent's stands."""
    if line.role == "log" and kind == "save":  # what an agent wrote down to remember it
        return True
    return kind not in _USERS_OWN and (unsaid is Unsaid.PASTED or line.role in {"assistant", "log"})


def _find_said_at(line: ExcerptLine) -> datetime | None:
    """Return when a line was said, by its stamp, else by its time, or None where that is uncertain; entries of a log have local times."""
    stamp, at = find_stamped(line.text), line.at.replace(tzinfo=None)
    if stamp is not None:
        is_own = stamp.said_at is not None and abs(stamp.said_at - at) < _PASTED
        return stamp.said_at if is_own else None
    if line.role != "log":
        return line.at
    return None if names_zone(line.text) else at


def _find_days(item: GatheredMemory, said_at: datetime | None, zone: str) -> tuple[date | None, date | None]:
    """Return the day from which on a statement holds, and the last day of what a person asks to remember until then."""
    if said_at is None:
        return None, None
    expires = _find_day(find_last_day, item, said_at, zone) if item.kind == "save" else None
    return _find_day(find_since, item, said_at, zone), expires


def _find_day(find: _FindDay, item: GatheredMemory, said_at: datetime, zone: str) -> date | None:
    """Return the day from or until which a statement holds: the one that it names, or else its quote, if that is one sentence."""
    moment = said_at.astimezone(UTC) if said_at.tzinfo else said_at  # a database answers in its own zone
    is_sentence = STOP.search(item.quote.rstrip(" .!")) is None
    return find(item.statement, moment, zone) or (find(item.quote, moment, zone) if is_sentence else None)


def _find_no_fact(item: GatheredMemory, name: str, *, is_noted: bool, is_trusted: bool) -> Skip | None:
    """Return why words of the session are not knowledge, or None. Of a trusted model the statement counts, whatever it quotes."""
    if any(map(is_model_instruction, (item.quote, item.statement))) or is_memory_order(item.quote):
        return Skip(code="order", detail="an order to a reader of the session is not a fact")
    if (
        (is_question(item.quote) and not is_trusted)
        or is_question(item.statement)
        or item.statement.rstrip().endswith("?")
    ):
        return Skip(code="question", detail=f"{name}: a question is not a fact")
    if is_transient(item.statement if is_trusted else item.quote) and not is_noted:
        return Skip(code="transient", detail=f"{name}: an intent to do it is not a fact")
    return None


@dataclass
class _Draft:
    """The decisions so far."""

    places: Mapping[str, Candidate]  # the offered memories by path
    is_trusted: bool = False  # the model has passed its exam
    memories: dict[str, MemoryDraft] = field(default_factory=dict)
    skips: list[Skip] = field(default_factory=list)

    def skip(self, one: GroundedStatement, code: str, why: str) -> None:
        self.skips.append(Skip(code=code, detail=f"{one.statement[:80]}: {why}", said_in=one.source.place))


def plan_gathering(view: GatherView, found: Sequence[GatheredMemory]) -> Plan:
    """Return one operation for each memory that the statements change, and a skip with the reason for each dropped statement."""
    places = {memory.path: read_candidate(memory.path, memory.content) for memory in view.existing}
    draft = _Draft(places=places, is_trusted=view.is_trusted)
    cap = view.policy.max_memories
    grounded = [decide_grounded(view, item) for item in _surest(found, cap)]
    draft.skips += [skip for skip in grounded if isinstance(skip, Skip)]
    draft.skips += [Skip(code="cap", detail=f"more than {cap} statements")] * max(0, len(found) - cap)
    # What is certain comes first: it does not wait in a proposal for what is not.
    said = sorted(
        (one for one in grounded if isinstance(one, GroundedStatement)),
        key=lambda one: (bool(one.doubt), one.at, one.position),
    )
    for one in said:
        _place(draft, view, one)
    operations: list[Operation] = []
    for drafted in draft.memories.values():
        made = make_operation(drafted, view.policy.review_below_confidence, is_trusted=view.is_trusted)
        operations.append(made) if isinstance(made, Operation) else draft.skips.append(made)
    return Plan(operations=tuple(operations), skips=tuple(draft.skips))


def _surest(found: Sequence[GatheredMemory], cap: int) -> list[GatheredMemory]:
    """Return at most `cap` statements in their order, without those of which the model was least sure."""
    ranked = sorted(range(len(found)), key=lambda number: -(confidence_of(found[number].confidence) or 0.0))
    return [found[number] for number in sorted(ranked[:cap])]


def _place(draft: _Draft, view: GatherView, one: GroundedStatement) -> None:
    if known := None if one.is_noted else find_quoting(view.quoted, one.source):
        draft.skip(one, "known_already", f"{known} has it from the same words already")
        return
    one = _without_wrong_target(draft, _aim(draft, view, one))
    if one.item.target is None and one.item.kind == "known":
        draft.skip(one, "known_already", one.misplaced or "the model did not name the memory that says it")
        return
    if one.item.target is None and leans(one.item.statement):
        draft.skip(one, "no_subject", "it does not say what it is about")
        return
    drafted = _find_drafted(draft, view, one)
    if isinstance(drafted, Skip):
        draft.skips.append(replace(drafted, said_in=one.source.place))
        return
    if one.doubt and drafted.said and not drafted.propose_only:
        draft.skip(one, "doubtful", f"{one.doubt}, and what else {drafted.path} gets is certain")
        return
    one = with_own_target(drafted, one)
    body, words = drafted.body, find_replaced(drafted, one)
    problem = add_statement(drafted, one)
    if problem is not None:
        draft.skips.append(replace(problem, said_in=one.source.place))
        return
    draft.memories[drafted.path] = drafted
    if words and drafted.memory is not None:
        _correct_repeats(draft, view, one, drafted.memory, body, words)


def _correct_repeats(
    draft: _Draft, view: GatherView, one: GroundedStatement, first: Memory, body: str, words: str
) -> None:
    """Correct each other memory that holds the statement with the replaced words."""
    others = {memory.path: memory for memory in (*view.existing, *view.holders) if memory.path != first.path}
    drafts = {path: draft.memories.get(path) or _open(memory) for path, memory in others.items()}
    for path, held in find_repeats(body, words, [(path, drafted.body) for path, drafted in drafts.items()]):
        drafted, memory = drafts[path], others[path]
        item = one.item.model_copy(update={"target": path, "replaces": held})
        if add_statement(drafted, replace(one, item=item)) is None:
            drafted.propose_only = drafted.propose_only or find_doubt_of_repeat(first, memory, words)
            draft.memories[path] = drafted


def _aim(draft: _Draft, view: GatherView, one: GroundedStatement) -> GroundedStatement:
    """Aim a statement that waits for a person at the sentence that it makes untrue, if it names none: the person has to see that.

    It does so at no memory that gets something certain, which would wait with it.
    """
    unsure = find_doubt(one.confidence, view.policy.review_below_confidence)
    if one.item.replaces or unsure is None:
        return one
    ranked = sorted(view.existing, key=lambda memory: memory.path != one.item.target)
    found = find_contradicted(one.item.kind, one.statement, ranked)
    if not found:
        return one
    denied = (
        f"would make untrue {' and '.join(f'“{clip(sentence)}” ({path})' for path, sentence in found[:_MOST_DENIED])}"
    )
    one = replace(one, denied=denied, doubt=unsure if view.is_trusted else one.doubt)
    (path, sentence), *others = found
    is_one = all(says_the_same(sentence, other) for _, other in others)
    if not is_one or path in draft.memories:
        return one
    return replace(one, item=one.item.model_copy(update={"target": path, "replaces": sentence}))


def _without_wrong_target(draft: _Draft, one: GroundedStatement) -> GroundedStatement:
    """Return a statement without the memory that was named for it, where it does not belong there."""
    why_not = _why_not_there(draft, one.item.target or "", one)
    if why_not is None:
        return one
    return replace(one, misplaced=why_not, item=one.item.model_copy(update={"target": None, "replaces": None}))


def _why_not_there(draft: _Draft, path: str, one: GroundedStatement) -> str | None:
    """Return why a statement does not belong in an offered memory, or None."""
    place = draft.places.get(path)
    if place is None or one.about == path or is_of_day(path):
        return None
    ends = read_expiry(place.text)
    if ends != one.expires and not one.item.replaces:
        return f"{path} holds until {ends or 'it is changed'}, and this until {one.expires or 'it is changed'}"
    drafted = draft.memories.get(path)
    is_new = one.item.kind != "known" and not one.item.replaces
    if path == ROOT_INDEX and is_new and (drafted.body if drafted else place.text).count("\n") >= _MOST_ROOT_LINES:
        return f"{path} is long already, and an agent reads only its beginning"
    replaces = one.item.replaces if one.item.target == path else None
    if replaces and one.item.kind != "correction" and not speaks_of_the_same(one.statement, replaces):
        replaces = None
    others = list(draft.places.values())
    is_trusted = draft.is_trusted and one.item.target == path
    return find_misplaced(place, others, one.statement, one.around, replaces=replaces or "", is_trusted=is_trusted)


def _find_drafted(draft: _Draft, view: GatherView, one: GroundedStatement) -> MemoryDraft | Skip:
    target = one.item.target
    if target is not None:
        memory = next((memory for memory in view.existing if memory.path == target), None)
        if memory is None:
            return Skip(code="not_offered", detail=f"{target[:200]!r} was not offered to the model")
        return draft.memories.get(target) or _open(memory)
    return _find_twin(draft, view, one) or _draft_memory(draft, view, one)


def _draft_memory(draft: _Draft, view: GatherView, one: GroundedStatement) -> MemoryDraft | Skip:
    """Return the memory that a statement opens; the live one of its name, if it belongs there, is no other one."""
    if one.item.kind == "preference" and view.counts_wishes:
        return Skip(
            code="left_to_be_counted", detail=f"{one.statement[:80]}: it is first counted how often it was said"
        )
    episode = find_episode(one.item.kind, one.item.statement) if view.policy.episodes else None
    title = find_title(one.item, one.statement)
    homes = list_homes(one.item, one.statement, episode or "")
    for path in homes:
        try:
            check_memory_path(path)
        except BadInputError as error:
            return Skip(code="unsafe_path", detail=f"{title}: {error}")
        if kind_of(path) is not MemoryKind.TOPIC or path.startswith(("_", ".", "logs")):
            return Skip(code="unsafe_path", detail=f"{title}: {path[:200]!r} is not a place for knowledge")
        drafted = draft.memories.get(path)
        if drafted is None and path not in view.live_paths:
            return MemoryDraft(path=path, memory=None, title=title, body=f"# {title}\n", category=episode or "")
        if drafted is not None and drafted.memory is None and drafted.title.casefold() == title.casefold():
            return drafted
        named = replace(one, item=one.item.model_copy(update={"target": path}))
        if path in draft.places and _why_not_there(draft, path, named) is None:
            return drafted or _open(next(memory for memory in view.existing if memory.path == path))
    return Skip(code="name_taken", detail=f"{title}: {homes[0]} and its neighbours exist already")


def _find_twin(draft: _Draft, view: GatherView, one: GroundedStatement) -> MemoryDraft | Skip | None:
    """Return the memory that says the same, drafted or offered: a second file would be a duplicate.

    What pages of one template say in the same words is known, whichever of them it was said about.
    """
    for drafted in draft.memories.values():
        if any(says_the_same(other.statement, one.statement) for other in drafted.said):
            return drafted
    known = [memory for memory in view.existing if knows_already(memory.content, one.statement)]
    for memory in known:
        if _why_not_there(draft, memory.path, one) is None:
            return draft.memories.get(memory.path) or _open(memory)
    if known:
        return Skip(code="known_already", detail=f"{known[0].path} says it already: {one.statement[:80]}")
    is_waiting = any(knows_already(text, one.statement) for text in view.proposed)
    return Skip(code="proposed_already", detail=f"it waits for a review: {one.statement[:80]}") if is_waiting else None


def _open(memory: Memory) -> MemoryDraft:
    """Return a draft that begins with the text of a memory."""
    return MemoryDraft(path=memory.path, memory=memory, title=memory.path, body=body_of(memory.content))
