"""All commands of the command line, imported, as one tree."""

from functools import cache
from typing import Any

from typer.main import get_command

from gateway.cli.app import app, load_command
from gateway.cli.commands import COMMANDS


@cache
def load_command_tree() -> Any:
    """Return the root command; `.commands` of a group holds what is below it."""
    root: Any = get_command(app)
    root.commands = {entry.name: load_command(entry) for entry in COMMANDS}
    return root
