"""Ask before something is deleted for good."""

import sys
from typing import Annotated

import typer

from shared.core.errors import BadInputError

Yes = Annotated[bool, typer.Option("--yes", help="Delete without asking for confirmation.")]


def confirm_deletion(what: str, name: str, *, yes: bool) -> None:
    """Ask a person to repeat the name of what would be deleted, unless `yes`. Raises BadInputError."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise BadInputError(f"{what} would be deleted for good: give --yes if that is meant")
    if typer.prompt(f"{what} is deleted for good. Its name, once more", err=True) != name:
        raise BadInputError("That is another name; nothing was deleted")
