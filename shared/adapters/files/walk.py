"""Walk a memory folder: sorted, streaming, without following links, and reporting every file."""

import errno
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from shared.adapters.files.found import Refusal, RefusedFile, refuse, why_failed
from shared.adapters.files.layout import MemoryRoot
from shared.adapters.files.open_safely import open_listed, refuse_failed, refuse_special
from shared.core.errors import BadInputError
from shared.core.memory.paths import MAX_SEGMENTS

#: Folders that belong to a tool; a folder of notes under version control would otherwise yield thousands of refusals.
TOOL_FOLDERS = frozenset({".git", ".hg", ".svn", ".jj", ".slowwave", "node_modules", ".venv", "__pycache__"})
#: What makes a folder an agent's workspace (OpenClaw, QwenPaw), and what in it says how the agent works, and is no memory.
WORKSPACE_MARKS = frozenset({"AGENTS.md", "SOUL.md"})
_WORK = frozenset({"AGENTS.md", "BOOTSTRAP.md", "HEARTBEAT.md", "IDENTITY.md", "SOUL.md", "TOOLS.md"})
_WORK_FOLDERS = frozenset({"skills", "hooks", "canvas", "sessions", "avatars"})
_BACKUP = re.compile(r"(?:^|[._-])(?:backups?|bak)(?:[._-]|$)", re.IGNORECASE)
#: As many levels as a path of a store can have, so that every export can be read back; each needs an open descriptor.
MAX_DEPTH = MAX_SEGMENTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One regular file. `dir_fd` is the open folder that holds it, and is valid only until the walk goes on."""

    path: str
    name: str
    dir_fd: int


def walk_root(root: MemoryRoot) -> Iterator[Entry | RefusedFile]:
    """Yield every file of a memory folder in the order of its path, then the entries beside the memory folder.

    Raises:
        BadInputError: the memory folder itself is gone or may not be listed.
    """
    try:
        fd, names = open_listed(root.root)
    except OSError as error:
        raise BadInputError(f"The folder {root.root} cannot be read: {why_failed(error)}.") from error
    is_workspace = set(names) >= WORKSPACE_MARKS
    try:
        for name in names:
            if is_workspace and (refusal := _refuse_work(root.root / name)) is not None:
                yield refusal
            else:
                yield from _visit(root.root, "", name, fd)
    finally:
        os.close(fd)
    yield from _find_outside(root)


def _refuse_work(path: Path) -> RefusedFile | None:
    """Refuse what lies at the top of an agent's workspace and is no memory of it."""
    if path.is_dir() and not path.is_symlink():
        if path.name not in _WORK_FOLDERS and not _BACKUP.search(path.name):
            return None
        count = count_files_beneath(path)
        reason = f"It is not the memory of this agent's workspace; {_files(count)} in it not read."
        return refuse(f"{path.name}/", Refusal.OUTSIDE_MEMORY, reason)
    if path.name in _WORK or _BACKUP.search(path.name):
        return refuse(
            path.name, Refusal.OUTSIDE_MEMORY, "It says how this workspace's agent works, or is a copy; no memory."
        )
    return None


def _visit(top: Path, parent: str, name: str, dir_fd: int) -> Iterator[Entry | RefusedFile]:
    """Yield the entries for one name in a folder: a file, a refusal, or all files below a sub-folder."""
    path = f"{parent}{name}"
    try:
        mode = os.stat(name, dir_fd=dir_fd, follow_symlinks=False).st_mode
    except OSError as error:
        yield refuse_failed(path, name, error, dir_fd=dir_fd)
        return
    if stat.S_ISLNK(mode):
        yield _refuse_link(top, path)
    elif stat.S_ISDIR(mode):
        yield from _walk_folder(top, path, name, dir_fd)
    elif stat.S_ISREG(mode):
        yield Entry(path=path, name=name, dir_fd=dir_fd)
    else:
        yield refuse_special(path, mode)


def _walk_folder(top: Path, path: str, name: str, dir_fd: int) -> Iterator[Entry | RefusedFile]:
    """Yield the entries of a folder, or one refusal for the whole folder."""
    refusal = _refuse_folder(top, path, name)
    if refusal is not None:
        yield refusal
        return
    try:
        fd, children = open_listed(name, dir_fd=dir_fd)
    except OSError as error:
        yield refuse_failed(f"{path}/", name, error, dir_fd=dir_fd)
        return
    try:
        for child in children:
            yield from _visit(top, f"{path}/", child, fd)
    finally:
        os.close(fd)


def _refuse_folder(top: Path, path: str, name: str) -> RefusedFile | None:
    """Refuse a whole folder, with its number of files, if it belongs to a tool or is nested too deeply."""
    if name in TOOL_FOLDERS:
        count = count_files_beneath(top / path)
        return refuse(f"{path}/", Refusal.TOOL_FOLDER, f"It belongs to a tool; {_files(count)} in it not read.")
    if path.count("/") >= MAX_DEPTH:
        count = count_files_beneath(top / path)
        return refuse(
            f"{path}/", Refusal.TOO_DEEP, f"It is over {MAX_DEPTH} folders deep; {_files(count)} in it not read."
        )
    return None


def _refuse_link(top: Path, path: str) -> RefusedFile:
    """Refuse a link and name its target; links are never followed, and a target inside the folder is read by its own name."""
    try:
        target = Path(os.path.realpath(top / path, strict=True))
    except FileNotFoundError:
        return refuse(path, Refusal.SYMLINK_BROKEN, "It is a link to something that does not exist.")
    except OSError as error:
        if error.errno == errno.ELOOP:
            return refuse(path, Refusal.SYMLINK_LOOP, "It is a link that leads to itself in a circle.")
        return refuse(path, Refusal.UNREADABLE, f"It is a link that cannot be followed: {why_failed(error)}.")
    if not target.is_relative_to(top):
        return refuse(path, Refusal.SYMLINK_OUTSIDE, "It is a link that leads out of the memory folder.")
    if (top / path).is_relative_to(target):
        return refuse(path, Refusal.SYMLINK_LOOP, "It is a link to a folder that contains it.")
    inside = target.relative_to(top).as_posix()
    return refuse(path, Refusal.SYMLINK, f"It is a link to {inside!a}, which is looked at under its own name.")


def _find_outside(root: MemoryRoot) -> Iterator[RefusedFile]:
    """Report the entries beside the memory folder, one line per top-level entry with files."""
    if root.folder == root.root:
        return
    place = root.root.relative_to(root.folder).as_posix()
    try:
        names = sorted(beside.name for beside in root.folder.iterdir())
    except OSError as error:
        yield refuse("./", Refusal.UNREADABLE, f"What lies beside {place} cannot be listed: {why_failed(error)}.")
        return
    for name in names:
        count = count_files_beneath(root.folder / name, skip=root.root)
        if count:
            reason = f"{_files(count)} outside of the memory folder {place} not read."
            yield refuse(name, Refusal.OUTSIDE_MEMORY, reason)


def count_files_beneath(top: Path, *, skip: Path | None = None) -> int:
    """Count the files of a folder without following links; a plain file or an unreadable folder counts as one."""
    if top.is_symlink() or not top.is_dir():
        return 1
    pending, count = [top], 0
    while pending:
        folder = pending.pop()
        if folder == skip:
            continue
        try:
            with os.scandir(folder) as entries:
                names = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        except OSError:
            count += 1
            continue
        pending.extend(folder / name for name, is_folder in names if is_folder)
        count += sum(not is_folder for _, is_folder in names)
    return count


def _files(count: int) -> str:
    return f"{count:,} file{'' if count == 1 else 's'}"
