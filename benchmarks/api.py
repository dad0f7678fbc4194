"""Measure the throughput of one API process: `python -m benchmarks.api [--memories 10000] [--seconds 10] [--connections 8]`.

Starts servers of its own and one `slowwave serve`. First real clients ask it, 1, 20 and 200 at once, one half httpx on
`/api` and the other Anthropic's SDK on `/v1`, of 20 tenants: lists, searches or reads, and writes. Then it fills a store,
and has wrk ask for random memories, write new ones, and search: requests per second and latencies, from wrk's own summary.
Clients, the server and PostgreSQL share the machine. Without wrk (Debian: `wrk`) only the clients are measured.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

from benchmarks.support.http_clients import HTTPX, SDK, measure_stages, open_accounts
from benchmarks.support.report import report
from benchmarks.support.serving import serving
from benchmarks.support.stores import load_store
from gateway.cli.console.session import open_session
from shared.all_ports import Ports
from shared.bootstrap import local_servers
from shared.core.memory.model import Author
from shared.core.tenants.roles import Role
from shared.core.text.similarity import significant_words
from shared.services.memories.write import NewText, ensure_store, in_batches, write_memories
from shared.services.tenants.keys import NewKey, create_key
from shared.settings import Settings

_TENANT, _STORE = "bench", "default"
_TENANTS = 20
_ROOT = Path(__file__).parents[1]
#: Each request takes the next line of a file: a path of the API, or the name of a new memory.
_SCRIPT = """
local lines, at = {}, tonumber(os.getenv("BENCH_FROM"))
for line in io.lines(os.getenv("BENCH_LINES")) do lines[#lines + 1] = line end
local token, is_write = os.getenv("BENCH_KEY"), os.getenv("BENCH_WRITE") == "1"
local headers = {["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json"}
function request()
  at = at + 1
  if is_write then
    local body = '{"path": "bench/' .. at .. '.md", "content": "# Note ' .. at .. '\\\\n\\\\nWritten under load.\\\\n"}'
    return wrk.format("POST", lines[1], headers, body)
  end
  return wrk.format("GET", lines[at % #lines + 1], headers)
end
function done(summary, latency)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  print(string.format('{"requests": %d, "us": %d, "failed": %d, "p50": %f, "p99": %f}', summary.requests,
    summary.duration, failed, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
"""


def main() -> int:
    """Fill, ask, print the table, write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--connections", type=int, default=8)
    wanted = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        local_servers(Settings(data_dir=Path(folder))) as settings,
    ):
        _measure_clients(settings, Path(folder), wanted.seconds)
        wrk = shutil.which("wrk")
        if wrk is None:
            sys.stdout.write("wrk is not here (Debian: apt-get install wrk): it measured nothing\n")
            return 0
        _measure_wrk(wrk, settings, Path(folder), wanted)
    return 0


def _measure_clients(settings: Settings, folder: Path, seconds: float) -> None:
    """Measure real clients: one of each kind alone, then 20 and 200 of both kinds at once."""
    with open_session(settings) as session:
        accounts = open_accounts(session.ports, _TENANTS)
    stages = [[HTTPX], [SDK], *([HTTPX, SDK] * (number // 2) for number in (20, 200))]
    with serving(settings, folder) as (address, process):
        rows = measure_stages(address, process, accounts, stages, seconds)
    load = " ".join(f"{one:.1f}" for one in os.getloadavg())
    notes = {"seconds": seconds, "tenants": _TENANTS, "processes": 1, "load of the machine at the end": load}
    report("api-clients", "One process of the API, real clients", rows, notes)


def _measure_wrk(wrk: str, settings: Settings, folder: Path, wanted: argparse.Namespace) -> None:
    """Measure with wrk, whose own work is small, over a large store."""
    with open_session(settings) as session:
        token, reads, searches = _fill(session.ports, wanted.memories)
    with serving(settings, folder) as (address, _):
        asks = {"read a memory": reads, "search": searches, "write a memory": [f"/api/stores/{_STORE}/memories"]}
        rows = [{"request": name, **_load(wrk, address, token, lines, folder, wanted)} for name, lines in asks.items()]
    notes = {"memories": wanted.memories, "connections": wanted.connections, "processes": 1}
    report("api", f"One process of the API, {wanted.memories:,} memories", rows, notes)


def _fill(ports: Ports, size: int) -> tuple[str, list[str], list[str]]:
    """Return a key, and the paths to read and to search."""
    records, _ = load_store(size)
    ensure_store(ports.db, _TENANT, _STORE)
    for batch in in_batches(NewText(path=one.path, content=one.content) for one in records):
        write_memories(ports.db, ports.ids, _TENANT, _STORE, batch, Author.AGENT)
    key = NewKey(name="bench", role=Role.AGENT, rate_per_minute=1_000_000)
    token = create_key(ports.db, ports.ids, _TENANT, key, actor="bench", actor_role=Role.OPERATOR).token
    base = f"/api/stores/{_STORE}"
    with ports.db.transaction(_TENANT) as uow:
        heads = uow.memories(uow.stores.get(_STORE).id).find_heads()
    reads = [f"{base}/memories/{head.id}" for head in heads]
    words = (significant_words(one.content, 3) for one in islice(records, 0, size, max(1, size // 500)))
    return token, reads, [f"{base}/search?q={'+'.join(re.sub('[^a-z0-9]', '', word) for word in few)}" for few in words]


def _load(
    wrk: str, address: str, token: str, lines: list[str], folder: Path, wanted: argparse.Namespace
) -> dict[str, object]:
    script, asked = folder / "load.lua", folder / "lines.txt"
    script.write_text(_SCRIPT)
    asked.write_text("\n".join(lines))
    is_write = "1" if len(lines) == 1 else ""
    environment = os.environ | {
        "BENCH_LINES": str(asked),
        "BENCH_KEY": token,
        "BENCH_WRITE": is_write,
        "BENCH_FROM": "0",
    }
    limits = ["-t1", f"-c{wanted.connections}"]
    # One request at a time first, so that neither the first search's index nor imports are measured.
    subprocess.run([wrk, "-t1", "-c1", "-d2s", "-s", script, address], env=environment, capture_output=True, check=True)
    ran = subprocess.run(
        [wrk, *limits, f"-d{wanted.seconds}s", "--timeout", "10s", "-s", script, address],
        env=environment | {"BENCH_FROM": "1000000"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = json.loads(ran.stdout.strip().splitlines()[-1])
    return {
        "requests/s": int(told["requests"] / (told["us"] / 1e6)),
        "p50 ms": told["p50"],
        "p99 ms": told["p99"],
        "failed": told["failed"],
    }


if __name__ == "__main__":
    raise SystemExit(main())
