"""A disk that is soon full."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def a_small_disk(folder: Path, owner: int, megabytes: int) -> Iterator[Path]:
    """A file system in memory that a user of the system owns; skips where none may be mounted, as in most containers."""
    folder.mkdir()
    options = f"size={megabytes}m,uid={owner},mode=0700"
    command = ["mount", "-t", "tmpfs", "-o", options, "slowwave-test", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no file system can be mounted here: {getattr(error, 'stderr', None) or error}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
