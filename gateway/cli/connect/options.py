"""Arguments that the commands for connected tools share."""

from pathlib import Path
from typing import Annotated

import typer

ToolName = Annotated[
    str,
    typer.Argument(
        metavar="TOOL", help="claude-code, codex, cursor, openclaw, hermes, gemini, opencode, or the path of a folder."
    ),
]
Home = Annotated[Path | None, typer.Option("--home", help="Look in this home folder instead of your own.")]
