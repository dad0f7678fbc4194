"""The workers. The one public name: `from workers import dream`, then `dream.delay("acme")`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workers.tasks import dream

__all__ = ["dream"]


def __getattr__(name: str) -> object:
    # The tasks bring Celery and every adapter with them, which a process that only reads the phases' catalogue needs not.
    if name == "dream":
        from workers.tasks import dream  # noqa: PLC0415 - the reason is above

        return dream
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
