"""Lock a data directory for one `slowwave up`. A file lock cannot outlive a crash."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shared.core.errors import ConflictError

_NAME = "up.lock"


@contextmanager
def hold_up_lock(data_dir: Path, what: str = "slowwave is up") -> Iterator[None]:
    """Hold the lock while the context is open. Raises ConflictError if another `up` holds it."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)  # without embedded servers, nothing else creates it
    with (data_dir / _NAME).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            msg = f"{what} already over {data_dir}; only one can run at a time"
            raise ConflictError(msg) from None
        yield


def is_up(data_dir: Path) -> bool:
    """Tell whether an `up` holds the lock."""
    try:
        with hold_up_lock(data_dir):
            return False
    except ConflictError:
        return True
