"""The kind of a memory by its path, and a head whose importance has changed."""

from dataclasses import fields, replace

import pytest

from shared.core.memory.model import Author, Maturity, MemoryHead, MemoryKind, Signals, Tier, kind_of, with_importance
from shared.core.memory.writers import Rank
from tests.unit.builders import NOW, head_of, memory


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("api/auth.md", MemoryKind.TOPIC),
        ("skills.md", MemoryKind.TOPIC),
        ("skills/loose.md", MemoryKind.TOPIC),
        ("logs/notes.md", MemoryKind.TOPIC),
        ("api/MEMORY.md", MemoryKind.TOPIC),
        ("api/my_index.md", MemoryKind.TOPIC),
        ("api/auth", MemoryKind.TOPIC),
        ("api/auth.TXT", MemoryKind.TOPIC),
        ("api/config.json", MemoryKind.FILE),
        ("MEMORY.md", MemoryKind.INDEX),
        ("_index.md", MemoryKind.INDEX),
        ("api/deep/_index.md", MemoryKind.INDEX),
        ("api/auth.abstract.md", MemoryKind.DERIVED),
        ("_archived/auth.md", MemoryKind.DERIVED),
        ("skills/deploy/SKILL.md", MemoryKind.SKILL),
        ("skills/team/deploy/SKILL.md", MemoryKind.SKILL),
        ("skills/deploy/_index.md", MemoryKind.SKILL_FILE),
        ("logs/2026/03/2026-03-10.md", MemoryKind.LOG),
    ],
)
def test_a_path_tells_knowledge_from_everything_else(path: str, kind: MemoryKind) -> None:
    assert kind_of(path) is kind


def test_another_importance_leaves_everything_else_of_a_head_as_it_is() -> None:
    signals = Signals(
        importance=70.0, maturity=Maturity.CORE, tier=Tier.DURABLE, access_count=3, reinforcement_count=2, pinned=True,
        last_seen_at=NOW, by_person=True,
    )  # fmt: skip
    text = "---\ntype: synthesis\ncategory: deploy\nexpires: 2026-12-31\n---\n# Ünï\n\nText.\n"
    head = head_of(memory("a.md", text, signals=signals, author=Author.USER, version=7, dirty=False))
    head = replace(head, trust=Rank.USER)
    changed = with_importance(head, 12.5)
    assert changed == replace(head, signals=replace(signals, importance=12.5))
    # A field that has its default here would not show that it was forgotten.
    defaults = {field.name: field.default for field in (*fields(Signals), *fields(MemoryHead))}
    held = {field.name: getattr(part, field.name) for part in (changed.signals, changed) for field in fields(part)}
    assert [name for name, value in held.items() if value == defaults[name]] == []
