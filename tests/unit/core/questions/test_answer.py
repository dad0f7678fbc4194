"""Answers as models write them: choices in any spelling, and one unknown action among known ones."""

import pytest
from pydantic import ValidationError

from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.gather.answer import GatheredMemory
from workers.phases.prune.answer import PruneAnswer
from workers.phases.synthesize.answer import SynthesisDraft


@pytest.mark.parametrize("word", ["MERGE", "Merge", " MERGE ", "merge\n"])
def test_an_action_is_read_in_any_case_and_with_spaces(word: str) -> None:
    answer = ConsolidateAnswer.model_validate({"actions": [{"type": word, "files": ["a.md", "b.md"]}]})
    assert [action.type for action in answer.actions] == ["MERGE"]


@pytest.mark.parametrize("word", ["merge-into", "Merge into", "MERGE_INTO"])
def test_a_decision_of_two_words_is_read_with_any_separator(word: str) -> None:
    answer = PruneAnswer.model_validate({"decisions": [{"file": "a.md", "decision": word}]})
    assert [decision.decision for decision in answer.decisions] == ["MERGE_INTO"]


def test_a_kind_in_capitals_is_a_kind() -> None:
    found = GatheredMemory.model_validate({"kind": "Decision", "window": "w", "quote": "q", "statement": "s"})
    assert found.kind == "decision"


def test_one_unknown_action_does_not_cost_the_others() -> None:
    actions = [{"type": "MERGE", "files": ["a.md", "b.md"]}, {"type": "PONDER", "files": ["c.md"]}]
    answer = ConsolidateAnswer.model_validate({"actions": actions})
    assert [action.type for action in answer.actions] == ["MERGE"]


def test_an_answer_of_unknown_actions_only_is_refused_so_that_it_is_asked_for_again() -> None:
    with pytest.raises(ValidationError, match="type"):
        ConsolidateAnswer.model_validate({"actions": [{"type": "PONDER", "files": ["c.md"]}]})


def test_null_is_no_text_where_a_text_may_be_left_out_and_an_error_where_one_is_needed() -> None:
    draft = {"title": "Retries", "content": "Three tries.", "sources": ["a.md"]}
    assert SynthesisDraft.model_validate(draft | {"summary": None, "placement": None}) == SynthesisDraft.model_validate(
        draft
    )
    with pytest.raises(ValidationError, match="title"):
        SynthesisDraft.model_validate(draft | {"title": None})
