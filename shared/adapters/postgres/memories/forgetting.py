"""Every text of a store, in all tables that the schema has: found by its letters, changed by a function of another role."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Select,
    Table,
    Text,
    and_,
    any_,
    bindparam,
    cast,
    delete,
    func,
    literal_column,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, insert
from sqlalchemy.types import UserDefinedType
from sqlmodel import SQLModel, col

from shared.adapters.postgres.sql.statements import Row, execute, fetch, fetch_tuples, stream
from shared.adapters.postgres.tables.sessions import SearchLogRow, SessionEventRow, SessionRow, rows_of_search_log
from shared.adapters.postgres.tables.stores import MemoryVersionRow, TombstoneRow
from shared.adapters.postgres.tables.text_places import find_tenant_tables, find_text_places
from shared.core.errors import ConflictError
from shared.core.forgetting.words import Anchor, Buried, Tombstone, seal
from shared.core.sessions.model import EventKind
from shared.ports.stores import Graves, StoredRow

_TENANT, _STORE = bindparam("tenant", type_=Text), bindparam("store", type_=Text)
_PLACE = "row_place"
_OF_STORE = (col(TombstoneRow.tenant_id) == _TENANT, col(TombstoneRow.store_id) == _STORE)
_FIND_GRAVES = select(col(TombstoneRow.salt), col(TombstoneRow.letters), col(TombstoneRow.hash)).where(*_OF_STORE)
_BURY = insert(TombstoneRow).on_conflict_do_nothing()


class _Tid(UserDefinedType[str]):
    """The place of a row, until it is written again."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        return "tid"


_CHANGE = select(
    func.slowwave_forget_row(
        bindparam("table", type_=Text),
        cast(bindparam("place", type_=Text), _Tid()),
        bindparam("values", type_=JSONB(none_as_null=True)),
    )
)
_FIND_SAID = (
    select(col(SessionEventRow.text))
    .join(SessionRow, col(SessionRow.id) == col(SessionEventRow.session_id))
    .where(
        col(SessionRow.tenant_id) == _TENANT,
        col(SessionRow.store_id) == _STORE,
        func.lower(col(SessionEventRow.role)) == func.lower(bindparam("name", type_=Text)),
    )
)
_FIND_SAID_IN = select(col(SessionEventRow.text)).where(
    col(SessionEventRow.tenant_id) == _TENANT,
    col(SessionEventRow.session_id) == bindparam("session", type_=Text),
    col(SessionEventRow.kind).in_([EventKind.USER, EventKind.LOG]),
)
_FIND_WRITTEN = (
    select(col(MemoryVersionRow.memory_id))
    .where(
        col(MemoryVersionRow.tenant_id) == _TENANT,
        col(MemoryVersionRow.store_id) == _STORE,
        col(MemoryVersionRow.actor) == bindparam("name", type_=Text),
    )
    .distinct()
)


class PostgresForgetRepository:
    """Implements `ForgetRepository`."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str, keys: Sequence[bytes] = ()) -> None:
        self._connection = connection
        self._buried_with = keys
        self._keys = {"tenant": tenant_id, "store": store_id}

    def find_rows(self, anchors: Collection[Anchor], *, in_memories: bool) -> Iterator[StoredRow]:
        """Yield the rows that may hold one of these phrases, table by table; of memories alone, or of all others."""
        patterns = {
            "squeezed": sorted({f"%{one.squeezed}%" for one in anchors if one.squeezed}),
            "plain": sorted({f"%{one.plain}%" for one in anchors if not one.squeezed}),
        }
        for table in find_tenant_tables():
            if (table.name == "memories") is not in_memories:
                continue
            for row in fetch(self._connection, _find(table.name), self._keys | patterns) if _has_texts(table) else ():
                yield _stored_row(table, row)

    def find_all_rows(self, *, with_tenants: bool) -> Iterator[StoredRow]:
        """Yield every row that can hold a text, a few at a time; `with_tenants`: also of what is the tenant's and of no store."""
        for table in find_tenant_tables():
            if _has_texts(table) and (with_tenants or _is_of_stores(table)):
                for row in stream(self._connection, _find_all(table.name), self._keys):
                    yield _stored_row(table, row)

    def change(self, row: StoredRow, values: Mapping[str, Any]) -> None:
        """Set columns of a row; what was derived from an event goes with its words."""
        self._change(row, dict(values))
        if row.table == "session_events":
            metadata = SQLModel.metadata.tables
            for name in ("session_cues", "session_terms"):
                derived, events = metadata[name], metadata["session_events"]
                event = select(events.c.position).where(
                    events.c.session_id == row.keys["session_id"],
                    events.c.event_id == values.get("event_id", row.keys["event_id"]),
                )
                of_event = derived.c.position.in_(event)
                execute(
                    self._connection, delete(derived).where(derived.c.session_id == row.keys["session_id"], of_event)
                )

    def delete(self, row: StoredRow) -> None:
        """Delete a row."""
        self._change(row, None)

    def _change(self, row: StoredRow, values: dict[str, Any] | None) -> None:
        given = {"table": row.table, "place": row.place, "values": values}
        ((is_done,),) = fetch_tuples(self._connection, _CHANGE, given)
        if not is_done:
            raise ConflictError(f"A row of {row.table} was written at the same time; try again")

    def find_said_by(self, name: str) -> list[str]:
        """Return the texts of the events that a person of this name has said."""
        return [text for (text,) in fetch_tuples(self._connection, _FIND_SAID, self._keys | {"name": name})]

    def find_said_in(self, session_id: str) -> list[str]:
        """Return what people and agents said in a session."""
        return [text for (text,) in fetch_tuples(self._connection, _FIND_SAID_IN, self._keys | {"session": session_id})]

    def find_written_by(self, actor: str) -> list[str]:
        """Return the ids of the memories of which this actor wrote a version."""
        return [found for (found,) in fetch_tuples(self._connection, _FIND_WRITTEN, self._keys | {"name": actor})]

    def find_graves(self) -> Graves:
        """Return what was forgotten before."""
        rows = fetch_tuples(self._connection, _FIND_GRAVES, self._keys)
        return Graves(
            salt=rows[0][0] if rows else "", tombstones=[Tombstone(letters, digest) for _, letters, digest in rows]
        )

    def find_buried(self) -> Buried | None:
        """Return what finds in new texts that which was forgotten before; None where nothing was."""
        graves = self.find_graves()
        return Buried(graves.salt, graves.tombstones, self._buried_with) if graves.tombstones else None

    def bury(self, salt: str, tombstones: Collection[Tombstone]) -> int:
        """Keep tombstones, and return the number of new ones."""
        mine = {"tenant_id": self._keys["tenant"], "store_id": self._keys["store"], "salt": salt}
        key = next(iter(self._buried_with), None)
        hashes = [(one.digest if key is None else seal(key, one.digest), one.letters) for one in tombstones]
        rows = [mine | {"hash": digest, "letters": letters} for digest, letters in hashes]
        return sum(execute(self._connection, _BURY.values(row)) for row in rows)


def _has_texts(table: Table) -> bool:
    return next(iter(find_text_places(table)), None) is not None


def _stored_row(table: Table, row: Row) -> StoredRow:
    treatments = {place.column: place.treatment for place in find_text_places(table)}
    return StoredRow(
        table=table.name,
        place=row[_PLACE],
        values={name: row[name] for name in treatments},
        treatments=treatments,
        keys={column.name: row[column.name] for column in table.primary_key},
    )


@cache
def _readable(table: Table) -> tuple[FromClause, ColumnElement[str]]:
    """Return the rows of a table as the application may read them, and the column of their places."""
    if table.name == SearchLogRow.__tablename__:
        rows = rows_of_search_log(_STORE)
        return rows, rows.c.row_place
    place: ColumnElement[str] = literal_column(f"{table.name}.ctid::text", Text)
    return table, place


@cache
def _find_all(name: str) -> Select[*tuple[Any, ...]]:
    table = SQLModel.metadata.tables[name]
    rows, place = _readable(table)
    columns = [rows.c[place.column] for place in find_text_places(table)]
    keys = [rows.c[key.name] for key in table.primary_key if rows.c[key.name] not in columns]
    return select(place.label(_PLACE), *keys, *columns).where(_scope(rows, name))


@cache
def _find(name: str) -> Select[*tuple[Any, ...]]:
    table = SQLModel.metadata.tables[name]
    rows, _ = _readable(table)
    columns = [rows.c[place.column] for place in find_text_places(table)]
    said = func.concat_ws(" ", *(_text_of(column) for column in columns))
    small = func.lower(func.normalize(said, literal_column("NFKC")))
    squeezed = func.regexp_replace(small, "[^a-z0-9]+", "", "g")
    holds = or_(
        squeezed.like(any_(bindparam("squeezed", type_=ARRAY(Text)))),
        small.like(any_(bindparam("plain", type_=ARRAY(Text)))),
    )
    return _find_all(name).where(holds)


def _text_of(column: ColumnElement[Any]) -> ColumnElement[str]:
    if isinstance(column.type, Text):
        return column
    if isinstance(column.type, ARRAY):
        return cast(func.to_jsonb(column), Text)
    # What JSON escapes is no letter.
    return func.regexp_replace(cast(cast(column, JSONB), Text), r"\\(u[0-9a-f]{4}|.)", " ", "g")


def _is_of_stores(table: Table) -> bool:
    """Tell whether each row of a table belongs to a store."""
    names = {"session_id", "dream_id"} - ({"dream_id"} if table.name == "webhook_deliveries" else set())
    return table.name == "stores" or "store_id" in table.c or any(name in table.c for name in names)


def _scope(rows: FromClause, name: str) -> ColumnElement[bool]:
    """Return which rows of a table are of the store; of a table without stores, which are of the tenant."""
    if name == "tenants":
        return rows.c.id == _TENANT
    mine = rows.c.tenant_id == _TENANT
    if name == "stores":
        return and_(mine, rows.c.id == _STORE)
    if "store_id" in rows.c:
        return and_(mine, rows.c.store_id == _STORE)
    for key, parent in (("session_id", "sessions"), ("dream_id", "dreams")):
        # A delivery names its dream, or none.
        if key in rows.c and name != "webhook_deliveries":
            above = SQLModel.metadata.tables[parent]
            found = select(above.c.id).where(above.c.tenant_id == _TENANT, above.c.store_id == _STORE)
            return and_(mine, rows.c[key].in_(found))
    return mine
