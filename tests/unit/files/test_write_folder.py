"""Writing a folder: exact bytes, atomically, never outside of it, and nothing that was there is lost unasked."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from shared.adapters.files.write_folder import WriteReport, write_folder
from shared.core.errors import BadInputError
from shared.core.memory.model import ExportFile


def files(*pairs: tuple[str, str]) -> list[ExportFile]:
    return [ExportFile(path=path, content=content) for path, content in pairs]


def codes(report: WriteReport) -> dict[str, str]:
    return {refused.path: refused.code for refused in report.refused}


def everything_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_bytes_are_written_exactly_and_folders_are_made(tmp_path: Path) -> None:
    target = tmp_path / "new/target"
    report = write_folder(target, files(("a/b/c.md", "x\r\ny\n\n"), ("d.md", ""), ("e.md", "\ufeffé\r")))
    assert report.written == ("a/b/c.md", "d.md", "e.md")
    assert everything_in(target) == {"a/b/c.md": b"x\r\ny\n\n", "d.md": b"", "e.md": "\ufeffé\r".encode()}


def test_a_folder_with_files_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(BadInputError, match="not empty"):
        write_folder(tmp_path, files(("a.md", "x")))
    assert everything_in(tmp_path) == {"mine.txt": b"mine"}


def test_force_writes_over_files_of_the_same_name_and_leaves_the_others(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "a.md").write_text("old")
    (tmp_path / "b.md").write_text("same")
    report = write_folder(tmp_path, files(("a.md", "new"), ("b.md", "same")), force=True)
    assert (report.written, report.unchanged) == (("a.md",), ("b.md",))
    assert everything_in(tmp_path) == {"mine.txt": b"mine", "a.md": b"new", "b.md": b"same"}


def test_writing_twice_changes_nothing_the_second_time(tmp_path: Path) -> None:
    batch = files(("a.md", "x"), ("b/c.md", "y"))
    write_folder(tmp_path / "t", batch)
    before = {path: path.stat().st_ino for path in (tmp_path / "t").rglob("*")}
    report = write_folder(tmp_path / "t", batch, force=True)
    assert (report.written, report.unchanged) == ((), ("a.md", "b/c.md"))
    assert {path: path.stat().st_ino for path in (tmp_path / "t").rglob("*")} == before


@pytest.mark.parametrize("path", ["../out.md", "/tmp/out.md", "a/../../out.md", "", "a//b.md", "a/./b.md", "a.txt"])
def test_a_path_that_leaves_the_folder_or_is_no_markdown_is_refused(tmp_path: Path, path: str) -> None:
    report = write_folder(tmp_path / "t", files((path, "x"), ("ok.md", "y")))
    assert codes(report) == {path: "odd_name"}
    assert everything_in(tmp_path) == {"t/ok.md": b"y"}


@pytest.mark.parametrize("twin", ["note.md", "NOTE.md", "note.MD"])
def test_a_path_that_differs_only_by_case_is_refused_and_the_first_stays(tmp_path: Path, twin: str) -> None:
    report = write_folder(tmp_path, files(("Note.md", "first"), (twin, "second")))
    assert codes(report) == {twin: "case_collision"}
    assert "'Note.md'" in report.refused[0].reason
    assert everything_in(tmp_path) == {"Note.md": b"first"}


@pytest.mark.parametrize(
    ("first", "second"), [("a.md", "a.md/b.md"), ("a.md/b.md", "a.md"), ("x/a.md", "x/A.md/y/b.md"), ("a.md", "a.md")]
)
def test_a_path_whose_place_is_taken_is_refused_and_the_first_stays(tmp_path: Path, first: str, second: str) -> None:
    report = write_folder(tmp_path, files((first, "first"), (second, "second")))
    assert codes(report) == {second: "path_collision"}
    assert everything_in(tmp_path) == {first: b"first"}


def test_files_and_folders_that_were_there_are_not_replaced_by_one_another(tmp_path: Path) -> None:
    (tmp_path / "dir.md").mkdir()
    (tmp_path / "file.md").write_text("mine")
    report = write_folder(tmp_path, files(("dir.md", "x"), ("file.md/a.md", "y")), force=True)
    assert codes(report) == {"dir.md": "path_collision", "file.md/a.md": "path_collision"}
    assert everything_in(tmp_path) == {"file.md": b"mine"}


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    outside, target = tmp_path / "outside", tmp_path / "target"
    outside.mkdir()
    target.mkdir()
    (outside / "a.md").write_text("theirs")
    (target / "a.md").symlink_to(outside / "a.md")
    (target / "dangling.md").symlink_to(outside / "new.md")
    (target / "folder").symlink_to(outside)
    report = write_folder(target, files(("a.md", "x"), ("dangling.md", "x"), ("folder/b.md", "x")), force=True)
    assert codes(report) == {"a.md": "symlink", "dangling.md": "symlink", "folder/b.md": "symlink"}
    assert everything_in(outside) == {"a.md": b"theirs"}


def test_a_hard_link_to_a_file_elsewhere_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "theirs.md").write_text("theirs")
    (tmp_path / "target").mkdir()
    (tmp_path / "target/a.md").hardlink_to(tmp_path / "theirs.md")
    write_folder(tmp_path / "target", files(("a.md", "mine")), force=True)
    assert everything_in(tmp_path) == {"theirs.md": b"theirs", "target/a.md": b"mine"}


def test_a_fifo_in_the_way_is_refused_without_waiting_for_a_reader(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    assert codes(write_folder(tmp_path, files(("a.md", "x")), force=True)) == {"a.md": "special_file"}


def test_half_of_a_surrogate_pair_is_refused_because_no_byte_stands_for_it(tmp_path: Path) -> None:
    report = write_folder(tmp_path, files(("a.md", "x\ud800"), ("b.md", "y")))
    assert codes(report) == {"a.md": "not_utf8"}
    assert everything_in(tmp_path) == {"b.md": b"y"}


def test_the_time_of_the_memory_becomes_the_time_of_the_file(tmp_path: Path) -> None:
    moment = datetime(2024, 2, 29, 23, 59, 59, 999_999, tzinfo=UTC)
    write_folder(tmp_path, [ExportFile(path="a.md", content="x", updated_at=moment)])
    whole, fraction = divmod((tmp_path / "a.md").stat().st_mtime_ns, 10**9)
    assert (datetime.fromtimestamp(whole, UTC), fraction) == (moment.replace(microsecond=0), 999_999_000)


def test_a_date_that_no_file_system_holds_costs_only_the_date(tmp_path: Path) -> None:
    ancient = datetime(1, 1, 1, tzinfo=UTC)
    report = write_folder(tmp_path, [ExportFile(path="a.md", content="x", updated_at=ancient)])
    assert report.written == ("a.md",)


def test_a_rename_that_fails_leaves_the_old_file_and_no_scraps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("old")

    def fail(*_args: object, **_kwargs: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "replace", fail)
    report = write_folder(
        tmp_path,
        files(
            ("a.md", "new"),
        ),
        force=True,
    )
    assert codes(report) == {"a.md": "unwritable"}
    assert everything_in(tmp_path) == {"a.md": b"old"}


def test_a_full_disk_stops_the_export_instead_of_refusing_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(BadInputError, match=r"stopped at a\.md: No space left"):
        write_folder(tmp_path, files(("a.md", "x")))
    assert everything_in(tmp_path) == {}


def test_a_file_in_place_of_the_target_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for target in (tmp_path / "file", tmp_path / "file/below"):
        with pytest.raises(BadInputError, match="name a folder"):
            write_folder(target, files(("a.md", "x")), force=True)
    assert everything_in(tmp_path) == {"file": b"mine"}
