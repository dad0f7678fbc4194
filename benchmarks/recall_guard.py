"""Measure the cost of the recall guard: `python -m benchmarks.recall_guard`. Index of the live texts, 200 probes, the verdict.

A dream's earlier phases have indexed the store in the same process as a rule: then the guard brings that index up to date.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from statistics import median

from benchmarks.support.report import report
from benchmarks.support.stores import Record, load_store
from shared.core.dream.operations import OperationKind
from shared.core.evaluation.around_dream import Touched, searched
from shared.core.memory.model import Memory, MemoryState
from shared.core.search.bm25 import TextIndex, by_path
from workers.phases.recall_guard.plan import Corpus, decide_missed, draw_probes

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_MERGES = 100
_REPEATS = 15


def main() -> int:
    """Measure stores of 100, 1,000 and 10,000 memories in which a dream merged up to 100 pairs."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    rows = [row for size in (100, 1_000, 10_000) for row in _measure(size)]
    report("recall_guard", f"Recall guard, milliseconds (median of {_REPEATS})", rows, {"merges": _MERGES})
    return 0


def _measure(size: int) -> list[dict[str, object]]:
    records, source = load_store(size)
    memories = [_memory(record) for record in records]
    pairs = zip(memories[: 2 * _MERGES : 2], memories[1 : 2 * _MERGES : 2], strict=False)
    touched = [_merge(number, one, other) for number, (one, other) in enumerate(pairs)]
    after = {memory.id: memory for operation in touched for memory in operation.after}
    final = [after.get(memory.id, memory) for memory in memories]
    texts = {memory.path: searched(memory.content) for memory in final if memory.state is MemoryState.LIVE}
    earlier = {memory.path: memory.content for memory in memories}
    probes = draw_probes(touched)
    corpus = Corpus(texts=texts, index=TextIndex(by_path(texts.items())))
    kept = [TextIndex(by_path(earlier.items())) for _ in range(_REPEATS)]
    steps = {
        "draw": lambda: draw_probes(touched),
        "index anew": lambda: TextIndex(by_path(texts.items())),
        "index kept": lambda: kept.pop().update(by_path(texts.items())),
        "probe": lambda: decide_missed(probes, touched, corpus),
    }
    spent = {name: _time_ms(step) for name, step in steps.items()}
    missed = len(decide_missed(probes, touched, corpus))
    known = {"memories": size, "from": source, "probes": len(probes), "missed": missed}
    return [
        known | {"clock": clock} | times | {"with kept": sum(times.values()) - times["index anew"]}
        for number, clock in enumerate(("processor", "wall"))
        for times in [{name: both[number] for name, both in spent.items()}]
    ]


def _memory(record: Record) -> Memory:
    return Memory(
        id=record.id, path=record.path, content=record.content, created_at=_NOW, updated_at=_NOW, touched_at=_NOW
    )


def _merge(number: int, one: Memory, other: Memory) -> Touched:
    kept = replace(one, content=one.content + other.content, version=2)
    gone = replace(other, state=MemoryState.SUPERSEDED, version=2)
    return Touched(operation_id=f"op_{number}", kind=OperationKind.MERGE, before=(one, other), after=(kept, gone))


def _time_ms(work: Callable[[], object]) -> tuple[float, float]:
    """Return the median processor time of all threads and the median wall time."""
    spent, waited = [], []
    for _ in range(_REPEATS):
        begun, worked = time.perf_counter(), time.process_time()
        work()
        spent.append((time.process_time() - worked) * 1_000)
        waited.append((time.perf_counter() - begun) * 1_000)
    return median(spent), median(waited)


if __name__ == "__main__":
    raise SystemExit(main())
