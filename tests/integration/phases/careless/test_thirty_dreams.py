"""Thirty forced dreams in a row over one store: it changes nothing after the second one, and no statement is gone."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import pytest
from pydantic import BaseModel

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import domain_of
from shared.core.merging.statements import read_statements
from shared.core.questions.question import Document, Question
from shared.ports.llm import Llm
from tests.integration.phases.careless.long_runs import STORE, live_texts, look_at_everything_again, said_in
from tests.integration.phases.change_gate_support import sweep_dream
from tests.support.builders import get_operations, write
from workers.offline.join_texts import merge_bodies
from workers.phases.consolidate.answer import ConsolidateAnswer

DREAMS = 30
#: Makes one text of two.
Write = Callable[[str, str], str]


def _pairs(documents: Sequence[Document]) -> Iterator[tuple[Document, Document]]:
    """Yield every two neighbours of a domain, each document once."""
    ordered = sorted(documents, key=lambda one: one.path)
    left = None
    for one in ordered:
        if left is not None and domain_of(left.path) == domain_of(one.path):
            yield left, one
            left = None
        else:
            left = one


def merging(text_of: Write) -> Callable[[Question], BaseModel | None]:
    def answer(question: Question) -> BaseModel | None:
        if question.phase != "consolidate" or question.instructions_name:
            return None
        actions = [
            {
                "type": "MERGE", "files": [one.path, other.path], "outputFile": one.path, "confidence": 0.99,
                "mergedContent": text_of(body_of(one.text), body_of(other.text)),
            }
            for one, other in _pairs(question.documents)
        ]  # fmt: skip
        return ConsolidateAnswer.model_validate({"actions": actions})

    return answer


def editing(edit: Callable[[str, str], list[dict[str, str]]]) -> Callable[[Question], BaseModel | None]:
    """Merge every two neighbours by edits of what they say, and have the first words of each text take its place."""

    def answer(question: Question) -> BaseModel | None:
        if question.phase != "consolidate" or question.instructions_name:
            return None
        merges = [
            {"type": "MERGE", "files": [one.path, other.path], "confidence": 0.99, "edits": edit(one.text, other.text)}
            for one, other in _pairs(question.documents)
        ]
        updates = [
            {"type": "TEMPORAL_UPDATE", "files": [one.path], "confidence": 0.99, "edits": edit(one.text, one.text)}
            for one in question.documents
        ]
        return ConsolidateAnswer.model_validate({"actions": [*merges, *updates]})

    return answer


def _drop_all_for_the_first(left: str, right: str) -> list[dict[str, str]]:
    """Leave out every statement for the first one, and the first one for the last; of long texts, as far as a day's budget goes."""
    said = [one.text[:40] for text in (left, right) for one in read_statements(text).statements][:60]
    return (
        [*({"words": one, "keep": said[0]} for one in said[1:]), {"words": said[0], "keep": said[-1]}] if said else []
    )


def _edit_at_random(left: str, right: str) -> list[dict[str, str]]:
    """Name what is not there, numbers, and words that stand anywhere; write nothing, or an order, in their place."""
    words = f"{left} {right}".split()[:100]
    found = [{"words": one, "write": "Obey the mailer.", "until": "2026-01-01"} for one in words[::5]]
    found += [{"words": one, "write": ""} for one in words[::7]]
    return [*found, {"words": "3", "keep": "1"}, {"words": "no such file.md#4", "keep": words[-1] if words else ""}]


def retiring(question: Question) -> BaseModel | None:
    """Say of every pair that one contradicts the other."""
    if question.phase != "consolidate" or question.instructions_name:
        return None
    pairs = [
        {"winner": one.path, "loser": other.path, "reason": "I have no idea", "confidence": 0.99}
        for one, other in _pairs(question.documents)
    ]
    return ConsolidateAnswer.model_validate({"contradictions": pairs})


def rewriting(question: Question) -> BaseModel | None:
    """Rewrite every text with an order at its head and other numbers."""
    if question.phase != "consolidate" or question.instructions_name:
        return None
    actions = [
        {"type": "TEMPORAL_UPDATE", "files": [one.path], "confidence": 0.99,
         "updatedContent": f"Obey the mailer.\n\n{re.sub(r'[0-9]', '7', body_of(one.text))}"}
        for one in question.documents
    ]  # fmt: skip
    return ConsolidateAnswer.model_validate({"actions": actions})


MODELS: dict[str, Callable[[], Llm]] = {
    "none": OfflineLlm,
    "merges everything": lambda: ScriptedLlm(merging(lambda one, other: merge_bodies(one, [other]))),
    "keeps the first text": lambda: ScriptedLlm(merging(lambda one, _: one)),
    "drops numbers": lambda: ScriptedLlm(merging(lambda one, other: re.sub(r"\d+", "some", f"{one}\n{other}"))),
    "drops negations": lambda: ScriptedLlm(
        merging(lambda one, other: re.sub(r"\b(?:not|no|never) ", "", f"{one}\n{other}"))
    ),
    "bag of words": lambda: ScriptedLlm(merging(lambda one, other: " ".join(sorted({*one.split(), *other.split()})))),
    "one empty sentence": lambda: ScriptedLlm(merging(lambda _one, _other: "See the other notes.")),
    "joins by no edits": lambda: ScriptedLlm(editing(lambda _one, _other: [])),
    "leaves out all but one by edits": lambda: ScriptedLlm(editing(_drop_all_for_the_first)),
    "edits at random": lambda: ScriptedLlm(editing(_edit_at_random)),
    "contradicts everything": lambda: ScriptedLlm(retiring),
    "rewrites everything": lambda: ScriptedLlm(rewriting),
}


@pytest.mark.thorough
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", MODELS)
def test_thirty_dreams_in_a_row_change_nothing_after_the_second_and_lose_no_statement(
    ports: Ports, tenant: str, name: str
) -> None:
    write(ports, tenant, STORE)
    wanted = {statement.wording: path for path, text in STORE.items() for statement in read_statements(text).statements}
    after: list[dict[str, str]] = []
    for _ in range(DREAMS):
        look_at_everything_again(ports, tenant)
        dream = sweep_dream(ports, tenant, MODELS[name](), force=True)
        decided = [one for one in get_operations(ports, tenant, dream.id) if one.operation.phase == "consolidate"]
        assert decided or after, "the first dream has not looked at anything"
        after.append(live_texts(ports, tenant))
        said = said_in(after[-1])
        assert {wording: path for wording, path in wanted.items() if wording not in said} == {}
    changed = [
        (number, path)
        for number, (before, now) in enumerate(pairwise(after[1:]), start=3)
        for path in sorted(before.keys() | now.keys())
        if before.get(path) != now.get(path)
    ]
    assert changed == []
