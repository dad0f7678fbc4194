"""Write a statement from a session into a memory's text: append it, or replace what it corrects.

A replaced statement stays in the file: it moves to the end, with the day and the words that superseded it. So nothing
specific is lost, and a reader sees current statements first.
"""

import re
from datetime import date
from textwrap import wrap
from typing import NamedTuple

from shared.core.memory.frontmatter import body_of
from shared.core.memory.provenance import read_sources
from shared.core.sessions.statements.same_statement import key_of
from shared.core.text.markdown import SENTENCE_GAP
from shared.core.text.remember import remember_last
from shared.core.text.similarity import significant_words
from shared.languages.function_words import NEGATIONS
from shared.languages.language_file import every_word

SUPERSEDED_HEADING = "## Superseded"
_HEADING = re.compile(r"^(#{1,6})\s+\S", re.MULTILINE)
_SUPERSEDED = re.compile(rf"^{SUPERSEDED_HEADING}[ \t]*$", re.MULTILINE)
_REPLACED = re.compile(r"^- “(.*)” — ", re.MULTILINE)
_ENDED = re.compile(r"^- “(.*)” — (?:until|no longer so on) (\d{4}-\d{2}-\d{2})", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
#: What is left of a line whose words have gone.
_BARE = re.compile(r"(?:[-*+>]|\d{1,9}[.)])?")
_MAX_REPLACED_CHARS = 600
#: From this length on only the changed clauses of a statement are quoted as superseded, if they are at most this part of it.
_LONG_CHARS, _MAX_CUT_CHARS, _MOST_QUOTED_PART, _FEWEST_CHARS = 120, 4_000, 0.7, 20
_CLAUSE_GAP = re.compile(r"(?<=[,;:.!?)\u3002\uff0c\uff1b])\s+|\s+(?=[(\u2013\u2014])")
#: What would begin a heading, an item, a quotation, a table or code at the beginning of a line.
_STARTS_BLOCK = re.compile(r"\s*(?:#|[-*+>|]|\d{1,9}[.)]|```|~~~|<|\[\^)")
_BEGINS = re.compile(rf"{SENTENCE_GAP.pattern}|^[ \t]*(?:(?:[-*+]|\d+[.)])\s+|\n|#.*\n)", re.MULTILINE)
_EDGE = re.compile(r"^[^\w`]+|[^\w`]+$")
#: Words that do not change the meaning of a sentence about a thing.
_LITTLE = every_word("little")
_FEWEST_SAME, _VALUE_WORDS, _REST_WORDS = 2, 3, 100
_IS_NAMING = re.compile(r"[A-Z0-9_./-]")


class Place(NamedTuple):
    """The position of the words that a statement replaces."""

    start: int
    end: int


def find_place(body: str, words: str) -> Place | None:
    """Return the position of words that occur exactly once in a body, ignoring white space, code and superseded text."""
    parts = words.split()
    if not parts or len(words) > _MAX_REPLACED_CHARS:
        return None
    current = current_of(body)
    found = list(re.finditer(r"\s+".join(map(re.escape, parts)), current))
    if len(found) != 1 or len(_FENCE.findall(current[: found[0].start()])) % 2:
        return None
    return Place(start=found[0].start(), end=found[0].end())


def current_of(body: str) -> str:
    """Return a body up to the heading of its superseded part."""
    ended = _SUPERSEDED.search(body)
    return body[: ended.start()] if ended else body


def superseded_of(body: str) -> list[str]:
    """Return the statements in the superseded part of a body, as they stood."""
    return _REPLACED.findall(body[len(current_of(body)) :])


def held_until_after(body: str, day: date) -> list[str]:
    """Return the superseded statements of a body that held until after a day, as far as they name theirs."""
    ended = _ENDED.findall(body[len(current_of(body)) :])
    return [statement for statement, until in ended if until > day.isoformat()]


def knows_already(content: str, statement: str) -> bool:
    """Tell whether a memory contains a statement, not as superseded, however often and loudly either says it."""
    return {key_of(one) for one in statements_of(statement)} <= _keys_of(content)


@remember_last
def _keys_of(content: str) -> frozenset[tuple[str, ...]]:
    return frozenset(map(key_of, statements_of(body_of(content))))


def has_other_value(one: str, other: str) -> bool:
    """Tell whether two sentences give one thing different values, such as "Staging is pg-7" and "Staging is pg-9".

    They must begin with the same words, so that a statement about production does not replace one about staging.
    """
    left, right = _words_of(one), _words_of(other)
    ours, theirs = [[word.lower() for word in words] for words in (left, right)]
    begin = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    rest = min(len(ours), len(theirs)) - begin
    end = next((n for n in range(rest) if ours[-1 - n] != theirs[-1 - n]), rest)
    first, second = left[begin : len(left) - end], right[begin : len(right) - end]
    if begin < _FEWEST_SAME or not (0 < len(first) <= _VALUE_WORDS and 0 < len(second) <= _VALUE_WORDS):
        return False
    return len(first) == len(second) == 1 or all(map(_IS_NAMING.search, [*first, *second]))


def _words_of(sentence: str) -> list[str]:
    words = (word.strip(".,;:!?\"'`*()") for word in sentence.split())
    return [word for word in words if word and word.lower() not in _LITTLE]


def statements_of(body: str) -> list[str]:
    """Return the current sentences and list items of a body, without headings, code and superseded ones."""
    found: list[str] = []
    is_code = False
    for line in current_of(body).splitlines():
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and line.strip() and not _HEADING.match(line):
            found += [part for part in SENTENCE_GAP.split(_BULLET.sub("", line).strip()) if part]
    return found


def repeats_its_sources(content: str) -> bool:
    """Tell whether each line of a memory has its own source: a dream wrote the memory, and it repeats its sources.

    With lines of other authors there are more lines than sources. Superseded lines do not count.
    """
    lines = current_of(body_of(content)).splitlines()
    said = sum(bool(line.strip()) and not _HEADING.match(line) for line in lines)
    return 0 < said <= len(read_sources(content))


def append_statement(body: str, statement: str) -> str:
    """Return the body with a list item for the statement after the current ones."""
    current = current_of(body)
    rest = body[len(current) :]
    kept = current.rstrip("\n")
    last = kept.rpartition("\n")[2]
    gap = "\n" if _BULLET.match(last) else "\n\n"
    return f"{kept}{gap if kept else ''}{_item(statement)}\n" + (f"\n{rest}" if rest else "")


def supersede_statement(body: str, place: Place, statement: str, note: str) -> str:
    """Replace the text at a place with the statement, and move what it no longer says to the end, with a note of what superseded it."""
    place = _whole_if_told(body, place, statement)
    old = " ".join(body[place.start : place.end].split())
    written = " ".join(statement.split())
    if not old.endswith((".", "!", "?", "\u3002")):
        written = written.rstrip(".\u3002")
    if written and old[:1].islower() and old.split()[0] == written.split()[0].lower():
        written = f"{written[:1].lower()}{written[1:]}"
    replaced = body[: place.start] + _as_wrapped(written, body, place) + body[place.end :]
    gone = changed_part(old, written)
    return add_superseded(replaced, gone, note) if gone else replaced


def _whole_if_told(body: str, place: Place, statement: str) -> Place:
    """Return the place of the whole sentence if a statement tells the rest of it, too, and so would say it twice; else the place."""
    start = max((one.end() for one in _BEGINS.finditer(body, 0, place.start)), default=0)
    end = len(body[: (following := _BEGINS.search(body, place.end)) and following.start()].rstrip())
    rest = significant_words(f"{body[start : place.start]} {body[place.end : end]}", _REST_WORDS)
    is_told = len(set(significant_words(statement, _REST_WORDS)).intersection(rest)) >= _FEWEST_SAME
    return Place(start, end) if is_told and end >= place.end else place


def _as_wrapped(written: str, body: str, place: Place) -> str:
    """Return a statement in lines as long as those of the text that it replaces, so that only what changed is another line."""
    lines = body[place.start : place.end].split("\n")
    if len(lines) == 1:
        return written
    column = place.start - (body.rfind("\n", 0, place.start) + 1)
    indent = lines[1][: len(lines[1]) - len(lines[1].lstrip())]
    width = max(column + len(lines[0]), *map(len, lines[1:]))
    wrapped = wrap(
        written, width, initial_indent=" " * column, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    is_safe = wrapped and not any(_STARTS_BLOCK.match(line) for line in wrapped[1:])
    return "\n".join(wrapped)[column:] if is_safe else written


def changed_part(old: str, written: str) -> str:
    """Return what of a statement is superseded: all of it, or the clauses that do not stand in the new one; nothing if all do.

    A paragraph with one new name in it would else stand there as no longer so.
    """
    if not written or len(old) > _MAX_CUT_CHARS:
        return old
    stands = _folded(written)
    clauses = _CLAUSE_GAP.split(old)
    gone = [_folded(clause) not in stands for clause in clauses]
    if not any(gone):
        return "" if _denials_of(old) == _denials_of(written) else old
    if len(old) <= _LONG_CHARS:
        return old
    first = gone.index(True)
    if first and len(clauses[first]) < _FEWEST_CHARS:
        gone[first - 1] = True  # a few words alone tell nothing
    parts = [clause if is_gone else "…" for clause, is_gone in zip(clauses, gone, strict=True)]
    told = " ".join(part for at, part in enumerate(parts) if part != "…" or not at or parts[at - 1] != "…")
    return told if len(told) <= _MOST_QUOTED_PART * len(old) else old


def _folded(text: str) -> str:
    return f" {' '.join(_EDGE.sub('', word) for word in text.lower().split())} "


def _denials_of(text: str) -> int:
    return sum(word in NEGATIONS for word in _folded(text).split())


def add_superseded(body: str, old: str, note: str) -> str:
    """Return a body with one more superseded statement at its end, and what superseded it."""
    current = body.rstrip("\n")
    heading = "" if _SUPERSEDED.search(current) else f"\n\n{SUPERSEDED_HEADING}\n"
    return f"{current}{heading}\n{_item(f'“{old}” — {note}')}\n"


def close_gap(body: str, at: int) -> str:
    """Return a body from which a statement at a place has gone, without what is left of its line, of blanks, or a bare heading."""
    start, end = body.rfind("\n", 0, at) + 1, body.find("\n", at)
    end = len(body) if end < 0 else end
    if _BARE.fullmatch(body[start:end].strip()):
        return _without_emptied_heading(body[:start] + body[end + 1 :], start)
    if at and body[at - 1] == " " and body[at : at + 1] in {" ", "\n", ""}:
        return body[: at - 1] + body[at:]
    is_begin = not at or body[at - 1] == "\n"
    return body[:at] + body[at + 1 :] if is_begin and body[at : at + 1] == " " else body


def _without_emptied_heading(body: str, at: int) -> str:
    """Return a body without the heading right above a place if nothing is left under it."""
    before, after = body[:at].rstrip(), body[at:].lstrip()
    above = _HEADING.match(before[before.rfind("\n") + 1 :])
    below = _HEADING.match(after)
    if above is None or len(above[1]) == 1 or (after and (below is None or len(below[1]) > len(above[1]))):
        return body
    kept = before[: before.rfind("\n") + 1].rstrip()
    return f"{kept}\n\n{after}" if after else f"{kept}\n"


def _item(text: str) -> str:
    return f"- {' '.join(text.split())}"
