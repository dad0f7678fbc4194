"""Infer preferences without a model: count sentences of users with the same wish; corrections become anti-patterns."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.core.learning.preferences import ANTI_PATTERNS, INFERRED
from shared.core.policy.policy import PreferencePolicy
from shared.core.questions.question import Document, Question
from shared.core.sessions.cue_rules import CueKind
from shared.core.sessions.cues import find_cues, is_question, is_transient
from shared.core.sessions.excerpts import PEOPLE
from shared.core.sessions.sentiment import Sentiment, decide_sentiment, needed_occurrences
from shared.core.sessions.statements.same_statement import says_the_same
from shared.core.text.similarity import significant_words
from workers.offline.lines import read_lines
from workers.offline.phrases import state_plainly, title_statement
from workers.phases.infer_preferences.answer import InferAnswer, InferredMemory

_FEWEST_WORDS = 2
_NUMBERS = PreferencePolicy()
_LEVELS = list(Sentiment)
_WISHES = frozenset({CueKind.PREFERENCE, CueKind.CORRECTION})


@dataclass
class _RepeatedWish:
    statement: str
    sentiment: Sentiment
    quotes: list[str] = field(default_factory=list)
    sources: dict[str, None] = field(default_factory=dict)


def decide_preferences(question: Question) -> InferAnswer:
    """Return the wishes that recurred often enough, and one anti-pattern for each correction in the feedback."""
    wishes: list[_RepeatedWish] = []
    for piece in (document for document in question.documents if document.role == "session"):
        for line in read_lines(piece.text):
            if line.is_hit and line.role in PEOPLE:
                _add_line(wishes, piece, line.text)
    saved = [_preference(wish) for wish in wishes if len(wish.quotes) >= needed_occurrences(wish.sentiment, _NUMBERS)]
    told = [document for document in question.documents if document.role == "feedback"]
    return InferAnswer(to_save=(*saved, *_anti_patterns(told)))


def _add_line(wishes: list[_RepeatedWish], piece: Document, text: str) -> None:
    """Add each wish of one event; a wish that the event says twice counts once."""
    seen: list[_RepeatedWish] = []
    for cue in find_cues(text):
        quote = text[cue.start : cue.end].strip()
        if cue.kind not in _WISHES or is_question(quote) or is_transient(quote):
            continue
        statement = state_plainly(quote)
        if len(significant_words(statement, 10)) < _FEWEST_WORDS:
            continue
        wish = next((one for one in wishes if says_the_same(one.statement, statement)), None)
        if wish is None:
            wish = _RepeatedWish(statement=statement, sentiment=Sentiment.CASUAL)
            wishes.append(wish)
        if wish in seen:
            continue
        seen.append(wish)
        wish.sentiment = min(wish.sentiment, decide_sentiment(quote), key=_LEVELS.index)
        wish.quotes.append(quote)
        wish.sources[piece.path] = None


def _preference(wish: _RepeatedWish) -> InferredMemory:
    return InferredMemory(
        content=wish.statement,
        title=title_statement(wish.statement),
        category=INFERRED,
        source_ids=tuple(wish.sources),
        quotes=tuple(wish.quotes),
        sentiment=wish.sentiment.value,
        confidence=0.75,
    )


def _anti_patterns(told: Sequence[Document]) -> list[InferredMemory]:
    found = []
    for document in told:
        statement = state_plainly(" ".join(document.text.split())[:1_000])
        if "correction" not in document.facts or len(significant_words(statement, 10)) < _FEWEST_WORDS:
            continue
        about = next((fact.removeprefix("about ") for fact in document.facts if fact.startswith("about ")), "general")
        found.append(
            InferredMemory(
                content=statement,
                title=title_statement(statement),
                category=f"{ANTI_PATTERNS}/{_domain_of(about)}",
                source_ids=(document.path,),
                confidence=0.8,
            )
        )
    return found


def _domain_of(about: str) -> str:
    """Return the domain of a correction; for a correction of a memory it is the memory's name."""
    if about.startswith("mem_"):
        return "general"
    return about.removesuffix(".md").rpartition("/")[2] if about.endswith(".md") else about
