"""Find the offered documents that belong together, and how: candidates by shared words, judged by the measures of the core."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from shared.core.checks.at_odds import find_plain_conflict
from shared.core.merging.calls import folder_of
from shared.core.merging.opposites import reason_opposed
from shared.core.merging.overlap import overlap_mostly
from shared.core.merging.same_subject import UNKNOWN, SubjectVerdict, same_subject
from shared.core.merging.subject_words import are_filed_apart, read_subject
from shared.core.text.duplicates import is_same_text
from shared.core.text.similarity import NEAR_DUPLICATE, RELATED, similarity
from workers.phases.consolidate.closest import are_entries, find_closest
from workers.phases.consolidate.offered import Offered

#: Pairs that share a smaller part of the shorter text's words are not compared any further.
_WORTH_COMPARING = 0.45
#: From here two texts that say opposite things are called a contradiction rather than two topics.
_SAME_STATEMENT = 0.75
#: Pairs of paths.
Twins = frozenset[frozenset[str]]
#: Among fewer documents it proves nothing that two of one folder are closest, if each names a subject that the other does not.
_MANY = 4
#: So many files of one folder under one title are pages of a template.
_FEWEST_PAGES = 3
#: From this share of the words of both it does; and two that are likely about two subjects may be one after all.
_MUCH = 0.3


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two documents, how alike they are, and what keeps them apart if anything does. Not slotted, as `Offered`.

    `conflict` may err, for it only keeps two texts from being merged; `contradiction` is what a person is told.
    """

    left: Offered
    right: Offered
    likeness: float
    containment: float
    conflict: str | None = None
    contradiction: str | None = None
    is_opposed: bool = False  # nearly the same texts, with a conflict
    subject: SubjectVerdict = UNKNOWN
    are_pages: bool = False  # files of one folder under one title, as a third one is
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
            or self.is_opposed
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
    def is_linked(self) -> bool:
        """Tell whether both link to each other already."""
        return self.right.path in self.left.related and self.left.path in self.right.related


def compare(left: Offered, right: Offered) -> Pair:
    """Return how two documents relate by their texts alone."""
    shared = left.words & right.words
    least = min(len(left.words), len(right.words))
    containment = len(shared) / least if least else 0.0
    likeness = similarity(left.compared, right.compared)
    subject = same_subject(left.path, left.document.text, right.path, right.document.text)
    is_one_topic = likeness >= RELATED and not subject.is_different
    conflict = reason_opposed(left.body, right.body, strict=True) if is_one_topic else None
    # What one day's entry says and the next one's does not is no contradiction.
    is_series = are_entries((left.path, left.body), (right.path, right.body))
    is_opposed = conflict is not None and likeness >= _SAME_STATEMENT and not is_series
    return Pair(
        left=left,
        right=right,
        likeness=likeness,
        containment=containment,
        conflict=conflict,
        is_opposed=is_opposed,
        contradiction=find_plain_conflict(left.body, right.body) if is_opposed else None,
        subject=subject,
    )


def find_pairs(
    offered: Sequence[Offered], hinted: frozenset[frozenset[str]], twins: Twins = frozenset()
) -> tuple[Pair, ...]:
    """Return every pair with a changed document that may be one or contradict, the most alike first; `twins` in their meaning."""
    ends = [(left, right) for left, right in combinations(offered, 2) if left.is_changed or right.is_changed]
    wordings = {one.path: one.wording for one in offered}
    closest = find_closest(wordings, [(left.path, right.path) for left, right in ends])
    pages = Counter(_template_of(one) for one in offered)
    found = []
    for left, right in ends:
        paths = frozenset((left.path, right.path))
        share = closest.get((left.path, right.path), 0.0)
        are_twins = paths in twins
        if not (_share_words(left, right) or paths in hinted or share or are_twins):
            continue
        pair = compare(left, right)
        is_closest = (share > 0 and _proves_closeness(pair, share, len(offered))) or (are_twins and _may_be_twins(pair))
        template = _template_of(left)
        are_pages = template == _template_of(right) and pages[template] >= _FEWEST_PAGES
        found.append(replace(pair, is_closest=is_closest, are_pages=are_pages))
    return tuple(sorted(found, key=lambda pair: (-pair.likeness, pair.left.path, pair.right.path)))


def _share_words(left: Offered, right: Offered) -> bool:
    """Tell whether two share so many words that it is worth comparing their texts."""
    ours, theirs = (left.stems, right.stems) if left.is_unspaced and right.is_unspaced else (left.words, right.words)
    least = min(len(ours), len(theirs))
    return least > 0 and len(ours & theirs) >= _WORTH_COMPARING * least


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
