"""Malformed transcripts and unreadable folders: counted and reported, never fatal."""

import json
import os
from pathlib import Path

import pytest

from shared.adapters.files.transcripts.formats import FORMATS, find_files, find_format, name_session
from shared.core.errors import BadInputError
from tests.unit.files.transcripts.transcript_support import a_file, events, line, read

ODD = [
    None,
    True,
    0,
    -1,
    1e308,
    "",
    "x",
    "\ud800\x00",
    [],
    [1],
    {},
    {"a": 1},
    [{"type": "text"}],
    [{"type": [], "text": 5}],
]


@pytest.mark.parametrize("field", ["type", "uuid", "sessionId", "timestamp", "message", "isMeta", "summary", "content"])
def test_a_field_of_any_type_in_a_line_of_claude_code_is_counted_and_never_fatal(field: str, tmp_path: Path) -> None:
    kinds = ("user", "assistant", "system", "summary", "custom-title", "odd")
    lines = [{**line(f"{n}-{kind}", "words", kind), field: value} for n, value in enumerate(ODD) for kind in kinds]
    assert len(read(a_file(tmp_path, [line("0", "first"), *lines]))) == len(lines) + 1


@pytest.mark.parametrize("field", ["role", "content", "at", "id", "session"])
def test_a_field_of_any_type_in_a_plain_line_is_counted_and_never_fatal(field: str, tmp_path: Path) -> None:
    known = {"role": "user", "content": "words", "at": "2026-02-07"}
    assert len(read(a_file(tmp_path, [known, *({**known, field: value} for value in ODD)]))) == len(ODD) + 1


def test_a_mark_of_the_byte_order_costs_no_line(tmp_path: Path) -> None:
    said = {"role": "user", "content": "words"}
    for name, lines in (("a.jsonl", [b"\xef\xbb\xbf", said, said]), ("b.json", [b"\xef\xbb\xbf", [said, said]])):
        assert len(events(read(a_file(tmp_path, lines, name)))) == 2


def test_half_a_surrogate_pair_costs_a_document_nothing(tmp_path: Path) -> None:
    path = a_file(tmp_path, [b'[{"role": "user", "content": "half \\ud800"}, {"role": "user", "content": "whole"}]'])
    assert [event.text for event in events(read(path))] == ["half \ud800", "whole"]


def test_files_of_one_name_in_different_folders_are_different_sessions(tmp_path: Path) -> None:
    paths = [a_file(tmp_path, [], name) for name in ("chat.jsonl", "ann/chat.jsonl", "bob/chat.jsonl")]
    assert [name_session(path, tmp_path) for path in paths] == ["chat", "ann/chat", "bob/chat"]
    assert name_session(paths[1], paths[1]) == "chat"
    deep = [Path("/", *["folder" * 5] * 9, top, "chat.jsonl") for top in ("ann", "bob")]
    long = [Path("/", top, *["folder" * 5] * 9, "chat.jsonl") for top in ("ann", "bob")]
    named = [name_session(path, Path("/")) for path in deep + long]
    assert len(set(named)) == 4
    assert all(len(name) <= 200 and name.endswith("chat") for name in named)


def test_a_folder_that_may_not_be_read_is_told_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, _ = a_file(tmp_path, [], "open/a.jsonl"), a_file(tmp_path, [], "shut/b.jsonl")
    (tmp_path / "open" / "circle").symlink_to(tmp_path)
    real = os.scandir

    def guarded(path: str) -> object:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", guarded)
    told: list[OSError] = []
    assert find_files(tmp_path, told.append) == [kept]
    assert [error.filename for error in told] == [str(tmp_path / "shut")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("name", ["a.jsonl", "logs/2026/03/2026-03-04.md"])
def test_a_file_in_another_encoding_is_refused_by_its_name_and_never_read_as_noise(
    encoding: str, name: str, tmp_path: Path
) -> None:
    text = json.dumps({"role": "user", "content": "words"}) if name == "a.jsonl" else "- 10:00 words"
    path = a_file(tmp_path, [text.encode(encoding)], name)
    family = encoding[:6].upper()
    with pytest.raises(BadInputError, match=rf"is in {family}.*only UTF-8 is read.*iconv"):
        find_format(path)
    for known in FORMATS:
        with pytest.raises(BadInputError, match=family):
            list(known.read(path, lambda _size: None))
