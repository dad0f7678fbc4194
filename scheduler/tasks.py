"""The scheduler's Celery tasks: one pass of a sweep, and the check of one store."""

import structlog

from scheduler.check_eligibility import check_eligibility
from scheduler.run_sweep import run_sweep
from scheduler.sweeps import SWEEPS
from shared.adapters.celery import names
from shared.bootstrap import get_app
from shared.process_ports import get_ports

app = get_app()
_BY_NAME = {sweep.name: sweep for sweep in SWEEPS}


@app.task(name=names.SWEEP)
def sweep(name: str, **_: object) -> None:
    """Run one pass of a sweep."""
    run_sweep(get_ports(), _BY_NAME[name])


@app.task(name=names.CHECK)
def check(tenant_id: str, store: str, **_: object) -> None:
    """Check whether a store may dream, and start the dream if so."""
    with structlog.contextvars.bound_contextvars(tenant_id=tenant_id, store=store):
        check_eligibility(get_ports(), tenant_id, store)
