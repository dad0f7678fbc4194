"""CROSS_REFERENCE: links both ways in the frontmatter."""

import pytest

from shared.core.dream.operations import Operation, OperationKind
from shared.core.memory.frontmatter import read_fields
from shared.core.memory.model import Maturity, Memory
from tests.unit.builders import codes, group, memory, rewrites
from tests.unit.phases.consolidate.consolidating import AUTH, LIMITS, OAUTH, does, only, plan


def related(operation: Operation, path: str) -> object:
    return read_fields(rewrites(operation)[path].content)["related"]


def test_a_cross_reference_links_both_ways_and_leaves_the_bodies() -> None:
    operation = only(does("CROSS_REFERENCE", AUTH, LIMITS))
    assert operation.kind is OperationKind.CROSS_REFERENCE
    assert related(operation, AUTH.path) == [LIMITS.path]
    assert related(operation, LIMITS.path) == [AUTH.path]
    assert rewrites(operation)[AUTH.path].content.endswith(AUTH.content)


def test_links_that_hang_together_keep_every_reason() -> None:
    others = [memory(f"api/part-{n}.md", f"Part {n} of the interface.") for n in range(5)]
    links = [does("CROSS_REFERENCE", AUTH, other, reason=f"reason {n}") for n, other in enumerate(others)]
    (operation,) = plan(*links, of=group(AUTH, *others)).operations
    assert operation.reason == "; ".join(f"reason {n}" for n in range(5))


@pytest.mark.parametrize(
    ("maturity", "is_flagged"), [(Maturity.DRAFT, False), (Maturity.VALIDATED, False), (Maturity.CORE, True)]
)
def test_a_cross_reference_needs_review_only_when_a_file_is_core(maturity: Maturity, is_flagged: bool) -> None:
    other = memory("api/limits.md", LIMITS.content, maturity=maturity)
    operation = only(does("CROSS_REFERENCE", AUTH, other, confidence=0.1), of=group(AUTH, other))
    assert operation.needs_review is is_flagged


@pytest.mark.parametrize(
    "path", ["api/_index.md", "MEMORY.md", "api/x.abstract.md", "api/x.overview.md", "api/x.stub.md"]
)
def test_derived_files_are_not_linked(path: str) -> None:
    derived = memory(path, "Generated.")
    found = plan(does("CROSS_REFERENCE", AUTH, LIMITS, derived), of=group(AUTH, LIMITS, derived))
    (operation,) = found.operations
    assert set(rewrites(operation)) == {AUTH.path, LIMITS.path}
    assert related(operation, AUTH.path) == [LIMITS.path]


def linked(*links: str, field: str | None = None) -> Memory:
    return memory("api/auth.md", f"---\nrelated: {field or '[' + ', '.join(links) + ']'}\n---\nBody 15.")


def test_dead_and_derived_links_are_cleaned_on_the_way() -> None:
    one = linked("api/gone.md", "api/_index.md", "ops/live.md")
    operation = only(does("CROSS_REFERENCE", one, LIMITS), of=group(one, LIMITS), live=("ops/live.md", "api/_index.md"))
    assert related(operation, one.path) == ["ops/live.md", LIMITS.path]


def test_dead_links_are_cleaned_even_if_the_wanted_link_is_there_already() -> None:
    one = linked("api/gone.md", LIMITS.path)
    operation = only(does("CROSS_REFERENCE", one, LIMITS), of=group(one, LIMITS))
    assert related(operation, one.path) == [LIMITS.path]


@pytest.mark.parametrize("link", ["https://example.org/guide.md", "../shared/guide.md", "RFC 6749", "beside.md"])
def test_a_link_that_is_not_ours_to_judge_stays(link: str) -> None:
    one = linked(f"'{link}'")
    operation = only(does("CROSS_REFERENCE", one, LIMITS), of=group(one, LIMITS), live=("api/beside.md",))
    assert related(operation, one.path) == [link, LIMITS.path]


def test_a_single_link_that_is_no_list_is_not_lost() -> None:
    one = linked(field="ops/live.md")
    operation = only(does("CROSS_REFERENCE", one, LIMITS), of=group(one, LIMITS), live=("ops/live.md",))
    assert related(operation, one.path) == ["ops/live.md", LIMITS.path]


def test_links_that_exist_already_are_no_operation() -> None:
    one = memory("api/a.md", "---\nrelated: [api/b.md]\n---\n")
    two = memory("api/b.md", "---\nrelated: [api/a.md]\n---\n")
    assert codes(plan(does("CROSS_REFERENCE", one, two), of=group(one, two))) == ["no_change"]


def test_links_that_share_a_file_become_one_operation() -> None:
    operation = only(does("CROSS_REFERENCE", AUTH, OAUTH), does("CROSS_REFERENCE", OAUTH, LIMITS))
    assert related(operation, OAUTH.path) == [AUTH.path, LIMITS.path]
    assert related(operation, AUTH.path) == [OAUTH.path]


def test_one_file_with_broken_frontmatter_does_not_stop_the_other_links() -> None:
    broken = memory("api/broken.md", "---\na: [1\n---\n")
    found = plan(
        does("CROSS_REFERENCE", AUTH, OAUTH), does("CROSS_REFERENCE", OAUTH, broken), of=group(AUTH, OAUTH, broken)
    )
    assert set(rewrites(found.operations[0])) == {AUTH.path, OAUTH.path}
    assert codes(found) == ["uneditable_frontmatter"]


def test_a_cross_reference_of_one_file_is_skipped() -> None:
    assert codes(plan(does("CROSS_REFERENCE", AUTH))) == ["too_few_files"]
