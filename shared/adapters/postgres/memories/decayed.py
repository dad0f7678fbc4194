"""Importance as it is by now, as an expression: what `shared.core.upkeep.decay.decayed_importance` says, for ranking in the database."""

from datetime import datetime

from sqlalchemy import TIMESTAMP, ColumnElement, and_, bindparam, case, func, or_

from shared.adapters.postgres.tables.mapping import MEMORIES
from shared.core.policy.upkeep import DecayLaw, DecayPolicy
from shared.core.upkeep.decay import EXEMPT_CATEGORIES, decide_decays

_DAY_SECONDS = 86_400.0


def decayed_importance(policy: DecayPolicy) -> ColumnElement[float]:
    """Return the expression, at the moment that is bound as `now`. A contract test compares it with the function."""
    stored: ColumnElement[float] = MEMORIES.c.importance
    if not decide_decays(policy):
        return stored
    stays = or_(MEMORIES.c.category.in_(EXEMPT_CATEGORIES), MEMORIES.c.doc_type.in_(EXEMPT_CATEGORIES))
    if policy.only_unused:
        stays = or_(stays, MEMORIES.c.access_count > 0, MEMORIES.c.reinforcement_count > 0)
    touched_days = _days_since(MEMORIES.c.touched_at)
    if policy.law is DecayLaw.DAILY:
        return case((stays, stored), else_=stored * func.power(policy.daily_factor, touched_days))
    unseen_days = _days_since(func.coalesce(MEMORIES.c.last_seen_at, MEMORIES.c.touched_at))
    days = func.least(unseen_days - policy.grace_days, touched_days)
    fallen = func.greatest(policy.floor_importance, stored * func.power(0.5, days / policy.half_life_days))
    falls = and_(stored > policy.floor_importance, days > 0)
    return case((stays, stored), (falls, fallen), else_=stored)


def _days_since(moment: ColumnElement[datetime]) -> ColumnElement[float]:
    seconds = func.extract("epoch", bindparam("now", type_=TIMESTAMP(timezone=True)) - moment)
    return func.greatest(0.0, seconds / _DAY_SECONDS)
