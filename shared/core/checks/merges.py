"""The checks of a merge: the notes that become one, what is left out of them, and what a model says in words of its own.

What is doubtful about one statement costs that statement alone: it stays beside what should have said it. Only what the notes are
about, or what they say against each other, stops a whole merge.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from shared.core.checks.at_odds import reason_at_odds, reason_denied
from shared.core.checks.updates import CHECKS, REPEAT_CHECKS, Check, Finding, Outcome, find_weightiest
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from shared.core.merging.opposites import reason_opposed
from shared.core.merging.overlap import overlap_mostly
from shared.core.merging.same_subject import reason_different, same_subject
from shared.core.merging.subject_words import read_subject

#: The notes that become one.
Notes = Sequence[Memory]


def reason_unlike(memories: Notes) -> str | None:
    """Return which two memories are called two things, or show no sign of one subject and say nothing twice.

    A model's word alone does not make them one: a planet and a metal may have the same title in folders of their own, and
    two sentences with few words in common may contradict each other in words that no rule compares.
    """
    for left, right in combinations(memories, 2):
        verdict = same_subject(left.path, left.content, right.path, right.content)
        apart = verdict.named_apart or (verdict.reason if verdict.names_two else "")
        subjects = read_subject(left.path, left.content), read_subject(right.path, right.content)
        if apart or not (verdict.is_same or overlap_mostly(*subjects, is_one_subject=True)):
            return f"{left.path} and {right.path} may be about two subjects: {apart or verdict.reason}"
    return None


def _find_other_subjects(memories: Notes) -> str | None:
    return reason_different(memories, strict=True)


def reason_between(texts: Mapping[str, str], decide: Callable[[str, str], str | None]) -> str | None:
    """Return what a comparison of two texts finds between any two of these, which are named by their paths, or None."""
    bodies = {path: body_of(text) for path, text in texts.items()}
    for left, right in combinations(bodies, 2):
        if found := decide(bodies[left], bodies[right]):
            return f"{left}, {right}: {found}"
    return None


def _between(decide: Callable[[str, str], str | None]) -> Callable[[Notes], str | None]:
    return lambda memories: reason_between({one.path: one.content for one in memories}, decide)


MERGE_CHECKS: tuple[Check[Notes], ...] = (
    Check("different_subjects", Outcome.REFUSE, "the notes are surely not about two subjects", _find_other_subjects),
    Check("likely_different", Outcome.PERSON, "the notes are not likely about two subjects", reason_different),
    Check("opposites", Outcome.PERSON, "no statement contradicts one of another note", _between(reason_opposed)),
    Check(
        "denied", Outcome.PERSON, "no statement denies half of what one of another note says", _between(reason_denied)
    ),
    Check(
        "at_odds",
        Outcome.CONFIRM,
        "no two statements give one thing two values in other words",
        _between(reason_at_odds),
    ),
    Check("unlike", Outcome.CONFIRM, "the notes are named alike, or say something twice", reason_unlike),
)

#: Those of what the notes say against each other.
CONFLICT_CHECKS = tuple(one for one in MERGE_CHECKS if one.code in {"opposites", "denied", "at_odds"})

#: Of a statement that is left out, because others, or a new sentence, say it.
LEFT_OUT_CHECKS = tuple(one for one in REPEAT_CHECKS if one.code != "other_file")
#: Of a new sentence, for which the statements are cited that it says.
SENTENCE_CHECKS = tuple(
    one for one in CHECKS if one.code in {"not_one_statement", "made_up", "made_up_denial", "own_words"}
)
#: Of a statement that is put under other headings.
MOVED_CHECKS = tuple(one for one in REPEAT_CHECKS if one.code == "other_heading")


def judge_merge(memories: Notes) -> Finding | None:
    """Return the weightiest check that notes which are to become one do not pass, or None."""
    return find_weightiest(MERGE_CHECKS, memories)
