"""Find the memory that statements of sessions belong to, new or existing, and make the one operation that writes them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from shared.core.dream.operations import Change, Create, Operation, OperationKind, Rewrite, Skip
from shared.core.errors import BadInputError, UneditableFrontmatterError
from shared.core.memory import importance as scoring
from shared.core.memory.doc_type import CORRECTION
from shared.core.memory.frontmatter import build_frontmatter, read_fields, set_fields, strings_of, with_body
from shared.core.memory.model import Author, Memory, Signals
from shared.core.memory.provenance import FIELD, Source, read_sources, unite_sources
from shared.core.merging.confidence import find_doubt, needs_look
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.times import find_subject_time, subject_fields, unite_subject_times
from shared.core.sessions.statement_text import append_statement, find_place, knows_already, supersede_statement
from workers.phases.gather import NAME
from workers.phases.gather.answer import GatheredMemory

#: The event that a noted correction has in the provenance of memories.
NOTED = "feedback"
#: The facts of a piece that is a noted correction, and the memory that it names.
IS_NOTED, ABOUT = "noted correction at [1]", "about "
#: What a user said on purpose matters more than what merely came up again. On importance 0..100.
_IMPORTANCE = {"correction": 70.0, "save": 70.0, "preference": 65.0, "decision": 60.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A grounded statement: the item as the model gave it, its speaker, place and time."""

    item: GatheredMemory
    statement: str
    session_id: str
    event_id: str
    position: int
    at: datetime
    context: str  # the text of the window, with its days
    confidence: float | None
    doubt: str | None = None  # why a person has to decide whether it was said
    around: str = ""  # what was said around it, as far as it tells what the statement is about
    misplaced: str | None = None  # why it does not go where the answer wanted it
    about: str = ""  # the path of the memory that a noted correction names

    @property
    def is_noted(self) -> bool:
        """Tell whether it was noted as a correction, rather than said in a session."""
        return self.event_id == NOTED

    @property
    def source(self) -> Source:
        """Return the provenance that the memory will name."""
        day = self.at.date().isoformat()
        return Source(session_id=self.session_id, event_id=self.event_id, day=day, quote=self.item.quote)


@dataclass
class Home:
    """A memory in the making. `propose_only` is set when a person has to decide."""

    path: str
    memory: Memory | None
    title: str
    body: str
    said: list[Said] = field(default_factory=list)
    is_corrected: bool = False
    propose_only: str | None = None
    notes: list[str] = field(default_factory=list)  # what a person should look at
    remarks: list[str] = field(default_factory=list)  # notes for a reader that need no review
    #: What took the place of which words, so that a later correction of the same words replaces the earlier one.
    replaced: dict[str, str] = field(default_factory=dict)
    #: Words of the memory as they stand in `body`, with absolute dates.
    date: Callable[[str], str] = str
    #: RockBot's category of an episode, or empty.
    category: str = ""
    #: The later sessions that have said again what the memory says.
    revisits: set[str] = field(default_factory=set)


def find_around(role: str, text: str, lines: Sequence[str]) -> str:
    """Return what tells a reader what an event is about: its neighbours, but entries of a log stand each for itself."""
    return text if role == "log" else "\n".join(lines)


def add_to_home(home: Home, one: Said) -> Skip | None:
    """Put a statement into a memory's text; return why not, when it does not belong there."""
    if knows_already(home.body, one.statement):
        if _is_revisit(home, one):
            home.revisits.add(one.session_id)
            home.said.append(one)
            return None
        return Skip(code="known_already", detail=f"{home.path} says it already: {one.statement[:80]}")
    replaces = _follow(home, one.item.replaces or "")
    place = (find_place(home.body, replaces) or find_place(home.body, home.date(replaces))) if replaces else None
    if place is None:
        home.body = append_statement(home.body, one.statement)
        home.notes += _find_notes(home, one)
        home.remarks += [one.misplaced] if one.misplaced else []
    else:
        note = f"until {one.at.date().isoformat()}, {_ending(one)}"
        home.body = supersede_statement(home.body, place, one.statement, note)
        home.is_corrected = True
        home.replaced[_flat(replaces)] = one.statement
        if home.memory is not None and _is_newer(home.memory, one):
            home.propose_only = "the memory was written after the session said this"
    unfounded = find_missing_specifics(one.context, [one.item.statement])
    if unfounded:
        home.notes.append(f"not in the session: {', '.join(unfounded[:3])}")
    home.propose_only = home.propose_only or one.doubt
    home.said.append(one)
    return None


def _find_notes(home: Home, one: Said) -> list[str]:
    """Return what a person should know of a statement that was added rather than put in the place of another one."""
    if one.item.replaces:
        return ["what it replaces was not found in the file"]
    if one.is_noted and home.memory is not None:
        return ["a noted correction; no sentence of the file was found to be the wrong one"]
    return []


def _is_revisit(home: Home, one: Said) -> bool:
    """Tell whether a later session comes back to what an earlier one said: a sign that it lasts, once for each session.

    Which session was earlier is known of what was gathered. What a user wrote stays the user's.
    """
    if home.memory is None or home.memory.author is Author.USER or home.said[len(home.revisits) :]:
        return False
    known = read_sources(home.memory.content)
    is_new = one.session_id not in home.revisits and all(source.session_id != one.session_id for source in known)
    return is_new and any(source.day <= one.source.day for source in known)


def _follow(home: Home, replaces: str) -> str:
    """Return the words that stand now where these stood before this dream."""
    for _ in range(len(home.replaced)):
        replaces = home.replaced.get(_flat(replaces), replaces)
    return replaces


def _flat(words: str) -> str:
    return " ".join(words.split())


def _ending(one: Said) -> str:
    return "corrected by the user" if one.item.kind == "correction" else "changed since"


def _is_newer(memory: Memory, one: Said) -> bool:
    return memory.author is not Author.DREAM and memory.updated_at > one.at


def make_operation(home: Home, review_below: float) -> Operation | Skip:
    """Return the operation that writes a memory with its new statements, or why it cannot be written."""
    try:
        change = _create(home) if home.memory is None else _rewrite(home, home.memory)
    except (BadInputError, UneditableFrontmatterError) as error:
        place = home.said[0].source.place
        return Skip(code="uneditable_frontmatter", detail=f"{home.path}: {error}", said_in=place)
    confidences = [one.confidence for one in home.said]
    lowest = None if None in confidences else min(c for c in confidences if c is not None)
    shown = home.said[-1 if home.is_corrected else 0]
    kinds = ", ".join(dict.fromkeys(one.item.kind for one in home.said))
    days = sorted({one.at.date().isoformat() for one in home.said})
    said = "Seen again in sessions" if len(home.revisits) == len(home.said) else _origin(home)
    told = [*home.notes, *home.remarks]
    note = f" — {'; '.join(dict.fromkeys(told))}" if told else ""
    return Operation(
        kind=OperationKind.CORRECT if home.is_corrected else OperationKind.GATHER,
        phase=NAME,
        reason=f"{said} of {', '.join(days[:5])} ({kinds}): {shown.statement[:200]}{note}",
        changes=(change,),
        confidence=lowest,
        needs_review=bool(home.notes) or home.is_corrected or needs_look(lowest, review_below),
        propose_only=home.propose_only or find_doubt(lowest, review_below),
    )


def _origin(home: Home) -> str:
    found = {one.is_noted for one in home.said}
    return (
        "From sessions and noted corrections"
        if len(found) > 1
        else f"From {'noted corrections' if True in found else 'sessions'}"
    )


def _create(home: Home) -> Change:
    latest = max(one.at for one in home.said)
    fields: dict[str, object] = {
        "title": home.title,
        "createdAt": min(one.at for one in home.said).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "updatedAt": latest.strftime("%Y-%m-%dT%H:%M:%SZ"),
        **subject_fields(
            unite_subject_times(find_subject_time(one.item.statement, one.statement) for one in home.said)
        ),
        **({"category": home.category} if home.category else {}),
        **_correction_tag(home),
        FIELD: unite_sources((), [one.source for one in home.said]),
    }
    importance = max(_IMPORTANCE.get(one.item.kind, 50.0) for one in home.said)
    signals = Signals(importance=importance, last_seen_at=latest)
    signals = replace(signals, maturity=scoring.decide_maturity(signals.maturity, importance))
    return Create(path=home.path, content=build_frontmatter(fields, home.body), signals=signals)


def _correction_tag(home: Home) -> dict[str, object]:
    """Return the tag by which a memory wins over what it contradicts, if nothing but corrections went into it."""
    return {"tags": [CORRECTION]} if all(one.item.kind == CORRECTION for one in home.said) else {}


def _rewrite(home: Home, memory: Memory) -> Change:
    known = strings_of(read_fields(memory.content).get(FIELD))
    text = with_body(memory.content, home.body)
    content = set_fields(text, {FIELD: unite_sources(known, [one.source for one in home.said])})
    seen = max(one.at for one in home.said)
    if memory.signals.last_seen_at is not None:
        seen = max(seen, memory.signals.last_seen_at)
    signals = memory.signals
    for _ in home.revisits or (None,):
        signals = scoring.updated(signals, seen)
    signals = replace(signals, last_seen_at=seen)
    return Rewrite(
        memory_id=memory.id, version=memory.version, path=memory.path, content=content, signals=signals,
        stays_dirty=True,
    )  # fmt: skip
