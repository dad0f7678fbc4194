"""Names of the dreams on a page, looked up once for each list."""

from collections.abc import Iterable, Mapping

from gateway.console.visitor import Visitor
from shared.core.listings.dream_name import DreamName
from shared.services.dreams.read import name_dreams


class DreamNames:
    """The names of dreams, for templates. Without a visitor a page shows no dream."""

    def __init__(self, visitor: Visitor | None) -> None:
        self._visitor = visitor
        self._known: dict[str, DreamName] = {}

    def of(self, dream_ids: Iterable[str]) -> Mapping[str, DreamName]:
        """Return the names of at least these dreams by id."""
        wanted = {one for one in dream_ids if one not in self._known}
        if wanted and self._visitor is not None:
            self._known |= name_dreams(self._visitor.ports.db, self._visitor.tenant_id, wanted)
        return self._known
