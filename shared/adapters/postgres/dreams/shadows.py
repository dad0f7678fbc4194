"""Shadows: copies of a store that an evaluation dreams over. Row-level security hides them (schema/policies.sql).

A shadow has everything that a dream reads, so that it dreams as its store would: memories with their signals and links, hints, what
was forgotten, and the sessions, feedback and workflow runs that no dream has read yet. Rows keep their ids, with an ending.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Integer, Text, bindparam, func, insert, literal_column, null, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.sql import ColumnElement, Insert
from sqlmodel import SQLModel, col

from shared.adapters.postgres.memories.rows import SIGNAL_NAMES
from shared.adapters.postgres.sql.statements import execute, fetch
from shared.adapters.postgres.tables.mapping import store_from
from shared.adapters.postgres.tables.sessions import (
    FeedbackRow,
    SessionCueRow,
    SessionEventRow,
    SessionRow,
    SessionTermsRow,
    SkillUseRow,
    WorkflowRunRow,
)
from shared.adapters.postgres.tables.stores import (
    MemoryLinkRow,
    MemoryRow,
    MemoryVectorRow,
    MemoryVersionRow,
    PendingMergeRow,
    StoreRow,
    TombstoneRow,
)
from shared.adapters.ulid_ids import new_id
from shared.core.memory.model import MemoryState
from shared.core.tenants.shadow import SHADOW_PREFIX, name_shadow
from shared.core.tenants.store import Store

#: So many events before the unread ones are shown with them.
_EVENTS_BEFORE = 40
_TENANT, _SOURCE, _TARGET, _ENDING = (bindparam(name, type_=Text) for name in ("tenant", "source", "target", "ending"))
_NOT_COPIED = frozenset({"written_by"})


def _renamed(column: Any) -> ColumnElement[str]:  # noqa: ANN401 - a mapped column
    """Return the id of the copy of a row: a copy of a copy has one ending, too."""
    return func.split_part(column, ".", 1).concat(_ENDING)


def _copy(row: type[SQLModel], *conditions: Any, **changed: Any) -> Insert:  # noqa: ANN401 - SQL expressions
    """Return the statement that copies rows of a table, every column of it but those that change."""
    columns = [one for one in row.__table__.columns if one.computed is None and one.name not in _NOT_COPIED]  # type: ignore[attr-defined] # SQLModel's classes do not declare it
    values = [changed.get(one.name, one) for one in columns]
    of_tenant = row.__table__.c.tenant_id == _TENANT  # type: ignore[attr-defined] # as above
    copied = select(*values).where(of_tenant, *conditions)
    return insert(row).from_select([one.name for one in columns], copied, include_defaults=False)


def _of_source(row: Any) -> ColumnElement[bool]:  # noqa: ANN401 - a class of rows
    return col(row.store_id) == _SOURCE


_UNREAD = (
    select(col(SessionRow.id))
    .where(
        col(SessionRow.tenant_id) == _TENANT,
        _of_source(SessionRow),
        col(SessionRow.gathered_position) < col(SessionRow.last_position),
    )
    .scalar_subquery()
)


def _of_unread(row: Any) -> tuple[ColumnElement[bool], ...]:  # noqa: ANN401 - a class of rows
    """Return the conditions for what belongs to the unread part of a session."""
    begins = (
        select(col(SessionRow.gathered_position) - literal_column(str(_EVENTS_BEFORE), Integer))
        .where(col(SessionRow.tenant_id) == _TENANT, col(SessionRow.id) == col(row.session_id))
        .scalar_subquery()
    )
    return col(row.session_id).in_(_UNREAD), col(row.position) > begins


_IN_TARGET = {"store_id": _TARGET}
_COPY_STORE = _copy(
    StoreRow,
    col(StoreRow.id) == _SOURCE,
    id=_TARGET,
    name=bindparam("name", type_=Text),
    profile=bindparam("profile", type_=Text),
    overrides=bindparam("overrides", type_=JSONB),
    llm=bindparam("llm", type_=JSONB),
    paused_at=null(),
    pending_tasks=literal_column("0"),
    active_until=null(),
    next_check_at=null(),
    digest_check_at=null(),
    compaction_check_at=null(),
    last_verdict=null(),
    is_quarantined=literal_column("false"),
    archived_at=null(),
    arm=literal_column("''"),
    arm_set_at=null(),
    arm_before=literal_column("'{}'::jsonb"),
    created_at=func.now(),
)
_COPY_ROWS = (
    _copy(
        MemoryRow,
        _of_source(MemoryRow),
        col(MemoryRow.state) != MemoryState.REMOVED,
        id=_renamed(MemoryRow.id),
        superseded_by=_renamed(MemoryRow.superseded_by),
        **_IN_TARGET,
    ),
    _copy(MemoryLinkRow, _of_source(MemoryLinkRow), memory_id=_renamed(MemoryLinkRow.memory_id), **_IN_TARGET),
    _copy(MemoryVectorRow, _of_source(MemoryVectorRow), memory_id=_renamed(MemoryVectorRow.memory_id), **_IN_TARGET),
    _copy(PendingMergeRow, _of_source(PendingMergeRow), **_IN_TARGET),
    _copy(TombstoneRow, _of_source(TombstoneRow), **_IN_TARGET),
    _copy(
        SessionRow, _of_source(SessionRow), col(SessionRow.id).in_(_UNREAD), id=_renamed(SessionRow.id), **_IN_TARGET
    ),
    *(
        _copy(row, *_of_unread(row), session_id=_renamed(row.session_id))
        for row in (SessionEventRow, SessionCueRow, SessionTermsRow)
    ),
    *(
        _copy(row, _of_source(row), col(row.consumed_at).is_(None), id=_renamed(row.id), **_IN_TARGET)
        for row in (FeedbackRow, WorkflowRunRow)
    ),
    _copy(SkillUseRow, _of_source(SkillUseRow), **_IN_TARGET),
)
#: A copy has one version of each memory: the current one.
_OF_VERSION = ("version", "tenant_id", "store_id", "path", "content", "state", "author")
_COPY_VERSIONS = insert(MemoryVersionRow).from_select(
    ["memory_id", *_OF_VERSION, "signals", "change", "actor"],
    select(
        col(MemoryRow.id),
        *(col(getattr(MemoryRow, name)) for name in _OF_VERSION),
        func.jsonb_build_object(*(part for name in SIGNAL_NAMES for part in (name, col(getattr(MemoryRow, name))))),
        literal_column("'copy'"),
        literal_column("''"),
    ).where(col(MemoryRow.tenant_id) == _TENANT, col(MemoryRow.store_id) == _TARGET),
    include_defaults=False,
)
_FIND = (
    select(StoreRow)
    .where(
        col(StoreRow.tenant_id) == _TENANT,
        func.starts_with(col(StoreRow.id), SHADOW_PREFIX),
        func.starts_with(col(StoreRow.name), bindparam("begins", type_=Text)),
    )
    .order_by(col(StoreRow.id))
)


class PostgresShadowRepository:
    """Implements `ShadowRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def copy(
        self,
        evaluation_id: str,
        source: Store,
        *,
        profile: str,
        overrides: Mapping[str, object],
        llm: Mapping[str, str],
        repeat: int = 0,
    ) -> Store:
        """Copy a store or a shadow of it, with these settings; `repeat` counts the copies that dream alike."""
        store_id = new_id(SHADOW_PREFIX.removesuffix("_"))
        mark = store_id.removeprefix(SHADOW_PREFIX)
        name = name_shadow(evaluation_id, mark, source.name, repeat)
        keys = {"tenant": self._tenant_id, "source": source.id, "target": store_id, "ending": f".{mark}"}
        settings = {"name": name, "profile": profile, "overrides": dict(overrides), "llm": dict(llm)}
        execute(self._connection, _COPY_STORE, keys | settings)
        for statement in (*_COPY_ROWS, _COPY_VERSIONS):
            execute(self._connection, statement, keys)
        return next(one for one in self.find(evaluation_id) if one.id == store_id)

    def find(self, evaluation_id: str) -> list[Store]:
        """Return the shadows of an evaluation, the oldest first."""
        rows = fetch(self._connection, _FIND, {"tenant": self._tenant_id, "begins": f"{evaluation_id}/"})
        return [store_from(row) for row in rows]
