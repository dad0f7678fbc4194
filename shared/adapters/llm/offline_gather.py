"""Gather without a model: the sentence around a cue is the statement, in the user's own words.

A correction replaces the sentence of an existing memory that it contradicts; everything else is appended to the memory
that is about the same things, or becomes a new one. What asks, or is about to be done, is left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shared.adapters.llm.offline_claims import REPLACING, SAME_CLAIM, is_one_claim, let_later_win
from shared.adapters.llm.offline_phrases import is_worth_keeping, state_plainly, title_statement
from shared.core.answers import GatherAnswer, GatheredMemory
from shared.core.cues import Cue, find_cues, is_question, is_transient
from shared.core.frontmatter import title_of
from shared.core.gather_text import find_place, statements_of
from shared.core.opposites import decide_opposites
from shared.core.question import Document, Question
from shared.core.similarity import decide_near_duplicate, significant_words
from shared.core.texts import body_of

_CONFIDENCE = {"save": 0.9, "correction": 0.8, "preference": 0.75, "decision": 0.75, "theme": 0.6}
_HEAD = re.compile(r"^\[(\d+)\](\*?) (\w+) (\S+): ", re.MULTILINE)
_SHORTEST_STATEMENT_WORDS = 4
#: "Let's remove this too": without the session nobody knows what.
_POINTING = re.compile(r"\b(?:this|that|it|these|those|both|them)\b", re.IGNORECASE)
_FEWEST_TELLING = 3
_STATEMENT_WORDS = 40
#: A memory is about the same things when one sentence of it has this part of the statement's telling words ...
_SAME_SENTENCE = 0.5
#: ... or the whole of it has this part, and its title names one of them. Long texts hold some of any words.
_SAME_SUBJECT = 0.6
_FEWEST_SHARED = 3


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One event of an excerpt, read back from its text."""

    is_hit: bool
    role: str
    text: str


def decide_gathering(question: Question) -> GatherAnswer:
    """Return one statement for each cue in the offered pieces; the later of two that contradict each other wins."""
    existing = [document for document in question.documents if document.role == "existing"]
    pieces = [document for document in question.documents if document.role == "session"]
    found = []
    for piece in sorted(pieces, key=lambda one: one.at):
        for line in read_lines(piece.text):
            if line.is_hit:
                found += list(_decide_line(piece, line, existing))
    return GatherAnswer(memories=tuple(let_later_win(found)))


def read_lines(text: str) -> Iterator[ShownLine]:
    """Yield the events of a rendered excerpt."""
    heads = list(_HEAD.finditer(text))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        end = following.start() if following else len(text)
        words = text[head.end() : end].rstrip("\n").replace("\n  ", "\n")
        yield ShownLine(is_hit=bool(head[2]), role=head[3], text=words)


def _decide_line(piece: Document, line: ShownLine, existing: Sequence[Document]) -> Iterator[GatheredMemory]:
    theme = next((fact for fact in piece.facts if fact.startswith("theme")), "")
    cues = find_cues(line.text, is_assistant=line.role == "assistant")
    stated: set[str] = set()
    for cue in cues:
        made = _decide_cue(piece, line, cue, existing)
        if made is not None and made.statement not in stated:
            stated.add(made.statement)
            yield made
    term = theme.partition('"')[2].partition('"')[0]
    if not cues and term:
        yield from _decide_theme(piece, line, term)


def _decide_cue(piece: Document, line: ShownLine, cue: Cue, existing: Sequence[Document]) -> GatheredMemory | None:
    quote, kind = _quote_of(line, cue), str(cue.kind)
    statement = state_plainly(quote)
    if not _stands_alone(statement) or is_question(quote) or is_transient(quote):
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
    if len(statement.split()) < _SHORTEST_STATEMENT_WORDS or statement.endswith((":", "?")):
        return False
    telling = significant_words(statement, _STATEMENT_WORDS)
    return _POINTING.search(statement) is None or len(telling) >= _FEWEST_TELLING


def _decide_theme(piece: Document, line: ShownLine, term: str) -> Iterator[GatheredMemory]:
    """Yield the sentence in which a recurring term stands, for the memory of that theme."""
    for sentence in statements_of(line.text):
        is_fact = not (is_question(sentence) or is_transient(sentence))
        is_fact = is_fact and is_worth_keeping("theme", sentence)
        if term.lower() in sentence.lower() and is_fact and _stands_alone(sentence):
            yield GatheredMemory(
                kind="theme",
                window=piece.path,
                quote=sentence,
                statement=sentence,
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
        sentences = statements_of(body)
        for sentence in sentences if kind in REPLACING else ():
            alike = decide_near_duplicate(sentence, statement)
            is_claim = alike >= SAME_CLAIM and is_one_claim(sentence, statement)
            is_claim = is_claim and decide_opposites(sentence, statement) is not None
            if is_claim and find_place(body, sentence) is not None:
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
