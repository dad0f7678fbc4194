"""Run one pass of a sweep: find rows, then act on each; a failed row does not stop the others."""

from scheduler.sweep import Sweep
from shared.all_ports import Ports
from shared.core.errors import SlowwaveError
from shared.counting import count
from shared.logger import get_logger
from shared.telemetry import where_of
from shared.working import Work, doing

_log = get_logger()


def run_sweep(ports: Ports, sweep: Sweep) -> dict[str, int]:
    """Return how many rows were found, acted on and failed; log a pass that found any."""
    with doing(Work.SWEEP):
        return _run(ports, sweep)


def _run(ports: Ports, sweep: Sweep) -> dict[str, int]:
    ports.db.installation.record_sweep()
    rows = sweep.find(ports)
    acted = failed = 0
    for row in rows:
        try:
            acted += sweep.act(ports, row)
        except SlowwaveError as error:
            failed += 1
            _log.warning("sweep_row_failed", sweep=sweep.name, row=str(row), reason=str(error))
        except Exception as error:  # noqa: BLE001 - an unexpected error of one row must not stop the rows behind it
            failed += 1
            where = where_of(error)
            _log.error("sweep_row_failed", sweep=sweep.name, row=str(row), error=type(error).__name__, where=where)
    for outcome, number in (("acted", acted), ("idle", len(rows) - acted - failed), ("failed", failed)):
        if number:
            count("slowwave_sweep_rows_total", number, sweep=sweep.name, outcome=outcome)
    if rows:
        _log.info("sweep", sweep=sweep.name, found=len(rows), acted=acted, failed=failed)
    return {"found": len(rows), "acted": acted, "failed": failed}
