"""Module loggers. structlog is imported with the first module that has one; most commands never need it."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

_level_of_command: int | None = None


def get_logger() -> FilteringBoundLogger:
    """Return a logger that uses the process's logging configuration, even if that is set later."""
    import structlog  # noqa: PLC0415 - takes a twentieth of a second

    if _level_of_command is not None and not structlog.is_configured():
        _configure_for_command(_level_of_command)
    found: FilteringBoundLogger = structlog.get_logger()  # noqa: TID251 - the one place
    return found


def configure_cli_logging(*, is_debugging: bool) -> None:
    """Keep the log out of a command's output: the command prints its own warnings."""
    global _level_of_command  # noqa: PLW0603 - structlog's configuration is the process's, too
    _level_of_command = logging.DEBUG if is_debugging else logging.CRITICAL
    if not is_debugging:  # it logs a traceback for a connection that Ctrl-C interrupted
        logging.getLogger("sqlalchemy.pool").addHandler(logging.NullHandler())
    if "structlog" in sys.modules:
        _configure_for_command(_level_of_command)


def _configure_for_command(level: int) -> None:
    import structlog  # noqa: PLC0415 - as above

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
