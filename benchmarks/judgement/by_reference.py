"""Stand-ins for a model that merges two memories by reference: careless ones, forced past the exam, so that the checks decide alone."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from benchmarks.judgement.merging import NOW, Texts, count_row
from shared.core.dream.operations import Plan
from shared.core.memory.model import Memory
from shared.core.merging.specifics import find_specifics
from shared.core.policy.policy import Policy
from shared.core.reading.placed import Form, Placed, read_placed
from shared.languages.function_words import NEGATIONS
from workers.phase.second_question import ConfirmAnswer
from workers.phase.shape import Answers, Surroundings
from workers.phases.revise.answer import UpdateAnswer
from workers.phases.revise.phase import PHASE, Inputs

#: Takes the statements of two memories, which are called a and b, and returns the lines of the note in their place.
Lines = Callable[[Sequence[Placed], Sequence[Placed]], list[str]]
#: Takes the inputs of the phase and its answers, and returns the answers with those of a second reader.
Reader = Callable[[Inputs, Answers], Answers]
_CONFIDENCE = 0.99
#: The store is large, so that no cap on losses stops a merge.
_LIVE = 200


def place_everything(ours: Sequence[Placed], theirs: Sequence[Placed]) -> list[str]:
    """Put all statements of the second text behind those of the first."""
    return [f"{{{letter}1-{letter}{len(one)}}}" for letter, one in (("a", ours), ("b", theirs)) if one]


def drop_the_second(ours: Sequence[Placed], theirs: Sequence[Placed]) -> list[str]:
    """Leave out each statement of the second text for the one in its place in the first."""
    return place_everything(ours, ()) + [f"- b{number}: a{at + 1}" for number, at in _in_place(ours, theirs)]


def join_sentences(ours: Sequence[Placed], theirs: Sequence[Placed]) -> list[str]:
    """Write a sentence of both for each two in one place."""
    return [
        f"{ours[at].text.rstrip('.')} and {theirs[number - 1].text} [a{at + 1} b{number}]"
        for number, at in _in_place(ours, theirs)
    ]


def copy_the_first(ours: Sequence[Placed], theirs: Sequence[Placed]) -> list[str]:
    """Write each sentence of the first text, as if the one in its place in the second said it, too."""
    return [f"{ours[at].text} [a{at + 1} b{number}]" for number, at in _in_place(ours, theirs)]


def _in_place(ours: Sequence[Placed], theirs: Sequence[Placed]) -> list[tuple[int, int]]:
    """Return the numbers of the second text's statements, each with the index of the one in its place in the first."""
    return [(number, min(number, len(ours)) - 1) for number in range(1, len(theirs) + 1)] if ours else []


def ask_no_reader(_inputs: Inputs, answers: Answers) -> Answers:
    """Confirm nothing."""
    return answers


def confirm_everything(inputs: Inputs, answers: Answers) -> Answers:
    """Say of whatever is asked that nothing is lost."""
    return {
        **answers,
        **{
            question.key: ConfirmAnswer.model_validate(
                {"verdicts": [{"change": one.path, "verdict": "nothing_lost"} for one in question.documents]}
            )
            for question in PHASE.confirm(inputs, answers)
        },
    }


MODELS: dict[str, Lines] = {
    "places everything": place_everything,
    "leaves out the second text": drop_the_second,
    "joins sentences": join_sentences,
    "copies the first text": copy_the_first,
}
READERS: dict[str, Reader] = {"confirms everything": confirm_everything, "none": ask_no_reader}


def grade_by_reference(what: str, pairs: Sequence[Texts], wanted: str) -> list[dict[str, object]]:
    """Return one row for each model and each second reader.

    *Told apart* counts the merged pairs of which one alone has some number, date, name or negation.
    """
    return [
        _row(what, name, lines, reader, pairs) | {"wanted": wanted}
        for reader in READERS
        for name, lines in (MODELS.items() if pairs else ())
    ]


def _row(what: str, name: str, lines: Lines, reader: str, pairs: Sequence[Texts]) -> dict[str, object]:
    row, merged = count_row(what, name, partial(plan_merge, lines=lines, reader=READERS[reader]), pairs)
    told_apart = sum(is_told_apart(left, right) for (_, left), (_, right) in merged)
    return row | {"second reader": reader, "told apart": told_apart}


def plan_merge(memories: tuple[Memory, Memory], lines: Lines, reader: Reader) -> Plan:
    """Return what becomes of two memories if a model that counts as passed answers with these lines."""
    inputs, answer = ask_for(memories, lines)
    around = Surroundings(policy=Policy(), now=NOW, dream_id="drm_1", live_memories=_LIVE, already_retired=0)
    return PHASE.plan(inputs, reader(inputs, {"store": answer}), replace(around, has_passed=True))


def ask_for(memories: tuple[Memory, Memory], lines: Lines) -> tuple[Inputs, UpdateAnswer]:
    """Return the inputs of the phase over two memories, and the answer that merges them into the first with these lines."""
    paths = tuple(one.path for one in memories)
    ours, theirs = ([one for one in read_placed(m.content) if one.form is not Form.FIELD] for m in memories)
    item = {"files": paths, "into": paths[0], "lines": lines(ours, theirs), "confidence": _CONFIDENCE}
    inputs = Inputs(memories=memories, changed=paths, live_paths=frozenset(paths))
    return inputs, UpdateAnswer.model_validate({"merges": [item]})


def is_told_apart(left: str, right: str) -> bool:
    """Tell whether only one of two texts has some number, date or name, or only one of them a negation."""
    denied = [bool(NEGATIONS & set(text.lower().replace("'", "").split())) for text in (left, right)]
    told = [find_specifics(text) | set(re.findall(r"\d+", text)) for text in (left, right)]
    return told[0] != told[1] or denied[0] != denied[1]
