"""Without a model: which of two statements of one dream takes the other's place."""

from collections.abc import Sequence

from shared.core.answers import GatheredMemory
from shared.core.opposites import decide_opposites
from shared.core.similarity import decide_near_duplicate, significant_words

#: What a user takes back or decides replaces what a memory says; a taste or a theme stands beside it.
REPLACING = frozenset({"correction", "decision", "save"})
#: A sentence that the statement contradicts is this much like it.
SAME_CLAIM = 0.45
#: Where two that are not of one kind go: neither folder would be right for both.
_COMMON_PLACE = "notes"
#: These say how firmly or since when, not what.
_FIRMLY = frozenset(
    {"always", "never", "ever", "really", "actually", "currently", "today", "anymore", "longer", "still"}
)
_WORDS = 40


def let_later_win(stated: Sequence[GatheredMemory]) -> list[GatheredMemory]:
    """Return the statements, oldest first; one that contradicts an earlier one replaces it, under its own title."""
    kept: list[GatheredMemory] = []
    for one in stated:
        number = next((n for n, other in enumerate(kept) if _takes_place(one, other)), None)
        if number is None:
            kept.append(one)
            continue
        other = kept[number]
        place = {} if one.kind == other.kind else {"placement": _COMMON_PLACE}
        kept[number] = other.model_copy(update={"title": one.title} | place)
        kept.append(one.model_copy(update={"target": other.target, "replaces": other.statement} | place))
    return kept


def _takes_place(one: GatheredMemory, other: GatheredMemory) -> bool:
    if one.kind not in REPLACING or one.target is not None:
        return False
    is_alike = decide_near_duplicate(one.statement, other.statement) >= SAME_CLAIM
    is_alike = is_alike and is_one_claim(one.statement, other.statement)
    return is_alike and decide_opposites(other.statement, one.statement) is not None


def is_one_claim(one: str, other: str) -> bool:
    """Tell whether two statements with different numbers are about one thing: staging's port is not production's."""
    left, right = _told(one), _told(other)
    only_left, only_right = left - right, right - left
    if not (any(map(_is_number, only_left)) and any(map(_is_number, only_right))):
        return True
    return all(map(_is_number, only_left)) or all(map(_is_number, only_right))


def _is_number(word: str) -> bool:
    return any(character.isdigit() for character in word)


def _told(statement: str) -> set[str]:
    numbers = {word.strip(".,;:!") for word in statement.lower().split() if _is_number(word)}
    return (set(significant_words(statement, _WORDS)) | numbers) - _FIRMLY
