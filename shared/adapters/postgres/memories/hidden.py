"""Hide from a transaction that reads for an agent's key what its store hides: by the database's policies `trusted_enough`, in every statement."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, Text, bindparam, func, literal_column, select
from sqlmodel import SQLModel, col

from shared.adapters.postgres.sql.statements import execute, fetch_tuples
from shared.adapters.postgres.tables.stores import StoreRow
from shared.core.errors import MaybeHiddenError, NotFoundError
from shared.core.memory.writers import Rank
from shared.core.trust.hidden import note_hidden, say_setting

_HIDE = select(func.set_config("slowwave.least_rank", bindparam("least", type_=Text), True))
_STRICTEST = select(func.coalesce(func.max(col(StoreRow.least_rank)), 0)).where(
    col(StoreRow.tenant_id) == bindparam("tenant", type_=Text), col(StoreRow.least_rank) > literal_column("0")
)


def find_strictest(connection: Connection, tenant_id: str) -> int:
    """Return the highest of the least ranks that a tenant's stores show to agents."""
    return int(fetch_tuples(connection, _STRICTEST, {"tenant": tenant_id})[0][0])


class Hidden:
    """The least rank that a transaction shows: that of the tenant's strictest store, then that of the store which it read last."""

    def __init__(self, connection: Connection, least: int) -> None:
        self._connection = connection
        self._least = Rank(least)

    @property
    def hides(self) -> bool:
        """Tell whether anything is hidden: then nothing is shown of which it is not known who said it."""
        return self._least is not Rank.MACHINE

    def follow(self, least: Rank) -> None:
        """Show from now on what a store shows. It costs nothing where no store of the tenant hides anything."""
        if least is not self._least:
            self._set(least)
            self._least = least

    def explain(self, error: NotFoundError) -> NotFoundError:
        """Return the error with the reason for which the thing may be missing, be it there or not."""
        return MaybeHiddenError(say_setting(self._least)) if self.hides else error

    def note(self, rows: type[SQLModel], conditions: Sequence[ColumnElement[bool]], things: tuple[str, str]) -> str:
        """Return the sentence about hidden rows, which are things in one word, for one and for several; empty for none.

        It costs nothing where nothing is hidden.
        """
        if not self.hides:
            return ""
        query = select(func.count()).select_from(rows).where(*conditions)
        shown = fetch_tuples(self._connection, query)[0][0]
        self._set(Rank.MACHINE)
        everything = fetch_tuples(self._connection, query)[0][0]
        self._set(self._least)
        return note_hidden(everything - shown, self._least, things)

    def _set(self, least: Rank) -> None:
        execute(self._connection, _HIDE, {"least": str(int(least))})
