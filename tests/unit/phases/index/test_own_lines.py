"""Lines that agents write among the generated lines of an index are never lost: they stay in the file, before the block."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.operations import Create, Plan, Retire, Rewrite
from shared.core.memory.index_text import by_hand
from shared.core.memory.model import INDEX_BEGIN, INDEX_END, Author
from shared.core.policy.policy import IndexPolicy
from tests.support.laws import examples
from tests.unit.builders import codes, head_of, memory
from workers.phases.index.handwritten import is_changed
from workers.phases.index.plan import plan_index
from workers.phases.index.root import IndexView

TOPICS = {
    "api/auth.md": "# Auth\n\nHow tokens work.\n",
    "api/limits.md": "# Limits\n\nSix hundred requests per minute.\n",
    "top.md": "# Top\n\nAt the top.\n",
}


def run(live: dict[str, str], written: dict[str, str] | None = None) -> tuple[Plan, dict[str, str]]:
    """Plan once over paths and texts; return the plan and the store afterwards."""
    made = {path: memory(path, text) for path, text in live.items()}
    indexes = {path: one for path, one in made.items() if path == "MEMORY.md" or path.endswith("_index.md")}
    heads = tuple(head_of(made[path]) for path in sorted(made))
    plan = plan_index(IndexView(heads=heads, indexes=indexes, moved={}, policy=IndexPolicy(), written=written or {}))
    after = dict(live)
    for operation in plan.operations:
        for change in () if operation.propose_only else operation.changes:
            if isinstance(change, Create | Rewrite):
                after[change.path] = change.content
            elif isinstance(change, Retire):
                del after[change.path]
    return plan, after


def dreamt() -> dict[str, str]:
    return run(TOPICS)[1]


def edited(path: str, change: str, *, is_known: bool = True) -> tuple[Plan, dict[str, str]]:
    """A dream wrote the index, a user added lines, and another dream runs."""
    before = dreamt()
    mark = before[path].splitlines()[-1]
    text = before[path].replace(mark, f"{change}\n{mark}")
    return run(before | {path: text}, {path: before[path] if is_known else ""})


@pytest.mark.parametrize("path", ["api/_index.md", "MEMORY.md"])
@pytest.mark.parametrize("is_known", [True, False])
def test_lines_by_hand_among_generated_ones_stay_in_the_file(path: str, is_known: bool) -> None:
    own = "- Call Ann before port_8443 is opened.\n\n  She knows why.\n"
    plan, after = edited(path, own.rstrip("\n"), is_known=is_known)
    assert f"{own}{INDEX_BEGIN}\n" in after[path]
    assert own in by_hand(after[path])
    assert after.keys() == dreamt().keys()
    assert codes(plan) == ["index_by_hand_kept"]
    again, same = run(after)
    assert codes(again) == ["index_current"]
    assert same == after


def test_words_by_hand_beside_a_pointer_are_kept_where_a_dreams_own_text_is_known() -> None:
    _, after = edited("api/_index.md", "- [Limits](limits.md) — ask Bob before you raise them")
    assert "ask Bob before you raise them" in by_hand(after["api/_index.md"])


def test_pointers_that_only_repeat_the_index_are_not_kept_twice() -> None:
    _, after = edited("api/_index.md", "- [Limits](limits.md)")
    assert after == dreamt()


def test_an_unchanged_index_is_left_alone() -> None:
    index = memory("api/_index.md", dreamt()["api/_index.md"])
    assert not is_changed(replace(index, author=Author.DREAM))
    assert is_changed(replace(index, author=Author.AGENT))
    assert not is_changed(memory("api/_index.md", "# By hand\n\n- all of it\n"))
    assert not is_changed(memory("MEMORY.md", "# By hand\n\n- all of it\n"))


def test_the_index_of_an_emptied_folder_stays_as_long_as_something_stands_in_it_by_hand() -> None:
    index = dreamt()["api/_index.md"]
    _, after = run({"top.md": TOPICS["top.md"], "api/_index.md": f"{index}Ann knows why.\n"}, {"api/_index.md": index})
    assert after["api/_index.md"].endswith(f"Ann knows why.\n{INDEX_BEGIN}\n{INDEX_END}\n")
    emptied = after["api/_index.md"].replace("Ann knows why.\n", "")
    assert "api/_index.md" not in run(after | {"api/_index.md": emptied})[1]


def test_text_by_hand_in_the_index_of_a_folder_outlives_the_marks_around_its_pointers() -> None:
    _, first = edited("api/_index.md", "Ann knows why.")
    written = first["api/_index.md"]
    bare = written.replace(f"{INDEX_BEGIN}\n", "").replace(f"{INDEX_END}\n", "")
    _, after = run(first | {"api/_index.md": bare}, {"api/_index.md": written})
    assert by_hand(after["api/_index.md"]) == by_hand(written)


def test_lines_by_hand_in_the_list_of_all_memories_stay() -> None:
    hand = "".join(f"- [N](n{number}.md) by hand\n" for number in range(198))
    _, before = run(TOPICS | {"MEMORY.md": hand})
    text = before["_index.md"].replace("## api", "Ask Bob first.\n## api")
    _, after = run(before | {"_index.md": text}, {"_index.md": before["_index.md"]})
    assert "Ask Bob first.\n" in by_hand(after["_index.md"])
    assert "(api/auth.md)" in after["_index.md"]
    again, _ = run(after)
    assert codes(again) == ["index_current"]


_LINES = st.lists(
    st.one_of(
        st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=60),
        st.sampled_from(["# Notes", "```", "---", "- [Odd](../../x.md) says more", INDEX_BEGIN, INDEX_END]),
        st.integers(200, 40_000).map("word ".__mul__),
    ),
    max_size=12,
)


@examples(60)
@given(path=st.sampled_from(["api/_index.md", "MEMORY.md"]), lines=_LINES)
def test_no_line_by_hand_is_lost_and_a_second_run_changes_nothing(path: str, lines: list[str]) -> None:
    _, after = edited(path, "\n".join(lines))
    held = after[path].split("\n")
    lost = [line for line in lines if any(map(str.isalnum, line)) and line not in held]
    assert [line for line in lost if line not in {INDEX_BEGIN, INDEX_END}] == []
    _, same = run(after)
    assert same == after
