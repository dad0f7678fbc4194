"""Synthesize: which drafts become files, where, and with which frontmatter."""

import pytest

from shared.core.dream.operations import OperationKind
from shared.core.policy.policy import SynthesizePolicy
from tests.unit.builders import codes, created
from tests.unit.phases.synthesize.synthesizing import API, CONTENT, OPS, TITLE, draft, fields_of, only, plan


def test_a_novel_draft_becomes_a_file_in_the_first_sources_domain() -> None:
    operation = only()
    assert operation.kind is OperationKind.CREATE
    assert created(operation).path == "api/retries-with-backoff-everywhere.md"
    assert created(operation).content.endswith(f"---\n# {TITLE}\n\n{CONTENT}\n")


def test_the_frontmatter_has_the_published_fields_in_the_published_order() -> None:
    fields = fields_of(only(summary="Three tries.", tags=["Retry Policy"], keywords=["backoff"]))
    assert list(fields.items()) == [
        ("title", TITLE),
        ("type", "synthesis"),
        ("confidence", 0.85),
        ("sources", [API, OPS]),
        ("synthesized_at", "2026-03-10T12:00:00Z"),
        ("summary", "Three tries."),
        ("tags", ["retry-policy"]),
        ("related", []),
        ("keywords", ["backoff"]),
        ("createdAt", "2026-03-10T12:00:00Z"),
        ("updatedAt", "2026-03-10T12:00:00Z"),
    ]


def test_the_file_says_nothing_of_maturity_and_its_signals_are_the_defaults() -> None:
    change = created(only())
    assert "maturity" not in fields_of(only())
    assert (change.signals.importance, change.signals.maturity) == (50, "draft")


@pytest.mark.parametrize(
    ("confidence", "is_flagged"), [(0.69, True), (0.7, False), (1.0, False), (None, True), (1.4, True)]
)
def test_a_draft_below_070_is_flagged_and_absent_counts_as_zero(confidence: float | None, is_flagged: bool) -> None:
    assert only(confidence=confidence).needs_review is is_flagged


def test_a_draft_that_the_rules_doubt_is_proposed_with_their_reason_however_sure_they_are() -> None:
    assert only(confidence=0.9, doubt="it is not known").propose_only == "it is not known"


def test_a_draft_with_specifics_that_no_summary_has_is_flagged_whatever_its_confidence() -> None:
    operation = only(content=f"{CONTENT} The limit is 4711 calls.", confidence=1.0)
    assert operation.needs_review
    assert "not in the summaries: 4711" in operation.reason


def test_a_draft_that_an_existing_synthesis_covers_is_dropped() -> None:
    found = plan(draft(), existing=(("api/old.md", f"{TITLE}. {CONTENT}"),))
    assert found.operations == ()
    assert codes(found) == ["known_insight"]


def test_a_draft_about_something_else_is_novel_beside_existing_syntheses() -> None:
    assert plan(draft(), existing=(("api/old.md", "Invoices for pallets are printed in landscape."),)).operations


def test_a_summary_that_says_the_same_is_no_duplicate_because_only_syntheses_count() -> None:
    assert only(title="Calls are retried three times with backoff").kind is OperationKind.CREATE


def test_two_drafts_of_one_answer_that_say_the_same_become_one() -> None:
    found = plan(draft(), draft(title="Retries everywhere with backoff"))
    assert len(found.operations) == 1
    assert codes(found) == ["known_insight"]


def test_the_threshold_of_a_duplicate_is_the_policys() -> None:
    existing = (("api/old.md", "Retries with backoff are of no use for printers, which need paper."),)
    assert plan(draft(), existing=existing, policy=SynthesizePolicy(duplicate_bm25=0.9)).operations
    assert codes(plan(draft(), existing=existing, policy=SynthesizePolicy(duplicate_bm25=0.2))) == ["known_insight"]


def many_syntheses(count: int) -> list[tuple[str, str]]:
    return [
        (f"api/{n}.md", f"Printers number {n} are filled with paper by team number {n} on day {n}.")
        for n in range(count)
    ]


@pytest.mark.parametrize("count", [0, 1, 10, 60])
def test_the_verdict_does_not_depend_on_how_many_syntheses_there_are(count: int) -> None:
    unrelated = many_syntheses(count)
    cousin = ("api/cousin.md", "The person who fills the printers is called before every holiday of the team.")
    assert plan(draft(summary="Then a person is called."), existing=(*unrelated, cousin)).operations
    twin = ("api/twin.md", f"Backoff everywhere: retries. {CONTENT}")
    assert codes(plan(draft(), existing=(*unrelated, twin))) == ["known_insight"]
