"""Lines that agents write among the generated lines of an index are never lost: they become a topic file."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.dream.operations import Create, Plan, Retire, Rewrite
from shared.core.memory.model import Author
from shared.core.policy.policy import IndexPolicy
from tests.support.laws import examples
from tests.unit.builders import codes, head_of, memory
from workers.phases.index.plan import plan_index
from workers.phases.index.rescue import is_changed
from workers.phases.index.root import IndexView

TOPICS = {
    "api/auth.md": "# Auth\n\nHow tokens work.\n",
    "api/limits.md": "# Limits\n\nSix hundred requests per minute.\n",
    "top.md": "# Top\n\nAt the top.\n",
}
NOTES = ("api/notes-of-the-index.md", "notes-of-the-index.md")


def run(live: dict[str, str], written: dict[str, str] | None = None) -> tuple[Plan, dict[str, str]]:
    """Plan once over paths and texts; return the plan and the store afterwards."""
    made = {path: memory(path, text) for path, text in live.items()}
    indexes = {path: one for path, one in made.items() if path == "MEMORY.md" or path.endswith("_index.md")}
    heads = tuple(head_of(made[path]) for path in sorted(made))
    plan = plan_index(IndexView(heads=heads, indexes=indexes, moved={}, policy=IndexPolicy(), written=written or {}))
    after = dict(live)
    for change in (change for operation in plan.operations for change in operation.changes):
        if isinstance(change, Create | Rewrite):
            after[change.path] = change.content
        elif isinstance(change, Retire):
            del after[change.path]
    return plan, after


def dreamt() -> dict[str, str]:
    return run(TOPICS)[1]


def edited(path: str, change: str, *, is_known: bool = True, place: str = "") -> tuple[Plan, dict[str, str]]:
    """A dream wrote the index, a user added lines, and another dream runs."""
    before = dreamt()
    mark = place or before[path].splitlines()[-1]
    text = before[path].replace(mark, f"{change}\n{mark}")
    return run(before | {path: text}, {path: before[path] if is_known else ""})


@pytest.mark.parametrize(("path", "note"), [("api/_index.md", NOTES[0]), ("MEMORY.md", NOTES[1])])
@pytest.mark.parametrize("is_known", [True, False])
def test_lines_by_hand_among_generated_ones_become_a_topic_file(path: str, note: str, is_known: bool) -> None:
    plan, after = edited(path, "- Call Ann before port 8443 is opened.\n  She knows why.", is_known=is_known)
    assert "- Call Ann before port 8443 is opened.\n  She knows why.\n" in after[note]
    assert "She knows why" not in after[path]
    assert codes(plan) == ["index_by_hand_moved"]
    assert f"({note})" in after["MEMORY.md"]
    assert "(notes-of-the-index.md)" in after[path]
    again, same = run(after)
    assert codes(again) == ["index_current"]
    assert same == after


def test_words_by_hand_beside_a_pointer_are_kept_where_a_dreams_own_text_is_known() -> None:
    _, after = edited("api/_index.md", "- [Limits](limits.md) — ask Bob before you raise them")
    assert "ask Bob before you raise them" in after[NOTES[0]]


def test_pointers_that_only_repeat_the_index_make_no_file() -> None:
    _, after = edited("api/_index.md", "- [Limits](limits.md)")
    assert after == dreamt()


def test_an_unchanged_index_is_left_alone() -> None:
    index = memory("api/_index.md", dreamt()["api/_index.md"])
    assert not is_changed(replace(index, author=Author.DREAM))
    assert is_changed(replace(index, author=Author.AGENT))
    assert not is_changed(memory("api/_index.md", "# By hand\n\n- all of it\n"))
    assert not is_changed(memory("MEMORY.md", "# By hand\n\n- all of it\n"))


def test_the_index_of_a_folder_that_is_empty_by_now_gives_its_lines_away_first() -> None:
    before = dreamt()
    index = before["api/_index.md"]
    left = {"top.md": TOPICS["top.md"], "api/_index.md": f"{index}\nAnn knows why.\n"}
    _, after = run(left, {"api/_index.md": index})
    assert "Ann knows why." in after[NOTES[0]]
    assert "(notes-of-the-index.md)" in after["api/_index.md"]


def test_a_file_of_that_name_is_never_written_over() -> None:
    before = dreamt() | {NOTES[0]: "# Notes of the index of api\n\nOlder ones.\n"}
    index = before["api/_index.md"]
    _, after = run(before | {"api/_index.md": f"{index}Ann knows why.\n"}, {"api/_index.md": index})
    assert after[NOTES[0]] == before[NOTES[0]]
    assert "Ann knows why." in after["api/notes-of-the-index-2.md"]


_LINES = st.lists(
    st.one_of(
        st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=60),
        st.sampled_from(["# Notes", "```", "---", "- [Odd](../../x.md) says more", "<!-- slowwave:index begin -->"]),
        st.integers(200, 40_000).map("word ".__mul__),
    ),
    max_size=12,
)


@examples(60)
@given(path=st.sampled_from(["api/_index.md", "MEMORY.md"]), lines=_LINES)
def test_no_line_by_hand_is_lost_and_a_second_run_changes_nothing(path: str, lines: list[str]) -> None:
    _, after = edited(path, "\n".join(lines))
    held = "\n".join(after.values())
    lost = [line for line in lines if any(map(str.isalnum, line)) and line.rstrip() not in held]
    assert lost == []
    assert all(len(after[one].encode()) <= 25_000 for one in ("MEMORY.md", "api/_index.md"))
    _, same = run(after)
    assert same == after
