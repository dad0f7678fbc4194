"""Hear a person who asks to forget something ("please forget my phone number"), and find the statements that it names.

Only a person's own words count, and only a person decides: each memory that names it gets a proposal, whose approval forgets it.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shared.core.dream.operations import Operation, OperationKind, Retire, Rewrite
from shared.core.forgetting.live_text import take_out
from shared.core.forgetting.told import find_supporting, sentences_of
from shared.core.forgetting.words import MIN_LETTERS, Phrases, letters_of
from shared.core.memory.frontmatter import body_of
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import Memory, MemoryKind, MemoryState
from shared.core.sessions.cue_rules import CueKind
from shared.core.sessions.cues import find_cues, find_own_words, straight
from shared.core.sessions.excerpts import Excerpt, ExcerptLine, find_quoted, find_unsaid
from shared.core.sessions.languages import find_language
from shared.core.text.clip import clip
from shared.core.text.similarity import significant_words
from shared.languages.language_file import pattern_of

_MOST_WORDS = 10
#: One request leads to at most this many proposals.
_MOST_MEMORIES = 20
_MOST_QUOTES = 5
#: Words with a common beginning count as one, whatever their endings: `allergy`, `allergic`.
_SHORTEST_STEM, _LONGEST_ENDING = 4, 2
_AND = pattern_of("ands", r"(?:\s|,)<>(?:\s|$)")
_PHONES, _MAILS = pattern_of("phone_labels"), pattern_of("mails")
_FEWEST_DIGITS = 6
#: A statement with fewer letters, such as a name, says nothing of what a longer quote says.
_FEWEST_LETTERS = 12
_BETWEEN_DIGITS = frozenset(" +-/().")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The operations for the requests in one excerpt, and the path of the excerpt."""

    window: str
    operations: tuple[Operation, ...]


def find_wishes(text: str) -> tuple[str, ...]:
    """Return the things that a person asks to forget in a message, in their words: `phone number`."""
    return tuple(
        " ".join(thing.split())
        for cue in find_cues(text)
        if cue.kind is CueKind.FORGET
        for thing in _find_things(text, cue.start, cue.end)
    )


def _find_things(text: str, start: int, end: int) -> Iterator[str]:
    own = find_own_words(straight(text))
    lowered = own[start:end].lower()
    for rule in find_language(own).rules:
        found = rule.pattern.search(lowered) if rule.kind is CueKind.FORGET else None
        if found is not None:
            yield next(filter(None, found.groups()), "")
            return


def find_named(thing: str, content: str) -> frozenset[str]:
    """Return the statements of a memory that name a thing, or hold a value of its kind: a phone number, an e-mail address.

    Args:
        thing: what is to be forgotten; of `phone number and address` each is looked for.
        content: the memory.
    """
    parts = [part for part in _AND.split(thing) if significant_words(part, 1)]
    statements = sentences_of(body_of(content), min_letters=MIN_LETTERS)
    return frozenset(one for one in statements if any(_names(part, one) for part in parts))


def _names(part: str, statement: str) -> bool:
    is_phone = _PHONES.search(part) is not None and _has_long_number(statement)
    is_mail = _MAILS.search(part) is not None and "@" in statement
    if is_phone or is_mail or letters_of(part) in letters_of(statement):
        return True
    words = significant_words(statement, len(statement))
    return all(any(_is_same(one, word) for word in words) for one in significant_words(part, _MOST_WORDS))


def _is_same(one: str, other: str) -> bool:
    stem = max(_SHORTEST_STEM, len(one) - _LONGEST_ENDING)
    return one == other or (len(one) >= _SHORTEST_STEM and other.startswith(one[:stem]))


def _has_long_number(text: str) -> bool:
    digits = 0
    for sign in text:
        digits = digits + 1 if sign.isdigit() else digits if sign in _BETWEEN_DIGITS else 0
        if digits >= _FEWEST_DIGITS:
            return True
    return False


def plan_asked(excerpts: Sequence[Excerpt], phase: str, find_live: Callable[[], Sequence[Memory]]) -> tuple[Asked, ...]:
    """Return the proposals, and a question to a person where no memory names what is to be forgotten.

    Args:
        excerpts: those with new messages; only the hits among their lines are read.
        phase: the phase of the operations.
        find_live: returns the memories that may name it; called only if something was asked.
    """
    found = [(one, wishes) for one in excerpts if (wishes := tuple(_find_in(one)))]
    live = find_live() if found else ()
    memories = [one for one in live if kind_of_text(one.path, one.content) is MemoryKind.TOPIC]  # indexes follow
    return tuple(
        Asked(window=one.path, operations=tuple(_plan_wishes(wishes, phase, memories))) for one, wishes in found
    )


class Told(NamedTuple):
    """A request that a model found: the excerpt's path, the words that ask, the thing, and the words of a memory that say it."""

    window: str
    quote: str
    thing: str
    says: str


def plan_told(
    told: Sequence[Told],
    excerpts: Sequence[Excerpt],
    phase: str,
    memories: Sequence[Memory],
    asked: Sequence[Operation],
) -> Iterator[Operation]:
    """Yield the proposals for requests that a model found in a person's own words, as `plan_asked` does for those that rules find.

    Args:
        told: the requests; those beyond the first 20 are left out.
        excerpts: the excerpts that the model was shown.
        phase: the phase of the operations.
        memories: those that it was shown.
        asked: the proposals of the rules, whose memories are asked about already.
    """
    known = {one.path: one for one in excerpts}
    taken = {change.memory_id for one in asked for change in one.changes if isinstance(change, Rewrite | Retire)}
    for one in told[:_MOST_MEMORIES]:
        line = find_quoted(known[one.window], one.quote) if one.window in known else None
        if line is None or not _may_ask(line) or find_unsaid(line, one.quote) is not None or not one.thing.strip():
            continue
        wish = _Wish(_tell_who(line), " ".join(one.thing.split()), one.says)
        untaken = [memory for memory in memories if memory.id not in taken]
        for made in _plan_wishes([wish], phase, untaken, "no memory that the model was shown names it"):
            ids = {change.memory_id for change in made.changes if isinstance(change, Rewrite | Retire)}
            if ids or not (line.is_hit and find_wishes(line.own_words)):  # the rules have asked about it
                taken |= ids
                yield made


@dataclass(frozen=True, slots=True)
class _Wish:
    by: str
    thing: str
    says: str = ""  # the words of a memory that say it


def _find_in(excerpt: Excerpt) -> Iterator[_Wish]:
    for line in excerpt.lines:
        if line.is_hit and _may_ask(line):
            yield from (_Wish(_tell_who(line), thing) for thing in find_wishes(line.own_words))


def _may_ask(line: ExcerptLine) -> bool:
    return line.role == "user" and line.noted_by is None


def _tell_who(line: ExcerptLine) -> str:
    return f"{line.speaker or 'a user'} asked on {line.at.date().isoformat()}"


def _plan_wishes(
    wishes: Collection[_Wish], phase: str, memories: Sequence[Memory], none: str = "nothing in the store names it"
) -> Iterator[Operation]:
    for wish in wishes:
        named = [(memory, said) for memory in memories if (said := _find_said(wish, memory.content))]
        asked = f"{wish.by} to forget “{clip(wish.thing)}”"
        for memory, said in named[:_MOST_MEMORIES]:
            yield _plan_forgetting(memory, said, asked, phase)
        if not named or len(named) > _MOST_MEMORIES:
            more = f"{len(named) - _MOST_MEMORIES} more memories name it" if named else none
            yield Operation(
                kind=OperationKind.FLAG, phase=phase, reason=f"{asked}; {more}", changes=(), needs_review=True
            )


def _find_said(wish: _Wish, content: str) -> frozenset[str]:
    words = letters_of(wish.says)
    statements = sentences_of(body_of(content), min_letters=MIN_LETTERS) if len(words) >= MIN_LETTERS else ()
    told = {
        one
        for one in statements
        if words in (said := letters_of(one)) or (len(said) >= _FEWEST_LETTERS and said in words)
    }
    return find_named(wish.thing, content) | told


def _plan_forgetting(memory: Memory, said: Collection[str], asked: str, phase: str) -> Operation:
    content = take_out(memory.content, Phrases([*said, *find_supporting(memory.content, said)]))
    quotes = ", ".join(f"“{clip(one)}”" for one in sorted(said)[:_MOST_QUOTES])
    more = f" and {len(said) - _MOST_QUOTES} more" if len(said) > _MOST_QUOTES else ""
    change = (
        Rewrite(memory_id=memory.id, version=memory.version, path=memory.path, content=content, signals=memory.signals)
        if content
        else Retire(memory_id=memory.id, version=memory.version, path=memory.path, state=MemoryState.ARCHIVED)
    )
    return Operation(
        kind=OperationKind.FORGET,
        phase=phase,
        reason=f"{asked}: {memory.path} says {quotes}{more}",
        changes=(change,),
        propose_only="only a person decides what is forgotten",
    )
