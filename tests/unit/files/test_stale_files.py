"""Files of retired memories are removed from an export's folder, and nothing that a person has changed."""

from pathlib import Path

import pytest

from shared.adapters.files.stale_files import find_stale, remove_stale
from shared.core.memory.model import ExportFile

GONE = ExportFile(path="api/old.md", content="# Old\n", updated_at=None)


def put(root: Path, path: str, text: str) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_a_file_that_holds_a_retired_memory_is_found_and_removed_with_its_empty_folder(tmp_path: Path) -> None:
    put(tmp_path, "api/old.md", "# Old\n")
    kept = put(tmp_path, "ops/new.md", "# New\n")
    assert find_stale(tmp_path, [GONE]) == [GONE]
    assert remove_stale(tmp_path, [GONE]) == ("api/old.md",)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [kept]
    assert not (tmp_path / "api").exists()


def test_a_file_that_was_changed_on_disk_stays(tmp_path: Path) -> None:
    mine = put(tmp_path, "api/old.md", "# Old\n\nMy own line.\n")
    assert find_stale(tmp_path, [GONE]) == []
    assert remove_stale(tmp_path, [GONE]) == ()
    assert mine.exists()


def test_of_a_memory_that_was_retired_twice_at_one_path_each_text_counts_and_the_file_once(tmp_path: Path) -> None:
    put(tmp_path, "api/old.md", "# Old\n")
    earlier = ExportFile(path="api/old.md", content="# Older\n", updated_at=None)
    assert find_stale(tmp_path, [earlier, GONE, GONE]) == [GONE]


def test_a_folder_with_another_file_stays(tmp_path: Path) -> None:
    put(tmp_path, "api/old.md", "# Old\n")
    other = put(tmp_path, "api/other.txt", "mine")
    assert remove_stale(tmp_path, [GONE]) == ("api/old.md",)
    assert other.exists()


@pytest.mark.parametrize("linked", ["api", "api/old.md"])
def test_nothing_is_removed_through_a_link(tmp_path: Path, linked: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    file = put(elsewhere, "api/old.md", "# Old\n")
    root = tmp_path / "out"
    (root / linked).parent.mkdir(parents=True)
    (root / linked).symlink_to(elsewhere / linked)
    assert find_stale(root, [GONE]) == []
    assert remove_stale(root, [GONE]) == ()
    assert file.exists()


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert find_stale(tmp_path / "missing", [GONE]) == []
    assert remove_stale(tmp_path / "missing", [GONE]) == ()
