"""Find the offered documents that belong together, and how: candidates by shared words, judged by the measures of the core."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from shared.core.merging.calls import folder_of
from shared.core.merging.opposites import reason_opposed
from shared.core.merging.overlap import overlap_mostly
from shared.core.merging.same_subject import UNKNOWN, SubjectVerdict, same_subject
from shared.core.merging.subject_words import read_subject
from shared.core.text.duplicates import is_same_text
from shared.core.text.similarity import NEAR_DUPLICATE, RELATED, similarity
from workers.phases.consolidate.offered import Offered

#: Pairs that share a smaller part of the shorter text's words are not compared any further.
_WORTH_COMPARING = 0.45
#: So many files of one folder under one title are pages of a template.
_FEWEST_PAGES = 3


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two documents, how alike they are, and what keeps them apart if anything does. Not slotted, as `Offered`."""

    left: Offered
    right: Offered
    likeness: float
    conflict: str | None = None
    subject: SubjectVerdict = UNKNOWN
    are_pages: bool = False  # files of one folder under one title, as a third one is

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
        if self.is_duplicate or self.are_pages or not self.may_be_one or self.likeness < RELATED:
            return False
        left, right = (read_subject(one.path, one.document.text) for one in (self.left, self.right))
        return overlap_mostly(left, right, is_one_subject=self.subject.is_same)

    @property
    def may_be_one(self) -> bool:
        """Tell whether nothing keeps the two apart, however alike they are."""
        return self.conflict is None and not self.subject.is_different


def compare(left: Offered, right: Offered) -> Pair:
    """Return how two documents relate by their texts alone."""
    likeness = similarity(left.compared, right.compared)
    subject = same_subject(left.path, left.document.text, right.path, right.document.text)
    is_one_topic = likeness >= RELATED and not subject.is_different
    conflict = reason_opposed(left.body, right.body, strict=True) if is_one_topic else None
    return Pair(left=left, right=right, likeness=likeness, conflict=conflict, subject=subject)


def find_pairs(offered: Sequence[Offered]) -> tuple[Pair, ...]:
    """Return every pair with a changed document that may be one, the most alike first."""
    pages = Counter(map(_template_of, offered))
    found = []
    for left, right in combinations(offered, 2):
        if (left.is_changed or right.is_changed) and _share_words(left, right):
            template = _template_of(left)
            are_pages = template == _template_of(right) and pages[template] >= _FEWEST_PAGES
            found.append(replace(compare(left, right), are_pages=are_pages))
    return tuple(sorted(found, key=lambda pair: (-pair.likeness, pair.left.path, pair.right.path)))


def _share_words(left: Offered, right: Offered) -> bool:
    """Tell whether two share so many words that it is worth comparing their texts."""
    least = min(len(left.words), len(right.words))
    return least > 0 and len(left.words & right.words) >= _WORTH_COMPARING * least


def _template_of(one: Offered) -> tuple[str, str]:
    """Return what the pages of a template have in common: their folder and the title that it gives them."""
    return folder_of(one.path), one.title
