"""Directives written for RockBot work: its JSON contract is read as slowwave's own."""

from typing import Any

import pytest
from pydantic import ValidationError

from workers.phases.consolidate.answer import ConsolidateAnswer


def read(**published: Any) -> ConsolidateAnswer:
    return ConsolidateAnswer.model_validate(published)


def test_a_saved_text_with_several_sources_is_a_merge_of_them() -> None:
    (action,) = read(toSave=[{"content": "All.", "category": "x", "tags": [], "sourceIds": ["a.md", "b.md"]}]).actions
    assert (action.type, action.files, action.merged_content) == ("MERGE", ("a.md", "b.md"), "All.")


def test_category_and_tags_of_a_saved_text_are_read() -> None:
    (action,) = read(toSave=[{"content": "All.", "category": "x/y", "tags": ["a", 3], "sourceIds": ["a.md"]}]).actions
    assert (action.category, action.tags) == ("x/y", ("a",))


def test_a_saved_text_with_one_source_is_its_new_text() -> None:
    (action,) = read(toSave=[{"content": "New.", "sourceIds": ["a.md"]}]).actions
    assert (action.type, action.files, action.updated_content) == ("TEMPORAL_UPDATE", ("a.md",), "New.")


def test_a_saved_text_from_nowhere_is_left_alone_and_counted() -> None:
    (action,) = read(toSave=[{"content": "Invented."}]).actions
    assert action.type == "SKIP"


def test_sources_of_a_merge_need_not_be_named_in_to_delete() -> None:
    answer = read(toDelete=["a.md", "z.md"], toSave=[{"content": "All.", "sourceIds": ["a.md", "b.md"]}])
    assert answer.to_delete == ("z.md",)


def test_the_schema_that_a_model_is_given_does_not_offer_deletion() -> None:
    assert "toDelete" not in str(ConsolidateAnswer.model_json_schema(by_alias=True))


def test_an_answer_survives_being_stored() -> None:
    answer = read(toDelete=["z.md"], toSave=[{"content": "All.", "sourceIds": ["a.md", "b.md"]}])
    assert ConsolidateAnswer.model_validate(answer.model_dump(mode="json")) == answer


@pytest.mark.parametrize("garbage", ["nothing", ["MERGE"], {"actions": "all"}, {"contradictions": 3}])
def test_garbage_is_refused_whole(garbage: object) -> None:
    with pytest.raises(ValidationError):
        ConsolidateAnswer.model_validate(garbage)
