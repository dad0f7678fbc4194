"""The base class of every Celery task. It binds the message's ids to the log, and logs and counts unexpected failures."""

from functools import cached_property
from inspect import signature
from typing import Any

import structlog
from celery import Task
from celery.exceptions import Retry

from shared.core.errors import ReportedFailureError
from shared.counting import count
from shared.logger import get_logger
from shared.telemetry import where_of

_IDS = frozenset({"tenant_id", "store", "dream_id", "epoch", "delivery_id"})
_log = get_logger()


class BaseTask(Task):  # type: ignore[type-arg]  # its arguments and its result are the subclass's
    """A task whose log lines name the tenant, store, dream, epoch or delivery that its message is about."""

    abstract = True
    throws = (ReportedFailureError,)  # Celery logs these without a traceback

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - Celery's signature
        """Run the task. Celery's own `__call__` would push a second request, which has no chain."""
        with structlog.contextvars.bound_contextvars(**self._find_ids(args, kwargs)):
            try:
                return self.run(*args, **kwargs)
            except (ReportedFailureError, Retry):
                raise  # already logged and counted at its source
            except Exception as error:
                count("slowwave_tasks_failed_total", task=self.name)
                _log.error("task_failed", task=self.name, error=type(error).__name__, where=where_of(error))
                raise

    def _find_ids(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        values = self._defaults | dict(zip(self._names, args, strict=False)) | kwargs
        return {name: value for name, value in values.items() if name in _IDS and value is not None}

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(signature(self.run).parameters)

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        parameters = signature(self.run).parameters.values()
        return {one.name: one.default for one in parameters if one.default is not one.empty}
