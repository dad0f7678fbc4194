"""The worker's entry point: `celery -A workers.app worker`. It runs the phases and the scheduler's tasks."""

from celery.signals import setup_logging

from shared.bootstrap import get_app
from shared.telemetry import configure_logging

app = get_app()
app.conf.include = ["workers.tasks", "scheduler.tasks"]


@setup_logging.connect(weak=False)
def _set_up_logging(**_: object) -> None:
    configure_logging()
