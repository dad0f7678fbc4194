"""Joined texts: what is new comes in where it belongs, what is known does not come twice, nothing gets lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.statements import find_unsaid
from shared.core.text.markdown import read_sections, write_sections
from tests.support.laws import examples
from workers.offline.join_texts import merge_bodies


def test_a_text_joined_with_itself_stays_as_it_is() -> None:
    body = "# A\n\nOne fact about port 8443.\nWrapped on two lines.\n\n- item\n  more of it\n\n```sh\nrun --it\n```"
    assert merge_bodies(body, [body]) == body


def test_a_paragraph_below_one_with_a_pronoun_is_not_added_again() -> None:
    target = "Ada on my charts: no rainbow. She wants them as PDF."
    source = "Ada on charts: no rainbow, each with its legend. Labels in words. PDF only."
    merged = merge_bodies(target, [source])
    assert merge_bodies(merged, [target, source]) == merged
    assert find_unsaid(merged, [target, source]) == ()


def test_a_section_that_the_target_lacks_comes_at_the_end() -> None:
    merged = merge_bodies("# A\n\nOne fact.\n", ["# A\n\nOne fact.\n\n## Trouble\nError `E42` means a full disk.\n"])
    assert merged == "# A\n\nOne fact.\n\n## Trouble\nError `E42` means a full disk."


def test_a_sentence_with_a_condition_does_not_replace_the_one_without() -> None:
    merged = merge_bodies("Tokens live for 15 minutes.", ["Tokens live for 15 minutes on the gateway atlas-7."])
    assert merged == "Tokens live for 15 minutes. Tokens live for 15 minutes on the gateway atlas-7."


def test_a_sentence_that_denies_another_one_does_not_replace_it() -> None:
    merged = merge_bodies("Backups are encrypted on the host.", ["Backups are not encrypted on the host."])
    assert "Backups are encrypted" in merged
    assert "Backups are not encrypted" in merged


def test_a_sentence_that_the_target_has_elsewhere_replaces_nothing() -> None:
    target = "### Rules\n\nOnly runs inside a worktree.\n\n## Facts\n- **scope**: Sync only runs inside a worktree. [project]"
    assert merge_bodies(target, ["## Facts\n- **scope**: Sync only runs inside a worktree. [project]"]) == target


def test_a_path_in_a_list_is_not_taken_for_a_poorer_wording_of_a_sentence_about_it() -> None:
    target = "**Files:**\n- crates/templates/assets\n- crates/core"
    merged = merge_bodies(target, ["## Facts\n- **markers**: All files under crates/templates/assets carry markers."])
    assert "- crates/templates/assets\n- crates/core" in merged
    assert "- **markers**: All files under crates/templates/assets carry markers." in merged


def test_an_abbreviation_ends_no_sentence() -> None:
    merged = merge_bodies(
        "Jay Fishman of St. Paul Travelers is 51.", ["The makers are NEC Corp., Panasonic Co. Ltd., and Sharp Corp."]
    )
    assert "St. Paul Travelers" in merged
    assert "Panasonic Co. Ltd., and Sharp Corp." in merged


def test_code_that_the_target_lacks_is_taken_whole() -> None:
    merged = merge_bodies("# Run\n\n```\nmake up\n```", ["# Run\n\n```\nmake up\n\nmake down\n```"])
    assert "make up\n\nmake down" in merged


def test_new_rows_come_into_the_table_of_the_same_columns() -> None:
    table = "| plan | calls |\n|---|---|\n| live | 600 |"
    merged = merge_bodies(f"## Limits\n\n{table}\n\nSee above.", [f"## Limits\n\n{table}\n| bulk | 1200 |"])
    assert merged == f"## Limits\n\n{table}\n| bulk | 1200 |\n\nSee above."


def test_a_table_of_other_columns_stays_a_table_of_its_own() -> None:
    other = "| host | port |\n|---|---|\n| atlas-7 | 8443 |"
    merged = merge_bodies("## Limits\n\n| plan | calls |\n|---|---|\n| live | 600 |", [f"## Limits\n\n{other}"])
    assert merged.endswith(f"\n\n{other}")


def test_a_sentence_is_not_put_behind_one_that_is_a_statement_together_with_the_paragraph_above_it() -> None:
    target = "# Printers\n\nRestart the print bridge.\n\nMacro 118 holds this answer."
    merged = merge_bodies(target, ["# Outage\n\nRestart the print bridge."])
    assert merged == f"{target}\n\nAlso titled: Outage."


LINES = st.sampled_from(
    [
        "# Head", "## Limits", "**Files:**", "- a bullet with port 8443", "  nested under it", "1. first of v2.1.0",
        "Some prose about Norpost.", "More prose, wrapped", "```", "code --flag", "| a | b |", "|---|---|", "| 1 | 20 |",
        "> quoted", "---", "", "", "<!-- note -->", "\tindented",
    ]
)  # fmt: skip
BODIES = st.lists(LINES, max_size=14).map("\n".join)


@examples(300)
@given(BODIES)
def test_reading_a_body_into_sections_and_writing_it_gives_the_same_text(body: str) -> None:
    assert write_sections(read_sections(body)) == body.strip("\n")


PARTS = st.sampled_from(
    [
        "# Head", "# Other", "## Limits\n\n- 600 calls", "### Deep\n\nDeeper down.", "**Files:**\n- crates/core", "- port 8443",
        "1. Stop.\n2. Go.", "Some prose about Norpost.", "Wrapped\nprose.", "Hosts are old.", "Hosts are old. They are slow.", "Hosts are old. They are slow. It costs.", "```\nrun\n```",
        "| a | b |\n|---|---|\n| 1 | 2 |", "| a | b |\n|---|---|\n| 3 | 2 |", "> quoted", "Never on Friday.", "On Friday.", "The lamp is red.\n\nMacro 9 holds this.",
    ]
)  # fmt: skip
TEXTS = st.lists(PARTS, min_size=1, max_size=6).map("\n\n".join)


def assert_nothing_is_lost_or_made_up(target: str, sources: list[str]) -> None:
    merged = merge_bodies(target, sources)
    assert find_unsaid(merged, [target, *sources]) == ()
    assert merge_bodies(merged, [target, *sources]) == merged


@examples(400)
@given(TEXTS, st.lists(TEXTS, max_size=2))
def test_no_statement_of_any_joined_text_gets_lost_and_none_is_made_up(target: str, sources: list[str]) -> None:
    assert_nothing_is_lost_or_made_up(target, sources)


@examples(200)
@given(BODIES, st.lists(BODIES, max_size=3))
def test_no_specific_of_any_joined_text_gets_lost(target: str, sources: list[str]) -> None:
    assert find_missing_specifics(merge_bodies(target, sources), [target, *sources]) == ()


_SAID = st.sampled_from(
    ["Hosts are old.", "They are slow.", "It costs.", "This is set in conf.", "Never on Friday.", "The lamp is red."]
)
_NOTES = st.lists(st.tuples(_SAID, st.sampled_from([" ", "\n\n"])), min_size=1, max_size=8).map(
    lambda said: "# Note\n\n## Use\n\nLocks hold. " + "".join(sentence + gap for sentence, gap in said)
)


@examples(300)
@given(_NOTES, st.lists(_NOTES, max_size=2))
def test_no_sentence_that_points_back_gets_lost_or_points_to_another_one(target: str, sources: list[str]) -> None:
    assert_nothing_is_lost_or_made_up(target, sources)


_WARM = "# Cache\n\nThe cache is warm.\n\nThis is set in conf.\n"


@pytest.mark.parametrize(
    ("target", "source"), [(_WARM, f"{_WARM}\nIt needs a restart.\n"), (f"{_WARM}\nIt needs a restart.\n", _WARM)]
)
def test_paragraphs_that_point_back_one_after_the_other_are_said_once(target: str, source: str) -> None:
    assert merge_bodies(target, [source]) == f"{_WARM}\nIt needs a restart."


def test_indented_code_is_kept_as_it_is_written_and_said_once() -> None:
    command = "# Build\n\nRun this command:\n\n    make all\n\n    make check\n"
    assert merge_bodies(command, [f"{command}\nThen it restarts.\n"]) == f"{command}\nThen it restarts."
    assert merge_bodies("# Build\n\nIt takes an hour.\n", [command]).endswith("    make all\n\n    make check")


def test_no_text_is_put_between_a_statement_and_one_that_points_back_to_it() -> None:
    other = "# Cache\n\nThe cache is warm.\n\nThis is seen in the log.\n"
    merged = merge_bodies(_WARM, [other])
    assert merged.count("The cache is warm.") == 2
    assert merged.startswith(_WARM)


_SENTENCES = [
    "Bishops move along diagonals.",
    "They never jump.",
    "It is worth three.",
    "A rook stands beside.",
    "Two are given.",
]


@given(st.lists(st.sampled_from(_SENTENCES), min_size=1, max_size=5, unique=True), st.integers(1, 5), st.booleans())
def test_a_paragraph_that_goes_on_where_the_other_ends_is_said_once(
    told: list[str], count: int, is_longer_first: bool
) -> None:
    texts = [f"# Bishops\n\n{' '.join(sentences)}\n" for sentences in (told[:count], told)]
    target, source = reversed(texts) if is_longer_first else texts
    assert merge_bodies(target, [source]).split() == texts[1].split()
