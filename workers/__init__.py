"""The workers. The one public name: `from workers import dream`, then `dream.delay("acme")`.

It returns at once. `slowwave status acme` says why a dream did not start, `slowwave dreams show acme` how the last one went.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workers.tasks import dream  # noqa: TC004 - at run time the property below gives it

__all__ = ["dream"]


class _Workers(ModuleType):
    """Imports the task on first use, so that a module of this package does not load every phase.

    A module-level `__getattr__` would not do: the folder `workers/dream` becomes an attribute of that name when one of
    its modules is imported.
    """

    @property
    def dream(self) -> object:
        from workers.tasks import dream  # noqa: PLC0415 - the reason is above

        return dream

    @dream.setter
    def dream(self, _folder: ModuleType) -> None:
        """Keep the name for the task."""


sys.modules[__name__].__class__ = _Workers
