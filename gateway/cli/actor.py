"""Who is at the command line, as the audit log calls them."""

import getpass
import os


def cli_actor() -> str:
    """Return `cli:` and the name of the account, or its number where it has no name."""
    try:
        return f"cli:{getpass.getuser()}"
    except (OSError, KeyError):  # a container may run under a number that stands in no file
        return f"cli:{os.getuid()}"
