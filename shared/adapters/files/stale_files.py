"""Find and remove files of an earlier export whose memories have been retired.

A file is stale if it has the path and the bytes of a retired memory. A file that was changed on disk is a person's work
and stays. Links are never followed, and nothing outside of the folder is changed.
"""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from shared.adapters.files.found import RefusedFile
from shared.adapters.files.open_safely import open_folder, read_regular
from shared.core.memory.model import ExportFile


def find_stale(target: Path, retired: Iterable[ExportFile]) -> list[ExportFile]:
    """Return the files of retired memories that are still in the folder, byte for byte; each path once."""
    root = _open(target)
    if root is None:
        return []
    try:
        return list({file.path: file for file in retired if holds(root, file.path, file.content)}.values())
    finally:
        os.close(root)


def remove_stale(target: Path, stale: Sequence[ExportFile]) -> tuple[str, ...]:
    """Remove these files if they still have the same bytes, and emptied folders; return the removed paths."""
    root = _open(target)
    if root is None:
        return ()
    try:
        return tuple(file.path for file in stale if holds(root, file.path, file.content) and _remove(root, file.path))
    finally:
        os.close(root)


def _open(target: Path) -> int | None:
    try:
        return open_folder(target.resolve())
    except OSError:
        return None


def _open_parent(root: int, path: str) -> int | None:
    """Open the folder of a file step by step, never through a link; None when there is no such folder."""
    fd = os.dup(root)
    for folder in path.split("/")[:-1]:
        try:
            below = open_folder(folder, dir_fd=fd)
        except OSError:
            below = None
        os.close(fd)
        if below is None:
            return None
        fd = below
    return fd


def holds(root: int, path: str, content: str | None) -> bool:
    """Tell whether a file below an open folder has exactly this text; with None, whether nothing is there."""
    parent = _open_parent(root, path)
    if parent is None:
        return content is None
    name = path.rpartition("/")[2]
    try:
        if content is None:
            return not _is_there(parent, name)
        data = content.encode("utf-8", "surrogatepass")
        found = read_regular(path, name, dir_fd=parent, max_bytes=len(data))
    finally:
        os.close(parent)
    return not isinstance(found, RefusedFile) and found.data == data


def _is_there(parent: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return True


def _remove(root: int, path: str) -> bool:
    if not _unlink(root, path, is_folder=False):
        return False
    folder = path.rpartition("/")[0]
    while folder and _unlink(root, folder, is_folder=True):
        folder = folder.rpartition("/")[0]
    return True


def _unlink(root: int, path: str, *, is_folder: bool) -> bool:
    """Remove a file or an empty folder; return whether it is gone."""
    parent = _open_parent(root, path)
    if parent is None:
        return False
    name = path.rpartition("/")[2]
    try:
        with suppress(OSError):
            (os.rmdir if is_folder else os.unlink)(name, dir_fd=parent)
            return True
        return False
    finally:
        os.close(parent)
