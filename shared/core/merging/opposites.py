"""Find texts that contradict each other: they agree except for a negation, a number, a version or a date.

Fuzzy scores miss this: four of five contradictions of the SICK data set score 85 and more. So every sentence is compared
with the most similar one of the other text, and a pair that differs in a word that turns its meaning around (a negation, an
opposition, an alternative, a number) is not merged without a person.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from shared.core.memory.yaml_read import split_frontmatter
from shared.core.text.clip import clip
from shared.core.text.markdown import CLAUSE_END
from shared.core.text.remember import remember_last
from shared.core.text.same_values import may_be_one_time, place_on_dial
from shared.core.text.tokens import Token, find_tokens, list_numbers, spread_ranges, tidy
from shared.core.text.wording import wording_of
from shared.languages.function_words import ARTICLES, NEGATIONS
from shared.languages.language_file import every_word, read_readings

#: Two of these make a text Portuguese, in which `no` is `in the`.
_PORTUGUESE = every_word("denies_nothing_among")
#: Where something runs, and when: one in place of another is another fact, however alike the sentences are.
_ALTERNATIVES = tuple(frozenset(row) for one in read_readings() for row in one.alternatives)
#: The side of each opposition on which a word stands: a word form counts for its side.
_SIDES: dict[str, list[tuple[int, int]]] = {}
for _number, _rows in enumerate(rows for one in read_readings() for rows in one.opposites):
    for _side, _words in enumerate(_rows):
        for _word in _words:
            _SIDES.setdefault(_word, []).append((_number, _side))


#: Sentences below this token-set score speak of different things.
SIMILAR_SCORE = 80
#: A sentence that shares fewer words than this with another one says too little to contradict it.
_MIN_SHARED_WORDS = 2
#: Texts with more sentences, or a longer one, are compared as wholes: the cost stays bounded, the verdict strict.
MAX_SENTENCES = 60
MAX_SENTENCE_CHARS = 2_000

#: A number and its unit, which are compared as one word.
_UNIT = re.compile(r"^(\d[\d.,]*)([^\W\d]{2,})$")
#: Units are compared in the singular, and told in the plural.
_SEVERAL = re.compile(r"^((?!1 )\S+ (?:second|minute|hour|day|week|month|year))$")
_MARKUP = re.compile(r"[*`#>|]+|^[^\S\n]*+(?:[-+]|\d{1,3}[.)])\s++", re.MULTILINE)
_CURRENCIES = "$\u20ac\xa3"
_UNIT_SIGNS = "abcdefghijklmnopqrstuvwxyz%"
#: A sentence of fewer words may be a heading, in which any word may have a capital.
_MIN_WORDS_OF_NAMES = 5

#: What begins a sentence and names nothing: one of these for another is no other statement.
_NAMELESS = ARTICLES | NEGATIONS | every_word("begins")

#: A negation with the word before it and the two after it.
_Context = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence: how it reads, what is compared, and what can turn its meaning around."""

    text: str
    plain: str
    wording: str  # equal for sentences that surely say the same
    words: frozenset[str]
    numbers: frozenset[str]
    negations: frozenset[_Context]
    sides: frozenset[tuple[int, int]]
    order: tuple[str, ...]  # its words as they stand
    names: frozenset[str]  # those with a capital letter that no sentence's beginning explains
    is_row: bool  # of a table


def reason_opposed(left: str, right: str, *, strict: bool = False) -> str | None:
    """Return the sentence that says why two texts must not be merged automatically, or None when they may.

    Frontmatter is left out: its dates differ anyway. Sentences that both texts hold, and sentences that only one of
    them has, are not a conflict.

    Args:
        left: one text.
        right: the other one.
        strict: leave out what is a conflict in one language and none in another: the same words with names in another order
            may say the same where a phrase moved, as German and Spanish let it.
    """
    if left == right:
        return None
    ours, theirs = _sentences_of(_body_of(left)), _sentences_of(_body_of(right))
    shared = {sentence.wording for sentence in ours} & {sentence.wording for sentence in theirs}
    first = [sentence for sentence in ours if sentence.wording not in shared]
    second = [sentence for sentence in theirs if sentence.wording not in shared]
    if not first or not second:
        return None
    if max(len(first), len(second)) > MAX_SENTENCES or any(
        len(one.plain) > MAX_SENTENCE_CHARS for one in (*first, *second)
    ):
        return _compare_wholes(first, second)
    moved = _find_moved_negations(first, second)
    return _find_conflict(first, second, moved, strict=strict) or _find_conflict(second, first, moved, strict=strict)


def _body_of(text: str) -> str:
    front = split_frontmatter(text)
    return front.body if front.raw and front.is_valid else text


def _find_conflict(
    sentences: Sequence[_Sentence], others: Sequence[_Sentence], moved: frozenset[_Context], *, strict: bool
) -> str | None:
    """Return what the first sentence with a conflict and the one most like it differ in."""
    choices = [other.plain for other in others]
    for sentence in sentences:
        best = process.extractOne(sentence.plain, choices, scorer=fuzz.token_set_ratio, score_cutoff=SIMILAR_SCORE)
        if best is None:
            continue
        other = others[best[2]]
        if _count_shared(sentence, other) >= _MIN_SHARED_WORDS or _is_same_row(sentence, other):
            difference = _find_difference(sentence, other, moved, strict=strict)
            if difference:
                return f'"{clip(sentence.text)}" and "{clip(other.text)}" {difference}.'
    return None


def _count_shared(one: _Sentence, other: _Sentence) -> int:
    """Return how many words two sentences share; a unit that both count in is one: `Refund: 412 euros`, `Refund: 377 euros`."""
    units = [
        {_unit_of(number) for number in found.numbers - rest.numbers} for found, rest in ((one, other), (other, one))
    ]
    return len(one.words & other.words) + bool((units[0] & units[1]) - {""})


def _is_same_row(one: _Sentence, other: _Sentence) -> bool:
    """Tell whether two rows of a table differ in their numbers alone: few words, and all of them the same."""
    return one.is_row and other.is_row and one.words - one.numbers == other.words - other.numbers != frozenset()


def _find_difference(one: _Sentence, other: _Sentence, moved: frozenset[_Context], *, strict: bool) -> str | None:
    if bool(one.negations - moved) != bool(other.negations - moved):
        return "differ in a negation"
    difference = _find_other_numbers(one.numbers, other.numbers)
    if difference:
        return difference
    if any((number, 1 - side) in other.sides - one.sides for number, side in one.sides - other.sides):
        return "say opposite things"
    return _find_other_words(one, other, strict=strict)


def _find_other_words(one: _Sentence, other: _Sentence, *, strict: bool) -> str | None:
    """Tell whether two sentences differ in who or where alone: in one name, or in the order of the same words."""
    if len(one.order) != len(other.order):
        return None
    pairs = [(ours, theirs) for ours, theirs in zip(one.order, other.order, strict=True) if ours != theirs]
    if sorted(one.order) == sorted(other.order):
        names = one.names & other.names
        first, second = ([word for word in found.order if word in names] for found in (one, other))
        # `Bob pays Ann` for `Ann pays Bob`: names changed places, and all else stands where it stood.
        are_swapped = all({ours, theirs} <= names for ours, theirs in pairs)
        return "name the same names in another order" if first != second and (are_swapped or not strict) else None
    if len(pairs) != 1:
        return None
    mine, its = pairs[0]
    are_names = mine in one.names and its in other.names
    if are_names or any({mine, its} <= words for words in _ALTERNATIVES):
        return f"differ in one word: {mine} against {its}"
    return None


def _compare_wholes(first: Sequence[_Sentence], second: Sequence[_Sentence]) -> str | None:
    if sum(len(one.negations) for one in first) != sum(len(other.negations) for other in second):
        only = _find_only_denial(first, second) or _find_only_denial(second, first)
        return (
            f'Only one of the two long texts says: "{only.rstrip(".")}".'
            if only
            else "One of the two long texts denies more."
        )
    ours, theirs = (frozenset(number for one in texts for number in one.numbers) for texts in (first, second))
    difference = _find_other_numbers(ours, theirs)
    return f"The texts are long and {difference}." if difference else None


def _find_only_denial(sentences: Sequence[_Sentence], others: Sequence[_Sentence]) -> str:
    """Return the first sentence with a negation that the other text has nowhere, as it is quoted."""
    known = frozenset(context for one in others for context in one.negations)
    return next((clip(one.text) for one in sentences if one.negations - known), "")


def _find_other_numbers(ours: frozenset[str], theirs: frozenset[str]) -> str | None:
    """Tell whether each side has a number that the other lacks; `8` and `8%` may be the same one, `8-12` and `8 to 12` are."""
    ours, theirs = spread_ranges(ours), spread_ranges(theirs)
    only_ours, only_theirs = _without_twins(ours - theirs, theirs), _without_twins(theirs - ours, ours)
    if not (only_ours and only_theirs):
        return None
    return f"differ in a number, version or date: {_some(only_ours)} against {_some(only_theirs)}"


def _without_twins(numbers: frozenset[str], others: frozenset[str]) -> set[str]:
    """Leave out a number with a unit that the others hold without, the other way round, and a time that may be theirs."""
    bare = {_bare(other) for other in others}
    rest = {number for number in numbers if number not in bare and _bare(number) not in others}
    times: dict[tuple[int, str], list[str]] = {}
    for other in others:
        if (place := place_on_dial(other)) is not None:
            times.setdefault(place, []).append(other)
    return {
        number
        for number in rest
        if (place := place_on_dial(number)) is None
        or not any(may_be_one_time(number, other) for other in times.get(place, ()))
    }


def _find_moved_negations(first: Sequence[_Sentence], second: Sequence[_Sentence]) -> frozenset[_Context]:
    """Find negations that both texts hold in the same words, wherever each of them ends its sentences."""
    ours, theirs = ([context for one in texts for context in one.negations] for texts in (first, second))
    return frozenset(ours) & frozenset(theirs) if len(ours) == len(theirs) else frozenset()


@remember_last
def _sentences_of(text: str) -> tuple[_Sentence, ...]:
    tidied = tidy(text)
    rows = {_MARKUP.sub(" ", line).strip() for line in tidied.split("\n") if line.lstrip().startswith("|")}
    parts = [part for part in map(str.strip, CLAUSE_END.split(_MARKUP.sub(" ", tidied))) if part]
    cut = [find_tokens(part) for part in parts]
    stream = ["", *(token.text for tokens in cut for token in tokens), "", ""]
    sentences, position = [], 1
    is_no_denial = len(_PORTUGUESE.intersection(stream)) > 1
    for part, tokens in zip(parts, cut, strict=True):
        words = [token.text for token in tokens]
        denying = [
            index for index, token in enumerate(tokens, start=position) if _denies(token, is_first=index == position)
        ]
        found = [index for index in denying if not (is_no_denial and stream[index] == "no")]
        contexts = frozenset((stream[at - 1], stream[at], stream[at + 1], stream[at + 2]) for at in found)
        sentences.append(_read(part, tokens, words, contexts, is_row=part in rows))
        position += len(words)
    return tuple(sentences)


def _denies(token: Token, *, is_first: bool) -> bool:
    is_typeface = token.raw == "Sans" and not is_first  # `Open Sans`
    return not is_typeface and (token.text in NEGATIONS or token.text.endswith("n't"))


def _read(
    text: str, tokens: list[Token], words: list[str], negations: frozenset[_Context], *, is_row: bool
) -> _Sentence:
    small = sum(token.raw[:1].islower() for token in tokens)
    has_names = len(words) >= _MIN_WORDS_OF_NAMES and small * 2 >= len(words)
    return _Sentence(
        text=text,
        plain=" ".join(words),
        wording=wording_of(text),
        words=frozenset(words),
        numbers=list_numbers(tokens),
        negations=negations,
        sides=frozenset(side for word in words if word in _SIDES for side in _SIDES[word]),
        order=tuple(words),
        names=frozenset(
            token.text for token in tokens if has_names and token.raw[:1].isupper() and token.text not in _NAMELESS
        ),
        is_row=is_row,
    )


def _bare(number: str) -> str:
    return number.lstrip(_CURRENCIES).rstrip(_UNIT_SIGNS)


def _unit_of(number: str) -> str:
    return number[len(number.rstrip(_UNIT_SIGNS)) :]


def _some(numbers: set[str]) -> str:
    return ", ".join(_SEVERAL.sub(r"\1s", _UNIT.sub(r"\1 \2", number)) for number in sorted(numbers)[:3])
