"""Measure the console's pages: `python -m benchmarks.console [--memories 100000] [--operations 1000] [--keep FOLDER]`.

One tenant with many memories, a dream with many operations and calls, and four weeks of dreams, costs, sessions and
recalls; beside it 200 small tenants. Every page that the console has is asked for as an operator does, in this process:
its size, the processor time of this process and of PostgreSQL, and the wall time, which also tells how busy the machine
is. Pages about what the tenant has none of are named and left out. With a folder to keep it in, the tenant is made once:
a second run there measures other code over the same data.
"""

import argparse
import json
import logging
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from statistics import median
from urllib.parse import urljoin

import psutil
import psycopg
import structlog
from starlette.routing import Route
from starlette.testclient import TestClient

from benchmarks.console.large_tenant import TENANT, fill
from benchmarks.maintain import as_application, plain_url
from benchmarks.support.processor import find_servers, used_seconds
from benchmarks.support.report import report
from benchmarks.support.silent import Silent
from gateway.api.server import create_server
from gateway.console.routers import ROUTERS
from shared.all_ports import Ports
from shared.bootstrap import local_servers, make_ports
from shared.core.tenants.roles import Role
from shared.ports.installation import TenantOrder
from shared.services.tenants.keys import NewKey, create_key
from shared.settings import Settings

_REPEATS = 5
_MOST_KB, _MOST_MS = 150, 300
#: A verdict on as many is measured as a page.
_JUDGED = 25
_NO_PAGES = {"/", "/console/static/{name}", "/console/oidc/start", "/console/oidc/callback", "/console/sign-in"}
#: The page behind the first one.
_NEXT = "next"
#: What a page is asked for besides: the expensive choices of a person.
_QUERIES = {
    "/console/t/{tenant}/stores/{store}/memories": (
        "q=gateway+token",
        "q=gatewy",
        "state=archived",
        "prefix=d5/",
        "folder=d5/",
    ),
    "/console": ("find=other", *(f"order={order}" for order in TenantOrder if order is not TenantOrder.ATTENTION)),
    "/console/costs": ("days=92",),
    "/console/t/{tenant}/costs": ("by=model", "by=phase", "by=day&days=92"),
    "/console/t/{tenant}/insight": ("week={last_week}",),
    "/console/t/{tenant}/settings/audit": ("action=memory.",),
    "/console/t/{tenant}/stores/{store}/graph": ("now=true", "folder=d5", "folder=d5&now=true"),
    "/console/t/{tenant}/stores/{store}/estimate": ("now=true",),
    "/console/t/{tenant}/stores/{store}/folders": ("folder=d5/",),
    "/console/t/{tenant}/stores/{store}/suggestions": ("q=gatewy",),
    "/console/t/{tenant}/stores/{store}/memories/{memory_id}": ("view=source",),
    "/console/t/{tenant}/reviews": ("kind=MERGE", "confidence=high", "dream={dream_id}", _NEXT),
    "/console/t/{tenant}/reviews/all": ("kind=MERGE", "confidence=high", "dream={dream_id}"),
    "/console/t/{tenant}/dreams": ("state=partial", "since={last_week}", _NEXT),
    "/console/t/{tenant}/dreams/{dream_id}": (
        "waiting=yes",
        "state=proposed&confidence=high",
        "kind=MERGE",
        _NEXT,
    ),
    "/console/t/{tenant}/dreams/{dream_id}/live": ("waiting=yes",),
    "/console/t/{tenant}/stores/{store}/sessions": ("state=read", _NEXT),
    "/console/t/{tenant}/stores/{store}/sessions/{session_id}": (_NEXT,),
}


_BULK = f"/t/{{tenant}}/reviews/reject, {_JUDGED} at once"
#: Reads the whole store, at a person's word or after its page is there: measured, and not held to the limit.
_AT_A_WORD = "now=true"


def main() -> int:
    """Fill, measure, print the table; 1 if a page is larger or slower than it may be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--operations", type=int, default=1_000)
    parser.add_argument("--keep", type=Path, help="a folder whose tenant is made once and measured again")
    parser.add_argument("--only", default="", help="measure the addresses that this pattern is found in")
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    logging.disable(logging.INFO)
    with (
        _folder(asked.keep) as folder,
        local_servers(Settings(data_dir=folder, llm="offline", api_requests_per_minute=1_000_000)) as settings,
    ):
        ports = replace(make_ports(settings), dispatch=Silent())
        ids = _make_tenant(ports, settings, asked.memories, asked.operations)
        servers = find_servers(folder)["postgres"]
        with _an_operator(ports) as browser:
            pages = [page for page in _addresses(ids) if re.search(asked.only, page[0])]
            rows = [_measure(browser, servers, page) for page in pages]
            if re.search(asked.only, _BULK):
                rows.append(_measure_bulk(browser, servers, ids))
        ports.close()
    rows.sort(key=lambda row: -float(str(row["processor ms"])))
    held = [row for row in rows if _AT_A_WORD not in str(row["page"])]
    over = [row["page"] for row in held if row["kB"] > _MOST_KB or row["processor ms"] > _MOST_MS]  # type: ignore[operator] # numbers
    notes = {
        "memories": ids["memories"],
        "operations": ids["operations"],
        "over the limit": ", ".join(map(str, over)) or "none",
    }
    report("console", "Pages of the console", rows, notes)
    return int(bool(over))


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _make_tenant(ports: Ports, settings: Settings, memories: int, operations: int) -> dict[str, str]:
    """Return the ids in the tenant's addresses; it is filled unless an earlier run has kept it."""
    known = settings.data_dir / "ids.json"
    if known.is_file():
        return dict(json.loads(known.read_text()))
    with as_application(settings, TENANT) as application:
        ids = fill(ports, application, memories, operations)
    with psycopg.connect(plain_url(settings.owner_database_url), autocommit=True) as owner:
        owner.execute("VACUUM ANALYZE")
    ids |= {"memories": f"{memories:,}", "operations": f"{operations:,}"}
    ids["last_week"] = f"{datetime.now(UTC).date() - timedelta(days=7)}"
    known.write_text(json.dumps(ids))
    return ids


def _addresses(ids: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each page's route and its address, once for each query that is worth measuring."""
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, Route)]
    for path in sorted({one.path for one in routes if "GET" in (one.methods or ())} - _NO_PAGES):
        if missing := set(re.findall(r"{(\w+)}", path)) - ids.keys():
            print(f"left out, for want of {', '.join(sorted(missing))}: {path}")
            continue
        for query in ("", *_QUERIES.get(path, ())):
            name = path.removeprefix("/console") or "/"
            yield name + (f"?{query}" if query else ""), (path + (f"?{query}" if query else "")).format(**ids)


@contextmanager
def _an_operator(ports: Ports) -> Iterator[TestClient]:
    key = NewKey(name="benchmark", role=Role.OPERATOR)
    token = create_key(ports.db, ports.ids, TENANT, key, actor="benchmark", actor_role=Role.OPERATOR).token
    with TestClient(create_server(ports), base_url="http://console.test", follow_redirects=True) as browser:
        form = re.search(r'name="csrf" value="([^"]+)"', browser.get("/console/sign-in").text)
        assert form is not None
        browser.post("/console/sign-in", data={"csrf": unescape(form.group(1)), "key": token})
        yield browser


def _measure(browser: TestClient, servers: list[psutil.Process], page: tuple[str, str]) -> dict[str, object]:
    name, address = page
    if address.endswith(f"?{_NEXT}"):
        following = re.search(r'rel="next" href="([^"]+)"', browser.get(address.partition("?")[0]).text)
        assert following is not None, f"{address}: there is no next page"
        address = urljoin(address, unescape(following[1]))
    browser.get(address)  # the first one compiles its template
    waited = []
    used = used_seconds(servers)
    worked = time.process_time()
    for _ in range(_REPEATS):
        begun = time.perf_counter()
        answer = browser.get(address)
        waited.append((time.perf_counter() - begun) * 1_000)
    mine, theirs = time.process_time() - worked, used_seconds(servers) - used
    assert answer.status_code == 200, (address, answer.status_code)
    return {
        "page": name,
        "kB": round(len(answer.content) / 1_000),
        "processor ms": round((mine + theirs) * 1_000 / _REPEATS),
        "of it PostgreSQL": round(theirs * 1_000 / _REPEATS),
        "wall ms": round(median(waited)),
    }


def _measure_bulk(browser: TestClient, servers: list[psutil.Process], ids: dict[str, str]) -> dict[str, object]:
    """Measure one verdict on many; it is taken back, so that each one decides the same."""
    base = f"/console/t/{ids['tenant']}/reviews"
    ask = browser.get(f"{base}/all").text
    csrf, every = (unescape(re.findall(rf'name="{name}" value="([^"]+)"', ask)[-1]) for name in ("csrf", "ops"))
    few = " ".join(every.split()[:_JUDGED])
    mine = theirs = 0.0
    waited = []
    for _ in range(_REPEATS):
        used, worked, begun = used_seconds(servers), time.process_time(), time.perf_counter()
        answer = browser.post(f"{base}/reject", data={"csrf": csrf, "ops": few, "why": "It is wrong"})
        waited.append((time.perf_counter() - begun) * 1_000)
        mine, theirs = mine + time.process_time() - worked, theirs + used_seconds(servers) - used
        assert f"Rejected: {_JUDGED}" in answer.text, answer.status_code
        browser.post(f"{base}/reopen", data={"csrf": csrf, "ops": few})
    return {
        "page": _BULK,
        "kB": round(len(answer.content) / 1_000),
        "processor ms": round((mine + theirs) * 1_000 / _REPEATS),
        "of it PostgreSQL": round(theirs * 1_000 / _REPEATS),
        "wall ms": round(median(waited)),
    }


if __name__ == "__main__":
    raise SystemExit(main())
