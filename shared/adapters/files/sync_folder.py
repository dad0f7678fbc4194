"""Read and write the folder of a sync. Links are never followed, and a file that changed meanwhile is left alone."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from shared.adapters.files.found import Refusal, RefusedFile, refuse, why_failed
from shared.adapters.files.layout import Layout, MemoryRoot, find_memory_root
from shared.adapters.files.open_safely import open_folder
from shared.adapters.files.place_file import nanoseconds_of, place_file
from shared.adapters.files.read_folder import TextFile, read_text
from shared.adapters.files.stale_files import holds, remove_stale
from shared.adapters.files.sync_state import STATE_FILE
from shared.adapters.files.walk import walk_root
from shared.core.errors import BadInputError
from shared.core.memory.model import ExportFile
from shared.core.sync.names import is_conflict


@dataclass(slots=True)
class SyncFolder:
    """The files of a folder by path, those that keep a side of a conflict, and what cannot be read."""

    files: dict[str, TextFile] = field(default_factory=dict)
    conflicts: list[str] = field(default_factory=list)
    refused: list[RefusedFile] = field(default_factory=list)

    def is_unknown(self, path: str) -> bool:
        """Tell whether there may be a file that was not read: that is no deletion."""
        return any(
            path == one.path or (one.path.endswith("/") and path.startswith(one.path)) for one in self._unreadable()
        )

    def _unreadable(self) -> Iterator[RefusedFile]:
        return (one for one in self.refused if one.code is not Refusal.NOT_MARKDOWN)


def find_sync_root(folder: Path) -> Path:
    """Return the folder to sync: the memory folder that an import would take, or the folder itself if it is new or empty.

    Raises:
        BadInputError: it is a file, or cannot be read.
    """
    if os.path.lexists(folder / STATE_FILE) or not folder.exists():
        return folder.resolve()
    if folder.is_dir() and not any(folder.iterdir()):
        return folder.resolve()
    return find_memory_root(folder).root


@contextmanager
def open_sync_folder(root: Path, *, create: bool) -> Iterator[int | None]:
    """Open a folder for one sync at a time; others wait. Yields None if there is none and it is not to be made.

    Raises:
        BadInputError: it cannot be made or opened.
    """
    try:
        if create:
            root.mkdir(parents=True, exist_ok=True)
        fd = open_folder(root) if root.exists() else None
    except OSError as error:
        raise BadInputError(f"The folder {root} cannot be opened: {why_failed(error)}.") from error
    if fd is None:
        yield None
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield fd
    finally:
        os.close(fd)


def read_sync_folder(root: Path) -> SyncFolder:
    """Read all files of a folder. Raises BadInputError if it is gone or may not be listed."""
    found = SyncFolder()
    for entry in walk_root(MemoryRoot(folder=root, root=root, layout=Layout.MARKDOWN, note="")):
        if isinstance(entry, RefusedFile):
            found.refused.append(entry)
        elif entry.path == STATE_FILE or entry.name.startswith(".slowwave-"):
            continue
        elif is_conflict(entry.path):
            found.conflicts.append(entry.path)
        else:
            file = read_text(entry, entry.path)
            if isinstance(file, RefusedFile):
                found.refused.append(file)
            else:
                found.files[file.path] = file
    return found


def write_synced(folder: int, file: ExportFile, *, was: str | None) -> RefusedFile | None:
    """Write one file if it still has the text that was read; None was no file. Returns the refusal, if there is one.

    Raises:
        BadInputError: the disk is full or read-only.
    """
    if not holds(folder, file.path, was):
        return _refuse_changed(file.path)
    data = file.content.encode("utf-8", "surrogatepass")
    written = place_file(folder, file.path, data, mtime_ns=nanoseconds_of(file.updated_at), is_lasting=True)
    return written if isinstance(written, RefusedFile) else None


def remove_synced(root: Path, path: str, content: str) -> RefusedFile | None:
    """Remove one file if it still has the text that was read. Returns the refusal, if there is one."""
    if path in remove_stale(root, [ExportFile(path=path, content=content)]):
        return None
    return _refuse_changed(path)


def _refuse_changed(path: str) -> RefusedFile:
    return refuse(path, Refusal.VANISHED, "It changed while it was synced; the next sync takes it.")
