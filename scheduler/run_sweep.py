"""Run one pass of a sweep: find, then act on each row; one bad row never stops the others."""

from traceback import extract_tb

import structlog

from scheduler.sweep import Sweep
from shared.core.errors import SlowwaveError
from shared.counting import count
from shared.ports.ports import Ports

_log = structlog.get_logger()


def run_sweep(ports: Ports, sweep: Sweep) -> dict[str, int]:
    """Return what was found, acted on and failed; only a pass that found something is logged."""
    ports.db.installation.record_sweep()
    rows = sweep.find(ports)
    acted = failed = 0
    for row in rows:
        try:
            acted += sweep.act(ports, row)
        except SlowwaveError as error:
            failed += 1
            _log.warning("sweep_row_failed", sweep=sweep.name, row=str(row), reason=str(error))
        except Exception as error:  # noqa: BLE001 - nobody has thought of it; the rows behind it have to have their turn
            failed += 1
            # The log says where, never an error's own words, which may hold memory text.
            where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in extract_tb(error.__traceback__)]
            _log.error("sweep_row_failed", sweep=sweep.name, row=str(row), error=type(error).__name__, where=where)
    for outcome, number in (("acted", acted), ("idle", len(rows) - acted - failed), ("failed", failed)):
        if number:
            count("slowwave_sweep_rows_total", number, sweep=sweep.name, outcome=outcome)
    if rows:
        _log.info("sweep", sweep=sweep.name, found=len(rows), acted=acted, failed=failed)
    return {"found": len(rows), "acted": acted, "failed": failed}
