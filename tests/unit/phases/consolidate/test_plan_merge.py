"""MERGE: one text in place of several, with lineage, and only where the rules allow it."""

import pytest

from shared.core.dream.operations import OperationKind
from shared.core.memory.frontmatter import read_fields
from shared.core.memory.model import Memory, MemoryState
from tests.unit.builders import codes, created, group, memory, paths_of, retired, rewrites
from tests.unit.phases.consolidate.consolidating import AUTH, LIMITS, OAUTH, TEXT, TOKENS, merge, only, plan

AUTH_AND_LIMITS = f"{AUTH.content} {LIMITS.content}"


@pytest.mark.parametrize("confidence", [None, 0.2, 1.0])
def test_a_merge_always_needs_review(confidence: float | None) -> None:
    operation = only(merge(AUTH, TOKENS, confidence=confidence), of=group(AUTH, TOKENS))
    assert operation.kind is OperationKind.MERGE
    assert operation.needs_review


def test_a_merge_supersedes_its_sources_and_deletes_nothing() -> None:
    operation = only(merge(AUTH, OAUTH, into=AUTH.path))
    assert list(rewrites(operation)) == [AUTH.path]
    source = retired(operation)[OAUTH.path]
    assert (source.state, source.superseded_by, source.version) == (MemoryState.SUPERSEDED, AUTH.path, 2)


def test_a_merge_records_when_and_from_what_it_was_made() -> None:
    fields = read_fields(rewrites(only(merge(AUTH, OAUTH, into=AUTH.path)))[AUTH.path].content)
    assert fields["consolidated_at"] == "2026-03-10T12:00:00Z"
    assert fields["consolidated_from"] == [OAUTH.path]


def test_a_second_merge_keeps_the_lineage_of_the_first() -> None:
    merged_before = memory("api/auth.md", "---\nconsolidated_from: [api/old.md]\n---\n" + AUTH.content)
    operation = only(merge(merged_before, OAUTH, into=AUTH.path), of=group(merged_before, OAUTH))
    assert read_fields(rewrites(operation)[AUTH.path].content)["consolidated_from"] == ["api/old.md", OAUTH.path]


def test_lineage_that_another_system_wrote_with_dates_and_reasons_survives_a_merge() -> None:
    entry = "{date: '2026-07-13', path: api/setup.md, reason: 'the same topic'}"
    byterover = memory("api/auth.md", f"---\nconsolidated_from: [{entry}]\n---\n" + AUTH.content)
    operation = only(merge(byterover, OAUTH, into=AUTH.path), of=group(byterover, OAUTH))
    lineage = read_fields(rewrites(operation)[AUTH.path].content)["consolidated_from"]
    assert lineage == [{"date": "2026-07-13", "path": "api/setup.md", "reason": "the same topic"}, OAUTH.path]


def test_the_lineage_of_what_is_merged_away_goes_on_in_what_stays() -> None:
    other = memory("api/oauth.md", "---\nconsolidated_from: [api/older.md]\n---\n" + OAUTH.content)
    operation = only(merge(AUTH, other, into=AUTH.path), of=group(AUTH, other))
    assert read_fields(rewrites(operation)[AUTH.path].content)["consolidated_from"] == ["api/older.md", OAUTH.path]


def test_a_merge_without_an_output_goes_into_the_first_file() -> None:
    assert list(rewrites(only(merge(OAUTH, AUTH)))) == [OAUTH.path]


def test_a_merge_may_go_to_a_new_path_and_then_supersedes_every_source() -> None:
    operation = only(merge(AUTH, OAUTH, into="api/tokens.md"))
    assert created(operation).path == "api/tokens.md"
    assert {path: one.superseded_by for path, one in retired(operation).items()} == {
        AUTH.path: "api/tokens.md",
        OAUTH.path: "api/tokens.md",
    }
    assert read_fields(created(operation).content)["consolidated_from"] == [AUTH.path, OAUTH.path]


def test_a_merge_of_three_files_makes_one() -> None:
    text = f"{TEXT} Clients may send 600 requests per minute."
    operation = only(merge(AUTH, OAUTH, LIMITS, text=text))
    assert list(rewrites(operation)) == [AUTH.path]
    assert set(retired(operation)) == {OAUTH.path, LIMITS.path}


def test_two_merges_cannot_go_to_the_same_new_path() -> None:
    texts = ["Ships sail at high tide.", "Ships sail at high tide. Pilots wait."]
    texts += ["Birds sing at dawn.", "Birds sing at dawn. Cats nap."]
    four = [memory(f"api/{n}.md", text) for n, text in enumerate(texts)]
    found = plan(
        merge(*four[:2], into="api/rules.md", text=texts[1]),
        merge(*four[2:], into="api/rules.md", text=texts[3]),
        of=group(*four),
    )
    assert [list(retired(operation)) for operation in found.operations] == [["api/0.md", "api/1.md"]]
    assert codes(found) == ["not_offered"]


@pytest.mark.parametrize("text", [None, "", "  \n"])
def test_a_merge_without_its_text_is_skipped(text: str | None) -> None:
    found = plan(merge(AUTH, OAUTH, text=text))
    assert found.operations == ()
    assert codes(found) == ["incomplete_action"]


@pytest.mark.parametrize("files", [(), (AUTH,), (AUTH, AUTH)])
def test_a_merge_of_fewer_than_two_files_is_skipped(files: tuple[Memory, ...]) -> None:
    assert codes(plan(merge(*files))) == ["too_few_files"]


@pytest.mark.parametrize(
    "path", ["../other/x.md", "/etc/passwd.md", "api/../../x.md", "C:/x.md", "api\\x.md", "api/x.txt", "api/\u202ex.md"]
)
def test_a_merge_into_an_unsafe_path_is_refused_and_counted(path: str) -> None:
    found = plan(merge(AUTH, OAUTH, into=path))
    assert found.operations == ()
    assert codes(found) == ["unsafe_path"]


@pytest.mark.parametrize("path", ["MEMORY.md", "api/_index.md", "_archived/x.md", "api/x.stub.md"])
def test_a_merge_into_a_generated_file_is_refused(path: str) -> None:
    assert codes(plan(merge(AUTH, OAUTH, into=path))) == ["unsafe_path"]


def test_a_merge_over_a_file_that_was_not_offered_is_refused() -> None:
    found = plan(merge(AUTH, OAUTH, into="ops/secret.md"), live=("ops/secret.md",))
    assert found.operations == ()
    assert codes(found) == ["not_offered"]


def test_files_that_were_not_offered_are_dropped_from_an_action() -> None:
    found = plan(merge(AUTH, OAUTH, "ops/secret.md", "../../etc/passwd"))
    assert paths_of(found.operations[0].changes) == [AUTH.path, OAUTH.path]
    assert codes(found) == ["not_offered", "not_offered"]


def test_a_merge_that_loses_a_specific_is_dropped_and_the_sources_stay() -> None:
    found = plan(merge(AUTH, LIMITS, text=AUTH_AND_LIMITS.replace("RS256", "a key"), confidence=0.6))
    assert found.operations == ()
    assert codes(found) == ["coverage"]
    assert "rs256" in found.skips[0].detail
