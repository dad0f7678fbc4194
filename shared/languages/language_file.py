"""The languages that are known, one TOML file each; docs/add-a-language.md says what each key is for.

A file is checked when it is read, which is when a text first is in its language or dates are first looked for: an unknown key, a missing one and a value of another
type are refused with the file's name and the key.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

_FOLDER = Path(__file__).parent
#: What stands above this table is all that is read of a language until a text is in it.
_FIRST_TABLE = "\n[sentences]"
_INDENTATION = re.compile(r"^ +|\n *")
_INVISIBLE = re.compile(r" (?=\n)")
#: The same in each language, since each has one weight in `shared/core/sessions/evidence/weights.toml`.
_GROUPS = frozenset({
    "memo", "lasting", "calendar", "must", "objects", "with you", "own", "mine", "me", "for me", "people", "systems", "states", "contrast",
    "denies", "you did", "lesson", "settles", "tastes", "order", "task", "the one", "now", "trouble", "doubt", "said", "thanks", "story",
    "intent", "chat", "points", "fiction",
})  # fmt: skip
_Model = TypeVar("_Model", bound=BaseModel)


def _join(value: object) -> object:
    """Return a pattern as one text, whether it stands in several lines or as a list of alternatives."""
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "|".join(str(_join(one)) for one in value)
    if not isinstance(value, str):
        return value
    if _INVISIBLE.search(value):
        raise ValueError("a line ends with a blank, which is easily lost; break the line elsewhere")
    return _INDENTATION.sub("", value)


def _group(value: object) -> object:
    return f"(?:{_join(value)})" if isinstance(value, list) else _join(value)


def _split(value: object) -> object:
    return frozenset(value.split()) if isinstance(value, str) else value


def _split_rows(value: object) -> object:
    return tuple(tuple(row.split()) for row in value.split("|")) if isinstance(value, str) else value


def _check_twelve(names: Sequence[str]) -> Sequence[str]:
    if len(names) not in {0, 12}:
        raise ValueError(f"a year has twelve months; these are {len(names)}")
    return names


def _compile(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is no pattern: {error}") from None
    return pattern


_Pattern = Annotated[str, BeforeValidator(_join)]
_Part = Annotated[str, BeforeValidator(_group)]
_Words = Annotated[frozenset[str], BeforeValidator(_split)]
_Rows = Annotated[Sequence[Sequence[str]], BeforeValidator(_split_rows)]
_Patterns = Sequence[Annotated[str, BeforeValidator(_join), AfterValidator(_compile)]]
_DatePattern = Annotated[str, AfterValidator(_compile)]
_Alternatives = Annotated[str, BeforeValidator(_join), AfterValidator(_compile)]
_Away = Mapping[_DatePattern, int]
_Four = Annotated[Sequence[_DatePattern], Field(min_length=4, max_length=4)]
_NoneOrTwelve = Annotated[Sequence[_DatePattern], AfterValidator(_check_twelve)]
_Seven = Annotated[Sequence[_DatePattern], Field(min_length=7, max_length=7)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class AssistantPhrase(_Strict):
    """A phrase by which an assistant admits, decides, finds out or saves something; a firm one also holds in requests."""

    kind: str
    name: str
    strength: float = Field(gt=0, le=1)
    pattern: _Pattern
    firm: bool = False


class Reading(_Strict):
    """Words by what they do in a statement. They are known of all languages at once, whatever a text is in."""

    stop: _Words = frozenset()
    negations: _Words = frozenset()
    denies_nothing_among: _Words = frozenset()
    binding: _Words = frozenset()
    opposites: Sequence[_Rows] = ()
    alternatives: _Rows = ()
    begins: _Words = frozenset()
    pointing: _Words = frozenset()
    opening: _Words = frozenset()
    verbs: _Words = frozenset()
    not_names: _Words = frozenset()
    sorts: _Words = frozenset()
    openers: _Words = frozenset()
    common: _Words = frozenset()
    frame: _Words = frozenset()
    no_doers: _Words = frozenset()
    stressed: _Words = frozenset()
    stresses: _Words = frozenset()
    repeated: _Words = frozenset()
    numbers: str = ""
    teens: str = ""
    tens: str = ""
    ones: str = ""
    joined_by: str = ""
    general: _Patterns = ()
    describes: _Patterns = ()
    subordinate: _Patterns = ()
    orders: _Patterns = ()
    no_point: _Patterns = ()
    after_day: _Patterns = ()
    joining: _Patterns = ()
    todays: _Patterns = ()
    hyphened: _Patterns = ()
    no_speech: _Patterns = ()
    other_days: _Patterns = ()
    forbids: _Patterns = ()
    tags: _Patterns = ()
    refusals: _Patterns = ()
    laughs: _Patterns = ()
    leads_on: _Patterns = ()
    hedges: _Patterns = ()
    nots: _Patterns = ()
    ands: _Patterns = ()
    buts: _Patterns = ()
    turned: _Patterns = ()
    title_leads: _Patterns = ()
    new_clauses: _Patterns = ()
    comma_leads: _Patterns = ()
    loose_ends: _Patterns = ()
    points: _Patterns = ()
    firm: _Patterns = ()
    chat: _Patterns = ()
    chat_leads: _Patterns = ()
    keep_that: _Patterns = ()
    labels: _Patterns = ()
    fragments: _Patterns = ()
    stories: _Patterns = ()
    wishes: _Patterns = ()
    norms: _Patterns = ()
    irritated: _Patterns = ()
    displeased: _Patterns = ()
    empty: _Words = frozenset()
    shouted: _Words = frozenset()
    firmly: _Words = frozenset()
    speaks: _Patterns = ()
    mail_heads: _Words = frozenset()
    forwarded: _Patterns = ()
    memory_orders: _Patterns = ()
    order_leads: _Patterns = ()
    order_when: _Patterns = ()
    order_modals: _Patterns = ()
    order_runs: _Patterns = ()
    order_fetches: _Patterns = ()
    order_sends: _Patterns = ()
    order_tells: _Patterns = ()
    order_disables: _Patterns = ()
    order_secrets: _Patterns = ()
    order_guards: _Patterns = ()
    order_overrides: _Patterns = ()
    stands_in: _Patterns = ()
    little: _Words = frozenset()
    silent: _Words = frozenset()
    assistant_hints: Sequence[str] = ()
    assistant: Sequence[AssistantPhrase] = ()
    values: Mapping[str, str] = {}
    scales: Mapping[str, int] = {}
    ordinals: str = ""
    ambiguous: _Words = frozenset()
    spellings: _Rows = ()
    doubled: str = ""
    short_names: _Rows = ()
    units: _Rows = ()
    mails: _Patterns = ()
    passwords: Sequence[str] = ()
    pins: Sequence[str] = ()
    phone_labels: Sequence[str] = ()
    tells: _Patterns = ()


class LanguageHead(_Strict):
    """By what a language is recognised, and what its words do: all that is known of one without cues, which is not recognised."""

    model_config = ConfigDict(extra="ignore")

    rank: int
    words: _Words
    spaced: bool = True
    cues: bool = True
    reading: Reading = Reading()


class Sentences(_Strict):
    """Patterns of kinds of sentences."""

    lead: _Pattern
    question: _Pattern
    request: _Pattern
    moment: _Pattern
    reported: _Pattern
    idle: _Pattern
    trouble: _Pattern
    states: _Pattern
    narrates: _Pattern
    opening: _Pattern
    leans: _Pattern
    first_person: _Pattern


class Phrase(_Strict):
    """One phrase by which people correct, decide, prefer or ask to remember."""

    name: str
    strength: float = Field(gt=0, le=1)
    pattern: _Pattern
    unless_trouble: bool = False


class Evidence(_Strict):
    """Phrases of each group, between bars, that people use in their own words, and the words that lead into a sentence."""

    leads: str
    groups: Mapping[str, str]

    @field_validator("groups")
    @classmethod
    def _has_each(cls, groups: Mapping[str, str]) -> Mapping[str, str]:
        wrong = sorted(_GROUPS ^ groups.keys())
        if wrong:
            raise ValueError(f"{wrong[0]!r} is {'missing' if wrong[0] in _GROUPS else 'no group'}")
        return groups


class DateWords(_Strict):
    """The words by which a language names days; all but the numbers are patterns."""

    days: _Away
    loose: _Away
    part: _DatePattern
    numbers: str
    units: _Four
    ago: Sequence[_DatePattern]
    ahead: Sequence[_DatePattern]
    since: Sequence[_DatePattern]
    starting: Sequence[_DatePattern]
    through: _DatePattern
    until: Sequence[_DatePattern] = ()
    coming: Sequence[_DatePattern] = ()
    lasting: Sequence[_DatePattern] = ()
    asks: _Alternatives = ""
    outlasts: _Alternatives = ""
    last: _DatePattern
    this: _DatePattern
    next: _DatePattern
    spans: _Four
    weekdays: _Seven
    months: _NoneOrTwelve = ()
    month_links: _DatePattern = ""


class LastDayWords(_Strict):
    """The patterns by which a language names a last day whose words have no spaces between them."""

    day: _DatePattern
    until: Sequence[_DatePattern]
    before: _DatePattern = ""
    asks: _Alternatives
    outlasts: _Alternatives


class LanguageData(LanguageHead):
    """All that the file of a language says."""

    model_config = ConfigDict(extra="forbid")

    sentences: Sentences
    parts: Mapping[str, _Part] = {}
    corrections: Sequence[Phrase]
    saves: Sequence[Phrase]
    forgets: Sequence[Phrase]
    facts: Sequence[Phrase]
    decisions: Sequence[Phrase]
    lasting: Sequence[Phrase]
    preferences: Sequence[Phrase]
    evidence: Evidence | None = None
    dates: DateWords | None = None
    last_days: LastDayWords | None = None


@cache
def read_readings() -> Sequence[Reading]:
    """Return the words of each language by what they do, the lowest rank first. Raises ValueError for a wrong file."""
    return tuple(head.reading for head in _read_every_head().values())


def every_word(kind: str) -> frozenset[str]:
    """Return the words of one kind, a field of `Reading`, in all languages."""
    return frozenset[str]().union(*(getattr(one, kind) for one in read_readings()))


def pattern_of(kind: str, form: str = "<>", *, is_whole: bool = True) -> re.Pattern[str]:
    """Return a pattern of one kind, a field of `Reading`, in all languages; it ignores case.

    Args:
        kind: the field.
        form: the pattern, in which `<>` stands for all alternatives.
        is_whole: the alternatives are whole words, but in languages without spaces.
    """
    parts = [
        rf"\b(?:{patterns})\b" if is_whole and head.spaced else patterns
        for head in _read_every_head().values()
        if (patterns := "|".join(getattr(head.reading, kind)))
    ]
    return re.compile(form.replace("<>", f"(?:{'|'.join(parts)})"), re.IGNORECASE)


@cache
def read_heads() -> Mapping[str, LanguageHead]:
    """Return by what each language is recognised, by its code, the lowest rank first. Raises ValueError for a wrong file."""
    return {code: head for code, head in _read_every_head().items() if head.cues}


@cache
def _read_every_head() -> Mapping[str, LanguageHead]:
    heads = {
        path.stem: _parse(path.name, path.read_text(encoding="utf-8").partition(_FIRST_TABLE)[0], LanguageHead)
        for path in sorted(_FOLDER.glob("*.toml"))
    }
    return dict(sorted(heads.items(), key=lambda item: item[1].rank))


@cache
def read_language(code: str) -> LanguageData:
    """Return what the file of a language says. Raises ValueError for a wrong file, FileNotFoundError where there is none."""
    return parse_language(code, (_FOLDER / f"{code}.toml").read_text(encoding="utf-8"))


@cache
def read_date_words() -> Mapping[str, DateWords]:
    """Return how each language names days, by its code, without those that have no such words. Raises ValueError for a wrong file."""
    found = {code: read_language(code).dates for code in read_heads()}
    return {code: words for code, words in found.items() if words is not None}


@cache
def read_last_day_words() -> Mapping[str, LastDayWords]:
    """Return how languages without spaces name last days, by their codes. Raises ValueError for a wrong file."""
    found = {code: read_language(code).last_days for code in read_heads()}
    return {code: words for code, words in found.items() if words is not None}


def parse_language(code: str, text: str) -> LanguageData:
    """Return what the text of a language's file says. Raises ValueError, which names the file and the key."""
    return _parse(f"{code}.toml", text, LanguageData)


def _parse(name: str, text: str, model: type[_Model]) -> _Model:
    try:
        return model.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:  # says the line itself
        raise ValueError(f"{name}: {error}") from None
    except ValidationError as error:
        wrong = "; ".join(f"{_key_of(one['loc'])}: {one['msg']}" for one in error.errors(include_url=False))
        raise ValueError(f"{name}: {wrong}") from None


def _key_of(place: tuple[int | str, ...]) -> str:
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in place)
