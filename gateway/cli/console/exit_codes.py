"""The exit codes of commands. `--help` shows this table."""

from enum import IntEnum

from shared.core.errors import (
    BadInputError,
    ConflictError,
    NotFoundError,
    OutdatedDataError,
    ServiceUnavailableError,
    SlowwaveError,
)


class ExitCode(IntEnum):
    """Exit codes; scripts may rely on them."""

    OK = 0
    UNEXPECTED = 1
    BAD_INPUT = 2
    REFUSED = 3
    NOT_FOUND = 4
    CONFLICT = 5
    UNAVAILABLE = 6
    DREAM_NOT_COMPLETED = 7  # nor an evaluation
    HARMS = 8
    TOO_LITTLE_DATA = 9


#: As shells have it for a program that SIGINT ended.
INTERRUPTED = 130

EPILOG = (
    "Exit codes: 0 fine · 1 unexpected · 2 bad input · 3 a gate is shut · 4 not found · 5 conflict · "
    "6 a server does not answer · 7 the dream ended partial, canceled or in error, or the evaluation did not end · "
    "8 an evaluation says that dreaming harms · 9 it has too little data · 130 Ctrl-C"
)
_BY_ERROR: tuple[tuple[type[SlowwaveError], ExitCode], ...] = (
    (NotFoundError, ExitCode.NOT_FOUND),
    (ConflictError, ExitCode.CONFLICT),
    (OutdatedDataError, ExitCode.CONFLICT),
    (ServiceUnavailableError, ExitCode.UNAVAILABLE),
    (BadInputError, ExitCode.BAD_INPUT),
)


def exit_code_of(error: SlowwaveError) -> ExitCode:
    """Return the exit code of an error that reached the user."""
    return next((code for kind, code in _BY_ERROR if isinstance(error, kind)), ExitCode.UNEXPECTED)
