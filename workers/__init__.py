"""The workers. The one public name: `from workers import dream`, then `dream.delay("acme")`.

`delay` returns at once. `slowwave status acme` explains why a dream did not start, `slowwave dreams show acme` shows the last one.
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workers.tasks import dream  # noqa: TC004 - at run time the property below gives it

__all__ = ["dream"]


class _Workers(ModuleType):
    """Imports the task on first use, so that importing a module of this package does not load every phase.

    A module-level `__getattr__` does not work: importing a module of the folder `workers/dream` sets an attribute of that
    name.
    """

    @property
    def dream(self) -> object:
        from workers.tasks import dream  # noqa: PLC0415 - the reason is above

        return dream

    @dream.setter
    def dream(self, _folder: ModuleType) -> None:
        """Keep the name for the task."""


sys.modules[__name__].__class__ = _Workers
