"""Summarize a week of a tenant or a store: what was learned, how much of it was right, what it cost, and what waits."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from shared.core.dream.model import DreamState
from shared.core.dream.operations import OperationKind
from shared.core.evaluation.model import EvaluationState
from shared.core.insight.lessons import TEACHING, find_lesson
from shared.core.insight.model import MOST_NEW, DreamRecall, Evaluated, Lesson, OperationsOfKind, Week, find_monday
from shared.core.memory.writers import Rank
from shared.core.trust.hidden import is_shown, least_of
from shared.core.upkeep.due import local_date
from shared.ports.database import Database, UnitOfWork

#: Of each kind, so many are looked at for a lesson.
_EXAMPLES = 5
_LESSONS = 5
_NEW_SHOWN = 5
_RECALLED_SHOWN = 5
#: The dreams that are looked through for measured recall, and how many of these are shown.
_DREAMS, _RECALLS = 30, 8
_EVALUATIONS = 10


def get_week(db: Database, tenant_id: str, day: date | None = None, *, store: str = "") -> Week:
    """Return the week of a day of a tenant, or of one store, in the tenant's time zone; by default this week.

    A later day is taken for today. Raises NotFoundError if there is no such tenant or store.
    """
    with db.transaction(tenant_id) as uow:
        return read_week(uow, day, store=store)


def read_week(uow: UnitOfWork, day: date | None = None, *, store: str = "", for_all: bool = False) -> Week:
    """Return the week of a day, as `get_week` does; `for_all`: without statements that a store hides from its agents."""
    zone = uow.stores.get_tenant().time_zone
    today = local_date(uow.now(), zone)
    monday = find_monday(min(day or today, today))
    since, until = (datetime.combine(one, time(), ZoneInfo(zone)) for one in (monday, monday + timedelta(days=7)))
    store_id = uow.stores.get(store).id if store else None
    learned = uow.statistics.learned
    deeds = {one.kind: one for one in learned.find_deeds(since, until, examples=_EXAMPLES, store=store)}
    stores = uow.stores.find_all()
    least = {one.name: least_of(one.policy.recall) for one in stores} if for_all else {}
    return Week(
        monday=monday,
        time_zone=zone,
        today=today,
        store=store,
        new=learned.count_new(since, until, most=MOST_NEW, store=store),
        newest=tuple(learned.find_new(since, until, limit=_NEW_SHOWN, store=store)),
        lessons=tuple(_find_lessons(uow, deeds, least)),
        deeds=deeds,
        judged=learned.count_judged(since, until, store=store),
        spent=learned.sum_calls(since, until, store=store),
        recall=tuple(_find_recall(uow, store_id)),
        evaluated=_find_evaluated(uow, store_id),
        to_review=_count_waiting(uow, store),
        quarantined=tuple(one.name for one in stores if one.is_quarantined and store in {"", one.name}),
        recalls=learned.find_recalls(limit=_RECALLED_SHOWN),
    )


def _find_lessons(
    uow: UnitOfWork, deeds: Mapping[OperationKind, OperationsOfKind], least: Mapping[str, Rank]
) -> Sequence[Lesson]:
    """Return the statements that matter most: by kind, then the newest. One statement is told once.

    `least` has the rank from which on each store shows its memories; a store that is not in it shows them all.
    """
    examples = [(kind, one) for kind in TEACHING if kind in deeds for one in deeds[kind].examples]
    recorded = uow.operations.find_by_ids([one.operation_id for _, one in examples])
    found: dict[str, Lesson] = {}
    for kind, one in examples:
        operation = recorded.get(one.operation_id)
        effects = operation.effects if operation is not None else ()
        shown = all(
            is_shown(memory.path, memory.writers.lowest.rank, least.get(one.store, Rank.MACHINE))
            for effect in effects
            for memory in (effect.before, effect.after)
            if memory is not None
        )
        text, instead_of = find_lesson(kind, effects) if shown else ("", "")
        if text and len(found) < _LESSONS:
            lesson = Lesson(
                operation_id=one.operation_id,
                kind=kind,
                store=one.store,
                path=one.path,
                text=text,
                instead_of=instead_of,
            )
            found.setdefault(text, lesson)
    return list(found.values())


def _find_recall(uow: UnitOfWork, store_id: str | None) -> Sequence[DreamRecall]:
    """Return the recall of the last dreams, without undone ones: what they did to it is no more."""
    dreams = uow.dreams.find_recent(store_id=store_id, limit=_DREAMS)
    measured = [
        DreamRecall(dream_id=dream.id, store=dream.store, recall=dream.summary.recall)
        for dream in dreams
        if dream.state is not DreamState.UNDONE and dream.summary and dream.summary.recall
    ]
    return measured[:_RECALLS]


def _find_evaluated(uow: UnitOfWork, store_id: str | None) -> Evaluated | None:
    found = uow.evaluations.find_all(store_id=store_id, limit=_EVALUATIONS, before=None)
    done = next((one for one in found if one.state is EvaluationState.DONE and one.report), None)
    if done is None or done.report is None:
        return None
    return Evaluated(evaluation_id=done.id, store=done.store, sentence=str(done.report.get("sentence", "")))


def _count_waiting(uow: UnitOfWork, store: str) -> Mapping[OperationKind, int]:
    found: Counter[OperationKind] = Counter()
    for one in uow.statistics.count_pending():
        if store in {"", one.store}:
            found[one.kind] += one.number
    return dict(found.most_common())
