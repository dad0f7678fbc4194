"""Decide whether two memories are about the same subject: pages of one template about different subjects never become one.

`different` needs a sign on both sides: each names its subject by a word that the other one lacks, and the rest shows that
the word is what the memory is about; or their files are numbered as those of a series. It is only likely where little follows
a template, or where the files share neither folder nor name: pages of a template lie side by side, two notes on one thing
need not. A merge is a person's decision then. `same` needs that the texts cover each other's subject. All else is `unknown`: a
model may merge it, the rules without a model only propose it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from shared.core.memory.expiry import read_expiry
from shared.core.memory.model import Memory
from shared.core.memory.part_of import find_common_whole
from shared.core.merging.sentence_slots import Alignment, align
from shared.core.merging.specifics import find_present, find_specifics
from shared.core.merging.subject_words import (
    GENERIC_STEMS,
    Subject,
    are_editions,
    are_filed_apart,
    are_of_a_series,
    are_sorts_of_text,
    are_versions,
    find_named_apart,
    list_stems,
    own_path_words,
    read_subject,
    spell,
)
from shared.core.text.remember import remember_verdicts

#: Of the shorter text's sentences this share is the other's, but for what is filled in: both follow a template.
_TEMPLATE = 0.4
#: A template alone, without a title that tells the two apart, must show more clearly, and in at least this many sentences.
_CLEAR_TEMPLATE = 0.5
_FEWEST_FILLED = 2
#: If only one sentence is filled in differently, this share of the shorter text must be the other's.
_WHOLE_TEMPLATE = 0.75
#: Notes with fewer sentences than this in the shorter one show no template in which a page could differ from its sub-page.
_FEWEST_OF_PAGES = 6
#: A page lists its parts besides what the template says: less of it stands in the page of a part.
_TEMPLATE_OF_WHOLE = 0.25
#: Two memories that share less than this of a template are told apart by a few places only, as one note in other words may be.
_CERTAIN = 0.6
#: Texts that share less than this of the shorter one's words do not show that they speak of one subject.
_COVERED = 0.5

#: One word in brackets after another, or called another: two names of one thing.
_EQUATED = re.compile(
    r"(?<!\w)(\w{1,60})(?!\w)[`'\"*]{0,3}(?: \(|,? (?:aka|alias|also (?:called|known as|named)|short for|formerly|stands for|auch) )"
    r"(?:the |a |die |der |das )?[`'\"*]{0,3}(\w{1,60})"
)

#: A day in a file's name tells when it was written.
_DAY = re.compile(r"(?<!\d)\d{4}-?\d\d-?\d\d(?!\d)[^/]*$")

#: The words that only the one memory is named by, and those that only the other one is.
_Names = tuple[frozenset[str], frozenset[str]]
_NO_NAMES: _Names = (frozenset(), frozenset())


class SubjectKind(StrEnum):
    """The verdict on two memories."""

    SAME = "same"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class SubjectVerdict:
    """The verdict whether two memories are about one subject, with the reason that a dream's report shows."""

    kind: SubjectKind
    reason: str = ""
    names_two: bool = False  # each names its subject by words that the other lacks, which alone proves nothing
    is_likely: bool = False  # different, with a sign against it: whether the two are merged is a person's decision
    named_apart: str = (
        ""  # how their titles or paths name two things: whether the two are merged is a person's decision
    )

    @property
    def is_different(self) -> bool:
        """Tell whether the two must stay apart."""
        return self.kind is SubjectKind.DIFFERENT

    @property
    def is_same(self) -> bool:
        """Tell whether the rules may merge the two without a model."""
        return self.kind is SubjectKind.SAME


UNKNOWN = SubjectVerdict(SubjectKind.UNKNOWN)


@remember_verdicts
def same_subject(left_path: str, left_text: str, right_path: str, right_text: str) -> SubjectVerdict:
    """Return whether two memories are about the same subject; symmetric but for the order of what the reason quotes."""
    if read_expiry(left_text) != read_expiry(right_text):
        return _different("they do not expire on the same day")
    verdict = _judge(left_path, left_text, right_path, right_text)
    if verdict.is_different:
        return replace(verdict, is_likely=True) if _is_doubtful(left_path, right_path) else verdict
    apart = find_named_apart(read_subject(left_path, left_text), read_subject(right_path, right_text))
    if apart is None:
        return verdict
    return _different(apart.reason) if apart.is_certain else replace(verdict, named_apart=apart.reason)


def reason_different(memories: Sequence[Memory], *, strict: bool = False) -> str | None:
    """Return why some two of these memories are about different subjects, or None; `strict` leaves out likely ones."""
    for left, right in combinations(memories, 2):
        verdict = same_subject(left.path, left.content, right.path, right.content)
        if verdict.is_different and not (strict and verdict.is_likely):
            what = "may be about two subjects" if verdict.is_likely else "are about different subjects"
            return f"{left.path} and {right.path} {what}: {verdict.reason}"
    return None


def _is_doubtful(left_path: str, right_path: str) -> bool:
    """Tell whether two paths speak against two subjects: filed apart, called versions of one file, or told apart by a day."""
    is_of_days = bool(_DAY.search(left_path) and _DAY.search(right_path))
    return is_of_days or are_filed_apart(left_path, right_path) or are_versions(left_path, right_path)


def _judge(left_path: str, left_text: str, right_path: str, right_text: str) -> SubjectVerdict:
    whole = find_common_whole(left_path, left_text, right_path, right_text)
    if whole:
        return _different(f"both are parts of {whole}, which was too large")
    left, right = read_subject(left_path, left_text), read_subject(right_path, right_text)
    is_edition = are_editions(left, right)
    numbered = "" if is_edition else _find_numbered_titles(left, right)
    if numbered:
        return _different(f"their titles differ in {numbered}")
    if _belong_to_folders(left, right):
        return _different(f"each belongs to its folder: {left.folder or 'the top'} and {right.folder or 'the top'}")
    if _are_of_a_series(left, right):
        return _different("their files are named in turn, as those of a series")
    names = _find_names(left, right)
    if all(names) and not is_edition:
        return _judge_named(left, right, names, align(left.body, right.body, left.words, right.words))
    names = _find_page_names(left, right)
    if is_edition or _are_equated(names, left) or _are_equated(names, right):
        names = _NO_NAMES
    alignment = align(left.body, right.body, left.words - names[1], right.words - names[0])
    if alignment.share >= _TEMPLATE and (_stand_in_one_place(names, alignment) or _speak_of_own(names, alignment)):
        told = f"one is about {spell(left, names[0])}, the other about {spell(right, names[1])}"
        return _different(f"{told}: the same template in which each says its own name", alignment)
    return _find_part(left, right, alignment) or _judge_unnamed(left, right, alignment)


def _different(reason: str, alignment: Alignment | None = None) -> SubjectVerdict:
    is_likely = alignment is not None and alignment.share < _CERTAIN
    return SubjectVerdict(SubjectKind.DIFFERENT, reason, is_likely=is_likely)


def _unknown(reason: str) -> SubjectVerdict:
    return SubjectVerdict(SubjectKind.UNKNOWN, reason)


def _find_numbered_titles(left: Subject, right: Subject) -> str:
    """Return the numbers by which two titles of the same words differ, as those of weeks, incidents and hosts do."""
    ours, theirs = ([word for word in one.title_words if not word.isdigit()] for one in (left, right))
    first, second = ([word for word in one.title_words if word.isdigit()] for one in (left, right))
    if ours != theirs or first == second or not first or not second:
        return ""
    return f"a number: {' '.join(first)[:60]} against {' '.join(second)[:60]}"


def _are_of_a_series(left: Subject, right: Subject) -> bool:
    """Tell whether two files are pages of a series, and each says what the other does not; what a copy says, the other says, too."""
    is_series = are_of_a_series(left.path, right.path)
    return is_series and bool(left.body_words - right.body_words) and bool(right.body_words - left.body_words)


def _belong_to_folders(left: Subject, right: Subject) -> bool:
    """Tell whether two files of a generic name lie in different folders and are not copies of one text."""
    are_generic = left.stem in GENERIC_STEMS and right.stem in GENERIC_STEMS
    return are_generic and left.folder != right.folder and left.body_words != right.body_words


def _find_names(left: Subject, right: Subject) -> _Names:
    """Return the words that name each memory's subject and not the other's, none where they say what sort of text each is."""
    names = _find_own_names(left, right), _find_own_names(right, left)
    return _NO_NAMES if all(names) and are_sorts_of_text(names[0] | names[1]) else names


def _find_own_names(mine: Subject, other: Subject) -> frozenset[str]:
    """Return the words that name a memory's subject and stand nowhere in the other one.

    Words of the title always name it; those of the path when the text says them, too.
    """
    from_path = own_path_words(mine, other) & (mine.body_words | frozenset(mine.title_words))
    return (frozenset(mine.title_words) | from_path) - other.words


def _find_page_names(left: Subject, right: Subject) -> _Names:
    """Return the words that tell both the titles and the files apart, although each text may speak of the other, too."""
    ours, theirs = set(left.title_words), set(right.title_words)
    names = frozenset(ours - theirs), frozenset(theirs - ours)
    return names if all(names) and _is_told_by_path(left, right, names) else _NO_NAMES


def _are_equated(names: _Names, subject: Subject) -> bool:
    """Tell whether a text calls one thing by both names: `k8s (kubernetes)`, `varnish, also called the cache`."""
    if not all(names):
        return False
    both = [tuple(map(frozenset, map(list_stems, found))) for found in _EQUATED.findall(subject.body)]
    return any(one & first and other & second for one, other in both for first, second in (names, names[::-1]))


def _stand_in_one_place(names: _Names, alignment: Alignment) -> bool:
    """Tell whether the template has a place where each of the two says its own name."""
    return any(
        names[0].intersection(list_stems(" ".join(slot.left)))
        and names[1].intersection(list_stems(" ".join(slot.right)))
        for slot in alignment.slots
    )


def _find_part(left: Subject, right: Subject, alignment: Alignment) -> SubjectVerdict | None:
    """Return the verdict on a page and a page about a part of its subject, or None where they are not.

    The title and the file of the part say all that the other's say, and more; what they say more stands in places of the
    template where the other page does without, although it may name the part elsewhere: a list of its parts, perhaps.
    """
    is_left = len(left.title_words) > len(right.title_words)
    part, whole = (left, right) if is_left else (right, left)
    more = frozenset(part.title_words) - frozenset(whole.title_words)
    own = own_path_words(part, whole) - whole.path_words
    is_named = own and own <= more and any(map(str.isalpha, own)) and set(whole.title_words) <= set(part.title_words)
    if not is_named or not whole.title_words or own_path_words(whole, part) - part.path_words:
        return None
    forms = alignment.pairs if is_left else [pair[::-1] for pair in alignment.pairs]
    places = sum(bool(more & ours) and not more & theirs for ours, theirs in forms)
    needed = _TEMPLATE if places < _FEWEST_FILLED else _TEMPLATE_OF_WHOLE
    if not places or alignment.share < needed or alignment.sentences < _FEWEST_OF_PAGES:
        return None
    return _different(
        f"one is about {whole.title}, the other about {part.title}: a part of it, by the same template", alignment
    )


def _speak_of_own(names: _Names, alignment: Alignment) -> bool:
    """Tell whether what only one page says names that page alone: the other one is named in what both say, at most."""
    ours, theirs = alignment.own
    is_page = alignment.sentences >= _FEWEST_OF_PAGES
    return is_page and bool(names[0] & ours - theirs) and bool(names[1] & theirs - ours)


def _judge_named(left: Subject, right: Subject, names: _Names, alignment: Alignment) -> SubjectVerdict:
    """Judge two memories of which each names its subject by words that the other lacks."""
    told = f"one is about {spell(left, names[0])}, the other about {spell(right, names[1])}"
    telling = [slot for slot in alignment.slots if slot.is_name or slot.is_number]
    is_filled_in = len(alignment.filled) >= _FEWEST_FILLED or (telling and alignment.share >= _WHOLE_TEMPLATE)
    if alignment.slots and alignment.share >= _TEMPLATE and is_filled_in:
        return _different(f"{told}: the same template with {alignment.slots[0].told()}", alignment)
    if not telling and _says_the_same(alignment) and not set(left.title_words) & set(right.title_words):
        return _unknown(f"{told}, in the same words")
    is_seen_often = alignment.sentences >= _FEWEST_FILLED or telling
    if alignment.share >= _WHOLE_TEMPLATE and is_seen_often and _is_told_by_path(left, right, names):
        return _different(f"{told}, as their paths say", alignment)
    is_repeated = names[0] & left.body_words and names[1] & right.body_words
    # Notes without a title in two folders may call one thing by two names.
    are_kept_as_two = bool(left.title and right.title) or left.folder == right.folder
    is_told = is_repeated or _is_told_by_path(left, right, names)
    if are_kept_as_two and is_told and _have_own_specifics(left, right, names):
        return _different(f"{told}, and each names what the other does not know", alignment)
    return SubjectVerdict(SubjectKind.UNKNOWN, told, names_two=True)


def _says_the_same(alignment: Alignment) -> bool:
    """Tell whether most of the shorter text stands in the other one word for word: one note under two names, perhaps."""
    return alignment.equal >= _CLEAR_TEMPLATE * max(1, alignment.sentences)


def _is_told_by_path(left: Subject, right: Subject, names: _Names) -> bool:
    """Tell whether the words that tell the titles apart are also what tells the files apart: one file for each thing."""
    if left.folder != right.folder and left.stem != right.stem:
        return False
    ours, theirs = own_path_words(left, right), own_path_words(right, left)
    return bool(ours - theirs) and ours - theirs <= names[0] and bool(theirs - ours) and theirs - ours <= names[1]


def _have_own_specifics(left: Subject, right: Subject, names: _Names) -> bool:
    """Tell whether each text holds names, numbers or paths that the other lacks, besides the name of its subject."""
    whole = [f"{one.title}\n{one.body}" for one in (left, right)]
    wanted = [find_specifics(text) for text in whole]
    only = [wanted[0] - find_present(whole[1], wanted[0]), wanted[1] - find_present(whole[0], wanted[1])]
    return all(
        any(not set(list_stems(specific)) <= own for specific in found) for found, own in zip(only, names, strict=True)
    )


def _judge_unnamed(left: Subject, right: Subject, alignment: Alignment) -> SubjectVerdict:
    """Judge two memories whose titles do not tell them apart."""
    is_template = alignment.share >= _CLEAR_TEMPLATE
    if is_template and _is_one_file_each(left, right, alignment):
        return _different(f"one template in two files: {alignment.slots[0].told()}", alignment)
    about = [slot for slot in alignment.slots if slot.is_subject and slot.is_name]
    if about and not (left.title and right.title):
        return _different(f"the same sentence about {about[0].told()}", alignment)
    if alignment.slots and not (_is_one_title(left, right) and alignment.equal >= len(alignment.filled)):
        return _unknown(f"the same sentence with {alignment.slots[0].told()}")
    is_same_title = bool(left.title_words) and left.title_words == right.title_words
    shorter = min(len(left.body_words), len(right.body_words))
    if not is_same_title and len(left.body_words & right.body_words) < _COVERED * shorter:
        return _unknown("they have few words in common")
    return SubjectVerdict(SubjectKind.SAME)


def _is_one_title(left: Subject, right: Subject) -> bool:
    """Tell whether both have a title, and one says all that the other says."""
    ours, theirs = set(left.title_words), set(right.title_words)
    return bool(ours and theirs) and (ours <= theirs or theirs <= ours)


def _is_one_file_each(left: Subject, right: Subject, alignment: Alignment) -> bool:
    """Tell whether the paths name two things, and more than a value that may have changed differs.

    Files of other names are pages of one template where nearly all of it is the same, or where one of its places holds
    what a file is named by: two short notes that say one thing in other words have places, too (`arrived`, `arrival`).
    """
    names = own_path_words(left, right) - right.words, own_path_words(right, left) - left.words
    named = [any(word.isalpha() and len(word) > 2 for word in words) for words in names]
    if not all(named) or all(slot.is_number for slot in alignment.slots):
        return False
    if left.stem == right.stem or {left.stem, right.stem} <= GENERIC_STEMS:
        return True
    places = [
        (frozenset(list_stems(" ".join(s.left))), frozenset(list_stems(" ".join(s.right)))) for s in alignment.slots
    ]
    is_told = any(names[0] & ours or names[1] & theirs for ours, theirs in places)
    is_template = is_told or alignment.share >= _WHOLE_TEMPLATE
    return is_template and len(alignment.filled) + alignment.unpaired >= _FEWEST_FILLED
