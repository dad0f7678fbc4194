"""Memories of one store as files in folders: a folder at a time, the files that links name, and those of a day."""

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import INTEGER, Connection, Text, and_, any_, bindparam, func, literal_column, or_, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import col

from shared.adapters.postgres.memories.rows import (
    GENERATED_PATHS,
    HEAD_COLUMNS,
    IS_LIVE,
    OF_STORE,
    head_from,
    select_domain,
    version_from,
)
from shared.adapters.postgres.sql.statements import fetch, fetch_tuples
from shared.adapters.postgres.tables.stores import MemoryRow, MemoryVersionRow, Moment
from shared.core.memory.doc_type import DAILY_DIGEST
from shared.core.memory.model import MemoryHead
from shared.core.sessions.statement_text import SUPERSEDED_HEADING
from shared.ports.memories import Folder, MemoryVersion

_PATH = col(MemoryRow.path)
_FOLDER = bindparam("folder", type_=Text)
#: What follows the folder in a path: counted in characters, as the folder's length is.
_REST = func.substr(_PATH, bindparam("start", type_=INTEGER))
_STEP = func.split_part(_REST, "/", 1)
_INSIDE = (OF_STORE, IS_LIVE, func.starts_with(_PATH, _FOLDER))
_IS_DEEPER = func.strpos(_REST, "/") > 0
_FOLDERS = (
    select(_STEP.label("step"), func.count())
    .where(*_INSIDE, _IS_DEEPER, bindparam("after", type_=Text) < _STEP)
    .group_by(literal_column("step"))
    .order_by(literal_column("step"))
    .limit(bindparam("limit"))
)
#: Paths alone are read from the index; the rows of those that are shown come by their paths.
_FILE_PATHS = (
    select(_PATH)
    .where(*_INSIDE, ~_IS_DEEPER, bindparam("after", type_=Text) < _PATH)
    .order_by(_PATH)
    .limit(bindparam("limit"))
)
_FILES = (
    select(*HEAD_COLUMNS).where(OF_STORE, IS_LIVE, any_(bindparam("paths", type_=ARRAY(Text))) == _PATH).order_by(_PATH)
)
#: The indexes among them are shown whatever they are made of.
_IDS = select(_PATH, col(MemoryRow.id)).where(OF_STORE, IS_LIVE, any_(bindparam("paths", type_=ARRAY(Text))) == _PATH)
_NAME = func.split_part(_PATH, "/", -1)
_NAMED = (
    select(_NAME, func.min(_PATH))
    .where(OF_STORE, IS_LIVE, any_(bindparam("names", type_=ARRAY(Text))) == _NAME)
    .group_by(_NAME)
)
#: Most paths are told for those of topics by their ends, in a tenth of the time that the pattern takes.
_IS_PLAIN = and_(
    func.right(_PATH, 3) == ".md",
    func.left(_PATH, 5) != "logs/",
    func.left(_PATH, 7) != "skills/",
    func.left(_PATH, 10) != "_archived/",
    func.right(_PATH, 8).not_in([".stub.md", ".full.md"]),
    func.right(_PATH, 9).not_in(["MEMORY.md", "_index.md"]),
    func.right(_PATH, 12).not_in([".abstract.md", ".overview.md"]),
)
_COUNT_TOPICS = (
    select(select_domain(_PATH).label("domain"), func.count())
    .where(OF_STORE, IS_LIVE, or_(_IS_PLAIN, _PATH.op("!~")(GENERATED_PATHS)))
    .group_by(literal_column("domain"))
)
_HEADLINES = (
    select(col(MemoryRow.id), _PATH, col(MemoryRow.title).concat(" ").concat(col(MemoryRow.summary)))
    .where(
        OF_STORE,
        IS_LIVE,
        select_domain(_PATH) == any_(bindparam("domains", type_=ARRAY(Text))),
        col(MemoryRow.category) != DAILY_DIGEST,
        col(MemoryRow.doc_type) != DAILY_DIGEST,
    )
    .order_by(_PATH)
)

_NEWEST_THEN = (
    select(col(MemoryVersionRow.version))
    .where(
        col(MemoryVersionRow.memory_id) == col(MemoryRow.id),
        col(MemoryVersionRow.created_at) < bindparam("before", type_=Moment),
    )
    .order_by(col(MemoryVersionRow.version).desc())
    .limit(1)
    .correlate(MemoryRow)
    .scalar_subquery()
)
_FIND_AS_OF = (
    select(MemoryVersionRow)
    .join(
        MemoryRow,
        (col(MemoryVersionRow.memory_id) == col(MemoryRow.id)) & (col(MemoryVersionRow.version) == _NEWEST_THEN),
    )
    .where(
        OF_STORE,
        col(MemoryVersionRow.state) == literal_column("'live'"),
        col(MemoryVersionRow.redacted_at).is_(None),
        func.starts_with(col(MemoryVersionRow.path), bindparam("prefix", type_=Text)),
        col(MemoryVersionRow.path) > bindparam("after_path", type_=Text),
    )
    .order_by(col(MemoryVersionRow.path))
    .limit(bindparam("limit"))
)
#: What was written later and says of itself what no longer holds.
_FIND_TOLD_LATER = (
    select(MemoryVersionRow)
    .join(
        MemoryRow,
        (col(MemoryVersionRow.memory_id) == col(MemoryRow.id))
        & (col(MemoryVersionRow.version) == col(MemoryRow.version)),
    )
    .where(
        OF_STORE,
        _NEWEST_THEN.is_(None),
        col(MemoryRow.state) == literal_column("'live'"),
        col(MemoryVersionRow.content).contains(SUPERSEDED_HEADING),
        func.starts_with(col(MemoryVersionRow.path), bindparam("prefix", type_=Text)),
        col(MemoryVersionRow.path) > bindparam("after_path", type_=Text),
    )
    .order_by(col(MemoryVersionRow.path))
)


class PostgresMemoryTreeRepository:
    """Implements `MemoryTreeRepository` on one connection whose transaction is already the tenant's."""

    def __init__(self, connection: Connection, tenant_id: str, store_id: str) -> None:
        self._connection = connection
        self._keys = {"tenant": tenant_id, "store": store_id}

    def find_folders(self, folder: str, *, after: str, limit: int) -> list[Folder]:
        """Return the folders right inside a folder, by name."""
        rows = fetch_tuples(self._connection, _FOLDERS, self._inside(folder, after, limit))
        return [Folder(path=f"{folder}{step}/", memories=number) for step, number in rows]

    def find_files(self, folder: str, *, after_path: str, limit: int) -> list[MemoryHead]:
        """Return the memories right inside a folder, without their texts, by path."""
        rows = fetch_tuples(self._connection, _FILE_PATHS, self._inside(folder, after_path, limit))
        paths = [path for (path,) in rows]
        found = fetch_tuples(self._connection, _FILES, self._keys | {"paths": paths}) if paths else []
        return [head_from(row) for row in found]

    def find_as_of(self, before: datetime, *, prefix: str, after_path: str, limit: int) -> list[MemoryVersion]:
        """Return what was live right before a moment, each in the version that it had, by path."""
        values = {"before": before, "prefix": prefix, "after_path": after_path, "limit": limit}
        return [version_from(row) for row in fetch(self._connection, _FIND_AS_OF, self._keys | values)]

    def find_told_later(self, before: datetime, *, prefix: str, after_path: str) -> list[MemoryVersion]:
        """Return the current versions of live memories first written from a moment on, and with a superseded part, by path."""
        values = {"before": before, "prefix": prefix, "after_path": after_path}
        return [version_from(row) for row in fetch(self._connection, _FIND_TOLD_LATER, self._keys | values)]

    def find_ids(self, paths: Collection[str]) -> dict[str, str]:
        """Return the ids of the live memories at these paths."""
        return dict(fetch_tuples(self._connection, _IDS, self._keys | {"paths": list(paths)})) if paths else {}

    def find_named(self, names: Collection[str]) -> dict[str, str]:
        """Return a path for each of these file names that a live memory has, in whatever folder."""
        return dict(fetch_tuples(self._connection, _NAMED, self._keys | {"names": list(names)})) if names else {}

    def count_topics(self) -> dict[str, int]:
        """Return how many live memories on topics each domain has."""
        return dict(fetch_tuples(self._connection, _COUNT_TOPICS, self._keys))

    def find_headlines(self, domains: Collection[str]) -> list[tuple[str, str, str]]:
        """Return (id, path, title and summary) of live memories in these domains, by path, but for digests."""
        rows = fetch_tuples(self._connection, _HEADLINES, self._keys | {"domains": list(domains)})
        return [(memory_id, path, said) for memory_id, path, said in rows]

    def _inside(self, folder: str, after: str, limit: int) -> Mapping[str, object]:
        return self._keys | {"folder": folder, "start": len(folder) + 1, "after": after, "limit": limit}
