"""Start beat: `celery -A scheduler.app beat`."""

from celery.signals import setup_logging

from scheduler.schedule import build_schedule
from shared.bootstrap import get_app
from shared.settings import load_settings
from shared.telemetry import configure_logging

app = get_app()
app.conf.beat_schedule = build_schedule(load_settings())


@setup_logging.connect(weak=False)
def _set_up_logging(**_: object) -> None:
    configure_logging()
