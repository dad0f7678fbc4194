"""Answers as edits: the host joins what is merged, and leaves out only what a model names and another statement says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.operations import Operation, Plan
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory
from shared.core.merging.specifics import find_missing_specifics
from shared.core.merging.statements import find_unsaid
from shared.core.policy.policy import Policy
from shared.core.reading.placed import ITEM_MARK
from tests.support.laws import examples
from tests.unit.builders import codes, group, memory, rewrites
from tests.unit.phases.consolidate.consolidating import AUTH, OAUTH, TOKENS, does, only, plan
from tests.unit.phases.reading import around
from workers.phase.merged_text import Edited
from workers.phase.text_edits import MAX_EDITS, TextEdit, edit_body, join_by_edits
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.consolidate.phase import PHASE, Inputs

ROLLBACK = memory(
    "ops/rollback.md",
    "# Rollbacks\n\nRollbacks take five minutes. The script is in the deploy repo.\n\n## Who\n\n- Ada approves them.\n",
)
UNDO = memory(
    "ops/undo.md",
    "# Rollbacks\n\nA rollback is done within five minutes. Never roll back on Fridays.\n\n## Who\n\n"
    "- Ada has to approve.\n- Bob is her deputy.\n",
)
SOURCES = [ROLLBACK.content, UNDO.content]


def edited(*edits: dict[str, str]) -> Edited:
    return join_by_edits(ROLLBACK.content, [UNDO.content], [TextEdit.model_validate(one) for one in edits])


def merging(*edits: dict[str, Any], confidence: float = 0.9) -> Plan:
    action = does("MERGE", ROLLBACK, UNDO, outputFile=ROLLBACK.path, edits=list(edits), confidence=confidence)
    return plan(action, of=group(ROLLBACK, UNDO))


def only_of(found: Plan) -> Operation:
    (operation,) = found.operations
    return operation


def test_a_merge_without_an_edit_holds_every_statement_and_what_both_say_once() -> None:
    action = does("MERGE", AUTH, TOKENS, outputFile=AUTH.path, edits=[], confidence=0.9)
    operation = only(action, of=group(AUTH, TOKENS))
    assert operation.propose_only is None
    text = body_of(rewrites(operation)[AUTH.path].content)
    assert text == f"{AUTH.content} {OAUTH.content}"
    twice = edited()
    assert find_unsaid(twice.body, SOURCES) == ()
    assert twice.body.count("## Who") == 1


def test_a_statement_that_another_one_says_in_other_words_goes_and_a_person_decides() -> None:
    other = memory(UNDO.path, UNDO.content.replace(" Never roll back on Fridays.", ""))
    drop = {"words": "Ada has to", "keep": "Ada approves"}
    operation = only(does("MERGE", ROLLBACK, other, edits=[drop], confidence=0.9), of=group(ROLLBACK, other))
    text = rewrites(operation)[ROLLBACK.path].content
    assert "- Ada has to approve." not in text
    assert "- Ada approves them." in text
    assert operation.propose_only is not None
    assert '"Ada approves them." says "Ada has to approve."' in operation.propose_only


def test_a_merge_that_drops_a_statement_by_a_models_word_alone_is_never_applied() -> None:
    one = memory("tea/one.md", "# Tea\n\nThe kettle stands by the window. Guests get the blue cups.\n")
    two = memory("tea/two.md", "# Tea\n\nVisitors drink from blue ones. The kettle stands by the window.\n")
    drop = {"words": "Visitors drink", "keep": "Guests get"}
    operation = only(does("MERGE", one, two, edits=[drop], confidence=0.9), of=group(one, two))
    assert operation.propose_only is not None
    assert "Visitors" not in rewrites(operation)[one.path].content


def test_a_heading_with_nothing_left_below_it_goes_with_its_statement() -> None:
    left = "# Tea\n\nGuests get the blue cups.\n"
    right = "# Tea\n\n## Cups\n\nVisitors drink from blue ones.\n\n## Kettle\n\nIt whistles.\n"
    found = join_by_edits(left, [right], [TextEdit(words="Visitors", keep="Guests")])
    assert "## Cups" not in found.body
    assert "## Kettle" in found.body


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ({"words": "Ships sail", "keep": "Ada approves"}, "no statement begins with"),
        ({"words": "17", "keep": "4"}, "no statement begins with"),
        ({"words": "Ada", "keep": "Bob is"}, "several statements begin with"),
        ({"words": "Ada has", "keep": "ops/unknown.md#3"}, "no statement begins with"),
        ({"words": "", "keep": "Ada approves"}, "names no words"),
        ({"words": "Never roll back", "keep": "Bob is her"}, "nothing that stays says fridays"),
        ({"words": "Rollbacks take five minutes.", "write": "Rollbacks are quick."}, ""),
        ({"words": "Ada has to approve.", "write": ""}, "nothing would take its place"),
        ({"words": "Never roll back on Fridays.", "write": "Never roll back."}, "it would lose fridays"),
        ({"words": "approve"}, "exactly once"),
        ({"keep": "Ada approves"}, "names no words"),
        ({}, "exactly once"),
    ],
)
def test_an_edit_that_names_nothing_or_would_lose_something_is_refused_with_a_reason_and_counted(
    edit: dict[str, str], reason: str
) -> None:
    found = edited(edit)
    if reason:
        assert reason in found.refused[0]
        assert find_unsaid(found.body, SOURCES) == ()
        assert codes(merging(edit)).count("edit_refused") == 1
    applied = [operation for operation in merging(edit).operations if operation.propose_only is None]
    assert [find_unsaid(rewrites(one)[ROLLBACK.path].content, SOURCES) for one in applied] == [()] * len(applied)


def test_two_statements_cannot_each_go_for_the_other() -> None:
    circle = {"words": "Ada has", "keep": "Ada approves"}, {"words": "Ada approves", "keep": "Ada has"}
    found = edited(*circle)
    assert [one.dropped for one in found.claims] == ["Ada has to approve."]
    assert "was left out, too" in found.refused[0]
    chain = edited({"words": "Ada approves", "keep": "Ada has"}, {"words": "Ada has", "keep": "Bob is"})
    assert "- Ada has to approve." in chain.body
    assert "what another statement was left out for" in chain.refused[0]


def test_one_edit_said_twice_counts_once() -> None:
    drop = {"words": "Ada has", "keep": "Ada approves"}
    assert edited(drop, drop) == edited(drop)


def test_a_statement_that_the_next_one_points_back_to_is_kept() -> None:
    found = join_by_edits(
        "- The blue box is full.\n- The crate in the hall is full.\n- It is emptied by hand.\n",
        ["- Nothing.\n"],
        [TextEdit(words="The crate", keep="The blue box")],
    )
    assert "points back" in found.refused[0]


def test_statements_that_deny_each_other_do_not_go_for_each_other() -> None:
    found = join_by_edits(
        "The cache is used at night.\n",
        ["The cache is not used at night.\n"],
        [TextEdit(words="The cache is not used", keep="The cache is used at")],
    )
    assert found.refused == ('"The cache is not used at night." stays: "not" stands in one of the two only',)


def test_numbers_count_even_where_they_are_small() -> None:
    found = join_by_edits(
        "Calls are tried 3 times.\n", ["Each call gets 5 tries.\n"], [TextEdit(words="Each call", keep="Calls are")]
    )
    assert "nothing that stays says 5" in found.refused[0]


def test_no_row_of_a_table_goes_for_one_in_other_words_nor_does_its_head() -> None:
    table = "| box | where |\n|---|---|\n| blue | hall |\n| azure | the hall |\n"
    found = join_by_edits(table, ["Text.\n"], [TextEdit(words="| azure", keep="| blue")])
    assert "azure" in found.body
    assert "a table's row" in found.refused[0]
    head = join_by_edits(table, ["Text.\n"], [TextEdit(words="| box", keep="| blue")])
    assert "no statement begins" in head.refused[0]


def test_an_answer_that_drops_more_than_half_is_put_back_before_a_person_sees_it() -> None:
    one = memory("tea/one.md", "# Tea\n\nWe like it hot.\n")
    two = memory("tea/two.md", "# Tea\n\nBirds sing.\n\nCats nap.\n\nShips sail.\n\nTrains run.\n")
    drops = [{"words": words, "keep": "We like"} for words in ("Birds", "Cats", "Ships", "Trains")]
    found = plan(does("MERGE", one, two, edits=drops, confidence=0.9), of=group(one, two))
    assert [operation.propose_only is not None for operation in found.operations] == [True]
    text = rewrites(found.operations[0])[one.path].content
    assert find_unsaid(text, [one.content, two.content]) == ()


def test_words_that_a_model_puts_into_a_merge_wait_for_a_person() -> None:
    new = {"words": "Rollbacks take five minutes.", "write": "A rollback takes five minutes, every time."}
    assert only_of(merging(new)).propose_only is not None


def test_a_whole_text_is_taken_in_place_of_edits() -> None:
    text = f"{AUTH.content} {OAUTH.content}"
    both = does("MERGE", AUTH, OAUTH, mergedContent=text, edits=[{"words": "x", "keep": "y"}], confidence=0.9)
    found = plan(both)
    assert codes(found) == []
    assert text in rewrites(found.operations[0])[AUTH.path].content


def test_memories_shown_in_part_are_joined_at_once_without_a_second_question() -> None:
    shown = group(ROLLBACK, UNDO, key="ops#1")
    inputs = Inputs(groups=(shown,), live_paths=frozenset({ROLLBACK.path, UNDO.path}), hints=(), changed=2, settled=0)
    answer = ConsolidateAnswer(actions=(does("MERGE", ROLLBACK, UNDO, edits=[], confidence=0.9),))
    assert PHASE.repair(inputs, {"ops#1": answer}) == ()
    (operation,) = PHASE.plan(inputs, {"ops#1": answer}, around(policy=Policy())).operations
    assert find_unsaid(rewrites(operation)[ROLLBACK.path].content, SOURCES) == ()


def test_more_edits_than_a_text_may_have_are_refused_together() -> None:
    drop = {"words": "Ada has", "keep": "Ada approves"}
    assert edited(*[drop] * (MAX_EDITS + 7)).refused == ("7 more edits were not looked at",)


OUTAGE = memory(
    "ops/outage.md", "---\ntitle: Outage\n---\nMalmo lost power yesterday.\n\n- The port is 80.\n- Doors open.\n"
)


def update(*edits: dict[str, str]) -> Plan:
    return plan(does("TEMPORAL_UPDATE", OUTAGE, edits=list(edits), confidence=0.9), of=group(OUTAGE))


def test_a_date_is_written_behind_its_phrase_by_an_edit_and_nothing_else_changes() -> None:
    operation = only_of(update({"words": "yesterday", "write": "yesterday (2026-03-09)"}))
    wanted = OUTAGE.content.replace("yesterday", "yesterday (2026-03-09)")
    assert rewrites(operation)[OUTAGE.path].content == wanted


def test_a_statement_that_is_over_moves_to_the_superseded_ones() -> None:
    found = edit_body(OUTAGE.content, [TextEdit(words="The port is 80.", write="The port is 443.", until="2026-03-04")])
    assert "- The port is 443.\n- Doors open." in found.body
    assert found.body.endswith("## Superseded\n\n- “The port is 80.” — until 2026-03-04\n")
    gone = edit_body(OUTAGE.content, [TextEdit(words="The port is 80.", until="2026-03-04")])
    assert "- Doors open.\n" in gone.body
    assert "\n- \n" not in gone.body
    assert "“The port is 80.”" in gone.body


@pytest.mark.parametrize(
    "edit",
    [
        {"words": "The port is 80.", "write": "The port is open."},
        {"words": "o", "write": "0"},
        {"words": "Doors open.", "keep": "The"},
    ],
)
def test_an_update_whose_edits_are_all_refused_changes_nothing(edit: dict[str, str]) -> None:
    found = update(edit)
    assert found.operations == ()
    assert codes(found) == ["edit_refused", "no_change"]


def test_a_sentence_in_front_of_a_fence_that_no_line_closes_stays_so_that_the_fence_hides_nothing() -> None:
    left = "Ada does it. ```\nmake undo\n```\n- Ada approves them.\n"
    right = "- Ada approves them.\n"
    joined = join_by_edits(left, [right], [TextEdit(words="Ada does it.", keep="Ada approves")])
    assert joined.body == join_by_edits(left, [right], []).body
    assert joined.claims == ()
    assert any("would read otherwise" in reason for reason in joined.refused)


_PARTS = st.sampled_from(
    [
        "Rollbacks take five minutes. ", "A rollback is done within 5 minutes. ", "It is never done on Fridays. ", "## Who\n\n",
        "- Ada approves them.\n", "- Ada has to approve.\n", "- It is not Bob.\n", "\n\n", "| a | b |\n|---|---|\n| c | d |\n",
        "1. Stop it.\n2. Start it.\n", "```\nmake undo\n```\n", "# Title\n\n", "Never do it:\n", "Ada does it. ", "It is done. ",
    ]
)  # fmt: skip
_TEXTS = st.lists(_PARTS, min_size=1, max_size=8).map("".join)
_WORDS = st.sampled_from(
    ["Rollbacks", "A rollback", "It is", "It is never", "Ada", "Ada approves", "Ada has", "| c", "Stop", "make", "Who", "", "7", "\x00", "x" * 900]
)  # fmt: skip
_EDITS = st.lists(
    st.builds(
        TextEdit,
        words=_WORDS,
        keep=st.none() | _WORDS,
        write=st.none() | _WORDS | _PARTS,
        until=st.sampled_from([None, "", "2026-03-04", "# Title\n"]),
    ),
    max_size=6,
)


@given(_TEXTS, _TEXTS, _EDITS)
@examples(400)
def test_whatever_the_edits_every_statement_is_said_by_what_is_applied_and_what_goes_is_claimed_of_one_that_stays(
    left: str, right: str, edits: list[TextEdit]
) -> None:
    one, two = memory("ops/one.md", left), memory("ops/two.md", right)
    action = does("MERGE", one, two, confidence=0.9).model_copy(update={"edits": tuple(edits)})
    found = plan(action, of=group(one, two))
    for operation in found.operations:
        if operation.propose_only is None:
            assert find_unsaid(rewrites(operation)[one.path].content, [left, right]) == ()
    plain = join_by_edits(left, [right], [])
    joined = join_by_edits(left, [right], [edit for edit in edits if edit.keep])
    gone = set(find_unsaid(joined.body, [left, right])) - set(find_unsaid(plain.body, [left, right]))
    # A statement that another one begins with goes together with it.
    claimed = [_flat(claim.dropped) for claim in joined.claims]
    assert [one.text for one in gone if not any(_flat(one.text) in dropped for dropped in claimed)] == []
    assert all(_flat(claim.kept) in _flat(joined.body) for claim in joined.claims)


def _flat(text: str) -> str:
    return " ".join(ITEM_MARK.sub("", text, count=1).split())


@given(_TEXTS, _EDITS)
@examples(200)
def test_whatever_the_edits_of_one_memory_what_is_applied_loses_no_specific(text: str, edits: list[TextEdit]) -> None:
    one: Memory = memory("ops/one.md", text)
    action = does("TEMPORAL_UPDATE", one, confidence=0.9).model_copy(update={"edits": tuple(edits)})
    found = plan(action, of=group(one))
    after = [rewrites(operation)[one.path].content for operation in found.operations]
    assert [find_missing_specifics(content, [text]) for content in after] == [()] * len(after)
