"""Text that a person or an agent wrote into MEMORY.md stays there to the byte, and what is over the budget is only proposed to move."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.operations import Create, Operation, Plan, Rewrite
from shared.core.memory.index_text import by_hand, holds_content
from shared.core.memory.model import INDEX_BEGIN, INDEX_LINE, MemoryKind, kind_of
from shared.core.policy.policy import IndexPolicy
from tests.support.laws import examples
from tests.unit.builders import codes, head_of, memory
from workers.phases.index.handwritten import find_overflow
from workers.phases.index.plan import plan_index
from workers.phases.index.root import IndexView

NOTE = {"x.md": "# X\n\nIt is so.\n"}


def bullets(first: int, last: int) -> str:
    return "".join(f"- Point {n}: module m_{n} listens on port {3_000 + n}.\n" for n in range(first, last))


def pointers(number: int) -> str:
    return "".join(f"- [N {n}](n/{n}.md): module m_{n}\n" for n in range(number))


def notes(number: int) -> dict[str, str]:
    return {f"n/{n}.md": f"# N {n}\n\nThe module listens.\n" for n in range(number)}


def dream(live: dict[str, str], *, decided: str = "", policy: IndexPolicy | None = None) -> tuple[Plan, dict[str, str]]:
    """Plan once over paths and texts; return the plan, and the store with what needs no review."""
    made = {path: memory(path, text) for path, text in sorted(live.items())}
    indexes = {path: one for path, one in made.items() if kind_of(path) is MemoryKind.INDEX}
    heads = tuple(map(head_of, made.values()))
    view = IndexView(heads=heads, indexes=indexes, moved={}, policy=policy or IndexPolicy(), decided=decided)
    plan = plan_index(view)
    after = dict(live)
    for operation in plan.operations:
        after |= {} if operation.propose_only else written(operation)
    return plan, after


def written(operation: Operation) -> dict[str, str]:
    return {change.path: change.content for change in operation.changes if isinstance(change, Create | Rewrite)}


def proposal(plan: Plan) -> dict[str, str]:
    (operation,) = (one for one in plan.operations if one.propose_only)
    return written(operation)


FLAT = f"# Memory\n\n{bullets(1, 198)}"
SECTIONS = "".join(f"## Area {n}\n\n" + bullets(n * 10, n * 10 + 10) for n in range(20))


@pytest.mark.parametrize("hand", [FLAT, f"# Memory\n\n{pointers(100)}", SECTIONS[:1_000]])
def test_a_file_within_its_budget_keeps_every_line_beside_a_note(hand: str) -> None:
    plan, after = dream({"MEMORY.md": hand} | NOTE)
    assert by_hand(after["MEMORY.md"]) == hand
    assert after["MEMORY.md"].count("\n") <= 200
    assert not [path for path in after if path.startswith("note")]
    assert not [one for one in plan.operations if one.propose_only]
    assert dream(after)[0].operations == ()


@pytest.mark.parametrize(
    ("hand", "over", "note"),
    [
        (f"# Memory\n\n## Rules\n\n- Never push.\n- Ask.\n\n## Modules\n\n{bullets(0, 222)}", 31, "note-modules.md"),
        (f"# Memory\n\n{SECTIONS}", 42, "note-area-16-area-17-area-18-area-19.md"),
        (f"# Memory\n\n{bullets(0, 300)}", 102, "note-rest-of-memory-md.md"),
        (f"# Memory\n\n{pointers(300)}", 102, "note-rest-of-memory-md.md"),
    ],
)
def test_of_a_file_over_its_budget_only_the_overflow_is_proposed_to_move(hand: str, over: int, note: str) -> None:
    plan, after = dream({"MEMORY.md": hand} | NOTE)
    assert after["MEMORY.md"] == hand
    assert plan.counts["over_budget_lines"] == over
    moved = proposal(plan)
    assert moved.keys() == {"MEMORY.md", note}
    kept, pointer = moved["MEMORY.md"].removesuffix("\n").rsplit("\n", 1)
    assert pointer.endswith(".") or "](" in pointer
    assert f"({note})" in pointer
    assert moved[note].partition("\n\n")[2] == hand.removeprefix(f"{kept}\n")
    assert kept.count("\n") + 3 == 200


def test_a_file_over_its_bytes_is_proposed_to_shrink_by_its_bytes() -> None:
    hand = "# Memory\n\n" + "".join(f"- Point {n}: {'wörter ' * 40}\n" for n in range(100))
    plan, after = dream({"MEMORY.md": hand} | NOTE)
    assert after["MEMORY.md"] == hand
    assert plan.counts["over_budget_bytes"] == len(hand.encode()) - 25_000
    moved = proposal(plan)["MEMORY.md"]
    assert 24_000 < len(moved.encode()) <= 25_000
    assert hand.startswith(moved.removesuffix("\n").rpartition("\n")[0])


def test_the_owner_hears_how_far_a_file_is_over_its_budget_and_where_its_end_would_go() -> None:
    plan, _ = dream({"MEMORY.md": f"# Memory\n\n{bullets(0, 229)}"} | NOTE)
    (operation,) = (one for one in plan.operations if one.propose_only)
    assert operation.reason == (
        "MEMORY.md is 31 lines over its budget by hand: its last 33 lines would move to note-rest-of-memory-md.md, word for word"
    )


def test_what_was_decided_or_waits_is_not_proposed_again() -> None:
    plan, _ = dream({"MEMORY.md": f"# Memory\n\n{bullets(0, 300)}"}, decided="rejected by ann (op_1)")
    assert plan.operations == ()
    assert codes(plan) == ["index_current", "index_over_budget"]
    assert "102 lines over its budget by hand: rejected by ann (op_1)" in plan.skips[1].detail
    assert plan.counts["over_budget_lines"] == 102


def test_one_piece_that_has_no_beginning_to_cut_at_is_left_alone() -> None:
    plan, after = dream({"MEMORY.md": "word\n" * 300} | NOTE)
    assert after["MEMORY.md"] == "word\n" * 300
    assert not [one for one in plan.operations if one.propose_only]
    assert "no part of it can be moved as a whole" in plan.skips[0].detail


def test_code_and_continued_entries_are_not_cut() -> None:
    code = "```sh\n" + "- run\n" * 60 + "```\n"
    hand = f"# Memory\n\n{bullets(0, 150)}- Build:\n\n  So:\n\n{code}\nThe end.\n"
    found = find_overflow(hand, (), IndexPolicy())
    assert found is not None
    assert found.text.startswith(f"# Memory\n\n{bullets(0, 150)}")
    assert code in found.note


def test_an_approved_move_leaves_a_file_that_the_next_dream_completes() -> None:
    live = {"MEMORY.md": f"# Memory\n\n{pointers(300)}"} | notes(300) | NOTE
    plan, after = dream(live)
    after |= proposal(plan)
    plan, after = dream(after)
    assert after["MEMORY.md"].endswith(f"{INDEX_LINE}\n")
    assert after["MEMORY.md"].count("\n") == 200
    assert "(x.md)" in after["_index.md"]
    assert dream(after)[0].operations == ()


@pytest.mark.parametrize("number", [150, 177, 180, 190, 194, 196, 198])
def test_the_block_gets_smaller_before_a_line_by_hand_goes_and_leads_to_every_memory(number: int) -> None:
    hand = f"# Memory\n\n{pointers(number)}"
    _, after = dream({"MEMORY.md": hand} | notes(number + 20) | {"x.md": NOTE["x.md"]})
    root = after["MEMORY.md"]
    assert by_hand(root) == hand
    assert root.count("\n") <= 200
    everywhere = [f"(n/{n}.md)" for n in range(number, number + 20)] + ["(x.md)"]
    if number < 177:
        assert all(one in root for one in everywhere)
    elif number < 198:
        assert "](_index.md)" in root
        assert all(one in after["_index.md"] for one in everywhere)
    assert dream(after)[0].operations == ()


def test_details_go_before_pointers() -> None:
    long = {f"n/{n}.md": f"# N {n}\n\nThe module {'and another ' * 8}listens.\n" for n in range(60)}
    hand = "# Memory\n\n" + "".join(f"- [A {n}](a/{n}.md): {'x' * 150}\n" for n in range(120))
    _, after = dream({"MEMORY.md": hand} | long)
    block = after["MEMORY.md"].removeprefix(hand)
    assert all(f"- [N {n}](n/{n}.md)\n" in block for n in range(60))
    assert "_index.md" not in block


def test_one_line_is_enough_to_lead_to_all_memories() -> None:
    hand = f"# Memory\n\n{pointers(197)}"
    _, after = dream({"MEMORY.md": hand} | NOTE)
    assert after["MEMORY.md"] == f"{hand}{INDEX_LINE}\n"
    assert "- [X](x.md) — It is so.\n" in after["_index.md"]


def test_a_full_file_gets_no_line_and_everything_is_listed_beside_it() -> None:
    hand = f"# Memory\n\n{pointers(198)}"
    _, after = dream({"MEMORY.md": hand} | NOTE)
    assert after["MEMORY.md"] == hand
    assert "(x.md)" in after["_index.md"]


HERMES = "User prefers tabs.\n§\nDeploy user is svc_deploy; the *staging* host is pg-7.\n§\nMeetings are at nine."
CODEX = "# Task Group: billing\n\nscope: invoices\n\n## Task 1: export\n\n### learnings\n\n- The job runs at six.\n"


@pytest.mark.parametrize("text", [HERMES, CODEX, f"\ufeff{CODEX}", CODEX.replace("\n", "\r\n")])
@pytest.mark.parametrize("others", [{}, {"memory/2026-03-01.md": "# Log\n\nThe relay was replaced.\n"}])
def test_a_root_file_that_holds_content_gets_no_block(text: str, others: dict[str, str]) -> None:
    _, after = dream({"MEMORY.md": text} | others)
    assert after["MEMORY.md"] == text
    assert ("_index.md" in after) == bool(others)
    assert "(memory/2026-03-01.md)" in after.get("_index.md", "(memory/2026-03-01.md)")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "# Session: 2026-01-16 14:30:00 UTC\n\n- **Session Key**: agent:main\n",
            "[vendor_pitch](memory/vendor_pitch.md)",
        ),
        ("**Date:** 2026-03-03\n\n**Name:** Ann\n", "[vendor pitch](memory/vendor_pitch.md)"),
        ("# Sitzung: 2026-01-16\n\nDer Steg ist zu.\n", "[vendor_pitch](memory/vendor_pitch.md) — Der Steg ist zu."),
        (
            "# 2026-01-16 14:30 UTC\n\nThe jetty is closed.\n",
            "[vendor_pitch](memory/vendor_pitch.md) — The jetty is closed.",
        ),
        (
            "# Session: 2026-04-19 09:12\n\nassistant: All set!\nuser: fine\n",
            "[vendor_pitch](memory/vendor_pitch.md)",
        ),
        ("# Name: Ann\n\nAnn owns billing.\n", "[vendor_pitch](memory/vendor_pitch.md) — Ann owns billing."),
        (
            "# Session: 2026-01-14 21:05:07 UTC\n\nThe jetty is closed.\n",
            "[vendor_pitch](memory/vendor_pitch.md) — The jetty is closed.",
        ),
        (
            "**Session Key**: agent:main\n\nThe jetty is closed.\n",
            "[vendor pitch](memory/vendor_pitch.md) — The jetty is closed.",
        ),
        ("Summary:\n\nThe jetty is closed.\n", "[vendor pitch](memory/vendor_pitch.md) — The jetty is closed."),
        (
            "# {{date:YYYY-MM-DD}}\n\nThe jetty is closed.\n",
            "[vendor_pitch](memory/vendor_pitch.md) — The jetty is closed.",
        ),
        (
            "# 2026年2月26日\n\nThe jetty is closed.\n",
            "[vendor_pitch](memory/vendor_pitch.md) — The jetty is closed.",
        ),
        ("# 埠頭\n\n日期： 2026年2月16日（周一）\n", "[埠頭](memory/vendor_pitch.md)"),  # noqa: RUF001 - as it is written
        ("# 부두\n\n작성일: 2026년 2월 16일\n", "[부두](memory/vendor_pitch.md)"),
        ("# 埠頭\n\n分析日期：2026年2月16日 | 报告生成：2026-02-17\n", "[埠頭](memory/vendor_pitch.md)"),  # noqa: RUF001 - the same
        ("# 埠頭\n\n2026年2月16日 舊碼頭關閉了。\n", "[埠頭](memory/vendor_pitch.md) — 2026年2月16日 舊碼頭關閉了。"),
        (
            "# Jetty\n\n2026-01-16 | The jetty is closed.\n",
            "[Jetty](memory/vendor_pitch.md) — 2026-01-16 | The jetty is closed.",
        ),
        ("# Who am I?\n\n- **Name:**\n  _(pick something you like)_\n", "[Who am I?](memory/vendor_pitch.md)"),
        ("# Decision: use tabs\n\nTabs it is.\n", "[Decision: use tabs](memory/vendor_pitch.md) — Tabs it is."),
        (
            "# Outage: 2026-01-16 of the db\n\nIt fell.\n",
            "[Outage: 2026-01-16 of the db](memory/vendor_pitch.md) — It fell.",
        ),
    ],
)
def test_a_pointer_says_the_files_name_instead_of_a_stamp_or_a_label(text: str, shown: str) -> None:
    _, after = dream({"memory/vendor_pitch.md": text})
    assert f"- {shown}\n" in after["MEMORY.md"]


_LINE = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=40),
    st.sampled_from(
        ["", "# Notes", "## Rules", "my_own_name and *that*", "<!-- a comment -->", "```", "---", "§", "\ufeff", "- [X](x.md)",
         "- [N](n/1.md): mine", "[[wiki_link]]", INDEX_BEGIN, INDEX_LINE, "trailing   "]
    ),
)  # fmt: skip


@examples(80)
@given(
    st.lists(_LINE, max_size=30),
    st.sampled_from([1, 20, 60]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    st.sampled_from([0, 3, 250]),
)
def test_the_bytes_by_hand_are_the_same_in_order_after_any_number_of_dreams(
    lines: list[str], times: int, newline: str, is_open: bool, number: int
) -> None:
    text = newline.join(lines * times) + ("" if is_open else newline)
    live = {"MEMORY.md": text} | notes(number)
    kept = {by_hand(text), by_hand(text) + newline, by_hand(text) + "\n"}
    for _ in range(3):
        _, live = dream(live)
        assert by_hand(live["MEMORY.md"]) in kept
        live[f"n/later{len(live)}.md"] = "# Later\n\nIt came later.\n"
    assert live["MEMORY.md"].count("\n") <= max(200, by_hand(text).count("\n") + 1)
    _, settled = dream(live)
    assert holds_content(text) <= (INDEX_BEGIN not in settled["MEMORY.md"])
    assert dream(settled)[1] == settled


def test_a_note_is_called_by_the_sections_in_it_and_by_no_comment_in_code() -> None:
    code = "```sh\n# install the tool\nrun\n```\n"
    hand = f"# Memory\n\n{bullets(0, 190)}## Tools\n\n{code}\n## Hosts\n\n{bullets(0, 20)}## {'Names and ' * 6}\n\nThe end.\n"
    found = find_overflow(hand, (), IndexPolicy())
    assert found is not None
    assert found.path == "note-tools-hosts.md"
    assert found.note.startswith("# Tools, Hosts\n\n")
