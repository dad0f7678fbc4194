"""Synthesize: which drafts become files, where, and with which frontmatter."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.core.answers import SynthesisDraft
from shared.core.frontmatter import read_fields
from shared.core.operation import Create, Operation, OperationKind, Plan
from shared.core.paths import check_memory_path
from shared.core.plan_synthesize import SynthesizeView, plan_synthesis
from shared.core.policy import SynthesizePolicy
from tests.unit.builders import NOW, codes, created

API, OPS, SECURITY = "api/_index.md", "ops/_index.md", "security/_index.md"
SUMMARIES = {
    API: "- Retry policy: calls are retried three times with backoff\n- Tokens: rotated by the platform team",
    OPS: "- Queue: jobs are retried three times with backoff",
    SECURITY: "- Keys: rotated every quarter",
}
TITLE = "Retries with backoff everywhere"
CONTENT = "Every outgoing call and every job is retried three times with backoff, then handed to a person."


def draft(**fields: Any) -> SynthesisDraft:
    given_fields = {"title": TITLE, "content": CONTENT, "sources": [API, OPS], "confidence": 0.85} | fields
    return SynthesisDraft.model_validate(given_fields)


def plan(
    *drafts: SynthesisDraft,
    existing: tuple[tuple[str, str], ...] = (),
    live: tuple[str, ...] = (),
    policy: SynthesizePolicy | None = None,
) -> Plan:
    view = SynthesizeView(
        summaries=SUMMARIES,
        existing=existing,
        live_paths=frozenset({*SUMMARIES, *live}),
        policy=policy or SynthesizePolicy(),
        now=NOW,
    )
    return plan_synthesis(view, drafts)


def only(**fields: Any) -> Operation:
    (operation,) = plan(draft(**fields)).operations
    return operation


def fields_of(operation: Operation) -> dict[str, Any]:
    return dict(read_fields(created(operation).content))


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


def test_a_draft_with_specifics_that_no_summary_has_is_flagged_whatever_its_confidence() -> None:
    operation = only(content=f"{CONTENT} The limit is 4711 calls.", confidence=1.0)
    assert operation.needs_review
    assert "not in the summaries: 4711" in operation.reason


# --- duplicates


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


# --- names and places


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Retries & Back-off: 3!", "retries-back-off-3"),
        ("  --A  b--  ", "a-b"),
        ("x" * 200, "x" * 80),
        ("../../etc/passwd", "etc-passwd"),
    ],
)
def test_the_name_is_a_slug_of_at_most_80_characters(title: str, stem: str) -> None:
    assert created(only(title=title)).path == f"api/{stem}.md"


def test_a_title_without_latin_letters_still_gets_a_name() -> None:
    assert created(only(title="再試行")).path.startswith("api/untitled-")


def test_a_name_that_is_taken_is_skipped_and_nothing_is_overwritten() -> None:
    found = plan(draft(), live=("api/retries-with-backoff-everywhere.md",))
    assert found.operations == ()
    assert codes(found) == ["name_taken"]


def test_two_drafts_cannot_take_one_name() -> None:
    found = plan(draft(title="A é", content="One."), draft(title="A ü", content="Two."))
    assert [created(operation).path for operation in found.operations] == ["api/a.md"]
    assert codes(found) == ["name_taken"]


@pytest.mark.parametrize(("placement", "folder"), [("ops", "ops"), ("ops/", "ops"), ("api/v2", "api/v2"), (OPS, "ops")])
def test_a_draft_may_be_placed_in_a_domain_that_it_draws_from(placement: str, folder: str) -> None:
    assert created(only(placement=placement)).path.rpartition("/")[0] == folder


@pytest.mark.parametrize(
    "placement",
    [
        "..",
        "../other",
        "api/../..",
        "/etc",
        "security",
        "~",
        "C:",
        "_archived",
        ".",
        "api\\x",
        "api/\x00x",
        " ",
        "a\nb",
    ],
)
def test_any_other_placement_is_refused(placement: str) -> None:
    found = plan(draft(placement=placement))
    assert [op for op in found.operations if not created(op).path.startswith(("api/", "ops/"))] == []
    assert found.operations == () or "\x00" in placement
    assert found.operations or codes(found) == ["unsafe_path"]


# --- sources and caps


def test_invented_sources_are_dropped() -> None:
    assert fields_of(only(sources=[API, "secret/_index.md", OPS, API]))["sources"] == [API, OPS]


@pytest.mark.parametrize(
    ("sources", "code"),
    [
        ([API, "secret/_index.md"], "not_offered"),
        (["x.md", "y.md"], "not_offered"),
        ([], "one_domain"),
        ([API], "one_domain"),
        ([API, API], "one_domain"),
    ],
)
def test_a_draft_must_rest_on_two_offered_domains(sources: list[str], code: str) -> None:
    assert codes(plan(draft(sources=sources))) == [code]


def test_summary_tags_and_keywords_are_capped() -> None:
    fields = fields_of(
        only(summary="s" * 900, tags=[f"Tag {n}" for n in range(20)], keywords=[f"k{n}" for n in range(30)])
    )
    assert len(fields["summary"]) == 500
    assert fields["tags"] == [f"tag-{n}" for n in range(8)]
    assert len(fields["keywords"]) == 15


def test_at_most_five_drafts_of_one_answer_are_looked_at() -> None:
    subjects = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"]
    found = plan(*(draft(title=subject, content=f"{subject} " * 9) for subject in subjects))
    assert len(found.operations) == 5
    assert codes(found) == ["cap", "cap"]


@pytest.mark.parametrize("broken", [{"title": " \n"}, {"content": "  "}, {"content": "x" * 1_000_001}])
def test_one_draft_that_fails_keeps_the_others(broken: dict[str, str]) -> None:
    found = plan(draft(**broken), draft(title="Something else entirely", content="Other words."))
    assert len(found.operations) == 1
    assert codes(found) == ["incomplete_action"]


def test_a_frontmatter_that_the_model_writes_is_not_taken_over() -> None:
    operation = only(content=f"---\nmaturity: core\ngenerated_by: slowwave\n---\n{CONTENT}")
    assert "maturity" not in fields_of(operation)
    assert created(operation).content.endswith(f"# {TITLE}\n\n{CONTENT}\n")


@pytest.mark.parametrize(
    "title", ["a: b", "'", '"', "- x", "#", "{a}", "null", "2026-01-01", "a\tb", "%", "@x", "\u2028"]
)
def test_no_title_breaks_the_frontmatter(title: str) -> None:
    found = plan(draft(title=f"{title} x"))
    assert fields_of(found.operations[0])["title"] == " ".join(f"{title} x".split())


_ANY = st.text(max_size=15)
_DRAFTS = st.builds(
    SynthesisDraft,
    title=_ANY,
    summary=_ANY,
    content=_ANY | st.just(CONTENT),
    sources=st.lists(st.sampled_from([API, OPS, SECURITY]) | _ANY, max_size=4).map(tuple),
    confidence=st.none() | st.floats(),
    tags=st.lists(_ANY, max_size=3).map(tuple),
    keywords=st.lists(_ANY, max_size=3).map(tuple),
    placement=st.none() | st.sampled_from(["api", "ops/x", "../x", "/"]) | _ANY,
)


@given(st.lists(_DRAFTS, max_size=4))
@settings(deadline=None)
def test_whatever_the_model_says_files_are_new_safe_and_grounded(drafts: list[SynthesisDraft]) -> None:
    paths = []
    for operation in plan(*drafts).operations:
        (change,) = operation.changes
        assert isinstance(change, Create)
        paths.append(check_memory_path(change.path))
        fields = fields_of(operation)
        assert fields["type"] == "synthesis"
        assert len({source.partition("/")[0] for source in fields["sources"]}) >= 2
        assert set(fields["sources"]) <= set(SUMMARIES)
    assert len(paths) == len(set(paths))
