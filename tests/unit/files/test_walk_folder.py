"""Walking a folder: every file is accounted for, in order, whatever lies around it and whatever happens meanwhile."""

from pathlib import Path

import pytest

from shared.adapters.files.found import FoundFile, RefusedFile
from shared.adapters.files.layout import find_memory_root
from shared.adapters.files.read_folder import count_files, read_folder
from shared.core.errors import BadInputError


def put(folder: Path, path: str, data: bytes = b"x\n") -> Path:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def count_open_descriptors() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def read(folder: Path) -> tuple[dict[str, FoundFile], dict[str, RefusedFile]]:
    everything = list(read_folder(find_memory_root(folder)))
    found = {item.path: item for item in everything if isinstance(item, FoundFile)}
    refused = {item.path: item for item in everything if isinstance(item, RefusedFile)}
    assert len(found) + len(refused) == len(everything) == count_files(find_memory_root(folder))
    return found, refused


def test_files_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for path in ["b/a.md", "a.md", "c.md", "b/z/q.md", "b.md", "_x/y.md"]:
        put(tmp_path, path)
    paths = [item.path for item in read_folder(find_memory_root(tmp_path))]
    assert paths == sorted(paths, key=lambda path: path.split("/"))
    assert len(paths) == 6


def test_a_file_that_disappears_while_the_folder_is_read_is_reported(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    gone = put(tmp_path, "b.md")
    reading = read_folder(find_memory_root(tmp_path))
    assert isinstance(next(reading), FoundFile)
    gone.unlink()
    last = next(reading)
    assert isinstance(last, RefusedFile)
    assert (last.path, last.code) == ("b.md", "vanished")


def test_a_memory_folder_that_is_gone_is_an_error_and_not_an_empty_import(tmp_path: Path) -> None:
    put(tmp_path, "notes/a.md")
    root = find_memory_root(tmp_path / "notes")
    (tmp_path / "notes").rename(tmp_path / "moved")
    with pytest.raises(BadInputError, match="cannot be read"):
        list(read_folder(root))


def test_entries_beside_the_memory_folder_are_counted_once_each(tmp_path: Path) -> None:
    put(tmp_path, ".brv/context-tree/a/b.md")
    put(tmp_path, ".brv/config.json")
    put(tmp_path, ".brv/dream-log/1.json")
    put(tmp_path, "README.md")
    for number in range(30):
        put(tmp_path, f"src/deep/{number}.md")
    (tmp_path / "empty").mkdir()
    found, refused = read(tmp_path)
    assert set(found) == {"a/b.md"}
    assert {path: item.reason.split(" outside")[0] for path, item in refused.items()} == {
        ".brv": "2 files",
        "README.md": "1 file",
        "src": "30 files",
    }
    assert {item.code for item in refused.values()} == {"outside_memory"}


def test_a_tools_own_folder_is_refused_as_a_whole_with_its_count(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    for number in range(20):
        put(tmp_path, f"sub/.git/objects/{number}")
    found, refused = read(tmp_path)
    assert set(found) == {"a.md"}
    assert refused["sub/.git/"].code == "tool_folder"
    assert "20 files" in refused["sub/.git/"].reason


def test_a_tree_of_absurd_depth_is_refused_instead_of_exhausting_descriptors(tmp_path: Path) -> None:
    put(tmp_path, "d/" * 300 + "a.md")
    found, refused = read(tmp_path)
    assert not found
    assert [item.code for item in refused.values()] == ["too_deep"]


def test_reading_leaves_no_descriptor_open_when_it_stops_half_way(tmp_path: Path) -> None:
    for path in ["a/b/c/d.md", "a/b/c/e.md"]:
        put(tmp_path, path)
    before = count_open_descriptors()
    reading = read_folder(find_memory_root(tmp_path))
    next(reading)
    del reading
    assert count_open_descriptors() == before


def test_of_an_agents_workspace_only_its_memory_is_taken(tmp_path: Path) -> None:
    for path in (
        "AGENTS.md",
        "SOUL.md",
        "HEARTBEAT.md",
        "skills/pdf/SKILL.md",
        "memory.backup-2026/a.md",
        "notes.bak.md",
    ):
        put(tmp_path, path)
    for path in ("MEMORY.md", "USER.md", "memory/2026-03-04.md", "projects/shop.md"):
        put(tmp_path, path)
    found, refused = read(tmp_path)
    assert set(found) == {"MEMORY.md", "USER.md", "memory/2026-03-04.md", "projects/shop.md"}
    assert {item.code for item in refused.values()} == {"outside_memory"}
    assert "1 file in it" in refused["skills/"].reason


def test_elsewhere_a_file_named_as_in_a_workspace_is_a_memory(tmp_path: Path) -> None:
    put(tmp_path, "AGENTS.md")
    put(tmp_path, "skills/notes.md")
    assert set(read(tmp_path)[0]) == {"AGENTS.md", "skills/notes.md"}


def test_texts_of_other_endings_are_memories_when_asked_for(tmp_path: Path) -> None:
    for path in ("a.md", "b.txt", "c.json", "d.xml", "e.png"):
        put(tmp_path, path)
    root = find_memory_root(tmp_path)
    found = [item.path for item in read_folder(root, any_ending=True) if isinstance(item, FoundFile)]
    assert found == ["a.md", "b.txt", "c.json", "d.xml"]
    assert set(read(tmp_path)[0]) == {"a.md"}
