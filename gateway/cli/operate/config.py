"""`slowwave config show`: show the settings of this installation as the next command would read them."""

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Annotated

import typer
from pydantic import SecretStr

from gateway.cli.console.options import AsJson
from gateway.cli.console.output import print_json, print_table, warn
from gateway.variables import find_mistyped
from shared.env_file import source_of
from shared.settings import Settings, load_settings

app = typer.Typer(no_args_is_help=True)
#: An endpoint may have a password.
_USER = re.compile(r"//[^/@]*@")
_DEFAULT, _HIDDEN = "default", "set; not shown"


@app.callback()
def config() -> None:
    """Show settings. Each is read when a process starts; change it at its source."""


@app.command()
def show(
    changed: Annotated[
        bool, typer.Option("--changed", help="Show only settings that differ from their default.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the value and source of every setting of this installation; of a secret, only whether it is set."""
    rows = [row for row in find_rows(load_settings()) if not (changed and row["source"] == _DEFAULT)]
    for name, meant in find_mistyped(os.environ).items():
        warn(f"{name} is not a setting; did you mean {meant}?", "yellow")
    if as_json:
        print_json(rows)
        return
    shown = [(row["name"], row["source"], _in_words(row["value"])) for row in rows]
    print_table("Settings", ("setting", "from", "value"), shown)


def find_rows(settings: Settings) -> list[Mapping[str, object]]:
    """Return the variable, the value and the source of each setting."""
    found: list[Mapping[str, object]] = []
    for field in type(settings).model_fields:
        name = f"SLOWWAVE_{field.upper()}"
        source = source_of(name)
        said = _DEFAULT if source is None else source.removeprefix(f"{name} ").removeprefix("of ").removeprefix("in ")
        found.append({"name": name, "value": _plain(getattr(settings, field)), "source": said})
    return found


def _plain(value: object) -> object:
    if isinstance(value, SecretStr):
        return _HIDDEN
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return value if value is None or isinstance(value, bool | int | float) else _USER.sub("//***@", str(value))


def _in_words(value: object) -> object:
    if isinstance(value, dict):
        return ", ".join(f"{name} {one}" for name, one in value.items())
    return "" if value is None else value
