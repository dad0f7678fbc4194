"""New ids: a prefix that says what it is, and a part that sorts by time."""

from typing import Protocol


class Ids(Protocol):
    """Makes ids that are never made twice."""

    def new(self, prefix: str) -> str:
        """Return an id such as `op_01J…`; ids made later by one process sort later."""
