"""Find the offered documents that belong together, and how: candidates by shared words, judged by the measures of the core."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from shared.core.merging.calls import folder_of
from shared.core.merging.opposites import decide_opposites
from shared.core.merging.other_version import find_other_version
from shared.core.merging.overlap import overlap_mostly
from shared.core.merging.same_subject import UNKNOWN, SubjectVerdict, same_subject
from shared.core.merging.specifics import find_specifics
from shared.core.merging.subject_words import are_filed_apart, read_subject
from shared.core.text.duplicates import is_same_text
from shared.core.text.similarity import NEAR_DUPLICATE, RELATED, decide_near_duplicate
from workers.offline.plain_conflict import find_plain_conflict
from workers.offline.words import find_words, is_generic, join_words, list_words, spell_specific, spell_words
from workers.phases.consolidate.closest import are_entries, find_closest, share_marks
from workers.phases.consolidate.offered import Offered, head_of

#: Pairs that share a smaller part of the shorter text's words are not compared any further.
_WORTH_COMPARING = 0.45
#: From here two texts that say opposite things are called a contradiction rather than two topics.
_SAME_STATEMENT = 0.75
#: A term is characteristic when at most this share of the offered documents has it (two documents always may).
_RARE_SHARE = 0.15
_MIN_SHARED_TERMS = 3
#: The weight that shared rare terms must have in the shorter text for a link.
_MIN_SHARED_WEIGHT = 0.16
#: The weight that is enough when none of the shared terms stands in a title.
_WEIGHT_WITHOUT_TITLE = 0.3
_BOTH = 2
#: Pairs of paths.
Twins = frozenset[frozenset[str]]
#: Among fewer documents it proves nothing that two of one folder are closest, if each names a subject that the other does not.
_MANY = 4
#: So many files of one folder under one title are pages of a template.
_FEWEST_PAGES = 3
#: From this share of the words of both it does; and two that are likely about two subjects may be one after all.
_MUCH = 0.3
#: A shared name is searched among this many names; a reason names two.
_MOST_SPECIFICS = 200


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two documents, how alike they are, what they share, and what keeps them apart if anything does. Not slotted, as `Offered`.

    `conflict` may err, for it only keeps two texts from being merged; `contradiction` is what a person is told.
    """

    left: Offered
    right: Offered
    likeness: float
    containment: float
    terms: tuple[str, ...] = ()
    conflict: str | None = None
    contradiction: str | None = None
    weight: float = 0.0
    subject: SubjectVerdict = UNKNOWN
    named: str = ""  # what the head of one names and only these two speak of
    are_pages: bool = False  # files of one folder under one title, as a third one is
    are_twins: bool = False  # they say the same by their meaning
    is_closest: bool = False  # each is nearer to the other than to any third, in its words or its meaning

    @property
    def is_duplicate(self) -> bool:
        """Tell whether the two say the same and may be merged.

        In a script without spaces only equal texts surely do: one character says the opposite, and no rule knows which.
        """
        is_blind = self.left.is_unspaced and not is_same_text(self.left.body, self.right.body)
        return self.may_be_one and self.likeness >= NEAR_DUPLICATE and not is_blind

    @cached_property
    def is_said_otherwise(self) -> bool:
        """Tell whether the two seem to say the same in other words, which a person has to decide."""
        if (
            self.is_duplicate
            or self.is_contradiction
            or self.are_pages
            or (self.subject.is_different and not self.subject.is_likely)
        ):
            return False
        if self.is_closest and not self._are_kept_as_two():
            return True
        if not self.may_be_one or self.likeness < RELATED:
            return False
        left, right = (read_subject(one.path, one.document.text) for one in (self.left, self.right))
        return overlap_mostly(left, right, is_one_subject=self.subject.is_same)

    def _are_kept_as_two(self) -> bool:
        """Tell whether the author of both knew that they are two: one names the other, or they are entries of a series."""
        left, right = self.left, self.right
        if left.mentions(right) or right.mentions(left):
            return True
        return are_entries((left.path, left.body), (right.path, right.body))

    @property
    def may_be_one(self) -> bool:
        """Tell whether nothing keeps the two apart, however alike they are."""
        return self.conflict is None and not self.subject.is_different

    @property
    def is_contradiction(self) -> bool:
        """Tell whether the two make one statement in opposite ways."""
        return self.contradiction is not None

    @property
    def is_related(self) -> bool:
        """Tell whether a reader of one would want the other."""
        if self.likeness >= RELATED or self.named:
            return True
        in_titles = find_words(self.left.title) | find_words(self.right.title)
        needed = _MIN_SHARED_WEIGHT if in_titles.intersection(self.terms) else _WEIGHT_WITHOUT_TITLE
        return len(self.terms) >= _MIN_SHARED_TERMS and self.weight >= needed

    @property
    def is_linked(self) -> bool:
        """Tell whether both link to each other already."""
        return self.right.path in self.left.related and self.left.path in self.right.related


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRarity:
    """The rarity of each word among the offered documents."""

    idf: Mapping[str, float]
    rare: frozenset[str]

    def weigh(self, words: frozenset[str]) -> float:
        """Return the summed rarity of words."""
        return math.fsum(self.idf[word] for word in words)


def compare(left: Offered, right: Offered) -> Pair:
    """Return how two documents relate by their texts alone."""
    shared = left.words & right.words
    least = min(len(left.words), len(right.words))
    containment = len(shared) / least if least else 0.0
    likeness = decide_near_duplicate(left.compared, right.compared)
    subject = same_subject(left.path, left.document.text, right.path, right.document.text)
    is_one_topic = likeness >= RELATED and not subject.is_different
    version = find_other_version(left.path, left.document.text, right.path, right.document.text)
    conflict = version or (decide_opposites(left.body, right.body, is_surely=True) if is_one_topic else None)
    is_told = version is None and conflict is not None and likeness >= _SAME_STATEMENT
    return Pair(
        left=left,
        right=right,
        likeness=likeness,
        containment=containment,
        conflict=conflict,
        contradiction=find_plain_conflict(left.body, right.body, is_one_subject=subject.is_same)
        if is_told
        else version,
        subject=subject,
    )


def find_pairs(
    offered: Sequence[Offered], hinted: frozenset[frozenset[str]], twins: Twins = frozenset()
) -> tuple[Pair, ...]:
    """Return every pair with a changed document that has something in common, the most alike first; `twins` in their meaning."""
    rarity = _measure_rarity(offered)
    weights = {one.path: rarity.weigh(one.words & rarity.rare) for one in offered}
    counts = Counter(name for one in offered for name in one.names)
    found: list[tuple[Pair, bool, frozenset[str]]] = []
    for left, right in combinations(offered, 2):
        if not (left.is_changed or right.is_changed):
            continue
        shared = left.words & right.words
        least = min(len(left.words), len(right.words))
        is_hinted = frozenset((left.path, right.path)) in hinted
        rare = shared & rarity.rare
        lightest = min(weights[left.path], weights[right.path])
        weight = rarity.weigh(rare) / lightest if lightest else 0.0
        is_close = least > 0 and len(shared) >= _WORTH_COMPARING * least
        if left.is_unspaced and right.is_unspaced:
            least = min(len(left.stems), len(right.stems))
            is_close = len(left.stems & right.stems) >= _WORTH_COMPARING * least > 0
        is_rare = len(rare) >= _MIN_SHARED_TERMS and weight >= _MIN_SHARED_WEIGHT
        own = sorted(name for name in left.names & right.names if counts[name] == _BOTH)
        named = next((name for name in own if name in left.head or name in right.head), "")
        is_marked = share_marks(left.wording, right.wording)
        are_twins = frozenset((left.path, right.path)) in twins
        if not (is_close or is_hinted or is_rare or named or is_marked or are_twins):
            continue
        pair = Pair(
            left=left, right=right, likeness=0.0, containment=0.0, named=named, weight=weight, are_twins=are_twins
        )
        found.append((pair, is_close or is_hinted, rare or shared))
    return _compare_all(found, offered, rarity)


def _compare_all(
    found: Sequence[tuple[Pair, bool, frozenset[str]]], offered: Sequence[Offered], rarity: WordRarity
) -> tuple[Pair, ...]:
    """Return the pairs with how their texts relate where they are near each other, and with what they share."""
    closest = find_closest({one.path: one.wording for one in offered}, [_ends_of(pair) for pair, *_ in found])
    pages = Counter(_template_of(one) for one in offered)
    compared = []
    for pair, is_near, shared in found:
        share = closest.get(_ends_of(pair), 0.0)
        judged = compare(pair.left, pair.right) if is_near or share or pair.are_twins else pair
        is_closest = share > 0 and _proves_closeness(judged, share, len(offered))
        is_closest = is_closest or (pair.are_twins and _may_be_twins(judged))
        template = _template_of(pair.left)
        are_pages = template == _template_of(pair.right) and pages[template] >= _FEWEST_PAGES
        judged = replace(judged, named=pair.named, is_closest=is_closest, are_pages=are_pages)
        compared.append(_with_terms(judged, shared, pair.weight, rarity))
    return tuple(sorted(compared, key=lambda pair: (-pair.likeness, -pair.weight, pair.left.path, pair.right.path)))


def _template_of(one: Offered) -> tuple[str, str]:
    """Return what the pages of a template have in common: their folder and the title that it gives them."""
    return folder_of(one.path), one.title


def _proves_closeness(pair: Pair, share: float, offered: int) -> bool:
    """Tell whether two may be one because they share more words with each other than with any third of those offered."""
    is_apart = are_filed_apart(pair.left.path, pair.right.path)
    if pair.subject.is_likely:
        return is_apart and share >= _MUCH
    return is_apart or share >= _MUCH or offered >= _MANY or not pair.subject.names_two


def _may_be_twins(pair: Pair) -> bool:
    """Tell whether two that say the same by their meaning may be one: pages of one template mean nearly the same, too."""
    return not pair.subject.is_likely or are_filed_apart(pair.left.path, pair.right.path)


def _ends_of(pair: Pair) -> tuple[str, str]:
    return pair.left.path, pair.right.path


def _with_terms(pair: Pair, shared: frozenset[str], weight: float, rarity: WordRarity) -> Pair:
    ranked = sorted((word for word in shared if not is_generic(word)), key=lambda word: (-rarity.idf[word], word))
    return replace(pair, terms=tuple(ranked), weight=weight)


def _measure_rarity(offered: Sequence[Offered]) -> WordRarity:
    counts = Counter(word for one in offered for word in one.words)
    total = len(offered)
    idf = {word: math.log((total + 1) / count) + 0.1 for word, count in counts.items()}
    limit = most_with_rare(total)
    rare = frozenset(word for word, count in counts.items() if count <= limit and not is_generic(word))
    return WordRarity(idf=idf, rare=rare)


def most_with_rare(documents: int) -> int:
    """Return in how many of some documents a term may occur and still count as rare."""
    return max(2, math.ceil(_RARE_SHARE * documents))


def name_topic(pair: Pair, limit: int = 3) -> str:
    """Return what a pair shares, in words as they are written; nothing when only passing words are shared.

    Words that the head of either (title, summary, headings) names come first, those of both before those of one; then
    specifics that both hold; then words that both use more than once.
    """
    heads = [find_words(head_of(one)) for one in (pair.left, pair.right)]
    spelled = spell_words(f"{pair.left.title}\n{pair.left.body}\n{pair.right.body}", frozenset(pair.terms))
    named = sorted(
        (term for term in spelled if term in heads[0] | heads[1]),
        key=lambda t: sum(t in h for h in heads),
        reverse=True,
    )
    topic = [spelled[term] for term in named[:limit]]
    if len(topic) < limit:
        topic += _shared_specifics(pair, topic)[: limit - len(topic)]
    if not topic:
        often = [Counter(list_words(one.body)) for one in (pair.left, pair.right)]
        topic = [spelled[term] for term in spelled if min(count[term] for count in often) > 1][:limit]
    return join_words(topic)


def _shared_specifics(pair: Pair, known: Sequence[str]) -> list[str]:
    """Return names, paths and codes that both texts hold, those first that both say most often, as the left one spells them.

    Numbers and addresses of the web say too little.
    """
    said = {word.lower() for word in known}
    both = find_specifics(pair.left.body) & find_specifics(pair.right.body)
    telling = [one for one in both if len(one) > 3 and re.search(r"[a-z]{3}", one) and "://" not in one]
    often = {one: min(pair.left.lowered.count(one), pair.right.lowered.count(one)) for one in telling}
    return [
        found
        for one in sorted(often, key=lambda one: (-often[one], one))[:_MOST_SPECIFICS]
        if one not in said and (found := spell_specific(one, pair.left.body)) and not _is_date(found)
    ]


def _is_date(text: str) -> bool:
    return re.match(r"\d{4}-\d{2}", text) is not None
