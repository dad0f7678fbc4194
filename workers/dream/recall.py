"""Tell what a dream did to recall, and measure it by what agents had searched for, too, when the dream has ended.

The phase `measure_recall` asks all other questions. The log of searches is out of reach for all that a dream consists of, so
that its questions are asked again here: after the dream's end, which is neither delayed nor undone by what goes wrong.
"""

from collections.abc import Sequence

from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, PhaseState
from shared.core.dream.recall import ProbeKind, Recall
from shared.core.evaluation.around_dream import Touched, before_the_dream, searched
from shared.core.evaluation.falls import decide_fall
from shared.core.evaluation.probes import Probe, WrittenText
from shared.core.tenants.shadow import is_shadow
from shared.counting import count, observe
from shared.logger import get_logger
from shared.ports.database import UnitOfWork
from shared.ports.evidence.search_log import AskedSearch
from shared.ports.memories import TextLine
from shared.telemetry import where_of
from workers.evaluation.read import MOST_ASKED, probes_of_searches
from workers.phase.this_dream import ANY_DAY, MAX_PROBES, find_topics, find_topics_touched, measure
from workers.phases.measure_recall import NAME

_log = get_logger()
#: Dreams that asked nothing about recall may stand between those that did.
_LOOKED_BACK = 10


def find_recalls(uow: UnitOfWork, dream: Dream, kind: ProbeKind, newest: Recall) -> list[Recall]:
    """Return the recall of a store's last dreams for one kind of questions, this one first; no other if it lost nothing."""
    if dream.is_dry_run:
        return []
    if (newest.delta or 0.0) >= 0:
        return [newest]
    states = {DreamState.COMPLETED, DreamState.PARTIAL}
    recent = uow.dreams.find_recent(store_id=dream.store_id, states=states, limit=_LOOKED_BACK)
    summaries = [one.summary for one in recent if one.summary and one.id != dream.id and not one.is_dry_run]
    return [newest, *(one.recall[kind] for one in summaries if kind in one.recall)]


def tell_recall(tenant_id: str, dream_id: str, kind: ProbeKind, newest_first: Sequence[Recall]) -> None:
    """Record what a dream did to the recall of one kind of questions, and count a fall that is worth an alert."""
    if not newest_first:
        return
    newest = newest_first[0]
    observe("slowwave_dream_recall_delta", newest.delta or 0.0, kind=str(kind))
    fall = decide_fall(newest_first)
    if fall is not None:
        count("slowwave_recall_falls_total", reason=str(fall))
        log = _log.bind(tenant_id=tenant_id, dream_id=dream_id)
        log.warning("recall_fell", reason=str(fall), kind=str(kind), before=newest.before, after=newest.after)


def measure_searches(ports: Ports, tenant_id: str, dream_id: str) -> None:
    """Ask the store of an ended dream again what agents had searched for, and add to the summary what is found. Never raises."""
    try:
        recalls = _measure_searches(ports, tenant_id, dream_id)
    except Exception as error:  # noqa: BLE001 - the dream has ended, and stays as it is
        count("slowwave_recall_unmeasured_total")
        # The error's own words may hold a query, or memory text.
        _log.error(
            "searches_not_measured",
            tenant_id=tenant_id,
            dream_id=dream_id,
            error=type(error).__name__,
            where=where_of(error),
        )
        return
    tell_recall(tenant_id, dream_id, ProbeKind.ASKED, recalls)


def _measure_searches(ports: Ports, tenant_id: str, dream_id: str) -> list[Recall]:
    with ports.db.transaction(tenant_id, read_only=True) as uow:
        dream = uow.dreams.get(dream_id)
        number = sum(one.asked for one in dream.summary.recall.values()) if dream.summary else 0
        # It is not done where it is switched off, and where no knowledge was changed.
        is_measured = any(run.state is PhaseState.DONE for run in uow.phases.find_all(dream_id, phase=NAME))
        is_logged = uow.policy_of(dream.store_id).evidence.log_searches
    if not (is_measured and is_logged and number < MAX_PROBES) or dream.is_dry_run or is_shadow(dream.store):
        return []
    asked = ports.search_log.find_asked(tenant_id, dream.store_id, MOST_ASKED)
    if not asked:
        return []
    with ports.db.transaction(tenant_id, read_only=True) as uow:
        touched = find_topics_touched(uow, dream)
        live = find_topics(uow, dream.store_id) if touched else []
    recall = ask_again(dream.store_id, touched, live, asked, MAX_PROBES - number)
    if recall is None:
        return []
    with ports.db.transaction(tenant_id) as uow:
        uow.dreams.add_recall(dream_id, ProbeKind.ASKED, recall)
        return find_recalls(uow, dream, ProbeKind.ASKED, recall)


def ask_again(
    store_id: str, touched: tuple[Touched, ...], live: Sequence[TextLine], asked: Sequence[AskedSearch], most: int
) -> Recall | None:
    """Return how many of the searches find what was then read, before these operations of a dream and after them; None if none can be asked."""
    texts = {one.path: searched(one.text) for one in live}
    earlier = before_the_dream(texts, touched)
    paths = {one.id: one.path for one in live}
    for one in reversed(touched):
        paths |= {memory.id: memory.path for memory in one.before}
    read = {memory_id: paths[memory_id] for search in asked for memory_id in search.read if memory_id in paths}
    written = {
        memory_id: WrittenText(path=path, content=earlier[path], at=ANY_DAY)
        for memory_id, path in read.items()
        if path in earlier
    }
    probes: dict[str, Probe] = {}
    for probe in probes_of_searches(written, asked):  # each reads a memory: none is drawn in vain
        probes[probe.key] = probe
        if len(probes) >= most:
            break
    return measure(store_id, touched, texts, earlier, list(probes.values())).get(ProbeKind.ASKED)
