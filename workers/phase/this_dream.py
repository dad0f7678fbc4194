"""Find what this dream has done so far, and what a search finds in the store before and after it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from shared.core.dream.model import Dream, OperationState
from shared.core.dream.operations import KINDS, Create, Rewrite
from shared.core.dream.recall import ProbeKind, Recall
from shared.core.evaluation.around_dream import Touched, find_losing, with_stubs
from shared.core.evaluation.measure import find_superseded, without_superseded
from shared.core.evaluation.probes import Probe
from shared.core.evaluation.readers import HitReader, ReadTexts, Snapshot
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import MemoryKind
from shared.core.search.bm25 import TextIndex
from shared.ports.database import UnitOfWork
from shared.ports.memories import TextLine
from shared.services.index_cache import INDEX_CACHE
from workers.phase.shape import PhaseContext

#: Of all kinds together.
MAX_PROBES = 200
#: Operations that are named because they lost answers, those that lost most of one kind.
_MOST_NAMED = 5
#: The draw is even over ages, too, where they are known; here every text counts as equally old.
ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)


def find_gathered(context: PhaseContext) -> list[str]:
    """Return the paths of memories that were gathered from sessions or corrected by them; costs a query."""
    recorded = context.uow.operations.find_all(context.dream.id)
    applied = [one.operation for one in recorded if one.state is OperationState.APPLIED]
    gathered = [operation for operation in applied if KINDS[operation.kind].brings_knowledge]
    return [
        change.path for operation in gathered for change in operation.changes if isinstance(change, Create | Rewrite)
    ]


def find_touched(uow: UnitOfWork, dream: Dream) -> tuple[Touched, ...]:
    """Return the operations in force (in a dry run: the planned ones), oldest first."""
    wanted = OperationState.SKIPPED if dream.is_dry_run else OperationState.APPLIED
    recorded = [op for op in uow.operations.find_all(dream.id) if op.state is wanted and op.effects]
    return tuple(Touched.of(op.id, op.operation.kind, op.effects) for op in recorded)


def find_topics(uow: UnitOfWork, store_id: str) -> list[TextLine]:
    """Return the live texts without indexes."""
    return [one for one in uow.memories(store_id).find_texts() if _is_topic(one.path, one.text)]


def find_topics_touched(uow: UnitOfWork, dream: Dream) -> tuple[Touched, ...]:
    """Return the operations in force that touched knowledge, without the indexes among their memories."""
    return tuple(one for one in map(_topics_of, find_touched(uow, dream)) if one.before or one.after)


def measure(
    store_id: str,
    touched: Sequence[Touched],
    texts: Mapping[str, str],
    earlier: Mapping[str, str],
    probes: Sequence[Probe],
) -> dict[ProbeKind, Recall]:
    """Return how many answers a search finds before and after the dream; a text that is the same at both times is read once."""
    now, read = with_stubs(texts, touched), ReadTexts()
    # What this dream superseded is asked for no more.
    probes = without_superseded(probes, find_superseded(Snapshot(live=earlier), Snapshot(live=now)))
    if not probes:
        return {}
    with INDEX_CACHE.borrow(store_id, now.items()) as index:
        after = _find(probes, now, index, read)
    # Not that index with other texts in it: it would still count the words of these, and rank otherwise.
    with INDEX_CACHE.borrow(store_id, earlier.items()) as index:
        before = _find(probes, earlier, index, read)
    both = list(zip((one.kind for one in probes), before, after, strict=True))
    kinds = {one.kind for one in probes}
    return {kind: _compare([found for of, *found in both if of is kind], touched) for kind in kinds}


def _compare(found: Sequence[Sequence[str | None]], touched: Sequence[Touched]) -> Recall:
    """Return the recall of answers, of which each has the paths where it was found before and after the dream."""
    lost = [before for before, after in found if before is not None and after is None]
    return Recall(
        asked=len(found),
        before=sum(before is not None for before, _ in found),
        after=sum(after is not None for _, after in found),
        lost=len(lost),
        lost_by=dict(find_losing(lost, touched).most_common(_MOST_NAMED)),
    )


def _topics_of(one: Touched) -> Touched:
    return replace(
        one,
        before=tuple(memory for memory in one.before if _is_topic(memory.path, memory.content)),
        after=tuple(memory for memory in one.after if _is_topic(memory.path, memory.content)),
    )


def _is_topic(path: str, text: str) -> bool:
    """Tell whether a text is knowledge, and no index, which a dream writes, too."""
    return kind_of_text(path, text) is MemoryKind.TOPIC


def _find(probes: Sequence[Probe], texts: Mapping[str, str], index: TextIndex, read: ReadTexts) -> list[str | None]:
    reader = HitReader(texts, lambda words, limit: [path for path, _ in index.search(words, limit)], read)
    return [reader.find(probe) for probe in probes]
