"""The file of a backup is whole or not there, and a damaged one is recognised before anything is restored."""

import stat
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from shared.adapters.postgres.backup.archive import chunks_of, open_backup, write_backup
from shared.adapters.postgres.backup.manifest import Manifest, read_manifest
from shared.adapters.postgres.backup.tools import find_tool
from shared.core.errors import BadInputError, ConflictError

_CHUNKS = (b"a dump" * 200, b"", b"in pieces" * 99)


def describe(size: int, digest: str) -> Manifest:
    return Manifest(
        made_at="2026-03-05T02:30:00Z", slowwave="0.1.0", revision="0001", server=18, tool=18, owner="keeper",
        tables={"memories": 3, "tenants": 1}, functions={"slowwave_measure()": "slowwave_sweep"}, roles=["slowwave_app"],
        dump_bytes=size, dump_sha256=digest,
    )  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "one.tar"
    write_backup(found, _CHUNKS, describe)
    return found


def test_a_backup_gives_back_what_was_written_and_what_it_says_of_itself(file: Path) -> None:
    with open_backup(file) as (manifest, dump):
        assert b"".join(chunks_of(dump)) == b"".join(_CHUNKS)
    assert (manifest.rows, manifest.tables, manifest.dump_bytes) == (4, {"memories": 3, "tenants": 1}, 2091)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600, "it holds every tenant's texts"


def test_a_backup_is_an_archive_that_any_tar_reads(file: Path) -> None:
    with tarfile.open(file) as archive:
        assert archive.getnames() == ["slowwave.dump", "manifest.json"]


def test_a_dump_that_fails_half_way_leaves_no_file(tmp_path: Path) -> None:
    def fails() -> Iterator[bytes]:
        yield b"the first rows"
        assert [path.name.startswith(".one.tar.partial-") for path in tmp_path.iterdir()] == [True]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_backup(tmp_path / "one.tar", fails(), describe)
    assert list(tmp_path.iterdir()) == []


def test_a_backup_never_replaces_another_one(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(ConflictError, match="exists already"):
        write_backup(file, [b"another"], describe)
    assert file.read_bytes() == before


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="No such file or directory"):
        write_backup(tmp_path / "nowhere" / "one.tar", _CHUNKS, describe)


@pytest.mark.parametrize("place", [600, 2_000])
def test_a_backup_with_one_other_byte_is_damaged(file: Path, place: int) -> None:
    raw = bytearray(file.read_bytes())
    raw[place] ^= 1
    file.write_bytes(raw)
    with pytest.raises(BadInputError, match="damaged"), open_backup(file):
        pass


@pytest.mark.parametrize("kept", [0, 300, 1_500, 2_700])
def test_a_backup_that_was_cut_off_is_none(file: Path, kept: int) -> None:
    file.write_bytes(file.read_bytes()[:kept])
    with pytest.raises(BadInputError, match=r"not a backup of slowwave|damaged"), open_backup(file):
        pass


def test_a_manifest_of_a_later_form_is_left_to_a_later_version(file: Path) -> None:
    with open_backup(file) as (manifest, _):
        later = replace(manifest, owner="else").to_json().replace(b'"format": 1', b'"format": 2')
    with pytest.raises(BadInputError, match="newer slowwave"):
        read_manifest(later)


def a_program(folder: Path, name: str, version: str) -> Path:
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{name} (PostgreSQL) {version}'\n")
    program.chmod(0o755)
    return folder


def test_a_program_that_is_too_old_is_named_with_what_to_do(tmp_path: Path) -> None:
    folder = a_program(tmp_path / "old", "pg_dump", "15.4 (Debian 15.4-1)")
    with pytest.raises(BadInputError, match=r"pg_dump 17 or newer is needed, .* is version 15\. .*--tools"):
        find_tool("pg_dump", 17, folder, why="the server is PostgreSQL 17")
    assert find_tool("pg_dump", 15, folder, why="").major == 15


def test_the_oldest_program_that_will_do_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelves = [a_program(tmp_path / str(major), "pg_restore", f"{major}.1") for major in (14, 16, 17)]
    places = "shared.adapters.postgres.backup.tools._places"
    monkeypatch.setattr(places, lambda name, _: [shelf / name for shelf in reversed(shelves)])
    assert find_tool("pg_restore", 15, None, why="").path == tmp_path / "16" / "pg_restore"
