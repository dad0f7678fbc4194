"""Liveness files: worker and beat touch one from their main loop, and `slowwave probe` reads its age.

`celery inspect ping` costs seconds of processor time, leaves keys behind, and fails for a worker that is merely busy.
"""

import contextlib
import os
import socket
import time
from pathlib import Path

#: A worker touches its file every 2 s and beat at least every 5 s: an older file means a main loop that stands still.
MAX_LIVENESS_AGE_SECONDS = 60.0


def liveness_folder(data_dir: str | Path, probe_dir: str | Path | None) -> Path:
    """Return the folder of the liveness files: `probe_dir`, or `alive` in the data directory."""
    return Path(probe_dir) if probe_dir else Path(data_dir) / "alive"


class LivenessFile:
    """The liveness file of one process, which works without the file, too: to touch and to remove it never raise."""

    def __init__(self, folder: Path, role: str) -> None:
        self._file = folder / role

    def touch(self) -> None:
        """Touch the file, and notify systemd's watchdog when there is one. Call it from the main loop."""
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.touch()
        _notify_systemd()

    def remove(self) -> None:
        """Remove the file of an earlier process, so that a probe does not take a new process for alive too early."""
        with contextlib.suppress(OSError):
            self._file.unlink()

    def find_age_seconds(self) -> float | None:
        """Return how long ago the file was touched; None when there is no file yet. Raises OSError if one may not look."""
        try:
            touched = self._file.stat().st_mtime
        except FileNotFoundError:
            return None
        return max(0.0, time.time() - touched)


def _notify_systemd() -> None:
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.connect("\0" + address[1:] if address.startswith("@") else address)
        notify.send(b"WATCHDOG=1")
