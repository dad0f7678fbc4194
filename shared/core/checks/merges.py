"""The checks of a merge: the notes that become one, what is left out of them, and what a model says in words of its own.

What is doubtful about one statement costs that statement alone: it stays beside what should have said it. Only what the notes are
about, or what they say against each other, stops a whole merge.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from shared.core.checks.at_odds import reason_at_odds, reason_denied
from shared.core.checks.updates import CHECKS, REPEAT_CHECKS, Check, Finding, Outcome, find_weightiest, weigh
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from shared.core.merging.opposites import reason_opposed
from shared.core.merging.overlap import overlap_mostly
from shared.core.merging.same_subject import reason_different, same_subject
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.statements import Statement, find_unsaid, read_statements
from shared.core.merging.subject_words import read_subject
from shared.core.text.clip import clip

#: The notes that become one.
Notes = Sequence[Memory]
#: A text that lost more than this part of its sources' statements is not a merge: with the lost ones put back, it would be a mere collection.
_MOST_PUT_BACK = 0.5
_FEWEST_TO_JUDGE = 3
_QUOTED, _QUOTED_CHARS = 3, 120


def _find_unlike(memories: Notes) -> str | None:
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


def _between(decide: Callable[[str, str], str | None]) -> Callable[[Notes], str | None]:
    """Return a check that finds what a comparison of two texts finds between any two notes, with their paths."""

    def find(memories: Notes) -> str | None:
        pairs = combinations([(one.path, body_of(one.content)) for one in memories], 2)
        found = ((left, right, decide(ours, theirs)) for (left, ours), (right, theirs) in pairs)
        return next((f"{left}, {right}: {why}" for left, right, why in found if why), None)

    return find


MERGE_CHECKS: tuple[Check[Notes], ...] = (
    Check(
        "different_subjects",
        Outcome.REFUSE,
        "the notes are surely not about two subjects",
        partial(reason_different, strict=True),
    ),
    Check("likely_different", Outcome.PERSON, "the notes are not likely about two subjects", reason_different),
    Check("opposites", Outcome.PERSON, "no statement contradicts one of another note", _between(reason_opposed)),
    Check(
        "denied", Outcome.PERSON, "no statement denies half of what one of another note says", _between(reason_denied)
    ),
    Check("at_odds", Outcome.CONFIRM, "no two statements differ about one thing", _between(reason_at_odds)),
    Check("unlike", Outcome.CONFIRM, "the notes are named alike, or say something twice", _find_unlike),
)

#: Those of what the notes say against each other.
CONFLICT_CHECKS = tuple(one for one in MERGE_CHECKS if one.code in {"opposites", "denied", "at_odds"})

#: Of a statement that is left out, because others, or a new sentence, say it.
LEFT_OUT_CHECKS = tuple(one for one in REPEAT_CHECKS if one.code != "other_file")
#: Of a new sentence, for which the statements are cited that it says.
SENTENCE_CHECKS = tuple(
    one for one in CHECKS if one.code in {"not_one_statement", "made_up", "composed", "made_up_denial", "own_words"}
)
#: Of a statement that is put under other headings.
MOVED_CHECKS = tuple(one for one in REPEAT_CHECKS if one.code == "other_heading")


def judge_merge(memories: Notes) -> Finding | None:
    """Return the weightiest check that notes which are to become one do not pass, or None."""
    return find_weightiest(MERGE_CHECKS, memories)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement that a draft leaves out, and the statement that says the same, according to the model."""

    dropped: str
    kept: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedText:
    """A merged text that a model wrote as a whole, or by edits of the joined notes.

    Attributes:
        draft: the body as the model wants it.
        whole: the text with its frontmatter and what the draft lost.
        contents: the notes.
        unsaid: the statements of the notes that the draft does not surely say.
        made: the statements of the draft that no note says in these words.
        claims: what it leaves out, because another statement says it.
    """

    draft: str
    whole: str
    contents: Sequence[str]
    unsaid: Sequence[Statement]
    made: Sequence[Statement]
    claims: Sequence[Claim] = ()


def _find_lost_in_own_words(text: MergedText) -> str | None:
    lost = find_missing_specifics(text.draft, text.contents) if text.made else ()
    return f"{_tell_made(text)}; it would lose {', '.join(lost[:5])}" if lost else None


def _find_heap(text: MergedText) -> str | None:
    count = len({one.wording for content in text.contents for one in read_statements(content).statements})
    if len(text.unsaid) < _FEWEST_TO_JUDGE or len(text.unsaid) <= _MOST_PUT_BACK * count:
        return None
    return f"the merged text lost {len(text.unsaid)} of {count} statements: {_quote(text.unsaid)}"


def _find_loss(text: MergedText) -> str | None:
    lost = _quote(find_unsaid(text.whole, text.contents))
    lost = lost or ", ".join(find_missing_specifics(text.whole, text.contents)[:5])
    return f"the merged text would lose {lost}" if lost else None


def _find_own_text(text: MergedText) -> str | None:
    return _tell_made(text) if text.made else None


def _find_claimed(text: MergedText) -> str | None:
    said = [f'"{clip(one.kept)}" says "{clip(one.dropped)}", too' for one in text.claims[:_QUOTED]]
    return f"by the model's word alone, {', and '.join(said)}" if said else None


def _tell_made(text: MergedText) -> str:
    return f"no source says in these words {_quote(text.made)}"


def _quote(statements: Sequence[Statement]) -> str:
    texts = (" ".join(one.text.split())[:_QUOTED_CHARS] for one in statements[:_QUOTED])
    return ", ".join(f'"{text}"' for text in texts)


#: Of a text that a model wrote as a whole or by edits, with what it lost put back.
TEXT_CHECKS: tuple[Check[MergedText], ...] = (
    Check("coverage", Outcome.PERSON, "a text in words of its own keeps every value and name", _find_lost_in_own_words),
    Check("coverage", Outcome.PERSON, "it says at least half of the statements of the notes", _find_heap),
    Check("coverage", Outcome.PERSON, "what it lost could be put back", _find_loss),
    Check("reworded", Outcome.CONFIRM, "each of its statements stands in a note in the same words", _find_own_text),
    Check("reworded", Outcome.CONFIRM, "nothing is left out because another statement says it", _find_claimed),
)


def judge_text(memories: Notes, text: MergedText, checks: Sequence[Check[Notes]] = MERGE_CHECKS) -> Finding | None:
    """Return the weightiest check that notes and the text that takes their place do not pass, or None."""
    return weigh([find_weightiest(checks, memories), find_weightiest(TEXT_CHECKS, text)])
