"""Synthesize: names, places, sources and caps, and what holds whatever a model says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.operations import Create
from shared.core.memory.paths import check_memory_path
from tests.unit.builders import codes, created
from tests.unit.phases.synthesize.synthesizing import (
    API,
    CONTENT,
    OPS,
    SECURITY,
    SUMMARIES,
    TITLE,
    draft,
    fields_of,
    only,
    plan,
)
from workers.phases.synthesize.answer import SynthesisDraft


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


def test_a_title_in_another_script_names_its_file() -> None:
    assert created(only(title="再試行")).path == "api/再試行.md"


def test_a_name_that_is_taken_is_skipped_and_nothing_is_overwritten() -> None:
    found = plan(draft(), live=("api/retries-with-backoff-everywhere.md",))
    assert found.operations == ()
    assert codes(found) == ["name_taken"]


def test_two_drafts_cannot_take_one_name() -> None:
    found = plan(draft(title="A & B", content="One."), draft(title="A, B", content="Two."))
    assert [created(operation).path for operation in found.operations] == ["api/a-b.md"]
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
    found = plan(*(draft(title=subject, content=f"Of {subject} " * 9 + "there is a rule.") for subject in subjects))
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
