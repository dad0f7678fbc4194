"""Define the scheduler's Celery tasks: a pass of a sweep, the check of a store, an attempt to deliver a webhook."""

from scheduler.check_eligibility import check_eligibility
from scheduler.run_sweep import run_sweep
from scheduler.sweeps import SWEEPS
from shared.adapters.celery import names
from shared.bootstrap import get_app
from shared.ports.webhooks import ClaimedDelivery
from shared.process_ports import get_ports
from shared.services.webhooks.deliver import deliver_webhook, send_due_deliveries

app = get_app()
_BY_NAME = {sweep.name: sweep for sweep in SWEEPS}


@app.task(name=names.SWEEP)
def sweep(name: str, **_: object) -> None:
    """Run one pass of a sweep."""
    run_sweep(get_ports(), _BY_NAME[name])


@app.task(name=names.CHECK)
def check(tenant_id: str, store: str, **_: object) -> None:
    """Check whether a store may dream, and start the dream if so."""
    check_eligibility(get_ports(), tenant_id, store)


@app.task(name=names.DELIVER)
def deliver(tenant_id: str, delivery_id: str, claim: int, **_: object) -> None:
    """Attempt a webhook's delivery, then dispatch other deliveries that are due."""
    ports = get_ports()
    deliver_webhook(ports, ClaimedDelivery(tenant_id=tenant_id, delivery_id=delivery_id, claim=claim))
    send_due_deliveries(ports)
