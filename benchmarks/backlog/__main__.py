"""Measure how long a backlog of sessions takes: `python -m benchmarks.backlog [--sessions 913] [--model-seconds 1.0]`.

Each session holds two statements to remember. One worker runs dream after dream as the sweep starts them, in this process
and on a PostgreSQL of its own. The model stands in for a real one: each call waits, gather gets what the rules without a
model find, and every other question an empty answer. Between two dreams a real installation waits for the sweep, which the
table adds at its longest. The store's daily budget of tokens is raised; the table has what was used of it.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.backlog.nights import StandIn, dream_through, tell_backlog
from benchmarks.support.report import report
from shared.bootstrap import local_servers, make_ports
from shared.settings import Settings

_TENANT = "bench"


def main(argv: Sequence[str] | None = None) -> int:
    """Fill a store, dream until nothing waits, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=913)
    parser.add_argument("--model-seconds", type=float, default=1.0)
    chosen = parser.parse_args(argv)
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        local_servers(Settings(data_dir=Path(folder))) as settings,
    ):
        ports = make_ports(settings)
        tell_backlog(ports, _TENANT, chosen.sessions)
        llm = StandIn(chosen.model_seconds)
        begun, used = time.perf_counter(), time.process_time()
        dreams = dream_through(replace(ports, choose_llm=lambda _: llm), _TENANT)
        seconds, processor = time.perf_counter() - begun, time.process_time() - used
        with ports.db.transaction(_TENANT) as uow:
            left = uow.sessions(uow.stores.get("default").id).count_waiting()
        ports.close()
        sweeps = len(dreams) * settings.sweep_seconds
    row = {
        "sessions": chosen.sessions,
        "still waiting": left,
        "dreams": len(dreams),
        "memories gathered": sum(one.summary.gathered for one in dreams if one.summary is not None),
        "model calls": llm.calls,
        "tokens": sum(one.summary.tokens for one in dreams if one.summary is not None),
        "seconds of work": seconds,
        "of them processor": processor,
        "waits for the sweep, at most": sweeps,
        "minutes in all": (seconds + sweeps) / 60,
    }
    report("backlog", f"A backlog, with a model of {chosen.model_seconds:g} s", [row], {"profile": "claude-code"})
    return 0 if left == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
