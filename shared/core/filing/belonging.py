"""Decide whether a statement from a session belongs in a memory: it does if it names the memory's subject and no other subject.

A memory names its subject by its title or its path. If the store has near-copies of it, pages of one template about
other subjects, only the words that distinguish it from each of them count. A memory that says nearly the same sentence, with
the same numbers and names, is about the same subject, too, unless a page about another one says it as well. In doubt a
statement belongs nowhere: a separate note can be merged later, but a sentence in the wrong memory misleads until a person sees it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from shared.core.memory.frontmatter import body_of
from shared.core.merging.same_subject import same_subject
from shared.core.merging.sentence_slots import align
from shared.core.merging.specifics import find_missing_specifics, find_present, find_specifics
from shared.core.merging.subject_words import GENERIC_STEMS, list_stems, read_subject
from shared.core.sessions.statement_text import statements_of
from shared.core.text.remember import remember_last
from shared.core.text.similarity import significant_words
from shared.core.text.tokens import Token, TokenKind, find_tokens, list_numbers, tidy
from shared.core.text.wording import stem_of
from shared.core.text.words import as_spaced
from shared.languages.language_file import every_word

#: The share of the words of a subject's name that have to be said: of `Jira orchestrator` both, of a title of four words three.
_SAID_OF_NAME = 0.66
#: A sentence of a memory that has this part of a statement's telling words says the same.
_SAME_SENTENCE = 0.6
#: Of two memories the one that has this much more of the statement's words is the one that says it.
_CLEARLY = 0.2
_FEWEST_WORDS, _FEWEST_SHARED = 2, 3
#: A longer title is a sentence, of which people say a few words.
_MOST_NAME_WORDS = 12
#: A memory with less than this part of the statement's words that the target has is none that it may be about.
_HALF = 0.5
_MOST_RIVALS = 8
_WORDS = 40
_MOST_SENTENCES = 200
_MOST_CONTEXT_CHARS = 20_000
_JOINED = re.compile(r"[^\W_]{1,60}(?:[-_./][^\W_]{1,60}){1,10}|\b[^\W\d_]{1,60}\d[^\W_]{0,60}")
#: `Backup: nightly at 03:00`: a line of a record that leaves out whose record it is.
_FIELD = re.compile(r"\W{0,8}([^\W\d_][^:|\n]{0,40}):[*_]{0,3}(?=\s+\S)")
_MOST_LABEL_WORDS = 8
#: They open a sentence of its own.
_OPENERS = frozenset(map(stem_of, every_word("openers")))
_FILE = re.compile(r"(?<![\w./-])(?:[\w.-]{1,60}/){1,8}[\w.-]{1,60}\.\w{1,4}(?![\w/-])")
#: They name a kind of file, and no subject.
_NO_NAMES = frozenset(stem_of(word) for word in GENERIC_STEMS)


#: The marks of a statement, and those of what was said around it.
_Said = tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Naming:
    """The words that name a memory: those of its title and those of its path."""

    title: frozenset[str]
    path: frozenset[str]

    def less(self, other: "_Naming") -> "_Naming":
        """Return the words of this name that another name lacks."""
        known = other.title | other.path
        return _Naming(title=self.title - known, path=self.path - known)

    def is_said_in(self, said: frozenset[str]) -> bool:
        """Tell whether a text calls the memory by its title, or by its path where the title tells nothing."""
        marks = self.title or self.path
        return bool(marks) and len(marks & said) >= ceil(_SAID_OF_NAME * len(marks))

    def is_touched_by(self, said: frozenset[str]) -> bool:
        """Tell whether a text has any word of the name."""
        return not said.isdisjoint(self.title | self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that a statement may belong to, read once for many statements; `words` are the stems of all that it says."""

    path: str
    text: str
    words: frozenset[str]
    naming: _Naming
    #: The stems of the title in their order.
    title: tuple[str, ...]


def read_candidate(path: str, text: str) -> Candidate:
    """Prepare a memory for comparison with statements."""
    subject = read_subject(path, text)
    placed = subject.folder if subject.stem in GENERIC_STEMS else subject.stem
    naming = _Naming(title=_marks_of_title(subject.title), path=read_marks(placed) - _NO_NAMES)
    return Candidate(path=path, text=text, words=subject.words, naming=naming, title=list_stems(subject.title))


def find_misplaced(
    target: Candidate,
    others: Sequence[Candidate],
    statement: str,
    context: str,
    *,
    replaces: str = "",
    is_trusted: bool = False,
) -> str | None:
    """Return why a statement may not go into a memory, as the end of a sentence, or None when it may.

    Args:
        target: the memory.
        others: other memories of the store that the statement may be about as well.
        statement: what is to be remembered.
        context: what was said around it, itself included.
        replaces: words of the memory that the statement makes untrue, or empty.
        is_trusted: a model that has passed its exam named the memory: only what speaks of another one tells against it.
    """
    if same_subject(target.path, target.text, "", statement).is_different:
        return f"{target.path} says the same about another subject"
    near = _find_near(target, others, statement)
    is_shown = is_trusted and replaces and _stands_in(target, replaces)
    if is_shown and not any(_stands_in(one, replaces) or are_apart(target, one) for one in near):
        return None  # what it makes untrue stands there, and in no other memory that it may be about
    said = read_marks(statement), read_marks(context[:_MOST_CONTEXT_CHARS])
    doubts = (_find_doubt(target, one, statement, said, replaces, is_trusted=is_trusted) for one in near)
    doubt = next((one for one in doubts if one), None)
    if doubt is not None or is_trusted:
        return doubt
    if _is_called_in(target, said[0] | said[1], context) or any(are_apart(target, one) for one in near):
        return None
    return _find_silence(target, near, statement, replaces)


def _find_silence(target: Candidate, near: Sequence[Candidate], statement: str, replaces: str) -> str | None:
    """Return why a statement that names no subject may not go into a memory, or None when the memory alone says it or its like."""
    label = _find_label(statement)
    if label:
        return f"it does not say whose {label} it is"
    stands_alone = replaces and _stands_in(target, replaces) and not any(_stands_in(one, replaces) for one in near)
    if stands_alone or _says_it_alone(target, near, statement):
        return None
    return f"nothing that was said names what {target.path} is about"


def _find_label(statement: str) -> str:
    """Return the label of a line that gives a value to it, or nothing for a sentence."""
    found = _FIELD.match(statement)
    label = found[1].strip(" *_`") if found else ""
    words = label.split()
    is_opener = not _OPENERS.isdisjoint(map(stem_of, map(str.lower, words)))
    return label if 0 < len(words) <= _MOST_LABEL_WORDS and not is_opener else ""


def _find_doubt(
    target: Candidate, other: Candidate, statement: str, said: _Said, replaces: str, *, is_trusted: bool
) -> str | None:
    """Return why a statement may be about another memory rather than about the target, or None."""
    mine, its = target.naming.less(other.naming), other.naming.less(target.naming)
    if not are_apart(target, other):
        is_its = its.is_said_in(said[0] | said[1]) and not mine.is_touched_by(said[0] | said[1])
        return f"{other.path} is named, and {target.path} is not" if is_its else None
    verdict = _compare(mine, its, said[0]) or _compare(mine, its, said[1])
    if verdict == "its":
        return f"it speaks of what {other.path} is about"
    says_it = is_trusted or (
        not _find_label(statement)
        and (_says_it_wholly(target, other, statement) or _changes_its_values(other, statement, replaces))
    )
    if verdict != "mine" and not says_it:
        return f"it does not say whether it is about {target.path} or {other.path}"
    return None


def speaks_of_the_same(statement: str, replaces: str) -> bool:
    """Tell whether two sentences share a name, so that the one may take the other's place: `the public API allows 900`."""
    numbers = _numbers_of(statement)
    return bool(find_present(replaces, find_specifics(statement) - numbers))


def _stands_in(one: Candidate, words: str) -> bool:
    return " ".join(words.split()) in " ".join(one.text.split())


def is_named(path: str, text: str, said: str) -> bool:
    """Tell whether a text calls a memory by its title or its path."""
    return _is_called_in(read_candidate(path, text), read_marks(said[:_MOST_CONTEXT_CHARS]), said)


def _is_called_in(one: Candidate, marks: frozenset[str], text: str) -> bool:
    """Tell whether a text calls a memory by its name, and not one that has another word in the same place.

    `Restart the billing service` has most words of `Restart the notify service`, and names another page of its kind, even
    where the store has no such page to compare with.
    """
    return (
        one.naming.is_said_in(marks) and not _calls_another(one.title, text) and not _names_another_file(one.path, text)
    )


def _names_another_file(path: str, text: str) -> bool:
    """Tell whether a text names files beside this one, or of its name, by their paths, and not this one."""
    named = {found[0] for found in _FILE.finditer(text[:_MOST_CONTEXT_CHARS])}
    folder, _, name = path.rpartition("/")
    alike = (one.rpartition("/") for one in named)
    return path not in named and any(its == name or where == folder for where, _, its in alike)


def _calls_another(title: tuple[str, ...], text: str) -> bool:
    """Tell whether a text has another word in the place of one of the title's words that it does not say."""
    lines = _words_of_lines(text[:_MOST_CONTEXT_CHARS])
    missing = set(title).difference(word for line in lines for word, _ in line)
    if not missing or not 1 < len(title) <= _MOST_NAME_WORDS:
        return False
    return any(
        _fills_place(title, place, line) for place, word in enumerate(title) if word in missing for line in lines
    )


def _fills_place(title: tuple[str, ...], place: int, line: Sequence[tuple[str, bool]]) -> bool:
    """Tell whether a line has the title's words around a place, and another word there; at the ends it has to be a name."""
    before, after = title[place - 1 : place] if place else (), title[place + 1 : place + 2]
    for at, (word, is_name) in enumerate(line):
        left = tuple(told for told, _ in line[max(0, at - 1) : at])
        right = tuple(told for told, _ in line[at + 1 : at + 2])
        is_between = bool(before and after) or is_name
        if word not in title and is_between and left[: len(before)] == before and right[: len(after)] == after:
            return True
    return False


def _compare(mine: _Naming, its: _Naming, said: frozenset[str]) -> str:
    """Return whose name a text contains: `mine`, `its`, `both`, or nothing for neither."""
    if its.is_touched_by(said):
        return "both" if mine.is_touched_by(said) else "its"
    return "mine" if mine.is_said_in(said) else ""


def _find_near(target: Candidate, others: Sequence[Candidate], statement: str) -> list[Candidate]:
    """Return the memories that a statement may be about as well as about the target, the likeliest first.

    They have at least half as many of the statement's words as the target has, or are called much like the target.
    """
    words = frozenset(list_stems(statement))
    least = max(1, _HALF * len(words & target.words))
    name = target.naming.title
    found = []
    for one in others:
        shared = len(words & one.words)
        called = len(name & one.naming.title)
        if one.path != target.path and (shared >= least or 2 * called >= max(1, len(name))):
            found.append((-shared, -called, one.path, one))
    return [one for *_, one in sorted(found)[:_MOST_RIVALS]]


def are_apart(one: Candidate, other: Candidate) -> bool:
    """Tell whether two memories are about different subjects."""
    return same_subject(one.path, one.text, other.path, other.text).is_different


def _says_it_wholly(target: Candidate, rival: Candidate, statement: str) -> bool:
    """Tell whether one of two memories says all of a statement in one sentence, and the other one does not."""
    if _share_said(target, statement) < 1 or _share_said(rival, statement) > 1 - _CLEARLY:
        return False
    return _has_its_values(target, statement)


def _changes_its_values(rival: Candidate, statement: str, replaces: str) -> bool:
    """Tell whether a statement is the sentence that it replaces with other numbers, and the other memory has none like it."""
    words, told = (
        {word for word in significant_words(text, _WORDS) if not any(map(str.isdigit, word))}
        for text in (statement, replaces)
    )
    return len(words) >= _FEWEST_WORDS and words <= told and _share_said(rival, replaces) <= 1 - _CLEARLY


def _says_it_alone(target: Candidate, others: Sequence[Candidate], statement: str) -> bool:
    """Tell whether a memory says nearly the same sentence, and none about another subject does."""
    mine = _share_said(target, statement)
    if mine < _SAME_SENTENCE or not _has_its_values(target, statement) or _fills_in_otherwise(target, statement):
        return False
    apart = [one for one in others if one.path != target.path and are_apart(target, one)]
    return all(mine - _share_said(one, statement) >= _CLEARLY for one in apart)


def _share_said(one: Candidate, statement: str) -> float:
    """Return which part of a statement's telling words the sentence has that is most like it."""
    words = set(significant_words(statement, _WORDS))
    if len(words) < _FEWEST_WORDS:
        return 0.0
    shared = max((len(words & told) for told in _words_of_sentences(one.text)), default=0)
    return shared / len(words) if shared >= _FEWEST_SHARED or shared == len(words) else 0.0


def _fills_in_otherwise(one: Candidate, statement: str) -> bool:
    """Tell whether a sentence of a memory is the statement with something else in one place: `the test account`."""
    words, known = frozenset(list_stems(statement)), one.words
    sentences = statements_of(body_of(one.text))[:_MOST_SENTENCES]
    near = max(sentences, key=lambda told: len(words & frozenset(list_stems(told))), default="")
    return bool(align(statement, near, words, known).slots)


@remember_last
def _words_of_lines(text: str) -> tuple[tuple[tuple[str, bool], ...], ...]:
    """Return the stems of each line in their order, and whether each is written like a name."""
    return tuple(
        tuple((stem, word != word.lower() or not word.isalpha()) for word in line.split() for stem in list_stems(word))
        for line in text.splitlines()
    )


@remember_last
def _words_of_sentences(text: str) -> tuple[frozenset[str], ...]:
    sentences = statements_of(body_of(text))[:_MOST_SENTENCES]
    return tuple(frozenset(significant_words(told, _WORDS)) for told in sentences)


def _has_its_values(one: Candidate, statement: str) -> bool:
    """Tell whether a memory has each number and name of a statement."""
    numbers = _numbers_of(statement)
    return not find_missing_specifics(one.text, [statement]) and numbers <= _numbers_of(one.text)


def _numbers_of(text: str) -> frozenset[str]:
    return list_numbers(_tokens_of(text))


def _tokens_of(text: str) -> list[Token]:
    return [token for line in tidy(text).splitlines() for token in find_tokens(line)]


def _marks_of_title(title: str) -> frozenset[str]:
    """Return the marks of a title: a name such as `prod-eu` or `K12` is one, not two words."""
    return read_marks(_JOINED.sub(" ", title)) | frozenset(_find_joined(title))


def _find_joined(text: str) -> Iterator[str]:
    return (found[0].lower() for found in _JOINED.finditer(text))


@remember_last
def read_marks(text: str) -> frozenset[str]:
    """Return what a text may call a subject by: stems of its words, what holds digits, and numbers with the word before."""
    marks = set(list_stems(as_spaced(text)))
    marks = {mark for mark in marks if not mark.isdigit()} | set(_find_joined(text))
    before = ""
    for token in _tokens_of(text):
        if token.kind is TokenKind.NUMBER:
            marks.add(f"{before} {token.text}" if before else token.text)
        elif any(character.isdigit() for character in token.text):
            marks.add(token.text)
        before = stem_of(token.text)
    return frozenset(marks)
