"""Open and read files so that nothing outside of a folder is touched and no call blocks.

Every step uses the descriptor of the parent folder and refuses links, so that a folder that is replaced by a link
between listing and opening leads nowhere.
"""

import os
import stat
from dataclasses import dataclass

from shared.adapters.files.found import Refusal, RefusedFile, refuse, why_failed

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
#: Non-blocking, so that a file that became a FIFO after it was listed cannot hang the import.
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFile:
    """The bytes of a file and when it was last written, in nanoseconds since 1970."""

    data: bytes
    mtime_ns: int


def open_folder(name: str | os.PathLike[str], *, dir_fd: int | None = None) -> int:
    """Open a folder that is not a link, and return its descriptor.

    Raises:
        OSError: it is missing, a link, no folder, or may not be opened.
    """
    return os.open(name, _FOLDER_FLAGS, dir_fd=dir_fd)


def open_listed(name: str | os.PathLike[str], *, dir_fd: int | None = None) -> tuple[int, list[str]]:
    """Open a folder that is not a link, and return its descriptor and its sorted names.

    Raises:
        OSError: it is missing, a link, no folder, or may not be listed.
    """
    fd = open_folder(name, dir_fd=dir_fd)
    try:
        return fd, sorted(os.listdir(fd))  # noqa: PTH208 - pathlib cannot list an open descriptor
    except OSError:
        os.close(fd)
        raise


def read_regular(path: str, name: str, *, dir_fd: int, max_bytes: int) -> RawFile | RefusedFile:
    """Read one whole regular file, or return the refusal, in which `path` names it."""
    try:
        fd = os.open(name, _FILE_FLAGS, dir_fd=dir_fd)
    except OSError as error:
        return refuse_failed(path, name, error, dir_fd=dir_fd)
    try:
        return _read_open(path, fd, max_bytes)
    except OSError as error:
        return refuse(path, Refusal.UNREADABLE, f"It cannot be read: {why_failed(error)}.")
    finally:
        os.close(fd)


def _read_open(path: str, fd: int, max_bytes: int) -> RawFile | RefusedFile:
    """Read an open file; a file that has grown past the limit since it was measured is also too large."""
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        return refuse_special(path, found.st_mode)
    if found.st_size > max_bytes:
        return _refuse_large(path, found.st_size, max_bytes)
    with os.fdopen(fd, "rb", closefd=False) as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        return _refuse_large(path, len(data), max_bytes)
    return RawFile(data=data, mtime_ns=found.st_mtime_ns)


def refuse_failed(path: str, name: str, error: OSError, *, dir_fd: int) -> RefusedFile:
    """Turn a failure to open a file into a reason: gone, replaced by a link meanwhile, or not allowed."""
    if isinstance(error, FileNotFoundError):
        return refuse(path, Refusal.VANISHED, "It disappeared while the folder was being read; import again.")
    if is_link(name, dir_fd=dir_fd):
        return refuse(path, Refusal.SYMLINK, "It is a link, and links are not followed.")
    return refuse(path, Refusal.UNREADABLE, f"It cannot be read: {why_failed(error)}.")


def is_link(name: str, *, dir_fd: int) -> bool:
    """Tell whether a name is a link at this moment; a missing name is not."""
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=dir_fd, follow_symlinks=False).st_mode)
    except OSError:
        return False


def refuse_special(path: str, mode: int) -> RefusedFile:
    """Refuse an entry that is neither a file nor a folder, by its name."""
    kinds = {stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
    kind = kinds.get(stat.S_IFMT(mode), "not a regular file")
    return refuse(path, Refusal.SPECIAL_FILE, f"It is {kind}; only regular files hold memories.")


def _refuse_large(path: str, size: int, max_bytes: int) -> RefusedFile:
    return refuse(
        path, Refusal.TOO_LARGE, f"It has {size:,} bytes, more than the {max_bytes:,} that a memory may have."
    )
