"""Skills: their paths, their names, and their frontmatter."""

import pytest

from shared.core.errors import BadInputError
from shared.core.learning.skills import (
    SkillUse,
    build_skill,
    check_skill_name,
    count_uses,
    created_at_of,
    describe_skill,
    find_pairs,
    find_skill_uses,
    is_sparse,
    last_used_of,
    see_also_of,
    skill_name_of,
    skill_path,
)
from shared.core.memory.model import MemoryKind, kind_of
from shared.core.memory.paths import check_memory_path
from shared.core.sessions.model import EventKind, NewEvent
from tests.unit.builders import NOW, days_ago, memory

LONG = "Ask for the order number first. " * 10


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("skills/mail/SKILL.md", MemoryKind.SKILL),
        ("skills/mcp/mail/SKILL.md", MemoryKind.SKILL),
        ("skills/mail/scripts/send.py", MemoryKind.SKILL_FILE),
        ("skills/mail/_index.md", MemoryKind.SKILL_FILE),
        ("skills/cooking.md", MemoryKind.TOPIC),
        ("skills/_index.md", MemoryKind.INDEX),
        ("api/skills/mail/SKILL.md", MemoryKind.TOPIC),
    ],
)
def test_the_path_alone_says_what_is_a_skill(path: str, kind: MemoryKind) -> None:
    assert kind_of(path) is kind


def test_a_file_of_a_skill_may_have_any_ending_and_no_other_memory_may() -> None:
    assert check_memory_path("skills/mail/scripts/send.py")
    for path in ("api/send.py", "skills/send.py", "skills/../x/y.py", "skills/mail/../../x.py"):
        with pytest.raises(BadInputError):
            check_memory_path(path)


@pytest.mark.parametrize("name", ["summarize-mail", "mcp/mail", "a/b/c", "v1.2_x"])
def test_a_name_leads_to_its_path_and_back(name: str) -> None:
    assert skill_name_of(skill_path(check_skill_name(name))) == name


@pytest.mark.parametrize("name", ["", "Mail", "../x", "a//b", "/a", "a/", "a/b/c/d", "x" * 65, "a b", "-a", "a\n"])
def test_an_invalid_name_of_a_skill_is_refused(name: str) -> None:
    with pytest.raises(BadInputError):
        check_skill_name(name)


def test_a_new_skill_has_the_ecosystems_frontmatter() -> None:
    text = build_skill("mcp/mail", "Send  mail:\nquickly", "# Mail\n", {"see-also": ["mcp/guide"], "created": ""})
    found = memory("skills/mcp/mail/SKILL.md", text)
    assert text.startswith("---\nname: mail\n")
    assert describe_skill(found) == "Send mail: quickly"
    assert see_also_of(found) == ["mcp/guide"]
    assert "created" not in text


def test_a_skill_under_200_characters_and_older_than_7_days_is_sparse() -> None:
    short = "---\nname: mail\ndescription: " + "d" * 300 + "\n---\nSend it."
    assert is_sparse(memory("skills/mail/SKILL.md", short, untouched_days=7.1), NOW)
    assert not is_sparse(memory("skills/mail/SKILL.md", short, untouched_days=6.9), NOW)
    assert not is_sparse(memory("skills/mail/SKILL.md", LONG, untouched_days=30), NOW)


def test_creation_and_use_in_the_frontmatter_of_a_skill_count() -> None:
    text = "---\ncreated: 2025-01-02T00:00:00Z\nlast-used: 2026-03-01\n---\nx"
    found = memory("skills/mail/SKILL.md", text)
    assert created_at_of(found).year == 2025
    assert str(last_used_of(found, ()))[:10] == "2026-03-01"
    use = SkillUse(skill="mail", session="s", used_at=NOW)
    assert last_used_of(found, [use]) == NOW


def test_uses_are_the_calls_of_a_skill_tool_and_nothing_else() -> None:
    def event(text: str, kind: EventKind = EventKind.TOOL_CALL) -> NewEvent:
        return NewEvent(event_id="e", kind=kind, role="assistant", text=text, at=days_ago(1))

    events = [
        event('Skill {"skill":"mail","args":"x"}\nRead {"skill":"no"}'),
        event('Skill {"command":"team:flows:review"}'),
        event('Skill {"skill":"cut in the mid'),
        event("Skill [1]"),
        event('Skill {"skill":7}'),
        event('Skill {"skill":"said"}', EventKind.USER),
    ]
    assert [use.skill for use in find_skill_uses("s1", events, NOW)] == ["mail", "team/flows/review"]


def test_the_pairs_that_most_sessions_used_both_of_come_first_and_at_most_ten() -> None:
    used = [("a", "s1"), ("b", "s1"), ("a", "s2"), ("b", "s2"), ("c", "s2"), ("a", "s1"), ("gone", "s1")]
    uses = [SkillUse(skill=skill, session=session, used_at=NOW) for skill, session in used]
    assert find_pairs(uses, ["a", "b", "c"], 10) == (("a", "b", 2), ("a", "c", 1), ("b", "c", 1))
    assert len(find_pairs(uses, ["a", "b", "c"], 1)) == 1
    assert count_uses(uses)["a"] == 3
