"""Run one pass of a sweep: find rows, then act on each; a failed row does not stop the others."""

import time
from contextlib import suppress

from scheduler.sweep import Sweep
from shared.all_ports import Ports
from shared.core.errors import SlowwaveError
from shared.counting import count
from shared.logger import get_logger
from shared.telemetry import where_of
from shared.working import Work, doing

_log = get_logger()
_NO_ROWS = {"found": 0, "acted": 0, "failed": 0}


def run_sweep(ports: Ports, sweep: Sweep) -> dict[str, int]:
    """Run one pass; return the numbers of rows found, acted on and failed. A pass that found rows is logged; each is recorded."""
    began = time.monotonic()
    with doing(Work.SWEEP):
        try:
            found, error = _run(ports, sweep)
        except Exception as reason:
            with suppress(SlowwaveError):  # the database is away; the sweep's own error says so
                _record(ports, sweep, began, _NO_ROWS, _say(reason))
            raise
        _record(ports, sweep, began, found, error)
    return found


def _record(ports: Ports, sweep: Sweep, began: float, rows: dict[str, int], error: str) -> None:
    ports.db.installation.record_sweep(sweep.name, seconds=time.monotonic() - began, rows=rows, error=error)


def _say(error: Exception) -> str:
    """Describe an error for operators by its type and location, since its message may contain a tenant's text."""
    return ", ".join([type(error).__name__, *where_of(error)[-1:]])


def _run(ports: Ports, sweep: Sweep) -> tuple[dict[str, int], str]:
    rows = sweep.find(ports)
    acted = failed = 0
    said = ""
    for row in rows:
        try:
            acted += sweep.act(ports, row)
        except SlowwaveError as error:
            failed, said = failed + 1, _say(error)
            _log.warning("sweep_row_failed", sweep=sweep.name, row=str(row), reason=str(error))
        except Exception as error:  # noqa: BLE001 - an unexpected error of one row must not stop the rows after it
            failed, said = failed + 1, _say(error)
            where = where_of(error)
            _log.error("sweep_row_failed", sweep=sweep.name, row=str(row), error=type(error).__name__, where=where)
    for outcome, number in (("acted", acted), ("idle", len(rows) - acted - failed), ("failed", failed)):
        if number:
            count("slowwave_sweep_rows_total", number, sweep=sweep.name, outcome=outcome)
    if rows:
        _log.info("sweep", sweep=sweep.name, found=len(rows), acted=acted, failed=failed)
    return {"found": len(rows), "acted": acted, "failed": failed}, said
