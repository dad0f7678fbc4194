"""A folder and a store that are synced: what each side gets, what is asked before it goes, and what is left alone."""

import os
from pathlib import Path

import pytest

from shared.adapters.files.sync_state import STATE_FILE
from shared.all_ports import Ports
from shared.core.errors import BadInputError
from shared.core.memory.model import Author, Signals
from shared.core.sync.decide import Step
from shared.services.memories.edit import Expected, MemoryEdit, archive_memory, edit_memory
from shared.services.memories.read import get_memory
from shared.services.memories.write import NewText
from tests.integration.sync.sync_support import files_of, kept_in, lay, live, sync
from tests.support.builders import write

PUMP = "# Pump\n\nIt is green.\n\nIt stands in the hall.\n"
BLUE, YARD = PUMP.replace("green", "blue"), PUMP.replace("hall", "yard")
BOTH = BLUE.replace("hall", "yard")


def archive(ports: Ports, tenant: str, path: str) -> None:
    memory = get_memory(ports.db, tenant, "default", path)
    archive_memory(ports.db, tenant, "default", memory.id, expected=Expected(), actor="an agent")


def test_each_side_gets_what_the_other_has_and_a_second_sync_does_nothing(
    ports: Ports, tenant: str, tmp_path: Path
) -> None:
    write(ports, tenant, {"store.md": YARD})
    lay(tmp_path, {"notes/folder.md": PUMP})
    assert sync(ports, tenant, tmp_path).done == {"notes/folder.md": Step.TO_STORE, "store.md": Step.TO_FOLDER}
    assert files_of(tmp_path) == live(ports, tenant) == {"notes/folder.md": PUMP, "store.md": YARD}
    record = (tmp_path / STATE_FILE).stat()
    assert sync(ports, tenant, tmp_path).done == {}
    assert (tmp_path / STATE_FILE).stat() == record


def test_changes_of_both_sides_become_one_text(ports: Ports, tenant: str, tmp_path: Path) -> None:
    lay(tmp_path, {"pump.md": PUMP})
    sync(ports, tenant, tmp_path)
    lay(tmp_path, {"pump.md": BLUE})
    write(ports, tenant, {"pump.md": YARD})
    assert sync(ports, tenant, tmp_path).done == {"pump.md": Step.MERGED}
    assert files_of(tmp_path) == live(ports, tenant) == {"pump.md": BOTH}


def test_changes_of_the_same_line_keep_both_texts_and_no_kept_text_is_synced(
    ports: Ports, tenant: str, tmp_path: Path
) -> None:
    lay(tmp_path, {"pump.md": PUMP})
    sync(ports, tenant, tmp_path)
    for color in ("blue", "red"):
        lay(tmp_path, {"pump.md": PUMP.replace("green", color)})
        write(ports, tenant, {"pump.md": PUMP.replace("green", f"not {color}")})
        assert list(sync(ports, tenant, tmp_path).aside) == ["pump.md"]
    assert files_of(tmp_path) == live(ports, tenant) == {"pump.md": PUMP.replace("green", "not red")}
    assert sorted(kept_in(tmp_path)) == [BLUE, PUMP.replace("green", "red")]


def test_deletions_of_either_side_wait_for_a_yes(ports: Ports, tenant: str, tmp_path: Path) -> None:
    lay(tmp_path, {"here.md": PUMP, "there.md": YARD})
    sync(ports, tenant, tmp_path)
    (tmp_path / "here.md").unlink()
    archive(ports, tenant, "there.md")
    deletions = {"here.md": Step.DELETE_IN_STORE, "there.md": Step.DELETE_IN_FOLDER}
    for _ in range(2):
        told = sync(ports, tenant, tmp_path)
        assert (told.waiting, told.done) == (deletions, {})
    assert sync(ports, tenant, tmp_path, deletes=True).done == deletions
    assert files_of(tmp_path) == live(ports, tenant) == {}


def test_an_edit_on_one_side_is_worth_more_than_a_deletion_on_the_other(
    ports: Ports, tenant: str, tmp_path: Path
) -> None:
    lay(tmp_path, {"here.md": PUMP, "there.md": PUMP})
    sync(ports, tenant, tmp_path)
    (tmp_path / "here.md").unlink()
    write(ports, tenant, {"here.md": BLUE})
    archive(ports, tenant, "there.md")
    lay(tmp_path, {"there.md": YARD})
    sync(ports, tenant, tmp_path, deletes=True)
    assert files_of(tmp_path) == live(ports, tenant) == {"here.md": BLUE, "there.md": YARD}


def test_what_the_store_knows_of_a_memory_besides_its_text_outlasts_an_edit_of_its_file(
    ports: Ports, tenant: str, tmp_path: Path
) -> None:
    write(ports, tenant, [NewText(path="pump.md", content=PUMP, signals=Signals(importance=70))])
    sync(ports, tenant, tmp_path)
    memory = get_memory(ports.db, tenant, "default", "pump.md")
    edit_memory(
        ports.db, tenant, "default", memory.id, MemoryEdit(pinned=True), expected=Expected(), author=Author.USER
    )
    lay(tmp_path, {"pump.md": BLUE})
    sync(ports, tenant, tmp_path)
    kept = get_memory(ports.db, tenant, "default", "pump.md")
    assert (kept.content, kept.signals.pinned) == (BLUE, True)
    assert kept.signals.importance >= 70


def test_links_are_not_followed_and_their_memories_are_not_taken_for_deleted(
    ports: Ports, tenant: str, tmp_path: Path
) -> None:
    root, outside = tmp_path / "notes", tmp_path / "outside.md"
    outside.write_text(BLUE)
    lay(root, {"pump.md": PUMP})
    sync(ports, tenant, root)
    (root / "pump.md").unlink()
    (root / "pump.md").symlink_to(outside)
    (root / "linked").symlink_to(tmp_path)
    told = sync(ports, tenant, root, deletes=True)
    assert {one.path for one in told.refused} == {"pump.md", "linked"}
    assert live(ports, tenant) == {"pump.md": PUMP}
    write(ports, tenant, {"pump.md": YARD})
    sync(ports, tenant, root, deletes=True)
    assert outside.read_text() == BLUE


def test_a_folder_that_cannot_be_read_deletes_nothing(ports: Ports, tenant: str, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read every folder")
    lay(tmp_path, {"closed/pump.md": PUMP})
    sync(ports, tenant, tmp_path)
    (tmp_path / "closed").chmod(0)
    try:
        assert sync(ports, tenant, tmp_path, deletes=True).done == {}
    finally:
        (tmp_path / "closed").chmod(0o755)


def test_names_that_other_file_systems_confuse_are_told_and_not_written(
    ports: Ports, tenant: str, tmp_path: Path
) -> None:
    write(ports, tenant, {"Pump.md": PUMP, "pump.md": BLUE})
    told = sync(ports, tenant, tmp_path)
    assert [one.path for one in told.refused] == ["pump.md"]
    assert files_of(tmp_path) == {"Pump.md": PUMP}
    lay(tmp_path, {"u\u0308.md": PUMP})
    assert "NFC" in sync(ports, tenant, tmp_path).refused[0].reason


def test_a_folder_is_never_compared_with_another_store(ports: Ports, tenant: str, tmp_path: Path) -> None:
    lay(tmp_path, {"pump.md": PUMP})
    sync(ports, tenant, tmp_path)
    with pytest.raises(BadInputError, match="is synced with"):
        sync(ports, tenant, tmp_path, store="other", deletes=True)
    assert files_of(tmp_path) == {"pump.md": PUMP}


def test_without_its_record_a_folder_loses_nothing(ports: Ports, tenant: str, tmp_path: Path) -> None:
    lay(tmp_path, {"same.md": PUMP, "other.md": PUMP})
    sync(ports, tenant, tmp_path)
    (tmp_path / STATE_FILE).unlink()
    write(ports, tenant, {"other.md": BLUE})
    told = sync(ports, tenant, tmp_path, deletes=True)
    assert told.done == {"other.md": Step.CONFLICT}
    assert kept_in(tmp_path) == [PUMP]


def test_a_secret_in_a_file_is_masked_in_the_store_and_stays_in_the_file(
    ports: Ports, tenant: str, tmp_path: Path
) -> None:
    secret = "# Keys\n\nThe key is AKIAIOSFODNN7QWERTYU, of 2024.\n\nThe door is open.\n"
    lay(tmp_path, {"keys.md": secret})
    sync(ports, tenant, tmp_path)
    masked = live(ports, tenant)["keys.md"]
    assert "AKIAIOSFODNN7QWERTYU" not in masked
    assert sync(ports, tenant, tmp_path).done == {}
    write(ports, tenant, {"keys.md": masked.replace("open", "shut")})
    sync(ports, tenant, tmp_path)
    assert files_of(tmp_path) == {"keys.md": secret.replace("open", "shut")}
    assert sync(ports, tenant, tmp_path).done == {}


def test_daily_logs_are_read_as_sessions(ports: Ports, tenant: str, tmp_path: Path) -> None:
    log = "logs/2026/03/2026-03-05.md"
    lay(tmp_path, {log: "- 10:00 We deploy on Fridays.\n"})
    assert sync(ports, tenant, tmp_path).log_entries == 1
    assert sync(ports, tenant, tmp_path).log_entries == 0
    assert live(ports, tenant) == {}


def test_a_sync_that_ended_before_its_record_was_written_is_only_recorded_by_the_next(
    ports: Ports, tenant: str, tmp_path: Path
) -> None:
    lay(tmp_path, {"pump.md": PUMP, "here.md": PUMP})
    sync(ports, tenant, tmp_path)
    record = (tmp_path / STATE_FILE).read_bytes()
    lay(tmp_path, {"pump.md": BLUE, "new.md": YARD})
    write(ports, tenant, {"pump.md": YARD, "here.md": BLUE})
    sync(ports, tenant, tmp_path)
    (tmp_path / STATE_FILE).write_bytes(record)
    assert sync(ports, tenant, tmp_path).done == {}
    assert files_of(tmp_path) == live(ports, tenant) == {"pump.md": BOTH, "here.md": BLUE, "new.md": YARD}
    assert (tmp_path / STATE_FILE).read_bytes() != record
