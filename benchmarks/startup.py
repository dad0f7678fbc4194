"""Measure the processor time of short commands: `python -m benchmarks.startup [--runs 10]`.

Each command runs in a process of its own, over embedded servers that are up already and over the same servers named by
URL, as in an installation with its own. One store has never dreamt; the other one has, and nothing came in since, so that
`status` asks the phases what time has made due. Processor time is user and system together, as the kernel counts it for the ended
process. It depends less on other work of the machine than wall time does, but not little: take the minimum.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from benchmarks.support.report import report
from benchmarks.support.silent import Silent
from shared.adapters.llm.scripted import ScriptedLlm
from shared.bootstrap import environment_of, local_servers, make_ports
from shared.core.memory.model import Author
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.memories.write import NewText, ensure_store, write_memories
from shared.settings import Settings
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import PHASES
from workers.runner.run import run_phase

TENANT, QUIET = "bench", "quiet"
#: How many seconds each may take.
LIMITS = {"--version": 0.25, "--help": 0.25, f"status {TENANT}": 0.7, f"status {QUIET}": 0.7}


def main() -> int:
    """Measure every command, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="how often each command runs")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory(prefix="sw-bench-", dir="/tmp") as directory:
        Path(directory).chmod(0o755)  # PostgreSQL runs as another user when this runs as root
        settings = Settings(data_dir=Path(directory) / "data")
        with local_servers(settings) as found:
            embedded = _environment({"SLOWWAVE_DATA_DIR": str(settings.data_dir)})
            by_url = _environment(environment_of(found))
            _run(["tenants", "create", TENANT], by_url)
            _run(["stores", "create", f"{TENANT}/default"], by_url)
            _dream(found)
            rows = [
                _row("--version", "none", by_url, runs),
                _row("--help", "none", by_url, runs),
                _row(f"status {TENANT}", "by URL", by_url, runs),
                _row(f"status {QUIET}", "by URL", by_url, runs),
                _row(f"status {TENANT}", "embedded, running", embedded, runs),
            ]
    report("startup", f"Processor time of short commands, {runs} runs each", rows, {
        "load of the machine over the last minute": f"{os.getloadavg()[0]:.1f}",
        "reference": f"{_reference(runs):.3f} s for a process that imports SQLModel and psycopg and does nothing",
    })  # fmt: skip
    return 0


def _dream(settings: Settings) -> None:
    """Run one dream over a store of one note, with a model that answers nothing."""
    ports = replace(make_ports(settings), choose_llm=lambda _: ScriptedLlm(), dispatch=Silent())
    ensure_store(ports.db, QUIET, DEFAULT_STORE)
    note = NewText(path="carriers.md", content="Calls to carriers are retried three times.")
    write_memories(ports.db, ports.ids, QUIET, DEFAULT_STORE, [note], Author.AGENT)
    dream_id = begin_dream(ports, QUIET, DEFAULT_STORE, force=True, dream_id=None)
    assert dream_id is not None
    for phase in PHASES:
        run_phase(ports, phase, PhaseKey(tenant_id=QUIET, dream_id=dream_id, epoch=1, phase=phase.name))
    finish_dream(ports, QUIET, dream_id, 1)
    ports.close()


def _row(command: str, servers: str, environment: Mapping[str, str], runs: int) -> dict[str, object]:
    arguments = command.split()
    _run(arguments, environment)  # the first run may compile modules
    walls, times = [], []
    for _ in range(runs):
        begun = time.perf_counter()
        times.append(_run(arguments, environment))
        walls.append(time.perf_counter() - begun)
    return {
        "command": command,
        "servers": servers,
        "CPU s, min": round(min(times), 3),
        "CPU s, median": round(statistics.median(times), 3),
        "wall s, median": round(statistics.median(walls), 3),
        "limit": LIMITS[command],
    }


def _reference(runs: int) -> float:
    """Return the least that a command which reads the database could take on this machine."""
    code = "import gc, sqlmodel, psycopg, sqlalchemy.dialects.postgresql.psycopg; gc.freeze()"
    return min(_processor_seconds([sys.executable, "-c", code], os.environ) for _ in range(runs))


def _run(arguments: list[str], environment: Mapping[str, str]) -> float:
    return _processor_seconds([sys.executable, "-m", "gateway.cli", *arguments], environment)


def _processor_seconds(command: list[str], environment: Mapping[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=dict(environment), stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return a user's environment: without other settings, and with compiled modules kept."""
    left_out = ("SLOWWAVE_", "PYTHONDONTWRITEBYTECODE")
    return {name: value for name, value in os.environ.items() if not name.startswith(left_out)} | dict(variables)


if __name__ == "__main__":
    sys.exit(main())
