"""What the recall guard costs: `python -m benchmarks.recall_guard`. Index of the live texts, 200 probes, the verdict."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from statistics import median

from benchmarks.report import report
from benchmarks.stores import load_store
from shared.core.memory import Memory, MemoryState
from shared.core.operation import OperationKind
from shared.core.recall_guard import Corpus, Touched, decide_failed, draw_probes

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_MERGES = 100
_REPEATS = 5


def main() -> int:
    """Measure stores of 100, 1,000 and 10,000 memories in which a dream merged up to 100 pairs."""
    rows = [_measure(size) for size in (100, 1_000, 10_000)]
    report("recall_guard", "Recall guard, milliseconds (median of 5)", rows, {"merges": _MERGES})
    return 0


def _measure(size: int) -> dict[str, object]:
    records, source = load_store(size)
    memories = [
        Memory(id=r.id, path=r.path, content=r.content, created_at=_NOW, updated_at=_NOW, touched_at=_NOW)
        for r in records
    ]
    pairs = zip(memories[: 2 * _MERGES : 2], memories[1 : 2 * _MERGES : 2], strict=False)
    touched = [_merge(number, one, other) for number, (one, other) in enumerate(pairs)]
    after = {memory.id: memory for operation in touched for memory in operation.after}
    final = [after.get(memory.id, memory) for memory in memories]
    texts = {memory.id: memory.content for memory in final if memory.state is MemoryState.LIVE}
    probes = draw_probes(touched)
    corpus = Corpus.of(texts)
    failed = decide_failed(probes, touched, corpus, lambda: corpus)
    return {
        "memories": size,
        "from": source,
        "probes": len(probes),
        "failed": len(failed),
        "draw": _time_ms(lambda: draw_probes(touched)),
        "index": _time_ms(lambda: Corpus.of(texts)),
        "probe": _time_ms(lambda: decide_failed(probes, touched, corpus, lambda: corpus)),
    }


def _merge(number: int, one: Memory, other: Memory) -> Touched:
    kept = replace(one, content=one.content + other.content, version=2)
    gone = replace(other, state=MemoryState.SUPERSEDED, version=2)
    return Touched(operation_id=f"op_{number}", kind=OperationKind.MERGE, before=(one, other), after=(kept, gone))


def _time_ms(work: Callable[[], object]) -> float:
    spent = []
    for _ in range(_REPEATS):
        begun = time.perf_counter()
        work()
        spent.append((time.perf_counter() - begun) * 1_000)
    return median(spent)


if __name__ == "__main__":
    raise SystemExit(main())
