"""The program of this process: its name for servers, such as in `pg_stat_activity`, and how it was put on this machine.

It runs from a checkout, or as a package that pipx, uvx or pip installed.
"""

import os
import socket
from pathlib import Path

#: Whether this is an installed package.
IS_INSTALLED = Path(__file__).parents[1].name in {"site-packages", "dist-packages"}
#: What a person types to run a command.
COMMAND = "slowwave" if IS_INSTALLED else "./slowwave"

#: PostgreSQL cuts a longer name off.
_LONGEST_BYTES = 63
_NAME = ["library"]


def name_program(name: str) -> None:
    """Set the name of this process's program; connections opened from now on use it."""
    _NAME[:] = [name]


def connection_name() -> str:
    """Return the name for a connection: `slowwave-worker@host`."""
    return f"slowwave-{_NAME[0]}@{socket.gethostname()}".encode("ascii", "replace")[:_LONGEST_BYTES].decode()


def find_data_folder() -> Path:
    """Return where the embedded servers keep their data unless SLOWWAVE_DATA_DIR names another folder.

    A checkout keeps it beside itself. An installed program is called from anywhere, so its data is in one place for each user, as the
    XDG base directories say; root's is the system's, since PostgreSQL runs as another user, who may not enter root's home.
    """
    if not IS_INSTALLED:
        return Path(".slowwave")
    named = os.environ.get("XDG_DATA_HOME", "")
    if named.startswith("/"):
        return Path(named, "slowwave")
    return Path("/var/lib/slowwave") if os.geteuid() == 0 else Path.home() / ".local" / "share" / "slowwave"
