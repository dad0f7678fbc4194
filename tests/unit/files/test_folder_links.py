"""Links are never followed: each is refused with where it leads, and nothing outside of the folder is read."""

import os
from pathlib import Path

import pytest

from shared.adapters.files.found import FoundFile, RefusedFile
from shared.adapters.files.layout import find_memory_root
from shared.adapters.files.open_safely import open_listed, read_regular
from shared.adapters.files.read_folder import read_folder


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub/real.md").write_text("inside\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/secret.md").write_text("SECRET\n")
    return folder


def read(folder: Path) -> tuple[list[str], dict[str, str]]:
    everything = list(read_folder(find_memory_root(folder)))
    contents = [item.content for item in everything if isinstance(item, FoundFile)]
    return contents, {item.path: item.code for item in everything if isinstance(item, RefusedFile)}


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("sub/real.md", "symlink"),
        ("sub", "symlink"),
        ("../elsewhere/secret.md", "symlink_outside"),
        ("../elsewhere", "symlink_outside"),
        ("/etc/passwd", "symlink_outside"),
        ("../notes-2", "symlink_broken"),
        ("nowhere.md", "symlink_broken"),
        ("link.md", "symlink_loop"),
        (".", "symlink_loop"),
        ("../notes", "symlink_loop"),
        ("..", "symlink_outside"),
    ],
)
def test_a_link_is_refused_by_where_it_leads(notes: Path, target: str, code: str) -> None:
    (notes / "link.md").symlink_to(target)
    contents, refused = read(notes)
    assert contents == ["inside\n"]
    assert refused == {"link.md": code}


def test_a_folder_whose_name_only_begins_like_the_memory_folder_is_outside(notes: Path) -> None:
    twin = notes.with_name("notes-2")
    twin.mkdir()
    (twin / "secret.md").write_text("SECRET\n")
    (notes / "link.md").symlink_to(twin / "secret.md")
    assert read(notes)[1] == {"link.md": "symlink_outside"}


def test_a_link_of_a_link_is_judged_by_its_last_target(notes: Path) -> None:
    (notes / "one.md").symlink_to("two.md")
    (notes / "two.md").symlink_to("../elsewhere/secret.md")
    assert read(notes)[1] == {"one.md": "symlink_outside", "two.md": "symlink_outside"}


def test_a_file_swapped_for_a_link_after_it_was_listed_is_not_opened(notes: Path) -> None:
    (notes / "sub/real.md").unlink()
    (notes / "sub/real.md").symlink_to(notes.parent / "elsewhere/secret.md")
    folder, names = open_listed(notes / "sub")
    try:
        outcome = read_regular("sub/real.md", "real.md", dir_fd=folder, max_bytes=100)
    finally:
        os.close(folder)
    assert names == ["real.md"]
    assert isinstance(outcome, RefusedFile)
    assert outcome.code == "symlink"


def test_a_file_swapped_for_a_fifo_after_it_was_listed_blocks_no_reader(notes: Path) -> None:
    os.mkfifo(notes / "sub/pipe.md")
    folder, _ = open_listed(notes / "sub")
    try:
        outcome = read_regular("sub/pipe.md", "pipe.md", dir_fd=folder, max_bytes=100)
    finally:
        os.close(folder)
    assert isinstance(outcome, RefusedFile)
    assert outcome.code == "special_file"


def test_a_folder_swapped_for_a_link_after_it_was_listed_is_not_followed(notes: Path) -> None:
    (notes / "a.md").write_text("first\n")
    reading = read_folder(find_memory_root(notes))
    assert isinstance(next(reading), FoundFile)
    (notes / "sub").rename(notes.parent / "moved")
    (notes / "sub").symlink_to(notes.parent / "elsewhere")
    rest = list(reading)
    assert [type(item) for item in rest] == [RefusedFile]
    assert rest[0].path == "sub"
