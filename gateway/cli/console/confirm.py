"""Ask before something is deleted for good."""

import sys
from typing import Annotated

import typer

from shared.core.errors import BadInputError

Yes = Annotated[bool, typer.Option("--yes", help="Delete without asking for confirmation.")]


def confirm_deletion(what: str, name: str, *, yes: bool) -> None:
    """Ask the person to type the name of what is to be deleted, unless `yes`. Raises BadInputError."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise BadInputError(f"{what} would be deleted for good: confirm with --yes")
    if typer.prompt(f"{what} will be deleted for good. Type the name to confirm", err=True) != name:
        raise BadInputError("The name does not match; nothing was deleted")
