"""Budgets in dollars: sums over model calls and reservations, and the alerts about them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import (
    ARRAY,
    Connection,
    DateTime,
    Float,
    Interval,
    Select,
    Text,
    any_,
    bindparam,
    case,
    delete,
    func,
    literal,
    select,
)
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col

from shared.adapters.postgres.sql.statements import Row, execute, fetch, fetch_tuples
from shared.adapters.postgres.tables.dreams import DreamRow, LlmCallRow
from shared.adapters.postgres.tables.steps import BatchCallRow, BudgetAlertRow, CostReservationRow
from shared.core.budgets.dollars import BudgetUse, DollarBudget, Period, Scope, find_period
from shared.core.dream.model import DreamState
from shared.core.evaluation.model import PREFIX

#: Alerts of earlier periods are kept this long, to show when a budget was used up.
_KEPT = timedelta(days=92)
_TENANT = bindparam("tenant", type_=Text)
_STORES = bindparam("stores", type_=ARRAY(Text))
#: The requested stores; the calls of all others are summed up together.
_STORE = case((col(DreamRow.store_id) == any_(_STORES), col(DreamRow.store_id)), else_=literal("", type_=Text))
#: A call of an evaluation outlives its dream.
_PAID_FOR = func.coalesce(col(LlmCallRow.paid_for), col(DreamRow.store_id))
_PAYING = case((any_(_STORES) == _PAID_FOR, _PAID_FOR), else_=literal("", type_=Text))
_COST = col(LlmCallRow.cost_usd)
_SPENT = (
    select(
        _PAYING.label("store"),
        func.coalesce(
            func.sum(_COST).filter(col(LlmCallRow.created_at) >= bindparam("day", type_=DateTime(timezone=True))), 0.0
        ).label("of_day"),
        func.sum(_COST).label("of_month"),
    )
    .select_from(LlmCallRow)
    .outerjoin(DreamRow, (col(DreamRow.tenant_id) == _TENANT) & (col(DreamRow.id) == col(LlmCallRow.dream_id)))
    .where(
        col(LlmCallRow.tenant_id) == _TENANT,
        col(LlmCallRow.created_at) >= bindparam("since", type_=DateTime(timezone=True)),
        _COST > 0,
    )
    .group_by(_PAYING)
)
_OF_QUESTIONS = (
    select(_STORE.label("store"), func.sum(col(CostReservationRow.usd), type_=Float).label("usd"))
    .select_from(CostReservationRow)
    .join(DreamRow, col(DreamRow.id) == col(CostReservationRow.dream_id))
    .where(
        col(CostReservationRow.tenant_id) == _TENANT,
        col(DreamRow.tenant_id) == _TENANT,
        col(DreamRow.state) == DreamState.RUNNING,
        col(DreamRow.epoch) == col(CostReservationRow.epoch),
    )
    .group_by(_STORE)
)
_OF_BATCHES = (
    select(_STORE.label("store"), func.sum(col(BatchCallRow.reserved_usd), type_=Float).label("usd"))
    .select_from(BatchCallRow)
    .join(DreamRow, col(DreamRow.id) == col(BatchCallRow.dream_id))
    .where(col(BatchCallRow.tenant_id) == _TENANT, col(DreamRow.tenant_id) == _TENANT)
    .group_by(_STORE)
)
_HELD_FOR = case(
    (col(CostReservationRow.store_id) == any_(_STORES), col(CostReservationRow.store_id)), else_=literal("", type_=Text)
)
_IS_HELD = (
    (col(CostReservationRow.tenant_id) == _TENANT)
    & col(CostReservationRow.dream_id).is_(None)
    & (col(CostReservationRow.expires_at) > func.now())
)
#: The copies of a store are stores of their own: its budgets see what is held for them, the tenant's see what they spend.
_IS_OF_COPIES = func.starts_with(col(CostReservationRow.id), f"{PREFIX}_")
_OF_REPLAYS = (
    select(_HELD_FOR.label("store"), func.sum(col(CostReservationRow.usd), type_=Float).label("usd"))
    .where(_IS_HELD, ~_IS_OF_COPIES)
    .group_by(_HELD_FOR)
)
_HELD: Select[str, float] = (
    select(
        col(CostReservationRow.store_id).label("store"), func.sum(col(CostReservationRow.usd), type_=Float).label("usd")
    )
    .where(_IS_HELD, _IS_OF_COPIES, col(CostReservationRow.store_id) == any_(_STORES))
    .group_by(col(CostReservationRow.store_id))
)
_RESERVED = _OF_QUESTIONS.union_all(_OF_BATCHES, _OF_REPLAYS)
_ALERTS = select(BudgetAlertRow).where(
    col(BudgetAlertRow.tenant_id) == _TENANT, col(BudgetAlertRow.period) >= bindparam("since")
)
_RESERVE = insert(CostReservationRow).on_conflict_do_nothing()
_HOLD = insert(CostReservationRow).values(
    id=bindparam("id"),
    tenant_id=_TENANT,
    store_id=bindparam("store"),
    usd=bindparam("amount"),
    expires_at=func.now() + bindparam("lease", type_=Interval),
)
_MINE = col(CostReservationRow.tenant_id) == _TENANT
_RELEASE = delete(CostReservationRow).where(
    _MINE, col(CostReservationRow.id) == any_(bindparam("ids", type_=ARRAY(Text)))
)
_RELEASE_EXPIRED = delete(CostReservationRow).where(_MINE, col(CostReservationRow.expires_at) <= func.now())
_RELEASE_DREAM = delete(CostReservationRow).where(_MINE, col(CostReservationRow.dream_id) == bindparam("dream"))
_TELL = insert(BudgetAlertRow).on_conflict_do_nothing()
_NEW = insert(BudgetAlertRow)
_REFUSE = _NEW.on_conflict_do_update(
    index_elements=["tenant_id", "store_id", "budget", "period"],
    set_={"limit_usd": _NEW.excluded.limit_usd, "refused_at": func.now()},
)
_FORGET = delete(BudgetAlertRow).where(
    col(BudgetAlertRow.tenant_id) == _TENANT, col(BudgetAlertRow.period) < bindparam("before")
)


class PostgresBudgetRepository:
    """Implements `BudgetRepository`."""

    def __init__(self, connection: Connection, tenant_id: str) -> None:
        self._connection = connection
        self._tenant_id = tenant_id

    def find_uses(self, budgets: Sequence[DollarBudget], now: datetime) -> tuple[BudgetUse, ...]:
        """Return the use of budgets in their current period, in the given order."""
        if not budgets:
            return ()
        since = min(find_period(budget.period, now)[0] for budget in budgets)
        values = {"tenant": self._tenant_id, "stores": sorted({b.store_id for b in budgets if b.store_id})}
        day, _ = find_period(Period.DAY, now)
        spent: dict[str, Counter[str]] = defaultdict(Counter)
        for row in fetch(self._connection, _SPENT, values | {"day": day, "since": since}):
            spent[row["store"]].update({"of_day": row["of_day"], "of_month": row["of_month"]})
        reserved: dict[str, float] = {}
        for store, usd in fetch_tuples(self._connection, _RESERVED, values):
            reserved[store] = reserved.get(store, 0.0) + float(usd)
        held = dict(fetch_tuples(self._connection, _HELD, values)) if values["stores"] else {}
        alerts = {
            (row["store_id"], row["budget"], row["period"]): row
            for row in fetch(self._connection, _ALERTS, {"tenant": self._tenant_id, "since": since.date()})
        }
        return tuple(_use(budget, spent, reserved, held, alerts, now) for budget in budgets)

    def reserve(self, reservation_id: str, *, store_id: str, dream_id: str, epoch: int, usd: float) -> None:
        """Reserve the maximum price of a question, for as long as its dream runs in this epoch."""
        values = {"id": reservation_id, "store_id": store_id, "dream_id": dream_id, "epoch": epoch, "usd": usd}
        execute(self._connection, _RESERVE.values(tenant_id=self._tenant_id, **values))

    def hold(self, reservation_id: str, *, store_id: str, usd: float, seconds: float) -> None:
        """Reserve what an evaluation may spend, for a limited time. Expired reservations are deleted."""
        execute(self._connection, _RELEASE_EXPIRED, {"tenant": self._tenant_id})
        values = {"id": reservation_id, "tenant": self._tenant_id, "store": store_id, "amount": usd}
        execute(self._connection, _HOLD, values | {"lease": timedelta(seconds=seconds)})

    def release(self, reservation_ids: Collection[str]) -> None:
        """Release reservations."""
        if reservation_ids:
            execute(self._connection, _RELEASE, {"tenant": self._tenant_id, "ids": list(reservation_ids)})

    def release_dream(self, dream_id: str) -> None:
        """Release all reservations of a dream, because none of its processes asks any more."""
        execute(self._connection, _RELEASE_DREAM, {"tenant": self._tenant_id, "dream": dream_id})

    def record_told(self, use: BudgetUse) -> bool:
        """Record the alert of a budget in its period; return whether it is the first one."""
        is_new = bool(execute(self._connection, _TELL.values(self._values(use))))
        if is_new:
            before = (use.starts_at - _KEPT).date()
            execute(self._connection, _FORGET, {"tenant": self._tenant_id, "before": before})
        return is_new

    def record_refused(self, use: BudgetUse) -> None:
        """Record that a question was refused because too little of a budget was left."""
        values = {**self._values(use), "refused_at": func.now()}
        execute(self._connection, _REFUSE.values(values))

    def _values(self, use: BudgetUse) -> dict[str, object]:
        return {
            "tenant_id": self._tenant_id,
            "store_id": use.budget.store_id,
            "budget": use.budget.name,
            "period": use.starts_at.date(),
            "limit_usd": use.budget.limit_usd,
        }


def _use(
    budget: DollarBudget,
    spent: Mapping[str, Mapping[str, float]],
    reserved: Mapping[str, float],
    held: Mapping[str, float],
    alerts: dict[tuple[str, str, object], Row],
    now: datetime,
) -> BudgetUse:
    starts_at, ends_at = find_period(budget.period, now)
    column = "of_day" if budget.period is Period.DAY else "of_month"
    wanted = set(spent) if budget.scope is Scope.TENANT else {budget.store_id}
    told = alerts.get((budget.store_id, budget.name, starts_at.date()))
    is_raised = told is not None and budget.limit_usd > told["limit_usd"]
    mine = [of.get(budget.store_id, 0.0) for of in (reserved, held)]
    return BudgetUse(
        budget=budget,
        spent_usd=float(sum(spent[store][column] for store in wanted if store in spent)),
        reserved_usd=sum(reserved.values() if budget.scope is Scope.TENANT else mine),
        starts_at=starts_at,
        ends_at=ends_at,
        was_refused=told is not None and told["refused_at"] is not None and not is_raised,
        is_told=told is not None,
    )
