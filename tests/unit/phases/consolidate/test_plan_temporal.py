"""TEMPORAL_UPDATE: a new body for one file, with nothing lost."""

from typing import Any

import pytest

from shared.core.dream.operations import OperationKind, Plan
from shared.core.memory.model import Memory
from tests.unit.builders import codes, group, memory, rewrites
from tests.unit.phases.consolidate.consolidating import AUTH, does, plan

OUTAGE = memory("ops/outage.md", "---\ntitle: Outage\n---\nMalmo lost power yesterday.\n")
DATED = "Malmo lost power on 2026-03-09 (yesterday).\n"


def update(text: str | None = DATED, *files: Memory, **more: Any) -> Plan:
    return plan(does("TEMPORAL_UPDATE", *(files or (OUTAGE,)), updatedContent=text, **more), of=group(OUTAGE, AUTH))


@pytest.mark.parametrize(
    ("confidence", "is_flagged"), [(0.69, True), (0.7, False), (1.0, False), (0.0, True), (None, True), (7.0, True)]
)
def test_a_temporal_update_needs_review_below_070_and_absent_counts_as_zero(
    confidence: float | None, is_flagged: bool
) -> None:
    assert update(confidence=confidence).operations[0].needs_review is is_flagged


def test_a_temporal_update_changes_the_body_and_keeps_the_frontmatter() -> None:
    (operation,) = update().operations
    assert operation.kind is OperationKind.TEMPORAL_UPDATE
    assert rewrites(operation)[OUTAGE.path].content == f"---\ntitle: Outage\n---\n{DATED}"


def test_a_frontmatter_that_the_model_writes_is_not_taken_over() -> None:
    (operation,) = update(f"---\ntitle: Hacked\nmaturity: core\n---\n{DATED}").operations
    assert rewrites(operation)[OUTAGE.path].content == f"---\ntitle: Outage\n---\n{DATED}"


@pytest.mark.parametrize("text", [None, "", " \n"])
def test_a_temporal_update_without_its_text_is_skipped(text: str | None) -> None:
    assert codes(update(text)) == ["incomplete_action"]


def test_a_temporal_update_of_two_files_is_skipped() -> None:
    assert codes(update(DATED, OUTAGE, AUTH)) == ["incomplete_action"]


def test_a_temporal_update_that_loses_a_specific_is_dropped() -> None:
    found = plan(does("TEMPORAL_UPDATE", AUTH, updatedContent="Access tokens last a while."))
    assert codes(found) == ["coverage"]


def test_a_temporal_update_that_changes_nothing_is_no_operation() -> None:
    assert codes(update("Malmo lost power yesterday.\n")) == ["no_change"]


@pytest.mark.parametrize("text", ["Malmo lost power yesterday.", "Malmo lost power\nyesterday.\n\n"])
def test_an_update_that_changes_no_word_is_no_operation_and_its_author_stays(text: str) -> None:
    assert codes(update(text)) == ["no_change"]


def test_a_year_that_is_put_behind_a_day_and_month_loses_nothing() -> None:
    note = memory("ops/fair.md", "The fair was on 18 December in Malmo.\n")
    found = plan(
        does("TEMPORAL_UPDATE", note, updatedContent="The fair was on 18 December 2026 in Malmo.\n"), of=group(note)
    )
    assert [one.kind for one in found.operations] == [OperationKind.TEMPORAL_UPDATE]
