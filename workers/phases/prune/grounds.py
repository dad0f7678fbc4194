"""Check the ground on which a memory would be archived: it is over, held elsewhere, or about a moment that has passed.

Length, age and the lack of names or numbers are no ground: "The user is allergic to peanuts" holds for years. The checks look
at whole texts, whatever a model saw of them or says about them. In doubt a person decides.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from shared.core.dream.operations import Skip
from shared.core.memory.frontmatter import body_of, read_fields, strings_of
from shared.core.memory.model import Memory
from shared.core.memory.provenance import FIELD as SOURCES
from shared.core.merging.same_subject import same_subject
from shared.core.merging.statements import find_unsaid, read_statements
from shared.core.merging.subject_words import (
    GENERIC_STEMS,
    are_named_in_turn,
    are_of_a_series,
    own_path_words,
    read_subject,
    spell,
)
from shared.core.text.clip import clip
from shared.core.text.markdown import BlockKind, Section, find_above, read_sections, split_at_stops
from shared.core.text.tokens import TokenKind, find_tokens, tidy
from shared.core.text.wording import stem_of
from workers.phase.shape import Surroundings
from workers.phases.prune.answer import PruneDecision

_MIN_QUOTE_CHARS = 8
#: What only a memory calls itself, and what it may also call the thing that it is about: only a model can tell which.
_NOTE = r"this\s+(?:note|memory)"
_NOTE_OR_THING = (
    r"(?:this|the)\s+(?:note|memory|page|document|doc|file|entry|draft|runbook|procedure|workaround|plan|task)"
)
#: Nothing may follow but the reason: "obsolete if …", "obsolete, the user …" and "no longer needed for …" leave something.
_OVER = (
    r"\W*{what}\s+(?:(?:(?:is|has\s+been)(?:\s+now)?\s+"
    r"(?:obsolete|outdated|out\s+of\s+date|no\s+longer\s+(?:needed|used|valid|relevant|current))(?:\s+since\b|\s*(?:[:(]|[.!]?$)))"
    r"|(?:(?:is|was|has\s+been)(?:\s+now)?\s+superseded\s+by\s+(?:(?!\b(?:once|when|if|as\s+of|after|from)\b).)+$)"
    r"|(?:(?:can|may|should)(?:\s+now)?(?:\s+safely)?\s+be\s+(?:deleted|removed|archived)(?:\s+now)?[.!]?$))"
)
_SAYS_OVER = re.compile(_OVER.format(what=_NOTE), re.IGNORECASE)
_MAY_SAY_OVER = re.compile(_OVER.format(what=_NOTE_OR_THING), re.IGNORECASE)
#: A memory with one of these words may still hold something.
_BUT = re.compile(
    r"\b(?:still|except|but|however|although|though|apart\s+from|other\s+than|unless|until|remains?|keep|stays?|only|partly|mostly"
    r"|new|now(?!\s+(?:obsolete|outdated|out|no|superseded)))\b",
    re.IGNORECASE,
)
#: Words of a date at which something begins that lasts, or that comes again.
_LASTS = re.compile(
    r"\b(?:since|from|as of|starting|effective|born|birthday|every|each|yearly|annual(?:ly)?|ab|seit|jed\w+|depuis|à partir|dès|desde"
    r"|a partir|dal|vanaf|sinds)\b|[从自起]",
    re.IGNORECASE,
)
#: A day counts as past when it is so in every time zone.
_ZONES = timedelta(days=1)
#: What a path adds to the name of a second copy.
_COPY_STEMS = frozenset(
    map(stem_of, GENERIC_STEMS | {"old", "copy", "backup", "bak", "new", "draft", "temp", "tmp", "final"})
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A ground that holds, or, with a doubt, one that the host could not check. `successor` holds what the memory says."""

    doubt: str | None = None
    successor: Memory | None = None


def check_ground(
    memory: Memory, decision: PruneDecision, offered: Mapping[str, Memory], around: Surroundings
) -> Ground | Skip:
    """Return whether the ground of a verdict holds, or why the memory stays.

    Args:
        memory: the memory that would be archived.
        decision: the verdict with its ground.
        offered: the live memories that may hold what the memory says, by path.
        around: the time, and whether rules gave the verdict, which need no quote of what they read whole.
    """
    if decision.ground is None:
        return Ground(doubt="no ground was given: that it is over, held elsewhere, or about a moment that has passed")
    if decision.ground == "none":
        return Skip(code="no_ground", detail=f"{memory.path}: that a memory is thin or old is no ground to archive it")
    if decision.ground == "held_elsewhere":
        return _check_held(memory, decision, offered, needs_quote=not around.is_by_rules)
    if decision.ground == "over" and is_empty(memory.content):
        return Ground()
    quote = _flat(decision.quote)
    if not quote:
        return Skip(code="no_ground", detail=f"{memory.path}: no words of it were quoted, and it is not empty")
    if len(quote) < _MIN_QUOTE_CHARS or quote not in _flat(memory.content):
        return Skip(code="quote_not_found", detail=f"{memory.path} does not say {clip(decision.quote)!r}")
    return _check_over(memory, quote) if decision.ground == "over" else _check_past(memory, quote, around.now)


def is_empty(content: str) -> bool:
    """Tell whether a memory says nothing, neither in its text nor in its frontmatter."""
    return not body_of(content).strip() and not any(read_fields(content).values())


def find_end(content: str, *, of_note_only: bool = True) -> str | None:
    """Return the sentence in which a memory says that it is over, or None.

    It is about the whole memory only in plain prose, outside of lists, tables and quotations, and when there is no other section.
    With `of_note_only`, it has to be about "this note" or "this memory", not about a page, a plan or a task.
    """
    body = body_of(content)
    sections = read_sections(body)
    if any(find_above(sections)) or _BUT.search(body):
        return None
    pattern = _SAYS_OVER if of_note_only else _MAY_SAY_OVER
    said = (sentence for one in sections for paragraph in _find_prose(one) for sentence in split_at_stops(paragraph))
    return next((sentence for sentence in said if pattern.match(sentence.strip("*_ "))), None)


def _find_prose(section: Section) -> Iterator[str]:
    """Yield the paragraphs of a section, without those that the paragraph before announces: "Put this above old pages:"."""
    before = ""
    for block in section.blocks:
        text = block.render()
        if block.kind is BlockKind.PROSE and not before.rstrip("*_ ").endswith(":"):
            yield text
        before = text


def find_unheld(path: str, content: str, other_path: str, other: str) -> str | None:
    """Return why another memory may not hold all that a memory says about its subject, as the end of a sentence, or None."""
    verdict = same_subject(path, content, other_path, other)
    if verdict.is_different:
        return f"the two are about different subjects: {verdict.reason}"
    mine, its = read_subject(path, content), read_subject(other_path, other)
    is_counted = are_named_in_turn(path, other_path) and not are_of_a_series(path, other_path)
    names = (mine.path_words if own_path_words(mine, its) and not is_counted else frozenset()) - its.words - _COPY_STEMS
    if names:
        return f"{other_path} does not name {spell(mine, names)}"
    if not read_statements(content).statements:
        return f"no statement of {path} is read"
    unsaid = [one.text for one in find_unsaid(other, [content])]
    unsaid += [text for text in _find_described(content) if _flat(text) not in _flat(other)]
    return f'{other_path} does not say "{clip(unsaid[0])}"' if unsaid else None


def _find_described(content: str) -> Iterator[str]:
    """Yield what the frontmatter says in words, besides the title and the list of sources."""
    fields = read_fields(content).items()
    texts = (text for name, value in fields if name not in {"title", "name", SOURCES} for text in strings_of(value))
    yield from (text for text in texts if " " in text.strip())


def _check_held(
    memory: Memory, decision: PruneDecision, offered: Mapping[str, Memory], *, needs_quote: bool
) -> Ground | Skip:
    other = offered.get(decision.held_in or "")
    if other is None or other.path == memory.path:
        named = f"{str(decision.held_in)[:200]!r} was not offered, or is to be archived itself"
        return Skip(code="not_held", detail=f"{memory.path}: {named}")
    if decision.quote and _flat(decision.quote) not in _flat(other.content):
        return Skip(code="quote_not_found", detail=f"{other.path} does not say {clip(decision.quote)!r}")
    if needs_quote and len(_flat(decision.quote)) < _MIN_QUOTE_CHARS:
        return Skip(code="no_ground", detail=f"{memory.path}: no words of {other.path} were quoted")
    doubt = find_unheld(memory.path, memory.content, other.path, other.content)
    return Ground(doubt=doubt) if doubt else Ground(successor=other)


def _check_over(memory: Memory, quote: str) -> Ground:
    said = _flat(find_end(memory.content, of_note_only=False) or "")
    if said and (quote in said or said in quote):
        return Ground()
    return Ground(doubt=f'"{clip(quote)}" does not plainly say of the whole memory that it is over')


def _check_past(memory: Memory, quote: str, now: datetime) -> Ground | Skip:
    ahead = next((day for day in _find_days(body_of(memory.content)) if day >= (now - _ZONES).date()), None)
    if ahead is not None:
        return Skip(code="still_to_come", detail=f"{memory.path}: {ahead} has not passed")
    days = list(_find_days(quote))
    if not days:
        return Ground(doubt=f'no day is read in "{clip(quote)}"')
    if _LASTS.search(quote):
        return Ground(doubt=f'"{clip(quote)}" may be when something begins that lasts, or that comes again')
    if min(days) < memory.created_at.date():
        return Ground(doubt=f"it was written after {min(days)}, so it records what happened")
    more = next((one.text for one in read_statements(memory.content).statements if not any(_find_days(one.text))), None)
    return Ground(doubt=f'it also says "{clip(more)}"') if more else Ground()


def _find_days(text: str) -> Iterator[date]:
    """Yield the days that a text names with their year."""
    for token in (token for line in tidy(text).splitlines() for token in find_tokens(line)):
        if token.kind is TokenKind.DATE:
            try:
                yield date.fromisoformat(token.text)
            except ValueError:  # the 31st of a short month
                continue


def _flat(text: str) -> str:
    return " ".join(text.split()).strip("\"'\u201c\u201d ")
