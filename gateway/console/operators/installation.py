"""Show how the installation is: alerts, queues, workers, sweeps, quarantines and pauses."""

from collections.abc import Mapping
from contextlib import closing

from fastapi import APIRouter, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, page_of, place_of, read_parts
from gateway.console.pages import page
from gateway.console.views import words
from gateway.console.visitor import HOME, OperatorReader
from shared.adapters.redis.worker_pulse import find_workers
from shared.bootstrap import make_counters, redis_url
from shared.ports.database import Database
from shared.services.operators import find_alerts, find_quarantined_stores
from shared.settings import Settings

router = APIRouter(prefix=HOME, include_in_schema=False)
_QUARANTINES_SHOWN = 25
_Gauges = Mapping[tuple[str, str], float]
#: Lines in which something waits: the name, the gauge of how much, and the gauge of how long the oldest waits.
_LINES = (
    ("Stores due for a check", ("slowwave_due_stores", ""), "slowwave_oldest_due_age_seconds"),
    ("Dreams queued", ("slowwave_active_dreams", "queued"), "slowwave_oldest_queued_dream_age_seconds"),
    ("Dreams running", ("slowwave_active_dreams", "running"), "slowwave_oldest_running_dream_age_seconds"),
    ("Dreams whose worker is gone", ("slowwave_lapsed_leases", ""), ""),
    ("Suggested merges", ("slowwave_pending_merges", ""), "slowwave_oldest_pending_merge_age_seconds"),
    ("Reviews", ("slowwave_pending_reviews", ""), ""),
)


@router.get("/installation")
def show(request: Request, visitor: OperatorReader, cursor: Cursor = None) -> Response:
    """Show how the installation is; `cursor` pages through the quarantines."""
    db, settings = visitor.ports.db, visitor.ports.settings
    gauges = _read_gauges(db, settings)
    parts = read_parts(cursor, 2) or ["", ""]
    found = find_quarantined_stores(db, start_after=(parts[0], parts[1]), limit=_QUARANTINES_SHOWN + 1)
    quarantined, following = page_of(found, _QUARANTINES_SHOWN, lambda one: place_of(one.tenant_id, one.store))
    alerts = find_alerts(db, gauges, words.now())
    return page(
        request,
        visitor,
        "operators/installation.html",
        holding=[alert for alert in alerts if alert.holds],
        quiet=[alert for alert in alerts if not alert.holds],
        queues=sorted((name, number) for (gauge, name), number in gauges.items() if gauge == "slowwave_queue_messages"),
        lines=[(said, gauges.get(number, 0.0), gauges.get((age, ""), 0.0)) for said, number, age in _LINES],
        workers=find_workers(redis_url(settings)),
        sweeps=db.operators.find_sweeps(),
        quarantined=quarantined,
        following=following,
        installation=db.installation.get(),
    )


def _read_gauges(db: Database, settings: Settings) -> _Gauges:
    """Return the gauges of the database and of the broker by name and the value of their one label."""
    with closing(make_counters(settings)) as counters:
        broker = counters.find_broker_gauges()
    told = {(name, labels[0][1] if labels else ""): value for (name, labels), value in broker.items()}
    return told | {(gauge.name, gauge.state): gauge.value for gauge in db.sweeps.measure()}
