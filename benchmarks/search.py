"""Measure the cost of a search: `python -m benchmarks.search`. The first one of a store, later ones, one after a write.

The first search of a process reads the store and indexes it; a later one asks what was written since.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable
from itertools import cycle
from pathlib import Path
from statistics import median

from benchmarks.support.report import report
from benchmarks.support.stores import load_store
from shared.adapters.process_local.memory_search import IndexedMemorySearch
from shared.all_ports import Ports
from shared.bootstrap import local_servers, make_ports
from shared.core.memory.model import Author
from shared.core.text.similarity import significant_words
from shared.ports.memory_search import MemorySearch
from shared.services.memories.read import search_memories
from shared.services.memories.write import NewText, ensure_store, in_batches, write_memories
from shared.settings import Settings

_STORE = "default"
_LIMIT = 10


def main() -> int:
    """Measure stores of 100, 1,000 and 10,000 memories."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="sw-", ignore_cleanup_errors=True) as folder,
        local_servers(Settings(data_dir=Path(folder))) as settings,
    ):
        ports = make_ports(settings)
        rows = [row for size in (100, 1_000, 10_000) for row in _measure(ports, size)]
        ports.close()
    report("search", "Search, milliseconds of this process (median)", rows, {"hits": _LIMIT})
    return 0


def _measure(ports: Ports, size: int) -> list[dict[str, object]]:
    tenant = f"bench{size}"
    records, source = load_store(size)
    ensure_store(ports.db, tenant, _STORE)
    for batch in in_batches(NewText(path=one.path, content=one.content) for one in records):
        write_memories(ports.db, ports.ids, tenant, _STORE, batch, Author.AGENT)
    queries = cycle([" ".join(significant_words(one.content, 3)) for one in records[:100]])
    warm = IndexedMemorySearch()

    def ask(search: MemorySearch) -> Callable[[], object]:
        return lambda: search_memories(ports.db, search, tenant, _STORE, next(queries), _LIMIT)

    def ask_after_a_write() -> Callable[[], object]:
        text = NewText(path="written/now.md", content=f"# Now\n\nIt is {time.time_ns()}.\n")
        write_memories(ports.db, ports.ids, tenant, _STORE, [text], Author.AGENT)
        return ask(warm)

    ask(warm)()
    spent = {
        "first": _time_ms([ask(IndexedMemorySearch()) for _ in range(7)]),
        "later": _time_ms([ask(warm)] * 100),
        "after a write": _time_ms(ask_after_a_write() for _ in range(15)),
    }
    known = {"memories": size, "from": source}
    return [
        known | {"clock": clock} | {name: times[number] for name, times in spent.items()}
        for number, clock in enumerate(("processor", "wall"))
    ]


def _time_ms(works: Iterable[Callable[[], object]]) -> tuple[float, float]:
    """Return the median processor time of all threads and the median wall time."""
    spent, waited = [], []
    for work in works:
        begun, worked = time.perf_counter(), time.process_time()
        work()
        spent.append((time.process_time() - worked) * 1_000)
        waited.append((time.perf_counter() - begun) * 1_000)
    return median(spent), median(waited)


if __name__ == "__main__":
    raise SystemExit(main())
