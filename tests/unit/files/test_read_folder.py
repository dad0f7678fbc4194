"""Reading a folder: what is a memory is kept to the byte, everything else is refused with its reason."""

import os
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest

from shared.adapters.files.found import FoundFile, RefusedFile
from shared.adapters.files.layout import find_memory_root
from shared.adapters.files.read_folder import count_files, read_folder
from shared.core.memory.model import Maturity

MEBIBYTE = 1024 * 1024


def put(folder: Path, path: str, data: bytes = b"x\n") -> Path:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def read(folder: Path) -> tuple[dict[str, FoundFile], dict[str, RefusedFile]]:
    everything = list(read_folder(find_memory_root(folder)))
    found = {item.path: item for item in everything if isinstance(item, FoundFile)}
    refused = {item.path: item for item in everything if isinstance(item, RefusedFile)}
    assert len(found) + len(refused) == len(everything) == count_files(find_memory_root(folder))
    return found, refused


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no newline at the end",
        b"windows\r\nlines\r\n",
        b"\xef\xbb\xbf---\ntitle: x\n---\nwith a byte order mark\n",
        b"trailing   \n\n\n\t",
        b"---\ntitle: [never: closed\n---\nbody\n",
        b"---\n: : :\n",
        b"---\n- a list\n---\n",
        b"old mac\rlines\x0cand\x1bcontrols\xe2\x80\xa8",
    ],
)
def test_odd_but_readable_texts_are_kept_to_the_byte(tmp_path: Path, data: bytes) -> None:
    put(tmp_path, "a.md", data)
    found, refused = read(tmp_path)
    assert found["a.md"].content.encode() == data
    assert not refused


@pytest.mark.parametrize(
    ("path", "data", "code", "words"),
    [
        ("data.json", b"{}", "not_markdown", "end in .md"),
        ("notes.txt", b"x", "not_markdown", "end in .md"),
        ("latin.md", b"ol\xe9", "not_utf8", "byte 2 is 0xe9"),
        ("wide.md", "wide".encode("utf-16"), "not_utf8", "UTF-16"),
        ("cut.md", "é".encode()[:1], "not_utf8", "byte 0"),
        ("nul.md", b"ab\0c", "nul_byte", "Byte 2"),
    ],
)
def test_files_that_cannot_be_stored_are_refused_with_a_reason(
    tmp_path: Path, path: str, data: bytes, code: str, words: str
) -> None:
    put(tmp_path, path, data)
    found, refused = read(tmp_path)
    assert not found
    assert refused[path].code == code
    assert words in refused[path].reason


def test_ten_megabytes_are_kept_and_seventeen_are_refused(tmp_path: Path) -> None:
    put(tmp_path, "ten.md", b"0123456789abcde\n" * (10 * MEBIBYTE // 16))
    put(tmp_path, "seventeen.md", b"x" * (17 * MEBIBYTE))
    found, refused = read(tmp_path)
    assert len(found["ten.md"].content) == 10 * MEBIBYTE
    assert refused["seventeen.md"].code == "too_large"
    assert f"{17 * MEBIBYTE:,} bytes" in refused["seventeen.md"].reason


def test_the_limit_itself_is_still_accepted(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"12345")
    put(tmp_path, "b.md", b"123456")
    kinds = [type(item) for item in read_folder(find_memory_root(tmp_path), max_bytes=5)]
    assert kinds == [FoundFile, RefusedFile]


def test_a_name_that_is_not_utf8_is_refused_and_shown_escaped(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/ol\xe9.md")).write_bytes(b"x")
    found, refused = read(tmp_path)
    assert not found
    assert refused[r"ol\xe9.md"].code == "odd_name"


def test_a_name_with_control_characters_never_reaches_the_terminal_raw(tmp_path: Path) -> None:
    put(tmp_path, "a\x1b[31m.md")
    put(tmp_path, "b\x07.txt")
    found, refused = read(tmp_path)
    assert not found
    assert refused[r"a\x1b[31m.md"].code == "odd_name"
    assert refused[r"b\x07.txt"].code == "not_markdown"


def test_names_that_differ_only_by_case_are_both_kept(tmp_path: Path) -> None:
    for name in ["Note.md", "note.md"]:
        put(tmp_path, name, name.encode())
    if len(list(tmp_path.iterdir())) < 2:
        pytest.skip("this file system folds names")
    found, _ = read(tmp_path)
    assert {path: file.content for path, file in found.items()} == {"Note.md": "Note.md", "note.md": "note.md"}


def test_a_name_in_decomposed_form_is_refused_beside_its_twin_and_not_merged_with_it(tmp_path: Path) -> None:
    put(tmp_path, "\u00e9.md", b"composed")
    put(tmp_path, "e\u0301.md", b"decomposed")
    if len(list(tmp_path.iterdir())) < 2:
        pytest.skip("this file system folds names")
    found, refused = read(tmp_path)
    assert {path: file.content for path, file in found.items()} == {"\u00e9.md": "composed"}
    assert {path: item.code for path, item in refused.items()} == {"e\u0301.md": "odd_name"}


@pytest.mark.parametrize(
    "path",
    [
        " a.md",
        "a /b.md",
        "a\\b.md",
        ".md",
        "a/.md",
        "a\u202eb.md",
        "/".join("x" * 200 for _ in range(6)) + ".md",
    ],
)
def test_a_name_that_no_store_would_take_is_refused_with_the_stores_own_reason(tmp_path: Path, path: str) -> None:
    put(tmp_path, path)
    found, refused = read(tmp_path)
    assert not found
    assert [item.code for item in refused.values()] == ["odd_name"]
    assert "is refused: " in next(iter(refused.values())).reason


@pytest.mark.parametrize(
    "path", ["a.markdown", "A.MD", "a b.md", "\u65e5\u8a18/\U0001f4a4.md", ".hidden/.x.md", "CON.md", "why: so?.md"]
)
def test_unusual_names_that_a_store_takes_are_kept(tmp_path: Path, path: str) -> None:
    put(tmp_path, path)
    assert set(read(tmp_path)[0]) == {path}


def test_archived_and_generated_files_of_a_context_tree_are_kept(tmp_path: Path) -> None:
    paths = [
        "_index.md",
        "a/b.md",
        "a/b.abstract.md",
        "a/b.overview.md",
        "_archived/a/c.full.md",
        "_archived/a/c.stub.md",
    ]
    for path in paths:
        put(tmp_path, f"context-tree/{path}")
    put(tmp_path, "context-tree/_manifest.json")
    found, refused = read(tmp_path / "context-tree")
    assert set(found) == set(paths)
    assert set(refused) == {"_manifest.json"}


def test_a_fifo_and_a_socket_are_refused_without_waiting_for_a_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    monkeypatch.chdir(tmp_path)  # a socket's path may have only about 100 bytes
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("sock.md")
        found, refused = read(tmp_path)
    assert not found
    assert {path: (item.code, item.reason.split(";")[0]) for path, item in refused.items()} == {
        "pipe.md": ("special_file", "It is a FIFO"),
        "sock.md": ("special_file", "It is a socket"),
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_files_without_permission_to_read_are_refused(tmp_path: Path) -> None:
    put(tmp_path, "a.md").chmod(0)
    closed = put(tmp_path, "closed/b.md").parent
    closed.chmod(0)
    try:
        _, refused = read(tmp_path)
    finally:
        closed.chmod(0o700)
    assert {path: item.code for path, item in refused.items()} == {"a.md": "unreadable", "closed/": "unreadable"}
    assert "Permission denied" in refused["a.md"].reason


def test_byterovers_signals_and_dates_come_from_the_frontmatter(tmp_path: Path) -> None:
    text = b"---\nimportance: 72\nmaturity: validated\naccessCount: 4\ncreatedAt: '2026-01-02T03:04:05.678Z'\n"
    put(tmp_path, "a.md", text + b"updatedAt: '2026-02-03T04:05:06.000Z'\n---\nbody\n")
    file = read(tmp_path)[0]["a.md"]
    assert (file.signals.importance, file.signals.maturity, file.signals.access_count) == (72.0, Maturity.VALIDATED, 4)
    assert file.created_at == datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
    assert file.updated_at == datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)


def test_without_a_date_in_the_text_the_file_systems_counts(tmp_path: Path) -> None:
    file = put(tmp_path, "a.md")
    moment = datetime(2025, 6, 7, 8, 9, 10, 123_456, tzinfo=UTC)
    nanoseconds = int(moment.timestamp()) * 10**9 + 123_456_000
    os.utime(file, ns=(nanoseconds, nanoseconds))
    found = read(tmp_path)[0]["a.md"]
    assert (found.created_at, found.updated_at) == (None, moment)
