"""Decayed importance as an SQL expression, for ranking: the same law as `shared.core.upkeep.decay.decayed_importance`."""

from datetime import datetime

from sqlalchemy import ColumnElement, Double, SQLColumnExpression, and_, bindparam, case, func, or_
from sqlalchemy.orm import Mapped
from sqlmodel import col

from shared.adapters.postgres.tables.stores import MemoryRow, Moment
from shared.core.policy.upkeep import DecayLaw, DecayPolicy
from shared.core.upkeep.decay import EXEMPT_CATEGORIES, decide_decays

_DAY_SECONDS = 86_400.0


def decayed_importance(policy: DecayPolicy) -> SQLColumnExpression[float]:
    """Return the importance at the moment that is bound as `now`. A contract test compares it with the function."""
    stored = col(MemoryRow.importance)
    if not decide_decays(policy):
        return stored
    stays = is_lasting()
    if policy.only_unused:
        stays = or_(stays, col(MemoryRow.access_count) > 0, col(MemoryRow.reinforcement_count) > 0)
    touched_days = days_since(col(MemoryRow.touched_at))
    if policy.law is DecayLaw.DAILY:
        return case((stays, stored), else_=stored * func.power(policy.daily_factor, touched_days))
    unseen_days = days_since(func.coalesce(col(MemoryRow.last_seen_at), col(MemoryRow.touched_at)))
    days = func.least(unseen_days - policy.grace_days, touched_days)
    fallen = func.greatest(policy.floor_importance, stored * func.power(0.5, days / policy.half_life_days))
    falls = and_(stored > policy.floor_importance, days > 0)
    return case((stays, stored), (falls, fallen), else_=stored)


def is_lasting() -> ColumnElement[bool]:
    """Return the condition that the frontmatter exempts a memory from decay, as `is_exempt` does."""
    return or_(col(MemoryRow.category).in_(EXEMPT_CATEGORIES), col(MemoryRow.doc_type).in_(EXEMPT_CATEGORIES))


def days_since(moment: Mapped[datetime] | ColumnElement[datetime]) -> ColumnElement[float]:
    """Return the days from a moment to the one that is bound as `now`, 0 for a later one."""
    seconds = func.extract("epoch", bindparam("now", type_=Moment) - moment).cast(Double)
    return func.greatest(0.0, seconds / _DAY_SECONDS)
