"""Gather without a model: the sentence around a cue is the statement, in the user's own words.

A correction replaces the sentence of an existing memory that it contradicts. Any other statement is appended to the memory
about the same things, or becomes a new one. Questions and announcements are left out. Of two statements of one dream that
contradict each other, the later one wins, and a correction wins over both.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.core.filing.belonging import Candidate, read_candidate
from shared.core.questions.question import Document, Question
from shared.core.sessions.cue_rules import CueKind
from shared.core.sessions.cues import Cue, find_cues, is_question, is_transient
from shared.core.sessions.daily_log import bare_entry
from shared.core.sessions.evidence import has_verb
from shared.core.sessions.evidence.weights import WEIGHTS
from shared.core.sessions.excerpts import SPEAKERS
from shared.core.sessions.languages import find_language
from shared.core.sessions.orders import is_memory_order
from shared.core.sessions.statement_text import statements_of
from shared.core.sessions.statements.leaning import find_whole, leans
from shared.core.text.words import cut
from shared.core.trust.people import name_speaker
from workers.offline.lines import ShownLine, read_lines
from workers.offline.phrases import blames, is_worth_keeping, state_plainly, title_statement
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.gather.entries import decide_entry, path_of_day
from workers.phases.gather.placement import ABOUT, IS_NOTED, find_around
from workers.phases.gather.targets import REPLACING, find_target, takes_back

#: Where two that are not of one kind go: neither folder would be right for both.
_COMMON_PLACE = "notes"
#: What only a person can say.
_USERS_OWN = frozenset({CueKind.CORRECTION, CueKind.PREFERENCE})
_CONFIDENCE = {"save": 0.9, "correction": 0.8, "preference": 0.75, "decision": 0.75}
_SHORTEST_STATEMENT_WORDS = 4
#: "Staging is pg-7." says enough: it tells which one.
_SHORTEST_NAMING_WORDS = 3
_NAMES_A_NUMBER = re.compile(r"\b(?:is|are|uses?|runs)\b.{0,40}\b[A-Za-z]+[-_.]?\d")
#: The most sentences of a memory and of a correction that are compared, and of one question's statements, the last ones: what
#: is beyond is taken for another statement, which is kept beside.
_MOST_QUOTES = 50
_MOST_STATED = 200


def keep_latest(stated: Sequence[GatheredMemory]) -> list[GatheredMemory]:
    """Return the statements, oldest first; one that contradicts an earlier one replaces it, under its own title."""
    kept: list[GatheredMemory] = []
    for one in stated:
        first = max(0, len(kept) - _MOST_STATED)
        number = next((n for n, other in enumerate(kept[first:], first) if _takes_place(one, other)), None)
        if number is None:
            kept.append(one)
            continue
        other = kept[number]
        place = {} if one.kind == other.kind else {"placement": _COMMON_PLACE}
        kept[number] = other.model_copy(update={"title": one.title} | place)
        kept.append(one.model_copy(update={"target": other.target, "replaces": other.statement} | place))
    return kept


def _takes_place(one: GatheredMemory, other: GatheredMemory) -> bool:
    if one.kind not in REPLACING or one.target is not None:
        return False
    return takes_back(one.kind, one.statement, other.statement)


def decide_gathering(question: Question) -> GatherAnswer:
    """Return one statement for each cue in the offered pieces; the later of two that contradict each other wins."""
    existing = [read_candidate(one.path, one.text) for one in question.documents if one.role == "existing"]
    pieces = [document for document in question.documents if document.role == "session"]
    found = []
    for piece in sorted(pieces, key=lambda one: one.at):
        if IS_NOTED in piece.facts:
            found += list(decide_noted(piece, existing))
            continue
        for line in read_lines(piece.text):
            if line.is_hit:
                found += list(_decide_line(piece, line, existing))
    return GatherAnswer(memories=tuple(keep_latest(found)))


def decide_noted(piece: Document, existing: Sequence[Candidate]) -> Iterator[GatheredMemory]:
    """Yield what a noted correction says: the sentence that takes one of a memory back, or its first one of substance.

    An agent said on purpose that something is wrong, so that no cue is needed. A memory that it names gets the correction
    also when no sentence of it is found to be the wrong one; a person then looks at it.
    """
    about = next((fact.removeprefix(ABOUT) for fact in piece.facts if fact.startswith(ABOUT)), "")
    [line, *_] = read_lines(piece.text)
    quotes = [quote for quote in statements_of(line.text) if not (is_question(quote) or is_memory_order(quote))]
    stated = [(quote, state_plainly(quote)) for quote in quotes[:_MOST_QUOTES]]
    telling = [one for one in stated if _stands_alone(one[1])] or (stated if about else [])
    if not telling or is_memory_order(line.text):
        return
    near = [one for one in existing if not about or one.path == about]
    found = [
        (quote, statement, *find_target("correction", statement, line.text, near, is_named=bool(about)))
        for quote, statement in telling
    ]
    quote, statement, target, replaces = next((one for one in found if one[3] is not None), found[0])
    yield GatheredMemory(
        kind="correction",
        window=piece.path,
        quote=quote,
        statement=statement,
        title=title_statement(statement),
        target=about or target,
        replaces=replaces,
        confidence=_CONFIDENCE["correction"],
    )


def _decide_line(piece: Document, line: ShownLine, existing: Sequence[Candidate]) -> Iterator[GatheredMemory]:
    if line.role not in SPEAKERS or (line.role == "log" and "MEMORY.md" in line.text):
        return  # that an agent wrote something into its memory is no knowledge: what it wrote stands there
    if line.role == "log":
        line = replace(line, text=bare_entry(line.text))
    stated: set[str] = set()
    for cue in find_cues(line.text, is_assistant=line.role == "assistant", is_log=line.role == "log"):
        made = _decide_cue(piece, line, cue, existing)
        if made is not None and made.statement not in stated:
            stated.add(made.statement)
            yield made
    if line.role == "log" and not stated:
        yield from _decide_entry(piece, line, existing)


def _decide_entry(piece: Document, line: ShownLine, existing: Sequence[Candidate]) -> Iterator[GatheredMemory]:
    """Yield what an entry of a log states: for the memory about the same things, or for the note of its day."""
    if not _stands_alone(state_plainly(line.text)):
        return
    target, _ = find_target("fact", line.text, line.text, existing)
    of_day = path_of_day(line.day)
    known = of_day if any(one.path == of_day for one in existing) else None
    made = decide_entry(piece, line, target or known)
    if made is not None:
        yield made


def _decide_cue(piece: Document, line: ShownLine, cue: Cue, existing: Sequence[Candidate]) -> GatheredMemory | None:
    quote, kind = _quote_of(line, cue), "fact" if line.role == "log" and cue.kind in _USERS_OWN else str(cue.kind)
    statement = state_plainly(quote)
    if cue.kind is CueKind.FORGET or _is_scrap(line, cue, statement):
        return None
    statement, quote = find_whole(statement, quote, line.text) or (statement, quote)
    if not _is_sentence(statement) or is_question(quote) or is_transient(quote) or is_memory_order(quote):
        return None
    named = name_speaker(statement, line.speaker)
    target, replaces = find_target(kind, named, _around(piece, line), existing)
    if (target is None and leans(statement)) or (replaces is None and not is_worth_keeping(kind, statement)):
        return None
    return GatheredMemory(
        kind=kind if kind in _CONFIDENCE else "fact",
        window=piece.path,
        quote=quote,
        statement=named,
        title=title_statement(statement),
        target=target,
        replaces=replaces,
        confidence=_CONFIDENCE.get(kind, 0.5),
    )


def _around(piece: Document, line: ShownLine) -> str:
    return find_around(line.role, line.text, [one.text for one in read_lines(piece.text)])


def _quote_of(line: ShownLine, cue: Cue) -> str:
    """Return the sentence of a cue; after a bare "No, that's wrong." the next one, which has the right statement."""
    quote = line.text[cue.start : cue.end].strip()
    if str(cue.kind) == "correction" and not _corrects(quote):
        rest = line.text[cue.end :].lstrip()
        following = next(iter(statements_of(rest)), "")
        if rest.startswith(following) and _corrects(following):
            return following
    return quote


def _corrects(quote: str) -> bool:
    statement = state_plainly(quote)
    return _stands_alone(statement) and not blames(statement)


def _is_scrap(line: ShownLine, cue: Cue, statement: str) -> bool:
    """Tell whether a sentence that no rule knows leans on the others of its message: it has no verb."""
    is_whole = cue.end - cue.start >= len(line.text.strip()) - 1
    language = find_language(statement)
    is_known = cue.rule not in WEIGHTS or is_whole
    return not (is_known or has_verb(statement, language.code))


def _stands_alone(statement: str) -> bool:
    """Tell whether a sentence says something to a reader who has not seen the session."""
    return _is_sentence(statement) and not leans(statement)


def _is_sentence(statement: str) -> bool:
    shortest = _SHORTEST_NAMING_WORDS if _NAMES_A_NUMBER.search(statement) else _SHORTEST_STATEMENT_WORDS
    words = statement.split() if find_language(statement).is_spaced else cut(statement)
    return len(words) >= shortest and not statement.endswith((":", "?"))
