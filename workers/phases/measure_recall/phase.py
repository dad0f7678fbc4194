"""Measure recall: ask the same questions of the store before and after this dream, and count which answers a search finds.

Reads this dream's operations and the live texts. The questions are facts of the texts before the dream, drawn over the whole store, so
the counts tell what the dream did to recall; `slowwave evaluate` asks more, of more readers. Runs last. Proposes no operation, never
changes a memory, and needs no model. It cannot read what agents searched for.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from shared.core.dream.model import OperationState
from shared.core.dream.operations import KINDS, Plan
from shared.core.evaluation.around_dream import Touched, after_the_dream, before_the_dream, searched, with_stubs
from shared.core.evaluation.probes import Probe, WrittenText, draw_pairs
from shared.core.evaluation.readers import Reader, Snapshot, StoreReaders
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import MemoryKind
from shared.core.search.bm25 import by_path
from workers.phase.index_cache import INDEX_CACHE
from workers.phase.shape import Answers, NothingToDo, Phase, PhaseContext, Surroundings
from workers.phases.measure_recall import ENTRY

MAX_PROBES = 200
#: The draw is even over ages, too, where they are known; here every text counts as equally old.
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """This dream's operations, oldest first, and the live texts after them, by path."""

    store_id: str
    touched: tuple[Touched, ...]
    texts: dict[str, str]


def read(context: PhaseContext) -> Inputs | NothingToDo:
    """Collect the operations in force (in a dry run: the planned ones) and the texts that agents can find."""
    wanted = OperationState.SKIPPED if context.dream.is_dry_run else OperationState.APPLIED
    recorded = [op for op in context.uow.operations.find_all(context.dream.id) if op.state is wanted and op.effects]
    touched = tuple(Touched.of(op.id, op.operation.kind, op.effects) for op in recorded)
    if not any(KINDS[one.kind].is_probed for one in touched):
        return NothingToDo("nothing was changed that could be lost")
    live = context.uow.memories(context.store.id).find_texts()
    texts = _topics({one.path: searched(one.text) for one in live})
    return Inputs(
        store_id=context.store.id,
        touched=touched,
        texts=after_the_dream(texts, touched) if context.dream.is_dry_run else texts,
    )


def plan(inputs: Inputs, _answers: Answers, _around: Surroundings) -> Plan:
    """Count the answers that are found before and after."""
    earlier = _topics(before_the_dream(inputs.texts, inputs.touched))
    probes = draw_pairs(
        [WrittenText(path=path, content=text, at=_ANY_DAY) for path, text in earlier.items()], MAX_PROBES
    )
    after = _find(inputs.store_id, probes, with_stubs(_topics(inputs.texts), inputs.touched))
    before = _find(inputs.store_id, probes, earlier)
    counts = {
        "recall_asked": len(probes),
        "recall_before": sum(before),
        "recall_after": sum(after),
        "recall_lost": sum(old and not new for old, new in zip(before, after, strict=True)),
    }
    return Plan(counts=counts)


def _topics(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts without generated indexes, which a dream writes, too."""
    return {path: text for path, text in texts.items() if kind_of_text(path, text) is MemoryKind.TOPIC}


def _find(store_id: str, probes: Sequence[Probe], texts: Mapping[str, str]) -> list[bool]:
    with _ranked(store_id, texts) as readers:
        return [readers.ask(Reader.SEARCH, probe).rank is not None for probe in probes]


@contextmanager
def _ranked(store_id: str, texts: Mapping[str, str]) -> Iterator[StoreReaders]:
    with INDEX_CACHE.borrow(store_id, by_path(texts.items())) as index:
        yield StoreReaders(Snapshot(live=texts), lambda words, limit: [path for path, _ in index.search(words, limit)])


PHASE = Phase(
    entry=ENTRY,
    inputs_type=Inputs,
    read=read,
    plan=plan,
    runs_after_deadline=True,
    runs_when_canceled=True,
)
