"""The folder of memories is found below the folder that a person names."""

from pathlib import Path

import pytest

from shared.adapters.files.layout import Layout, find_memory_root
from shared.core.errors import BadInputError


def put(folder: Path, path: str, text: str = "x\n") -> Path:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


@pytest.mark.parametrize(
    ("file", "layout", "root"),
    [
        (".brv/context-tree/api/auth.md", Layout.BYTEROVER, ".brv/context-tree"),
        (".brv/context-tree/_manifest.json", Layout.BYTEROVER, ".brv/context-tree"),
        ("_manifest.json", Layout.BYTEROVER, "."),
        ("MEMORY.md", Layout.CLAUDE_MEMORY, "."),
        (".claude/memory/MEMORY.md", Layout.CLAUDE_MEMORY, ".claude/memory"),
        ("notes/today.md", Layout.MARKDOWN, "."),
    ],
)
def test_the_layout_is_told_by_what_the_folder_holds(tmp_path: Path, file: str, layout: Layout, root: str) -> None:
    put(tmp_path, file)
    found = find_memory_root(tmp_path)
    assert (found.layout, found.root) == (layout, tmp_path / root)
    assert str(found.root) in found.note


@pytest.mark.parametrize(
    ("folder", "layout"),
    [(".brv", Layout.BYTEROVER), (".brv/context-tree", Layout.BYTEROVER), (".claude", Layout.CLAUDE_MEMORY)],
)
def test_a_folder_on_the_way_to_the_memories_may_be_named_too(tmp_path: Path, folder: str, layout: Layout) -> None:
    put(tmp_path, ".brv/context-tree/a/b.md")
    put(tmp_path, ".claude/memory/c.md")
    assert find_memory_root(tmp_path / folder).layout is layout


def test_a_project_with_both_kinds_of_memory_imports_the_tree_and_names_the_other(tmp_path: Path) -> None:
    put(tmp_path, ".brv/context-tree/a/b.md")
    other = put(tmp_path, ".claude/memory/MEMORY.md").parent
    found = find_memory_root(tmp_path)
    assert found.layout is Layout.BYTEROVER
    assert str(other) in found.note


def test_a_folder_that_is_missing_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"There is no folder .*nowhere"):
        find_memory_root(tmp_path / "nowhere")


def test_a_file_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="is a file; name the folder"):
        find_memory_root(put(tmp_path, "a.md"))


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="is empty"):
        find_memory_root(tmp_path)


def test_an_empty_context_tree_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".brv/context-tree").mkdir(parents=True)
    with pytest.raises(BadInputError, match=r"context-tree is empty"):
        find_memory_root(tmp_path)


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(BadInputError, match="cannot be read"):
        find_memory_root(tmp_path / "loop")


def test_a_context_tree_that_is_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    secret = put(tmp_path, "elsewhere/secret.md").parent
    (tmp_path / "project/.brv").mkdir(parents=True)
    (tmp_path / "project/.brv/context-tree").symlink_to(secret)
    with pytest.raises(BadInputError, match="outside of"):
        find_memory_root(tmp_path / "project")


def test_a_named_folder_that_is_itself_a_link_is_followed_because_the_person_named_it(tmp_path: Path) -> None:
    real = put(tmp_path, "real/a.md").parent
    (tmp_path / "link").symlink_to(real)
    assert find_memory_root(tmp_path / "link").root == real
