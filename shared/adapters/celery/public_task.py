"""The task that callers outside of slowwave send: an error is one sentence, not Celery's whole traceback."""

from typing import Any, TypeVar, cast

from celery.local import Proxy
from kombu.exceptions import OperationalError

from shared.adapters.celery.base_task import BaseTask
from shared.core.errors import ServiceUnavailableError, SlowwaveError

Public = TypeVar("Public")


class PublicTask(BaseTask):
    """A task with a `delay` for callers outside of slowwave."""

    abstract = True

    def delay(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - Celery's signature
        """Send the task and return at once.

        Raises:
            BadInputError: a setting is wrong; the message names it.
            ServiceUnavailableError: no broker runs, or it does not answer; nothing was sent.
        """
        problem: SlowwaveError
        try:
            return super().delay(*args, **kwargs)
        except SlowwaveError as error:
            problem = error
        except OperationalError as error:
            problem = ServiceUnavailableError(
                f"The broker does not answer ({error}), so nothing was sent; start it, or check SLOWWAVE_REDIS_URL"
                " and SLOWWAVE_BROKER_URL"
            )
        # Raised here, so that the traceback shows the caller's line and this one, not forty lines of Celery.
        raise problem.with_traceback(None) from None


def raise_plain_errors(task: Public) -> Public:
    """Return the same task with plain errors: without a broker, its first use raises one sentence, as `delay` does.

    Celery reads the broker's address when a task is first touched, before any method of the task could catch the error.
    """

    def resolve() -> object:
        try:
            return cast("Proxy[Any]", task)._get_current_object()  # noqa: SLF001 - what every access to the task does
        except SlowwaveError as error:
            problem = error
        raise problem.with_traceback(None) from None

    return cast("Public", Proxy(resolve))
