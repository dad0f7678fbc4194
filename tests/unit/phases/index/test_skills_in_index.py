"""MEMORY.md has one line about skills, within its bounds, and none without skills."""

from dataclasses import replace

from shared.core.dream.operations import Create
from shared.core.memory.model import ROOT_INDEX
from shared.core.policy.policy import IndexPolicy
from tests.unit.builders import head_of, memory
from workers.phases.index.plan import plan_index
from workers.phases.index.root import IndexView

NOTE = memory("api/auth.md", "# Auth\n\nTokens are signed.\n")


def skills(number: int) -> list[str]:
    return [f"skills/do-thing-{one}/SKILL.md" for one in range(number)]


def index_of(*paths: str, policy: IndexPolicy | None = None, by_hand: str = "") -> str:
    heads = tuple(head_of(one) for one in (NOTE, *(memory(path, "Do it.") for path in paths)))
    root = {ROOT_INDEX: memory(ROOT_INDEX, by_hand)} if by_hand else {}
    plan = plan_index(IndexView(heads=heads, indexes=root, moved={}, policy=policy or IndexPolicy()))
    changes = [change for operation in plan.operations for change in operation.changes]
    return next((getattr(one, "content", "") for one in changes if getattr(one, "path", "") == ROOT_INDEX), by_hand)


def test_the_index_names_the_skills_in_one_line() -> None:
    text = index_of("skills/mail/SKILL.md", "skills/mcp/cal/SKILL.md", "skills/mail/run.sh")
    assert "- skills/ — 2 skills: mail, mcp/cal\n" in text
    assert "run.sh" not in text


def test_without_skills_it_says_nothing_of_them() -> None:
    assert "skills" not in index_of()


def test_many_skills_stay_within_one_pointers_length() -> None:
    (line,) = (line for line in index_of(*skills(500)).splitlines() if line.startswith("- skills/"))
    assert "500 skills" in line
    assert line.endswith("…")
    assert len(line) <= IndexPolicy().pointer_chars


def test_an_index_by_hand_gets_the_line_and_a_full_one_stays_within_its_bounds() -> None:
    by_hand = "# Memory\n\n- [Auth](api/auth.md)\n"
    assert index_of("skills/mail/SKILL.md", by_hand=by_hand).startswith(by_hand)
    full = by_hand + "- a line by hand\n" * 196
    small = replace(IndexPolicy(), max_lines=200)
    text = index_of("skills/mail/SKILL.md", by_hand=full, policy=small)
    assert text.count("\n") <= 200


def test_a_second_rebuild_changes_nothing() -> None:
    paths = skills(3)
    first = index_of(*paths)
    heads = tuple(head_of(one) for one in (NOTE, *(memory(path, "Do it.") for path in paths)))
    view = IndexView(heads=heads, indexes={}, moved={}, policy=IndexPolicy())
    (operation,) = plan_index(view).operations
    written = [change for change in operation.changes if isinstance(change, Create)]
    made = {change.path: memory(change.path, change.content) for change in written}
    assert made[ROOT_INDEX].content == first
    assert plan_index(replace(view, indexes=made)).operations == ()
