"""Categories are refined by a model, as RockBot's dreams do; what a category of the host's own means is out of its reach."""

from typing import Any

import pytest

from shared.core.memory.frontmatter import read_fields
from tests.unit.builders import codes, group, memory, rewrites
from tests.unit.phases.consolidate.consolidating import does, plan
from workers.phase.merge_changes import find_refined_fields

GENERAL = "---\ncategory: general\ntags: [ops]\n---\nRollbacks take 4 minutes.\n"
BODY = "Rollbacks take 4 minutes.\n"


def updated(**more: Any) -> dict[str, Any]:
    note = memory("notes/rollback.md", GENERAL)
    other = memory("notes/other.md", "# Other\n")
    (operation,) = plan(does("TEMPORAL_UPDATE", note, updatedContent=BODY, **more), of=group(note, other)).operations
    return dict(read_fields(rewrites(operation)[note.path].content))


def test_a_general_entry_gets_the_more_specific_category_and_tags_that_a_model_gives() -> None:
    fields = updated(category="deploy/rollback", tags=["Roll back", "ops"])
    assert (fields["category"], fields["tags"]) == ("deploy/rollback", ["ops", "roll-back"])


def test_a_merge_refines_the_category_of_the_file_that_stays() -> None:
    left, right = memory("notes/a.md", GENERAL), memory("notes/a-copy.md", BODY)
    action = does("MERGE", left, right, outputFile=left.path, mergedContent=BODY, category="deploy/rollback")
    (operation,) = plan(action, of=group(left, right)).operations
    assert read_fields(rewrites(operation)[left.path].content)["category"] == "deploy/rollback"


def test_without_a_category_the_file_keeps_its_own() -> None:
    note, other = memory("notes/rollback.md", GENERAL), memory("notes/other.md", "# Other\n")
    assert codes(plan(does("TEMPORAL_UPDATE", note, updatedContent=BODY), of=group(note, other))) == ["no_change"]


@pytest.mark.parametrize(
    "category",
    [
        "daily_digest", "dream_reflection", "consolidated_insight", "anti-patterns/ops",
        "user-preferences/inferred", "episodic/decision", "../up", "a b", "a\nmaturity: core", "", "x" * 200,
    ],
)  # fmt: skip
def test_a_category_that_means_more_than_a_topic_or_is_none_changes_nothing(category: str) -> None:
    assert find_refined_fields(GENERAL, category, [" "]) == {}


@pytest.mark.parametrize("own", ["daily_digest", "user-preferences/inferred"])
def test_a_memory_with_a_category_of_its_host_keeps_it(own: str) -> None:
    assert find_refined_fields(f"---\ncategory: {own}\n---\nText.\n", "deploy", ()) == {}
