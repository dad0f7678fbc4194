"""The dreams of arms: for each store, what its dreams did since it was put into its arm."""

from typing import Any

from sqlalchemy import Connection, Float, Integer, Text, and_, bindparam, func, literal_column, or_, select
from sqlalchemy.sql import ColumnElement
from sqlmodel import col

from shared.adapters.postgres.sql.statements import fetch
from shared.adapters.postgres.tables.dreams import DreamRow, OperationRow
from shared.adapters.postgres.tables.stores import StoreRow
from shared.core.dream.model import UNDOABLE_STATES, UPKEEP_TRIGGERS, DreamState, ReviewState
from shared.core.dream.recall import ProbeKind
from shared.core.evaluation.arms import MARGIN, ArmStore

_ENDED = sorted({*UNDOABLE_STATES, DreamState.UNDONE})


def _told(*place: str) -> ColumnElement[float]:
    return func.coalesce(col(DreamRow.summary)[place].astext.cast(Float), literal_column("0"))


_ASKED, _BEFORE, _AFTER = (_told("recall", ProbeKind.PAIR, name) for name in ("asked", "before", "after"))
_DELTA = (_AFTER - _BEFORE) / func.nullif(_ASKED, literal_column("0"))
_OPERATIONS = (
    select(
        col(OperationRow.dream_id),
        func.count().label("operations"),
        func.count().filter(col(OperationRow.review) == ReviewState.REJECTED).label("rejected"),
    )
    .where(col(OperationRow.tenant_id) == bindparam("tenant", type_=Text))
    .group_by(col(OperationRow.dream_id))
    .subquery()
)
_JOINED = (
    select(StoreRow)
    .outerjoin(
        DreamRow,
        and_(
            col(DreamRow.tenant_id) == col(StoreRow.tenant_id),
            col(DreamRow.store_id) == col(StoreRow.id),
            col(DreamRow.state).in_(_ENDED),
            col(DreamRow.trigger).not_in(sorted(UPKEEP_TRIGGERS)),
            ~col(DreamRow.is_dry_run),
            or_(col(StoreRow.arm_set_at).is_(None), col(DreamRow.created_at) >= col(StoreRow.arm_set_at)),
        ),
    )
    .where(col(StoreRow.tenant_id) == bindparam("tenant", type_=Text))
)
_COUNTS: tuple[Any, ...] = (
    col(StoreRow.arm),
    col(StoreRow.name).label("store"),
    col(StoreRow.arm_set_at).label("since"),
    func.count(col(DreamRow.id)).label("dreams"),
    func.count().filter(literal_column("0") < _ASKED).label("measured"),
    func.count().filter(bindparam("worst", type_=Float) > _DELTA).label("fell"),
    func.coalesce(func.sum(_DELTA), literal_column("0")).label("delta"),
    func.sum(_ASKED).cast(Integer).label("asked"),
    func.sum(_BEFORE).cast(Integer).label("before"),
    func.sum(_AFTER).cast(Integer).label("after"),
)
_GROUPS = (col(StoreRow.id), col(StoreRow.arm), col(StoreRow.name), col(StoreRow.arm_set_at))
_OF_ARM = (
    _JOINED.with_only_columns(*_COUNTS, maintain_column_froms=True)
    .where(col(StoreRow.arm) == bindparam("arm", type_=Text))
    .group_by(*_GROUPS)
)
_OF_ALL = (
    _JOINED.outerjoin(_OPERATIONS, _OPERATIONS.c.dream_id == col(DreamRow.id))
    .with_only_columns(
        *_COUNTS,
        func.sum(_told("cost_usd")).label("cost_usd"),
        func.coalesce(func.sum(_OPERATIONS.c.operations), literal_column("0")).cast(Integer).label("operations"),
        func.coalesce(func.sum(_OPERATIONS.c.rejected), literal_column("0")).cast(Integer).label("rejected"),
        maintain_column_froms=True,
    )
    .group_by(*_GROUPS)
)


def find_arms(connection: Connection, tenant_id: str, arm: str | None) -> list[ArmStore]:
    """Return the stores of an arm with what their dreams did to recall; without one all stores, also with costs and verdicts."""
    values = {"tenant": tenant_id, "worst": -MARGIN} | ({"arm": arm} if arm is not None else {})
    return [ArmStore(**row) for row in fetch(connection, _OF_ALL if arm is None else _OF_ARM, values)]
