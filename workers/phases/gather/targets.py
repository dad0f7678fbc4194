"""Find the memory that a statement belongs in, and the sentence of it that the statement makes untrue, without a model."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from shared.core.filing.belonging import Candidate, are_apart, find_misplaced, speaks_of_the_same
from shared.core.memory.frontmatter import body_of, title_of
from shared.core.memory.model import Memory
from shared.core.merging.opposites import reason_opposed
from shared.core.sessions.statement_text import find_place, has_other_value, statements_of
from shared.core.text.similarity import significant_words, similarity
from shared.core.trust.people import are_of_two_people
from shared.languages.language_file import every_word, pattern_of

#: What a user takes back or decides replaces what a memory says; a taste or a theme stands beside it.
REPLACING = frozenset({"correction", "decision", "save"})
#: A sentence that the statement contradicts is this much like it.
SAME_CLAIM = 0.45
#: These say how firmly or since when, not what.
_FIRMLY = every_word("firmly")
_WORDS = 40
_STATEMENT_WORDS = 40
#: A memory is about the same things when one sentence of it has this part of the statement's telling words ...
_SAME_SENTENCE = 0.5
#: ... or the whole of it has this part, and its title names one of them. Long texts hold some of any words.
_SAME_SUBJECT = 0.6
_FEWEST_SHARED = 3
#: The most sentences of a memory that are compared.
_MOST_SENTENCES = 200
_MOST_SENTENCE_CHARS = 2_000  # a longer run of text without an end is not a statement to take back


def takes_back(kind: str, statement: str, earlier: str) -> bool:
    """Tell whether a statement makes an earlier one untrue. A correction also does so by naming another value."""
    if are_of_two_people(statement, earlier):
        return False
    if kind == "correction" and has_other_value(earlier, statement):
        return True
    is_alike = similarity(earlier, statement) >= SAME_CLAIM and is_one_claim(earlier, statement)
    return is_alike and reason_opposed(earlier, statement) is not None


def find_contradicted(kind: str, statement: str, memories: Iterable[Memory]) -> list[tuple[str, str]]:
    """Return the current sentences that a statement makes untrue, each behind the path of its memory."""
    bodies = [(memory.path, body_of(memory.content)) for memory in memories]
    return [(path, sentence) for path, body in bodies for sentence in _find_untrue(kind, statement, body)]


def _find_untrue(kind: str, statement: str, body: str) -> Iterator[str]:
    """Yield the sentences of a body that a statement makes untrue."""
    for sentence in _sentences_of(body):
        if takes_back(kind, statement, sentence) and find_place(body, sentence) is not None:
            yield sentence


def _sentences_of(body: str) -> list[str]:
    return [one for one in statements_of(body)[:_MOST_SENTENCES] if len(one) <= _MOST_SENTENCE_CHARS]


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


#: What a correction denies: "it is A, not B", "not B but A", in the languages with cues.
_B = r"((?:\S+ ){0,2}?\S+?)"
_NOTS, _ANDS, _BUTS = (pattern_of(kind).pattern for kind in ("nots", "ands", "buts"))
_DENIED = re.compile(
    rf"[,;] (?:{_ANDS} )?{_NOTS} {_B}[.!]?$|{_NOTS} {_B},? {_BUTS} |"
    r"[\uff0c,\u3001]? ?(?:\u800c)?\u4e0d\u662f ?([^\uff0c,\u3002\uff01\u800c]{1,20})|([^\s\u3001\u3002\u306f\u304c]{1,20}) ?\u3067\u306f\u306a\u304f",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[;\uff1b]\s*|(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offer:
    """A memory that may be about the same things as a statement, and its sentence that the statement makes untrue."""

    place: Candidate
    share: float
    replaces: str | None = None


def find_target(
    kind: str, statement: str, around: str, existing: Sequence[Candidate], *, is_named: bool = False
) -> tuple[str | None, str | None]:
    """Return the memory that a statement belongs in, and the sentence of it that it contradicts.

    Args:
        kind: what kind of statement it is.
        statement: the statement.
        around: what was said around it, itself included.
        existing: the memories to choose from.
        is_named: the speaker named the one memory that is offered.
    """
    words = set(significant_words(statement, _STATEMENT_WORDS))
    offers = [_look_at(place, kind, statement, words) for place in existing]
    ranked = sorted((one for one in offers if one.share), key=lambda one: (one.replaces is None, -one.share))

    def fits(offer: _Offer) -> bool:
        replaces = offer.replaces or ""
        if kind != "correction" and not speaks_of_the_same(statement, replaces):
            replaces = ""
        return is_named or find_misplaced(offer.place, existing, statement, around, replaces=replaces) is None

    best = next((offer for offer in ranked if fits(offer)), None)
    if best is None and ranked:  # a page beside it that follows the same template may be the one that was named
        beside = (one for one in offers if not one.share and are_apart(ranked[0].place, one.place))
        best = next((offer for offer in beside if fits(offer)), None)
    return (best.place.path, best.replaces) if best else (None, None)


def find_denied(body: str, statement: str) -> str | None:
    """Return the clause of a body that has what a statement denies, such as `PostgreSQL` of "it is MySQL, not PostgreSQL".

    An empty text says that the denied words stand in several clauses, so that it is unsure which of them is wrong. None says that they
    stand in none, or in one with a word that the statement lacks.
    """
    found = _DENIED.search(statement)
    denied = next((part.strip(" .!\u3002\"'`") for part in found.groups() if part), "") if found else ""
    place = re.compile(rf"(?<!\w){re.escape(denied)}(?!\w)", re.IGNORECASE)
    clauses = [part for one in statements_of(body) for part in _CLAUSE_END.split(one) if denied and place.search(part)]
    if len(clauses) != 1:
        return "" if clauses else None
    clause = clauses[0].strip().rstrip(".")
    told = set(significant_words(statement.replace(denied, " "), _WORDS))
    held = {word for word in significant_words(place.sub(" ", clause), _WORDS) if not _is_number(word)}
    return clause if held and held < told and find_place(body, clause) is not None else None


def _look_at(place: Candidate, kind: str, statement: str, words: set[str]) -> _Offer:
    body = body_of(place.text)
    denied = find_denied(body, statement) if kind == "correction" else None
    if denied:
        return _Offer(place=place, share=1.0, replaces=denied)
    if kind in REPLACING and denied is None and (untrue := next(_find_untrue(kind, statement, body), None)):
        return _Offer(place=place, share=1.0, replaces=untrue)
    return _Offer(place=place, share=_share_of_subject(words, place, body))


def _share_of_subject(words: set[str], place: Candidate, body: str) -> float:
    """Return which part of a statement's words a memory has when it is about the same things, else 0."""
    shared = words & set(significant_words(body, 2_000))
    if len(shared) < _FEWEST_SHARED:
        return 0.0
    closest = max(
        (len(words & set(significant_words(one, _STATEMENT_WORDS))) for one in _sentences_of(body)), default=0
    )
    if closest >= max(_FEWEST_SHARED, _SAME_SENTENCE * len(words)):
        return closest / len(words)
    share = len(shared) / len(words)
    named = words & set(significant_words(title_of(place.path, place.text), _STATEMENT_WORDS))
    return share if named and share >= _SAME_SUBJECT else 0.0
