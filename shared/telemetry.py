"""Logging: structured lines with tenant, store, dream, phase and epoch; no memory text and no secrets."""

import logging
import sys
import traceback
from collections.abc import Iterable
from types import FrameType

import structlog

from shared.settings import load_settings
from shared.tracing import find_trace_id


def configure_logging() -> None:
    """Send structlog and the standard library's loggers to standard error: readable on a terminal, else as JSON."""
    level = getattr(logging, load_settings().log_level)
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer()
    )
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        _add_trace_id,
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
    # Celery logs two lines for each message, without tenant or dream: in an idle installation there would be no others.
    for name in ("celery.worker.strategy", "celery.app.trace"):
        logging.getLogger(name).addFilter(is_worth_logging)
    logging.getLogger("celery.app.trace").addFilter(without_error_text)


def _add_trace_id(_logger: object, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    trace_id = find_trace_id()
    return event if trace_id is None else {**event, "trace_id": trace_id}


def where_of(error: BaseException) -> list[str]:
    """Return the traceback of an error as `file:line function`, without the error's message.

    An error's message may hold memory text, or a statement with its values.
    """
    return _lines(traceback.extract_tb(error.__traceback__))


def where_is(frame: FrameType | None, *, limit: int) -> list[str]:
    """Return the innermost stack frames of a thread; none for a thread that has ended."""
    return _lines(traceback.extract_stack(frame)[-limit:]) if frame else []


def _lines(frames: Iterable[traceback.FrameSummary]) -> list[str]:
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]


def without_error_text(record: logging.LogRecord) -> bool:
    """Reduce Celery's line about a failed task to the error's type; `task_failed` says where it happened."""
    if record.exc_info and isinstance(record.args, dict):
        kind = record.exc_info[0]
        record.args = {**record.args, "exc": kind.__name__ if kind else "", "traceback": ""}
        record.exc_info = None
    return True


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Drop Celery's INFO lines about a received message and a task that succeeded; keep failures and retries."""
    if record.levelno > logging.INFO or logging.getLogger("celery").isEnabledFor(logging.DEBUG):
        return True
    return " received" not in str(record.msg) and " succeeded " not in str(record.msg)
