"""Start beat: `celery -A scheduler.app beat`."""

from celery.signals import beat_init, setup_logging

from scheduler.schedule import build_schedule
from shared.bootstrap import get_app
from shared.process_ports import require_schema_or_exit
from shared.settings import load_settings
from shared.telemetry import configure_logging

app = get_app()
app.conf.beat_schedule = build_schedule(load_settings())


@setup_logging.connect(weak=False)
def _set_up_logging(**_: object) -> None:
    configure_logging()


@beat_init.connect(weak=False)
def _check_schema(**_: object) -> None:
    require_schema_or_exit()
