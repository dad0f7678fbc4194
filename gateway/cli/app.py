"""The root command `slowwave` and the table of its commands, each imported when it is called."""

import os
import platform
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from gateway.cli.commands import COMMANDS, Entry
from gateway.cli.console.examples import examples_of, render_examples
from gateway.cli.console.exit_codes import EPILOG
from gateway.cli.console.naming import NAMES, accept_names, bring_names
from gateway.cli.console.output import say
from gateway.version import VERSION, find_build
from shared.env_file import VARIABLE as ENV_FILE
from shared.env_file import apply_env_file
from shared.program import name_program


def load_command(entry: Entry) -> Any:  # noqa: ANN401 - typer has no public name for what its groups and commands share
    """Import a command or a group of commands, and append examples and exit codes to its help."""
    found = getattr(import_module(entry.module), entry.attribute)
    if isinstance(found, typer.Typer):
        found.info.cls = NamingGroup
        loaded: Any = get_group(found)
        loaded.help = entry.short_help
        for name, command in loaded.commands.items():
            accept_names(command)
            command.epilog = _end_help(f"{entry.name} {name}")
    else:
        alone = typer.Typer(add_completion=False)
        alone.command()(found)
        loaded = get_command(alone)
        accept_names(loaded)
    loaded.name, loaded.epilog = entry.name, _end_help(entry.name, [*getattr(loaded, "commands", ())])
    return loaded


def _end_help(name: str, below: Sequence[str] = ()) -> str:
    return "\n\n".join(filter(None, (render_examples(examples_of(name, below)), EPILOG)))


class NamingGroup(TyperGroup):
    """A group whose commands accept a tenant and a store in every form."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401 - typer's types
        """Return the command that the arguments name, and its own arguments as it declares them."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command, bring_names(command, rest)


class LazyGroup(TyperGroup):
    """Lists commands from the table; imports the one that is called."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - typer's own arguments, passed on
        listed = {
            entry.name: TyperCommand(entry.name, help=entry.short_help, rich_help_panel=entry.panel)
            for entry in COMMANDS
        }
        super().__init__(**attributes | {"commands": listed})

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401 - as above
        """Return the command that the arguments name, imported."""
        name, listed, rest = super().resolve_command(ctx, args)
        entry = next((entry for entry in COMMANDS if entry.name == name), None)
        if entry is None:
            return name, listed, rest
        name_program(entry.name)
        loaded = load_command(entry)
        return name, loaded, rest if hasattr(loaded, "commands") else bring_names(loaded, rest)


app = typer.Typer(
    name="slowwave",
    help="Consolidates the memory of AI agents in the background.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog=f"{NAMES}\n\n{EPILOG}",
    cls=LazyGroup,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        build = find_build()
        told = f", commit {build.commit} of {build.day}" if build else ""
        say(f"slowwave {VERSION}{told} (Python {platform.python_version()})")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[  # typer answers it before any command runs
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=_print_version,
            help="Show the version with its commit and day, and exit.",
        ),
    ] = False,
    env_file: Annotated[
        str | None,
        typer.Option(
            "--env-file",
            metavar="FILE",
            help="Read variables from a file, one NAME='value' per line. The environment takes precedence. Also SLOWWAVE_ENV_FILE.",
        ),
    ] = None,
) -> None:
    if env_file is not None:
        os.environ[ENV_FILE] = env_file
    # Before the command reads its arguments, some of which are variables, too.
    apply_env_file()
