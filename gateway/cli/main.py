"""Run a command. Errors are printed as a sentence and set the exit code; there is no traceback."""

import os
import signal
import sys
from typing import NoReturn

from typer.exceptions import Abort, TyperException

from gateway.cli.app import app
from gateway.cli.console.exit_codes import INTERRUPTED, ExitCode, exit_code_of
from gateway.cli.console.output import print_json, warn
from shared.core.errors import SlowwaveError
from shared.core.inputs.wrong_values import say_wrong
from shared.logger import configure_cli_logging


def main() -> int:
    """Run the command line; return the exit code. SLOWWAVE_DEBUG=1 shows tracebacks."""
    is_debugging = bool(os.environ.get("SLOWWAVE_DEBUG"))
    configure_cli_logging(is_debugging=is_debugging)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    try:
        arguments = bring_forward(sys.argv[1:])
        return int(app(arguments, prog_name="slowwave", standalone_mode=False) or ExitCode.OK)
    except (KeyboardInterrupt, Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return ExitCode.OK
    except TyperException as error:
        from typer.rich_utils import rich_format_error  # noqa: PLC0415 - takes a twentieth of a second to import

        if hasattr(error, "message"):
            error.message = say_wrong(error.message) + _say_place(error)
        rich_format_error(error)  # type: ignore[arg-type] # of the click that typer carries, which has no public name
        return _end(ExitCode.BAD_INPUT, error.format_message())
    except Exception as error:
        if is_debugging:
            raise
        return INTERRUPTED if was_interrupted(error) else _tell(error)


def bring_forward(arguments: list[str]) -> list[str]:
    """Move `--env-file FILE` to the front of the arguments, wherever it was written."""
    for place, word in enumerate(arguments):
        if word == "--":
            break
        if word.startswith("--env-file="):
            return [word, *arguments[:place], *arguments[place + 1 :]]
        if word == "--env-file":
            return [*arguments[place : place + 2], *arguments[:place], *arguments[place + 2 :]]
    return arguments


def was_interrupted(error: BaseException) -> bool:
    """Tell whether Ctrl-C caused an error, such as the failed rollback of an interrupted connection."""
    before: BaseException | None = error
    while before is not None:
        if isinstance(before, KeyboardInterrupt):
            return True
        before = before.__context__
    return False


def _say_place(error: TyperException) -> str:
    """Return where an option belongs that was written before the command: only a few options stand there."""
    context = getattr(error, "ctx", None)
    if not hasattr(error, "option_name") or context is None or context.parent is not None:
        return ""
    return ". Options stand after the command they belong to: `slowwave COMMAND --help` lists them"


def _tell(error: Exception) -> ExitCode:
    if isinstance(error, SlowwaveError):
        warn(error, "red")
        return _end(exit_code_of(error), str(error))
    warn(f"Unexpected: {type(error).__name__}: {error}", "red")
    warn("SLOWWAVE_DEBUG=1 shows where it happened.", "dim")
    return _end(ExitCode.UNEXPECTED, f"{type(error).__name__}: {error}")


def _end(code: ExitCode, message: str) -> ExitCode:
    """Report an error; with `--json`, also as JSON on standard output, so that programs always get JSON."""
    if "--json" in sys.argv:
        print_json({"error": {"code": code.name.lower(), "exit_code": int(code), "message": message}})
    return code


def _leave(number: int, _frame: object) -> NoReturn:
    """Unwind, so that servers and workers that this command started end with it; bounded, so a second signal waits."""
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)
