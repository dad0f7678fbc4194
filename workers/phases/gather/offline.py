"""Gather without a model: the sentence around a cue is the statement, in the user's own words.

A correction replaces the sentence of an existing memory that it contradicts. Any other statement is appended to the memory
about the same things, or becomes a new one. Questions and announcements are left out. Of two statements of one dream that
contradict each other, the later one wins, and a correction wins over both.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.core.memory.frontmatter import body_of, title_of
from shared.core.merging.opposites import decide_opposites
from shared.core.questions.question import Document, Question
from shared.core.sessions.cues import Cue, find_cues, find_own_words, is_question, is_transient
from shared.core.sessions.daily_log import bare_entry
from shared.core.sessions.languages import find_language
from shared.core.sessions.orders import is_memory_order
from shared.core.sessions.statement_text import find_place, has_other_value, statements_of
from shared.core.text.similarity import decide_near_duplicate, significant_words
from shared.core.text.words import cut
from workers.offline.lines import ShownLine, read_lines
from workers.offline.phrases import is_worth_keeping, state_plainly, title_statement
from workers.phases.gather.answer import GatherAnswer, GatheredMemory
from workers.phases.gather.entries import decide_confidence, decide_entry, path_of_day

#: The facts of a piece that is a noted correction, and the memory that it names.
IS_NOTED, ABOUT = "noted correction at [1]", "about "
#: What a user takes back or decides replaces what a memory says; a taste or a theme stands beside it.
REPLACING = frozenset({"correction", "decision", "save"})
#: A sentence that the statement contradicts is this much like it.
SAME_CLAIM = 0.45
#: Where two that are not of one kind go: neither folder would be right for both.
_COMMON_PLACE = "notes"
#: These say how firmly or since when, not what.
_FIRMLY = frozenset(
    {"always", "never", "ever", "really", "actually", "currently", "today", "anymore", "longer", "still"}
)
_WORDS = 40
_CONFIDENCE = {"save": 0.9, "correction": 0.8, "preference": 0.75, "decision": 0.75, "theme": 0.6}
_SHORTEST_STATEMENT_WORDS = 4
#: "Staging is pg-7." says enough: it tells which one.
_SHORTEST_NAMING_WORDS = 3
_NAMES_A_NUMBER = re.compile(r"\b(?:is|are|uses?|runs)\b.{0,40}\b[A-Za-z]+[-_.]?\d")
#: "Let's remove this too": without the session it is unclear what is meant.
_POINTING = re.compile(r"\b(?:this|that|it|these|those|both|them)\b", re.IGNORECASE)
_FEWEST_TELLING = 3
_STATEMENT_WORDS = 40
#: A memory is about the same things when one sentence of it has this part of the statement's telling words ...
_SAME_SENTENCE = 0.5
#: ... or the whole of it has this part, and its title names one of them. Long texts hold some of any words.
_SAME_SUBJECT = 0.6
_FEWEST_SHARED = 3
#: Of a memory and of a correction so many sentences are compared, and of what one question states the last ones: what
#: is beyond is taken for another statement, which is kept beside.
_MOST_SENTENCES = 200
_MOST_SENTENCE_CHARS = 2_000  # what has no end for longer is no statement that a correction could take back
_MOST_QUOTES = 50
_MOST_STATED = 200


def let_later_win(stated: Sequence[GatheredMemory]) -> list[GatheredMemory]:
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
    return _takes_back(one.kind, one.statement, other.statement)


def _takes_back(kind: str, statement: str, earlier: str) -> bool:
    """Tell whether a statement makes an earlier one untrue. A correction also does so by naming another value."""
    if kind == "correction" and has_other_value(earlier, statement):
        return True
    is_alike = decide_near_duplicate(earlier, statement) >= SAME_CLAIM and is_one_claim(earlier, statement)
    return is_alike and decide_opposites(earlier, statement) is not None


def is_one_claim(one: str, other: str) -> bool:
    """Tell whether two statements with different numbers are about one thing: staging's port is not production's."""
    left, right = _told(one), _told(other)
    only_left, only_right = left - right, right - left
    if not (any(map(_is_number, only_left)) and any(map(_is_number, only_right))):
        return True
    return all(map(_is_number, only_left)) or all(map(_is_number, only_right))


def _is_number(word: str) -> bool:
    return any(character.isdigit() for character in word)


def _told(statement: str) -> set[str]:
    numbers = {word.strip(".,;:!") for word in statement.lower().split() if _is_number(word)}
    return (set(significant_words(statement, _WORDS)) | numbers) - _FIRMLY


def decide_gathering(question: Question) -> GatherAnswer:
    """Return one statement for each cue in the offered pieces; the later of two that contradict each other wins."""
    existing = [document for document in question.documents if document.role == "existing"]
    pieces = [document for document in question.documents if document.role == "session"]
    found = []
    for piece in sorted(pieces, key=lambda one: one.at):
        if IS_NOTED in piece.facts:
            found += list(decide_noted(piece, existing))
            continue
        for line in read_lines(piece.text):
            if line.is_hit:
                found += list(_decide_line(piece, line, existing))
    return GatherAnswer(memories=tuple(let_later_win(found)))


def decide_noted(piece: Document, existing: Sequence[Document]) -> Iterator[GatheredMemory]:
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
    near = [document for document in existing if not about or document.path == about]
    found = [(quote, statement, *_find_target("correction", statement, near)) for quote, statement in telling]
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


def _decide_line(piece: Document, line: ShownLine, existing: Sequence[Document]) -> Iterator[GatheredMemory]:
    theme = next((fact for fact in piece.facts if fact.startswith("theme")), "")
    if line.role == "log":
        line = replace(line, text=bare_entry(line.text))
    cues = find_cues(line.text, is_assistant=line.role == "assistant")
    stated: set[str] = set()
    for cue in cues:
        made = _decide_cue(piece, line, cue, existing)
        if made is not None and made.statement not in stated:
            stated.add(made.statement)
            yield made
    term = theme.partition('"')[2].partition('"')[0]
    if line.role == "log" and not stated:
        yield from _decide_entry(piece, line, existing)
    elif not cues and term:
        yield from _decide_theme(piece, line, term)


def _decide_entry(piece: Document, line: ShownLine, existing: Sequence[Document]) -> Iterator[GatheredMemory]:
    """Yield what an entry of a log states: for the memory about the same things, or for the note of its day."""
    if not _stands_alone(state_plainly(line.text)):
        return
    target, _ = _find_target("fact", line.text, existing)
    of_day = path_of_day(line.day)
    known = of_day if any(document.path == of_day for document in existing) else None
    made = decide_entry(piece, line, target or known)
    if made is not None:
        yield made


def _decide_cue(piece: Document, line: ShownLine, cue: Cue, existing: Sequence[Document]) -> GatheredMemory | None:
    quote, kind = _quote_of(line, cue), str(cue.kind)
    statement = state_plainly(quote)
    if not _stands_alone(statement) or is_question(quote) or is_transient(quote) or is_memory_order(quote):
        return None
    target, replaces = _find_target(kind, statement, existing)
    if replaces is None and not is_worth_keeping(kind, statement):
        return None
    return GatheredMemory(
        kind=kind if kind in _CONFIDENCE else "fact",
        window=piece.path,
        quote=quote,
        statement=statement,
        title=title_statement(statement),
        target=target,
        replaces=replaces,
        confidence=_CONFIDENCE.get(kind, 0.5),
    )


def _quote_of(line: ShownLine, cue: Cue) -> str:
    """Return the sentence of a cue; behind a bare "No, that's wrong." the next one, which says what is right."""
    quote = line.text[cue.start : cue.end].strip()
    if str(cue.kind) == "correction" and not _stands_alone(state_plainly(quote)):
        rest = line.text[cue.end :].lstrip()
        following = next(iter(statements_of(rest)), "")
        if rest.startswith(following) and _stands_alone(state_plainly(following)):
            return following
    return quote


def _stands_alone(statement: str) -> bool:
    """Tell whether a sentence says something to a reader who has not seen the session."""
    shortest = _SHORTEST_NAMING_WORDS if _NAMES_A_NUMBER.search(statement) else _SHORTEST_STATEMENT_WORDS
    words = statement.split() if find_language(statement).is_spaced else cut(statement)
    if len(words) < shortest or statement.endswith((":", "?")):
        return False
    telling = significant_words(statement, _STATEMENT_WORDS)
    return _POINTING.search(statement) is None or len(telling) >= _FEWEST_TELLING


def _decide_theme(piece: Document, line: ShownLine, term: str) -> Iterator[GatheredMemory]:
    """Yield the sentence in which a recurring term stands, for the memory of that theme; never one that was pasted."""
    own = find_own_words(line.text)
    for sentence in statements_of(line.text):
        start = line.text.find(sentence)
        if term.lower() not in sentence.lower() or not own[start : start + len(sentence)].strip():
            continue
        statement = state_plainly(sentence)
        if is_worth_keeping("theme", statement) and decide_confidence(statement) and _stands_alone(statement):
            yield GatheredMemory(
                kind="theme",
                window=piece.path,
                quote=sentence,
                statement=statement,
                title=term,
                confidence=_CONFIDENCE["theme"],
            )
            return


def _find_target(kind: str, statement: str, existing: Sequence[Document]) -> tuple[str | None, str | None]:
    """Return the memory that a statement belongs into, and the sentence of it that it contradicts."""
    words = set(significant_words(statement, _STATEMENT_WORDS))
    best, best_share = None, 0.0
    for document in existing:
        body = body_of(document.text)
        sentences = [one for one in statements_of(body)[:_MOST_SENTENCES] if len(one) <= _MOST_SENTENCE_CHARS]
        for sentence in sentences if kind in REPLACING else ():
            if _takes_back(kind, statement, sentence) and find_place(body, sentence) is not None:
                return document.path, sentence
        share = _share_of_subject(words, document, body, sentences)
        if share > best_share:
            best, best_share = document.path, share
    return best, None


def _share_of_subject(words: set[str], document: Document, body: str, sentences: Sequence[str]) -> float:
    """Return which part of a statement's words a memory has when it is about the same things, else 0."""
    shared = words & set(significant_words(body, 2_000))
    if len(shared) < _FEWEST_SHARED:
        return 0.0
    closest = max((len(words & set(significant_words(one, _STATEMENT_WORDS))) for one in sentences), default=0)
    if closest >= max(_FEWEST_SHARED, _SAME_SENTENCE * len(words)):
        return closest / len(words)
    share = len(shared) / len(words)
    named = words & set(significant_words(title_of(document.path, document.text), _STATEMENT_WORDS))
    return share if named and share >= _SAME_SUBJECT else 0.0
