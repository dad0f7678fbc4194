"""Preview a change of a store's settings: the differences, and when the store would have dreamt with them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.core.dream.model import Dream
from shared.core.dream.phase_catalog import PhaseCatalog
from shared.core.errors import BadInputError
from shared.core.gates.replay import Activity, Clock, Replay, replay_gates
from shared.core.listings.period import Period
from shared.core.policy.profiles import override_keys
from shared.core.tenants.store import Store
from shared.ports.database import Database, UnitOfWork
from shared.services.tenants.configure import StoreChanges, apply_changes

MAX_DAYS = 14
#: How far back activity before the previous period's last dream is read.
_LOOK_BACK = timedelta(days=30)
_MOST_DREAMS, _NEWEST = 1_000, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPreview:
    """The effects that a change of a store's settings would have.

    Attributes:
        store: as it is.
        changed: as it would be.
        differences: the value of each setting that differs, before and after, by its key.
        since: the beginning of the period over which the gates were replayed.
        until: its end, which is now.
        present: when it would have dreamt with the settings that it has.
        wanted: when it would have dreamt with the changed ones.
        dreamt: when it has dreamt.
        usd_per_dream: what these dreams have cost in the mean; None when there were none, or their price is unknown.
    """

    store: Store
    changed: Store
    differences: Mapping[str, tuple[object, object]]
    since: datetime
    until: datetime
    present: Replay
    wanted: Replay
    dreamt: tuple[datetime, ...]
    usd_per_dream: float | None


def preview_store(
    db: Database, tenant_id: str, store_name: str, *, changes: StoreChanges, phases: PhaseCatalog, days: int = 7
) -> PolicyPreview:
    """Return the effects of a change, and when the store would have dreamt in the last days. Nothing is changed.

    Raises:
        BadInputError: a setting or a value cannot hold, or there are too many days.
        NotFoundError: there is no such store.
    """
    if not 1 <= days <= MAX_DAYS:
        raise BadInputError(f"A preview covers 1 to {MAX_DAYS} days, not {days}")
    with db.transaction(tenant_id) as uow:
        tenant, store, until = uow.stores.get_tenant(), uow.stores.get(store_name), uow.now()
        changed = apply_changes(store, changes, phases)
        since = until - timedelta(days=days)
        then, activity = _find_history(uow, store, since)
        dreams = _find_whole(uow, store, Period(since=since), limit=_MOST_DREAMS)
    clock = Clock(quiet_hours=tenant.quiet_hours, time_zone=tenant.time_zone)
    wanted = replace(then, profile=changed.profile, overrides=changed.overrides)
    return PolicyPreview(
        store=store,
        changed=changed,
        differences=_find_differences(store, changed, phases),
        since=since,
        until=until,
        present=replay_gates(then, activity, clock, since=since, until=until),
        wanted=replay_gates(wanted, activity, clock, since=since, until=until),
        dreamt=tuple(_moment_of(dream) for dream in reversed(dreams)),
        usd_per_dream=_find_mean_cost(dreams),
    )


def _find_history(uow: UnitOfWork, store: Store, since: datetime) -> tuple[Store, list[Activity]]:
    """Return a store as it was at a given time, and its activity since then."""
    earlier = _find_whole(uow, store, Period(until=since), limit=_NEWEST)
    last_dream_at = _moment_of(earlier[0]) if earlier else None
    received = uow.activity.find_received(store.id, since=max(last_dream_at or since - _LOOK_BACK, since - _LOOK_BACK))
    before = [one for one in received if one.at < since]
    then = replace(
        store,
        last_dream_at=last_dream_at,
        curations=sum(one.curations for one in before),
        sessions=sum(one.sessions for one in before),
        last_activity_at=before[-1].at if before else None,
        last_check_at=None,
        last_verdict=None,
        waiting_sessions=0,
        waiting_changes=0,
    )
    return then, [one for one in received if one.at >= since]


def _find_whole(uow: UnitOfWork, store: Store, period: Period, *, limit: int) -> list[Dream]:
    """Return a store's whole dreams, newest first: neither dry runs nor upkeep."""
    found = uow.dreams.find_recent(store_id=store.id, limit=limit, period=period)
    return [dream for dream in found if not dream.is_dry_run and not dream.is_upkeep]


def _moment_of(dream: Dream) -> datetime:
    return dream.started_at or dream.created_at


def _find_differences(store: Store, changed: Store, phases: PhaseCatalog) -> dict[str, tuple[object, object]]:
    pairs: dict[str, tuple[object, object]] = {
        "profile": (store.profile, changed.profile),
        "autonomy": (str(store.autonomy), str(changed.autonomy)),
    }
    before, after = store.policy, changed.policy
    for key in override_keys(phases.switches):
        pairs[key] = phases.get_setting(before, key), phases.get_setting(after, key)
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def _find_mean_cost(dreams: list[Dream]) -> float | None:
    costs = [dream.summary.cost_usd for dream in dreams if dream.summary is not None and dream.summary.cost_usd > 0]
    return sum(costs) / len(costs) if costs else None
