"""A worker or beat says that it is alive by touching a file. Reading it imports nothing slow, so a probe is cheap.

`celery inspect ping` costs seconds of processor time, leaves keys behind and fails when the worker is merely busy.
"""

import contextlib
import os
import socket
import time
from pathlib import Path

ROLES = ("worker", "beat")
#: A worker touches its file every 2 s, beat at least every 5 s: so much silence is no accident.
MAX_SILENCE_SECONDS = 60.0


def place_of_signs(data_dir: str | Path, probe_dir: str | Path | None) -> Path:
    """Return the folder of the files: one installation on one machine shares it, unless it is told otherwise."""
    return Path(probe_dir) if probe_dir else Path(data_dir) / "alive"


class SignOfLife:
    """Called from a process's main loop, so that it stops when the loop does. Never raises: life goes on without it."""

    def __init__(self, place: Path, role: str) -> None:
        self._file = place / role

    def give(self) -> None:
        """Touch the file, and tell systemd's watchdog when there is one."""
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.touch()
        _tell_systemd()


def _tell_systemd() -> None:
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.connect("\0" + address[1:] if address.startswith("@") else address)
        notify.send(b"WATCHDOG=1")


def forget(place: Path, role: str) -> None:
    """Remove the sign of a process that was here before, so that a new one is not taken for alive too early."""
    with contextlib.suppress(OSError):
        (place / role).unlink()


def find_silence_seconds(place: Path, role: str) -> float | None:
    """Return how long ago a sign was given; None when there was none yet."""
    try:
        touched = (place / role).stat().st_mtime
    except OSError:
        return None
    return max(0.0, time.time() - touched)
