"""The state file that processes share in a data directory: the holders of the servers, and the servers' addresses."""

import fcntl
import json
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from shared.adapters.embedded.endpoints import Endpoints
from shared.adapters.embedded.private_file import write_private_file
from shared.adapters.embedded.processes import find_start_mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """One use of the servers by one process; `born` tells the process from a later one with the same pid."""

    pid: int
    born: str
    token: str

    def is_alive(self) -> bool:
        """Tell whether that process is still running."""
        return find_start_mark(self.pid) == self.born


@dataclass(frozen=True, slots=True, kw_only=True)
class ServersState:
    """The content of the state file."""

    durable: bool
    endpoints: Endpoints
    holders: tuple[Holder, ...]


def build_current_holder() -> Holder:
    """Build the entry for one more use by this process."""
    return Holder(pid=os.getpid(), born=find_start_mark(os.getpid()) or "", token=uuid.uuid4().hex)


def find_state(data_dir: Path) -> ServersState | None:
    """Read the state; None if there is none or it is unreadable."""
    try:
        found = json.loads(_state_file(data_dir).read_text(encoding="utf-8"))
        return ServersState(
            durable=bool(found["durable"]),
            endpoints=Endpoints(**found["endpoints"]),
            holders=tuple(Holder(**holder) for holder in found["holders"]),
        )
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def write_state(data_dir: Path, state: ServersState) -> None:
    """Replace the state; call it under the lock."""
    write_private_file(_state_file(data_dir), json.dumps(asdict(state), indent=2) + "\n")


def remove_state(data_dir: Path) -> None:
    """Remove the state; call it under the lock."""
    _state_file(data_dir).unlink(missing_ok=True)


@contextmanager
def locked(data_dir: Path) -> Iterator[None]:
    """Hold the directory's lock; the kernel releases it when the process dies."""
    # The lock has a file of its own: the state file is replaced, and a lock would stay with the old one.
    descriptor = os.open(data_dir / "servers.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _state_file(data_dir: Path) -> Path:
    return data_dir / "servers.json"
