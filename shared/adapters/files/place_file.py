"""Write one file below an open folder: missing folders are created, links are never followed."""

import contextlib
import errno
import os
import secrets
import stat
from datetime import UTC, datetime
from typing import NamedTuple

from shared.adapters.files.found import Refusal, RefusedFile, refuse, why_failed
from shared.adapters.files.open_safely import is_link, open_folder, read_regular, refuse_special
from shared.core.errors import BadInputError

#: Failures of the disk, not of one file: every later file would fail the same way.
_DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
_NEW_FILE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class _Stamp(NamedTuple):
    mtime_ns: int | None
    is_lasting: bool


def place_file(
    root_fd: int, path: str, data: bytes, *, mtime_ns: int | None, is_lasting: bool = False
) -> bool | RefusedFile:
    """Write one file below an open folder; True when written, False when it already held these bytes.

    Args:
        root_fd: descriptor of the folder that nothing may leave.
        path: a checked relative path, `/` between its segments.
        data: the whole content.
        mtime_ns: modification time in nanoseconds since 1970, or None for now.
        is_lasting: wait until the disk has the bytes before the file gets its name, so that not even a power cut leaves
            half of it.

    Raises:
        BadInputError: the disk is full or read-only.
    """
    *folders, name = path.split("/")
    try:
        parent = _open_parent(root_fd, path, folders)
        if isinstance(parent, RefusedFile):
            return parent
        try:
            return _place_in(parent, path, name, data, _Stamp(mtime_ns, is_lasting))
        finally:
            os.close(parent)
    except OSError as error:
        if error.errno in _DISK_ERRORS:
            raise BadInputError(
                f"Writing stopped at {path}: {why_failed(error)}. Free some space and try again."
            ) from error
        return refuse(path, Refusal.UNWRITABLE, f"It cannot be written: {why_failed(error)}.")


def _open_parent(root_fd: int, path: str, folders: list[str]) -> int | RefusedFile:
    """Open the folder of a file step by step, creating missing folders; the caller closes the descriptor."""
    fd = os.dup(root_fd)
    for depth, folder in enumerate(folders, start=1):
        try:
            below = _make_folder(fd, folder)
            if below is None:
                return _refuse_step(path, "/".join(folders[:depth]), is_a_link=is_link(folder, dir_fd=fd))
        finally:
            os.close(fd)
        fd = below
    return fd


def _make_folder(fd: int, folder: str) -> int | None:
    """Open a sub-folder, created if missing; None if its name belongs to something else."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, dir_fd=fd)
    try:
        return open_folder(folder, dir_fd=fd)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR}:
            return None
        raise


def _refuse_step(path: str, step: str, *, is_a_link: bool) -> RefusedFile:
    if is_a_link:
        return refuse(path, Refusal.SYMLINK, f"The folder {step!a} is a link, and nothing is written through links.")
    return refuse(path, Refusal.PATH_COLLISION, f"There is a file {step!a} where this one needs a folder.")


def _place_in(fd: int, path: str, name: str, data: bytes, stamp: _Stamp) -> bool | RefusedFile:
    """Write a file into its open folder, unless its name belongs to something else."""
    try:
        found = os.stat(name, dir_fd=fd, follow_symlinks=False)
    except FileNotFoundError:
        _write_atomically(fd, name, data, stamp)
        return True
    if stat.S_ISLNK(found.st_mode):
        return refuse(path, Refusal.SYMLINK, "There is a link of this name, and nothing is written through links.")
    if stat.S_ISDIR(found.st_mode):
        return refuse(path, Refusal.PATH_COLLISION, "There is a folder of this name.")
    if not stat.S_ISREG(found.st_mode):
        return refuse_special(path, found.st_mode)
    if found.st_size == len(data) and _holds(fd, path, name, data):
        return False
    _write_atomically(fd, name, data, stamp)
    return True


def _holds(fd: int, path: str, name: str, data: bytes) -> bool:
    """Tell whether a file already has these bytes; an unreadable file counts as different."""
    present = read_regular(path, name, dir_fd=fd, max_bytes=len(data))
    return not isinstance(present, RefusedFile) and present.data == data


def _write_atomically(fd: int, name: str, data: bytes, stamp: _Stamp) -> None:
    """Write a temporary file and rename it, so that readers see the old or the new file, never half of one."""
    temporary = f".slowwave-{secrets.token_hex(8)}.tmp"
    file_fd = os.open(temporary, _NEW_FILE_FLAGS, 0o666, dir_fd=fd)
    try:
        with os.fdopen(file_fd, "wb") as file:
            file.write(data)
            file.flush()
            if stamp.mtime_ns is not None:
                with contextlib.suppress(OSError):  # if the file system cannot store the date, only the date is lost
                    os.utime(file.fileno(), ns=(stamp.mtime_ns, stamp.mtime_ns))
            if stamp.is_lasting:
                os.fsync(file.fileno())
        os.replace(temporary, name, src_dir_fd=fd, dst_dir_fd=fd)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=fd)
        raise


def nanoseconds_of(moment: datetime | None) -> int | None:
    """Return nanoseconds since 1970, without rounding; None for a moment without a zone, which is not a point in time."""
    if moment is None or moment.tzinfo is None:
        return None
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return ((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds) * 1000
