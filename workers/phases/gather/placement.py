"""Find the memory that statements of sessions belong to, new or existing, and make the one operation that writes them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from shared.core.dream.operations import Change, Create, Operation, OperationKind, Rewrite, Skip
from shared.core.errors import BadInputError, UneditableFrontmatterError
from shared.core.memory import importance as scoring
from shared.core.memory.expiry import FIELD as EXPIRES
from shared.core.memory.frontmatter import build_frontmatter, read_fields, set_fields, strings_of, with_body
from shared.core.memory.model import Author, Memory, Signals
from shared.core.memory.paths import stem_of
from shared.core.memory.provenance import FIELD, Source, read_sources, unite_sources
from shared.core.memory.writers import Rank, Said, Through, Writer
from shared.core.merging.confidence import find_doubt, needs_look
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.subject_words import list_stems
from shared.core.merging.times import find_subject_time, subject_fields, unite_subject_times
from shared.core.sessions.statement_text import (
    add_superseded,
    append_statement,
    close_gap,
    find_place,
    knows_already,
    supersede_statement,
)
from shared.core.sessions.statements.plain_sentence import plain_sentence
from shared.core.text.clip import clip
from shared.core.text.words import as_spaced
from shared.core.trust.people import find_own
from workers.phases.gather import NAME
from workers.phases.gather.answer import GatheredMemory

#: The event that a noted correction has in the provenance of memories.
NOTED = "feedback"
#: The facts of a piece that is a noted correction, and the memory that it names.
IS_NOTED, ABOUT = "noted correction at [1]", "about "
_MOST_TOLD = 3
#: Where a new memory goes when the model names no directory, by kind.
_PLACES = {"decision": "decisions", "preference": "preferences", "theme": "themes"}
_DEFAULT_PLACE = "notes"
#: What a user said on purpose matters more than what merely came up again. On importance 0..100.
_IMPORTANCE = {"correction": 70.0, "save": 70.0, "preference": 65.0, "decision": 60.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundedStatement:
    """A grounded statement: the item as the model gave it, its speaker, place and time."""

    item: GatheredMemory
    statement: str
    session_id: str
    event_id: str
    position: int
    at: datetime
    context: str  # what was shown of the session, with its days
    confidence: float | None
    doubt: str | None = None  # why a person has to decide whether it was said
    around: str = ""  # what was said around it, as far as it tells what the statement is about
    misplaced: str | None = None  # why it does not go where the answer wanted it
    about: str = ""  # the path of the memory that a noted correction names
    since: date | None = None  # the day from which on it says that it holds
    expires: date | None = None  # the last day on which it holds
    speaker: str = ""  # the name of the person who said it, where the session gives one
    rank: Rank = Rank.USER
    denied: str = ""  # which current sentences it would make untrue, for a person

    @property
    def is_noted(self) -> bool:
        """Tell whether it was noted as a correction, rather than said in a session."""
        return self.event_id == NOTED

    @property
    def source(self) -> Source:
        """Return the provenance that the memory will name."""
        day = self.at.date().isoformat()
        return Source(
            session_id=self.session_id, event_id=self.event_id, day=day, quote=self.item.quote, speaker=self.speaker
        )

    @property
    def said(self) -> Said:
        """Return what is written of it, and who said that."""
        through, session = (Through.FEEDBACK, "") if self.is_noted else (Through.SESSION, self.session_id)
        return Said(self.statement, Writer(self.rank, self.speaker, through, self.at.date().isoformat(), session))


@dataclass
class MemoryDraft:
    """A memory in the making. `propose_only` is set when a person has to decide."""

    path: str
    memory: Memory | None
    title: str
    body: str
    said: list[GroundedStatement] = field(default_factory=list)
    is_corrected: bool = False
    propose_only: str | None = None
    notes: list[str] = field(default_factory=list)  # what a person should look at
    remarks: list[str] = field(default_factory=list)  # notes for a reader that need no review
    #: What took the place of which words, so that a later correction of the same words replaces the earlier one.
    replaced: dict[str, str] = field(default_factory=dict)
    #: What it supersedes, as a person is told.
    superseded: list[str] = field(default_factory=list)
    #: RockBot's category of an episode, or empty.
    category: str = ""
    #: The later sessions that have said again what the memory says.
    revisits: set[str] = field(default_factory=set)


def find_title(item: GatheredMemory, statement: str) -> str:
    """Return the title of a new memory: the one that was given or, where that says nothing (`3`, `for`), the statement."""
    says_something = any(not word.isdigit() for word in list_stems(as_spaced(item.title)))
    given = item.title if says_something else statement
    return plain_sentence(" ".join(given.split()))[:120].rstrip(" .\u3002")


def list_homes(item: GatheredMemory, statement: str, category: str) -> tuple[str, ...]:
    """Return the paths that a new memory may have, in their order: after the first they have a number."""
    folder = category or (item.placement or _PLACES.get(item.kind, _DEFAULT_PLACE)).strip().rstrip("/")
    stem = f"{folder}/{stem_of(find_title(item, statement))}"
    return (f"{stem}.md", *(f"{stem}-{number}.md" for number in range(2, 10)))


def find_around(role: str, text: str, lines: Sequence[str]) -> str:
    """Return what tells a reader what an event is about: its neighbours, but entries of a log stand each for itself."""
    return text if role == "log" else "\n".join(lines)


def with_own_target(drafted: MemoryDraft, one: GroundedStatement) -> GroundedStatement:
    """Return a statement of a named person that replaces nothing which another one said of themselves."""
    if not one.speaker or not one.item.replaces:
        return one
    words = find_own(drafted.body, one.item.replaces, one.statement)
    return replace(one, item=one.item.model_copy(update={"replaces": words}))


def add_statement(drafted: MemoryDraft, one: GroundedStatement) -> Skip | None:
    """Put a statement into a memory's text; return why not, when it does not belong there."""
    if one.item.kind == "known" or knows_already(drafted.body, one.statement):
        if _is_revisit(drafted, one):
            drafted.revisits.add(one.session_id)
            drafted.said.append(one)
            return None
        if _supersede_beside(drafted, one):
            return None
        return Skip(code="known_already", detail=f"{drafted.path} says it already: {one.statement[:80]}")
    replaces = _follow(drafted, one.item.replaces or "")
    place = find_place(drafted.body, replaces) if replaces else None
    if place is None:
        drafted.body = append_statement(drafted.body, one.statement)
        drafted.notes += _find_notes(drafted, one)
        drafted.remarks += [told for told in (one.misplaced, one.denied) if told]
        if one.is_noted and drafted.memory is not None:
            drafted.propose_only = "no sentence of the file was found to be the wrong one, so both would stand in it"
    else:
        drafted.body = supersede_statement(drafted.body, place, one.statement, _until(one))
        drafted.replaced[_flat(replaces)] = one.statement
        _note_superseded(drafted, one, replaces)
    unfounded = find_missing_specifics(one.context, [one.item.statement])
    if unfounded:
        drafted.notes.append(f"not in the session: {', '.join(unfounded[:3])}")
    drafted.propose_only = drafted.propose_only or one.doubt
    drafted.said.append(one)
    return None


def _supersede_beside(drafted: MemoryDraft, one: GroundedStatement) -> bool:
    """Supersede the words that a statement replaces where the memory says the statement already; tell whether it did."""
    replaces = _follow(drafted, one.item.replaces or "")
    place = find_place(drafted.body, replaces) if replaces else None
    if place is None or knows_already(drafted.body[place.start : place.end], one.statement):
        return False
    old = " ".join(drafted.body[place.start : place.end].split())
    body = close_gap(drafted.body[: place.start] + drafted.body[place.end :], place.start)
    if not knows_already(body, one.statement):
        return False
    drafted.body = add_superseded(body, old, _until(one))
    _note_superseded(drafted, one, replaces)
    drafted.propose_only = drafted.propose_only or one.doubt
    drafted.said.append(one)
    return True


def _note_superseded(drafted: MemoryDraft, one: GroundedStatement, replaces: str) -> None:
    drafted.is_corrected = True
    drafted.superseded.append(f"supersedes “{clip(_flat(replaces))}” ({drafted.path})")
    memory = drafted.memory
    if memory is not None and memory.author is not Author.DREAM and memory.updated_at > one.at:
        drafted.propose_only = "the memory was written after the session said this"


def _until(one: GroundedStatement) -> str:
    """Return until when what a statement replaces held, and why no longer."""
    ending = "corrected by the user" if one.item.kind == "correction" else "changed since"
    return f"until {one.since or one.at.date()}, {ending}"


def find_replaced(drafted: MemoryDraft, one: GroundedStatement) -> str:
    """Return the words of a memory's text that a statement would replace, or nothing."""
    words = _follow(drafted, one.item.replaces or "")
    is_known = not words or knows_already(drafted.body, one.statement)
    return "" if is_known or find_place(drafted.body, words) is None else words


def _find_notes(drafted: MemoryDraft, one: GroundedStatement) -> list[str]:
    """Return what a person should know of a statement that was added rather than put in the place of another one."""
    if one.item.replaces:
        return ["what it replaces was not found in the file"]
    if one.is_noted and drafted.memory is not None:
        return ["a noted correction; no sentence of the file was found to be the wrong one"]
    return []


def _is_revisit(drafted: MemoryDraft, one: GroundedStatement) -> bool:
    """Tell whether a later session comes back to what an earlier one said: a sign that it lasts, once for each session.

    Which session was earlier is known of what was gathered. What a user wrote stays the user's.
    """
    if drafted.memory is None or drafted.memory.signals.by_person or drafted.said[len(drafted.revisits) :]:
        return False
    known = read_sources(drafted.memory.content)
    is_new = one.session_id not in drafted.revisits and all(source.session_id != one.session_id for source in known)
    return is_new and any(source.day <= one.source.day for source in known)


def _follow(drafted: MemoryDraft, replaces: str) -> str:
    """Return the words that stand now where these stood before this dream."""
    for _ in range(len(drafted.replaced)):
        replaces = drafted.replaced.get(_flat(replaces), replaces)
    return replaces


def _flat(words: str) -> str:
    return " ".join(words.split())


def make_operation(drafted: MemoryDraft, review_below: float, *, is_trusted: bool) -> Operation | Skip:
    """Return the operation that writes a memory with its new statements, or why it cannot be written.

    What a trusted model was not quite sure of is added and shown to a person: the rest of the memory does not wait for it.
    """
    try:
        change = _create(drafted) if drafted.memory is None else _rewrite(drafted, drafted.memory)
    except (BadInputError, UneditableFrontmatterError) as error:
        place = drafted.said[0].source.place
        return Skip(code="uneditable_frontmatter", detail=f"{drafted.path}: {error}", said_in=place)
    confidences = [one.confidence for one in drafted.said]
    lowest = None if None in confidences else min(c for c in confidences if c is not None)
    shown = drafted.said[-1 if drafted.is_corrected else 0]
    kinds = ", ".join(dict.fromkeys(one.item.kind for one in drafted.said))
    days = sorted({one.at.date().isoformat() for one in drafted.said})
    said = "Seen again in sessions" if len(drafted.revisits) == len(drafted.said) else _origin(drafted)
    told = [*drafted.superseded[:_MOST_TOLD], *drafted.notes, *drafted.remarks]
    note = f" — {'; '.join(dict.fromkeys(told))}" if told else ""
    return Operation(
        kind=OperationKind.CORRECT if drafted.is_corrected else OperationKind.GATHER,
        phase=NAME,
        reason=f"{said} of {', '.join(days[:5])} ({kinds}): {shown.statement[:200]}{note}",
        changes=(change,),
        confidence=lowest,
        needs_review=bool(drafted.notes) or drafted.is_corrected or needs_look(lowest, review_below),
        propose_only=drafted.propose_only or (None if is_trusted else find_doubt(lowest, review_below)),
        said=tuple(one.said for one in drafted.said),
    )


def _origin(drafted: MemoryDraft) -> str:
    found = {"noted corrections" if one.is_noted else "sessions" for one in drafted.said}
    return f"From {' and '.join(sorted(found, reverse=True))}"


def _create(drafted: MemoryDraft) -> Change:
    latest = max(one.at for one in drafted.said)
    fields: dict[str, object] = {
        "title": drafted.title,
        "createdAt": min(one.at for one in drafted.said).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "updatedAt": latest.strftime("%Y-%m-%dT%H:%M:%SZ"),
        **subject_fields(
            unite_subject_times(find_subject_time(one.item.statement, one.statement) for one in drafted.said)
        ),
        **({"category": drafted.category} if drafted.category else {}),
        **_last_day(drafted.said),
        FIELD: unite_sources((), [one.source for one in drafted.said]),
    }
    importance = max(_IMPORTANCE.get(one.item.kind, 50.0) for one in drafted.said)
    signals = Signals(importance=importance, last_seen_at=latest)
    signals = replace(signals, maturity=scoring.decide_maturity(signals.maturity, importance))
    return Create(path=drafted.path, content=build_frontmatter(fields, drafted.body), signals=signals)


def _last_day(said: Sequence[GroundedStatement]) -> dict[str, object]:
    """Return the field that ends a memory, where each of its statements ends: with the last of them."""
    days = [one.expires for one in said if one.expires is not None]
    return {EXPIRES: max(days).isoformat()} if len(days) == len(said) else {}


def _rewrite(drafted: MemoryDraft, memory: Memory) -> Change:
    known = strings_of(read_fields(memory.content).get(FIELD))
    text = with_body(memory.content, drafted.body)
    content = set_fields(text, {FIELD: unite_sources(known, [one.source for one in drafted.said])})
    seen = max(one.at for one in drafted.said)
    if memory.signals.last_seen_at is not None:
        seen = max(seen, memory.signals.last_seen_at)
    signals = memory.signals
    for _ in drafted.revisits or (None,):
        signals = scoring.updated(signals, seen)
    signals = replace(signals, last_seen_at=seen)
    return Rewrite(
        memory_id=memory.id, version=memory.version, path=memory.path, content=content, signals=signals,
        stays_dirty=True,
    )  # fmt: skip
