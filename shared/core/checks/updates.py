"""The checks of an update: a statement that a later one changed, and a statement that another one says, too.

A model names statements by number; the host looks at what stands there. `CHECKS` and `REPEAT_CHECKS` are all there is: each row
is one check with its code, what becomes of the update if it fails, and the sentence that a person reads. The first check that
fails decides. An update that passes all of them loses nothing: what no longer stands in the new one stays in the superseded part, word for word.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Any, Generic, TypeVar

from shared.core.merging.specifics import find_present, find_specifics
from shared.core.reading.placed import Form, Placed
from shared.core.text.similarity import significant_words
from shared.core.text.tokens import find_tokens, tidy, ungroup
from shared.core.text.wording import stem_of, wording_of
from shared.core.text.words import is_unspaced
from shared.languages.function_words import BINDING, NEGATIONS

Facts = TypeVar("Facts")
_MANY = 2_000
#: A new statement is at most this much longer than what it replaces and what shows the change.
_MAX_WRITTEN_CHARS = 1_000
_STARTS_STRUCTURE = re.compile(r"\s*(?:#{1,6}\s|```|~~~|>|<!--|---)")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
#: The pieces that a name or a value may be put together from; a number, a date or an address is one, a range is two.
_PIECE = re.compile(r"\d{1,2}/\d{1,2}(?:/\d{2,4})?(?![\d.])|\d+(?:-\d+){2,}|\d+(?:[.,:]\d+)*|[^\W\d_]+")
#: `Don't` and `cannot` hold a `not`.
_NOT = re.compile(r"n['\u2019]t\b|(?<=\bcan)not\b")


class Outcome(StrEnum):
    """The outcome of a check that an update does not pass."""

    REFUSE = "refuse"  # it is left out, and counted
    PERSON = "person"  # it is proposed
    CONFIRM = "confirm"  # it is proposed unless a second reader, who sees the statements alone, finds nothing lost


@dataclass(frozen=True, kw_only=True)
class Cited:
    """One statement with what the host knows of it.

    Attributes:
        path: the memory that holds it.
        placed: the statement.
        title: the memory's title, in words.
        about: what its file says of itself: the description, the heading and the statement that it begins with.
        said_on: the day on which it was said, as far as the host knows.
        is_series: its file is one of a row of dated or numbered ones, such as the logs of days: it tells history.
        gone: the files of this store that it names and that are no longer there.
        moved: the files that hold by now what these held, as far as there are any.
    """

    path: str
    placed: Placed
    title: str = ""
    about: str = ""
    said_on: date | None = None
    is_series: bool = False
    gone: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the statement as it is written."""
        return self.placed.text

    @cached_property
    def around(self) -> str:
        """Return what names its subject: path, title and headings."""
        words = re.sub(r"[-_/.]", " ", self.path)
        return " ".join((words, self.title, *(one.lstrip("# ") for one in self.placed.under)))

    @cached_property
    def whole(self) -> str:
        """Return the statement with its title and headings above it."""
        return "\n".join((self.title, *(one.lstrip("# ") for one in self.placed.under), self.placed.head, self.text))


@dataclass(frozen=True, kw_only=True)
class Update:
    """A statement that is to go, and why.

    Attributes:
        old: the statement.
        by: those that show that it is no longer so; of a repeat, those that say it, too.
        write: what stands in its place, if anything; nothing in that of a repeat.
        is_repeat: it is said elsewhere, and not superseded.
    """

    old: Cited
    by: tuple[Cited, ...]
    write: str = ""
    is_repeat: bool = False

    @cached_property
    def shown(self) -> str:
        """Return all that the cited statements say."""
        return "\n\n".join(one.whole for one in self.by)

    @cached_property
    def known(self) -> str:
        """Return all that a new statement may take its values and names from."""
        cited = (self.old, *self.by)
        days = (one.said_on.isoformat() for one in cited if one.said_on is not None)
        named = (text for one in cited for text in (one.path, one.about))
        return "\n\n".join((self.old.whole, self.shown, *named, *self.old.moved, *days))


@dataclass(frozen=True, slots=True)
class Check(Generic[Facts]):
    """One row of a table. `find` returns why a change does not pass, as the end of a sentence, or None."""

    code: str
    outcome: Outcome
    holds_when: str
    find: Callable[[Facts], str | None]


@dataclass(frozen=True, slots=True)
class Finding:
    """A check that a change does not pass, and why."""

    check: Check[Any]
    why: str

    @property
    def outcome(self) -> Outcome:
        """Return what becomes of the update."""
        return self.check.outcome


def judge_update(update: Update) -> Finding | None:
    """Return the weightiest check that an update does not pass, or None."""
    return find_weightiest(REPEAT_CHECKS if update.is_repeat else CHECKS, update)


def find_weightiest(checks: Iterable[Check[Facts]], facts: Facts) -> Finding | None:
    """Return the weightiest check that does not hold, or None: a refusal, a person's decision, a second reader's."""
    for check in sorted(checks, key=lambda one: _WEIGHTS.index(one.outcome)):
        if (why := check.find(facts)) is not None:
            return Finding(check, why)
    return None


def weigh(findings: Iterable[Finding | None]) -> Finding | None:
    """Return the weightiest finding of several tables, with what all of the same weight say, or None."""
    known = [one for one in findings if one is not None]
    least = min((_WEIGHTS.index(one.outcome) for one in known), default=0)
    heaviest = [one for one in known if _WEIGHTS.index(one.outcome) == least]
    return replace(heaviest[0], why="; ".join(one.why for one in heaviest)) if heaviest else None


_WEIGHTS = (Outcome.REFUSE, Outcome.PERSON, Outcome.CONFIRM)


def _find_nothing_cited(update: Update) -> str | None:
    return None if update.by or (update.old.gone and not update.is_repeat) else "no other statement is cited"


def _find_code(update: Update) -> str | None:
    return "it is code, a quotation or HTML" if update.old.placed.form is Form.WHOLE else None


def _find_structure(update: Update) -> str | None:
    written = update.write
    if _STARTS_STRUCTURE.match(written) or "\n" in written.strip() or len(written) > _MAX_WRITTEN_CHARS:
        return "what would stand in its place is not one statement"
    if update.old.placed.form is Form.FIELD and not written:
        return "a description is replaced, not left out"
    if update.old.placed.form is Form.ROW and written and written.count("|") != update.old.text.count("|"):
        return "what would stand in its place is no row of the same table"
    return None


def _find_no_change(update: Update) -> str | None:
    is_same = bool(update.write) and wording_of(update.write) == wording_of(update.old.text)
    return "what would stand in its place says the same" if is_same else None


def _find_invented(update: Update) -> str | None:
    made_up = _find_unsaid(update.write, update.known)
    return f"no cited statement says {', '.join(made_up[:3])}" if made_up else None


def _find_composed(update: Update) -> str | None:
    composed = _find_missing(update.write, update.known)
    return f"{', '.join(composed[:3])} is put together from what is cited" if composed else None


def _find_lost_values(update: Update) -> str | None:
    """Return the values of a statement that a new one does not have, if they are more than the new ones."""
    if not update.write:
        return None
    had, has = _values_of(update.old.text), _values_of(update.write)
    lost = sorted(had - find_present(ungroup(update.write), had) - has)
    return f"it would no longer say {', '.join(lost[:3])}" if len(lost) > len(has - had) else None


def _find_lost_condition(update: Update) -> str | None:
    told = "\n".join((update.write, *(one.text for one in update.by)))
    lost = sorted(_binding(update.old.text) - _binding(told))
    return f'"{lost[0]}" would no longer be said' if lost else None


def _find_other_polarity(update: Update) -> str | None:
    made_up = _denials(update.write) - _denials(update.known)
    return f'no cited statement says "{min(made_up)}"' if made_up else None


def _find_own_words(update: Update) -> str | None:
    made_up = find_telling(update.write) - find_telling(f"{update.known} {update.old.around}")
    return f"no cited statement {_name_word(made_up)}" if made_up else None


def _find_earlier(update: Update) -> str | None:
    said, days = update.old.said_on, [one.said_on for one in update.by if one.said_on is not None]
    if said is None or not days or len(days) < len(update.by) or max(days) >= said:
        return None
    return f"it was said on {said}, and what should have changed it on {max(days)}"


def _find_history(update: Update) -> str | None:
    is_elsewhere = all(one.path != update.old.path for one in update.by)
    return f"{update.old.path} tells what was so on its day" if update.old.is_series and is_elsewhere else None


def _find_no_shared_subject(update: Update) -> str | None:
    if not update.by:
        return None
    told = find_telling(f"{update.old.around} {update.old.text}")
    others = set[str]().union(*(find_telling(f"{one.around} {one.text}") for one in update.by))
    return None if told & others else "the statements share no word that names a subject"


def _find_kept_whole(repeat: Update) -> str | None:
    if repeat.old.text.rstrip("*_ ").endswith(":"):
        return "what follows belongs to it"
    is_piece = repeat.old.placed.form in {Form.WHOLE, Form.ROW, Form.FIELD}
    is_same = any(_is_same(one.placed, repeat.old.placed) for one in repeat.by)
    return "it is code, a quotation, a table's row or a field" if is_piece and not is_same else None


def _is_same(one: Placed, other: Placed) -> bool:
    """Tell whether two statements say the same in one form: of rows, under the same head."""
    if one.form is Form.WHOLE or one.form is not other.form:
        return one.form is other.form and one.text == other.text
    return wording_of(one.text) == wording_of(other.text) and wording_of(one.head) == wording_of(other.head)


def _find_unsaid_values(repeat: Update) -> str | None:
    lost = _find_unsaid(repeat.old.text, repeat.shown)
    return f"nothing that stays says {', '.join(lost[:3])}" if lost else None


def _find_scattered_values(repeat: Update) -> str | None:
    lost = _find_missing(repeat.old.text, repeat.shown)
    return f"what stays says {', '.join(lost[:3])} in pieces only" if lost else None


def _find_unsaid_binding(repeat: Update) -> str | None:
    told = "\n".join(one.text for one in repeat.by)
    lost = _binding(repeat.old.text) - _binding(told) | _denials(repeat.old.text) ^ _denials(told)
    return f'"{min(lost)}" stands in one of the two only' if lost else None


def _find_other_file(repeat: Update) -> str | None:
    other = next((one for one in repeat.by if one.path != repeat.old.path), None)
    return None if other is None else f"{other.path} may say it of another subject"


def _find_other_heading(repeat: Update) -> str | None:
    above = find_telling(" ".join(repeat.old.placed.under)) - find_telling(repeat.shown)
    return f"it stands under a heading, and what stays is under none that {_name_word(above)}" if above else None


def _find_unsaid_words(repeat: Update) -> str | None:
    lost = find_telling(repeat.old.text) - find_telling(repeat.shown)
    return f"nothing that stays {_name_word(lost)}" if lost else None


def _name_word(stems: set[str]) -> str:
    """Return how to tell a person of words; where a script writes no spaces, pieces of words would mean nothing to one."""
    word = min((one for one in stems if not is_unspaced(one)), default="")
    return f'has the word "{word}"' if word else "says it in these words"


CHECKS: tuple[Check[Update], ...] = (
    Check(
        "not_cited",
        Outcome.REFUSE,
        "a statement is cited that shows the change, or a file that it names is gone",
        _find_nothing_cited,
    ),
    Check("in_code", Outcome.REFUSE, "the statement is no code and no quotation", _find_code),
    Check("not_one_statement", Outcome.REFUSE, "one statement stands in its place, or none", _find_structure),
    Check("no_change", Outcome.REFUSE, "the new statement says something else", _find_no_change),
    Check("made_up", Outcome.REFUSE, "its values, and all pieces of its names, stand in what is cited", _find_invented),
    Check("composed", Outcome.CONFIRM, "its names stand there whole", _find_composed),
    Check("made_up_denial", Outcome.CONFIRM, "it denies nothing that no source denies", _find_other_polarity),
    Check("earlier", Outcome.PERSON, "what shows the change was not said before", _find_earlier),
    Check("history", Outcome.PERSON, "the statement is no entry of a series of days", _find_history),
    Check("lost_values", Outcome.CONFIRM, "as many values are new as are gone", _find_lost_values),
    Check("lost_condition", Outcome.CONFIRM, "no must, never, only, unless or if is lost", _find_lost_condition),
    Check("other_subject", Outcome.CONFIRM, "old and new share a word of a subject", _find_no_shared_subject),
    Check("own_words", Outcome.CONFIRM, "its telling words stand in what is cited", _find_own_words),
)

REPEAT_CHECKS: tuple[Check[Update], ...] = (
    Check("not_cited", Outcome.REFUSE, "another statement is cited that says it", _find_nothing_cited),
    Check(
        "kept_whole",
        Outcome.REFUSE,
        "it introduces nothing, and is prose, an item, or the same row or code",
        _find_kept_whole,
    ),
    Check(
        "coverage", Outcome.REFUSE, "its values, and all pieces of its names, stand in what stays", _find_unsaid_values
    ),
    Check("scattered", Outcome.CONFIRM, "its names stand there whole", _find_scattered_values),
    Check("other_file", Outcome.PERSON, "what stays is in the same file", _find_other_file),
    Check("other_polarity", Outcome.CONFIRM, "what stays denies and binds as it does", _find_unsaid_binding),
    Check("other_heading", Outcome.CONFIRM, "the headings above it name no other subject", _find_other_heading),
    Check("reworded", Outcome.CONFIRM, "every telling word of it stands in what stays", _find_unsaid_words),
)


def _find_unsaid(text: str, told: str) -> list[str]:
    """Return the values and names of a text of which another one does not have every piece, sorted.

    `player/time` is said by what says `time` and `player`, and `Config.fog.near` by what says `Config.fog` and `near`.
    """
    missing = _find_missing(text, told)
    pieces = set(_PIECE.findall(ungroup(told).lower())) if missing else set()
    return [one for one in missing if not {*_PIECE.findall(one.lower())} <= pieces]


def _find_missing(text: str, told: str) -> list[str]:
    """Return the values and names of a text that another one does not have whole, sorted."""
    text, told = ungroup(text), ungroup(told)
    wanted = find_specifics(text) | _digits_of(text)
    return sorted(wanted - find_present(told, wanted) - _digits_of(told) - set(_DIGITS.findall(told)))


def _digits_of(text: str) -> set[str]:
    """Return the numbers in a text, in one spelling: `1k` has the digits of 1000."""
    tokens = (token.text for line in tidy(text).splitlines() for token in find_tokens(line))
    return {digits for token in tokens for digits in _DIGITS.findall(token)}


def _values_of(text: str) -> set[str]:
    text = ungroup(text)
    return {one for one in find_specifics(text) if any(map(str.isdigit, one))} | _digits_of(text)


def find_telling(text: str) -> set[str]:
    """Return the words of a text that tell what it is about, without endings."""
    return {stem_of(word) for word in significant_words(ungroup(text), _MANY)}


def _binding(text: str) -> set[str]:
    return {word for word in _words(text) if word in BINDING}


def _denials(text: str) -> set[str]:
    return {word for word in _words(text) if word in NEGATIONS}


def _words(text: str) -> list[str]:
    return _WORD.findall(_NOT.sub(" not", text.lower()))
