"""Logging: structured lines with tenant, store, dream, phase and epoch; never memory text, never secrets."""

import logging
import sys

import structlog

from shared.settings import load_settings


def configure_logging() -> None:
    """Send structlog and the standard library's loggers to standard error, as readable lines or as JSON."""
    level = getattr(logging, load_settings().log_level)
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer()
    )
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                renderer,
            ],
        ),
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Libraries that see memory texts, such as the model's SDK and SQLAlchemy, would log them at lower levels.
    root.setLevel(max(level, logging.WARNING))
    logging.getLogger("celery").setLevel(level)
    # Two lines for every message, which name no tenant and no dream: an idle installation would say nothing else.
    for name in ("celery.worker.strategy", "celery.app.trace"):
        logging.getLogger(name).addFilter(is_worth_logging)


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Leave out at INFO that a message came and that its task went well; what went wrong, or is tried again, stays."""
    if record.levelno > logging.INFO or logging.getLogger("celery").isEnabledFor(logging.DEBUG):
        return True
    return " received" not in str(record.msg) and " succeeded " not in str(record.msg)


def configure_cli_logging(*, is_debugging: bool) -> None:
    """Keep the log out of a command's output: warnings are said by the command itself."""
    level = logging.DEBUG if is_debugging else logging.CRITICAL
    if not is_debugging:  # a connection that Ctrl-C cut off is told of with a traceback
        logging.getLogger("sqlalchemy.pool").addHandler(logging.NullHandler())
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
