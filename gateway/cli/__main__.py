"""`python -m gateway.cli`: run a command; what goes wrong is a sentence and an exit code, not a traceback."""

import os
import signal
import sys
from typing import NoReturn

from gateway.cli.app import app
from gateway.cli.exit_codes import ExitCode, exit_code_of
from gateway.cli.output import warn
from shared.core.errors import SlowwaveError
from shared.telemetry import configure_cli_logging


def main() -> int:
    """Return the exit code. SLOWWAVE_DEBUG=1 shows tracebacks."""
    is_debugging = bool(os.environ.get("SLOWWAVE_DEBUG"))
    configure_cli_logging(is_debugging=is_debugging)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    try:
        app(prog_name="slowwave")
    except SlowwaveError as error:
        if is_debugging:
            raise
        warn(error, "red")
        return exit_code_of(error)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return ExitCode.OK
    except Exception as error:
        if is_debugging:
            raise
        warn(f"Unexpected: {type(error).__name__}: {error}", "red")
        warn("SLOWWAVE_DEBUG=1 shows where it happened.", "dim")
        return ExitCode.UNEXPECTED
    return ExitCode.OK


def _leave(number: int, _frame: object) -> NoReturn:
    """Unwind, so that servers and workers that this command started end with it; bounded, so a second signal waits."""
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
