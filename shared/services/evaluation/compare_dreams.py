"""Compare two dreams of a store: what each did, learned and cost, the settings that were changed between them, and what the second changed again."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.core.dream.effects import Effect
from shared.core.dream.model import Dream, DreamSummary, OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.dream.recall import ProbeKind
from shared.core.errors import BadInputError
from shared.core.insight.lessons import TEACHING, find_lesson, find_taken
from shared.core.insight.model import Lesson
from shared.core.memory.model import GENERATED, kind_of
from shared.core.tenants.audit import AuditEntry, as_change
from shared.ports.database import Database, UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.llm import CallTotals
from shared.ports.tenants import AuditFilter

#: The statements that are named of each dream, and the newest changes of settings that are looked through.
_LESSONS, _CHANGES = 8, 200
_ACTIONS = ("store.configure", "tenant.configure")


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamDeeds:
    """The deeds of one dream: its operations in force by kind, those that wait for a person, and statements that it brought."""

    dream: Dream
    kinds: Mapping[OperationKind, int]
    waiting: int
    lessons: tuple[Lesson, ...]
    calls: CallTotals

    @property
    def recall_deltas(self) -> dict[ProbeKind, float | None]:
        """Return the shares of answers gained, by kind of questions; none of a kind that was not asked."""
        summary = self.dream.summary or DreamSummary()
        return {kind: recall.delta for kind, recall in summary.recall.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedAgain:
    """A memory that both dreams changed: the operations of each, and the statements of the first that the second took away."""

    memory_id: str
    path: str
    first: tuple[RecordedOperation, ...]
    second: tuple[RecordedOperation, ...]
    taken: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedDreams:
    """Two dreams of one store, the earlier one first; `settings` has the values before and after, by name."""

    first: DreamDeeds
    second: DreamDeeds
    settings: Mapping[str, Mapping[str, object]]
    again: tuple[ChangedAgain, ...]

    @property
    def kinds(self) -> Sequence[OperationKind]:
        """Return the kinds of operations of either dream."""
        return list(dict.fromkeys([*self.first.kinds, *self.second.kinds]))

    @property
    def probes(self) -> Sequence[ProbeKind]:
        """Return the kinds of questions that either dream asked."""
        return [kind for kind in ProbeKind if kind in self.first.recall_deltas or kind in self.second.recall_deltas]


def compare_dreams(db: Database, tenant_id: str, one_id: str, other_id: str) -> ComparedDreams:
    """Return what two dreams of a store did, in whatever order they are named.

    Raises:
        NotFoundError: there is no such dream.
        BadInputError: they are one dream, or of two stores.
    """
    with db.transaction(tenant_id) as uow:
        first, second = sorted(
            (uow.dreams.get(one_id), uow.dreams.get(other_id)), key=lambda dream: (dream.created_at, dream.id)
        )
        if first.id == second.id:
            raise BadInputError("Choose two dreams; this is one")
        if first.store_id != second.store_id:
            raise BadInputError(
                f"{first.id} is a dream of {first.store}, {second.id} of {second.store}: choose two of one store"
            )
        operations = [uow.operations.find_all(dream.id) for dream in (first, second)]
        deeds = [_sum_up(uow, dream, done) for dream, done in zip((first, second), operations, strict=True)]
        settings = _find_settings(uow, first, second)
    return ComparedDreams(first=deeds[0], second=deeds[1], settings=settings, again=_find_again(*operations))


def find_dream_before(db: Database, tenant_id: str, dream_id: str) -> str | None:
    """Return the id of the newest earlier dream of the same store, or None. Raises NotFoundError."""
    with db.transaction(tenant_id) as uow:
        store_id = uow.dreams.get(dream_id).store_id
        return next((one.id for one in uow.dreams.find_recent(store_id=store_id, limit=1, before=dream_id)), None)


def _sum_up(uow: UnitOfWork, dream: Dream, recorded: Sequence[RecordedOperation]) -> DreamDeeds:
    applied = [one for one in recorded if one.state is OperationState.APPLIED]
    lessons: dict[str, Lesson] = {}
    for one in sorted((one for one in applied if one.operation.kind in TEACHING), key=_importance):
        text, instead_of = find_lesson(one.operation.kind, one.effects) if len(lessons) < _LESSONS else ("", "")
        if text:
            path = one.effects[0].after.path
            lesson = Lesson(
                operation_id=one.id,
                kind=one.operation.kind,
                store=one.store,
                path=path,
                text=text,
                instead_of=instead_of,
            )
            lessons.setdefault(text, lesson)
    return DreamDeeds(
        dream=dream,
        kinds=dict(Counter(one.operation.kind for one in applied).most_common()),
        waiting=sum(one.review is ReviewState.PENDING for one in recorded),
        lessons=tuple(lessons.values()),
        calls=uow.calls.get_totals(dream.id),
    )


def _importance(one: RecordedOperation) -> int:
    return TEACHING.index(one.operation.kind)


def _find_again(first: Sequence[RecordedOperation], second: Sequence[RecordedOperation]) -> tuple[ChangedAgain, ...]:
    earlier, later = _by_memory(first), _by_memory(second)
    return tuple(
        ChangedAgain(
            memory_id=memory_id,
            path=_effects_on(memory_id, later[memory_id])[-1].after.path,
            first=tuple(earlier[memory_id]),
            second=tuple(later[memory_id]),
            taken=find_taken(_effects_on(memory_id, earlier[memory_id]), _effects_on(memory_id, later[memory_id])),
        )
        for memory_id in sorted(earlier.keys() & later.keys())
    )


def _by_memory(recorded: Sequence[RecordedOperation]) -> dict[str, list[RecordedOperation]]:
    """Return the operations in force on each memory that holds knowledge, by its id; an index follows every dream."""
    found: dict[str, list[RecordedOperation]] = {}
    for one in recorded:
        if one.state is OperationState.APPLIED:
            for memory_id in {effect.after.id for effect in one.effects if kind_of(effect.after.path) not in GENERATED}:
                found.setdefault(memory_id, []).append(one)
    return found


def _effects_on(memory_id: str, recorded: Sequence[RecordedOperation]) -> list[Effect]:
    return [effect for one in recorded for effect in one.effects if effect.after.id == memory_id]


def _find_settings(uow: UnitOfWork, first: Dream, second: Dream) -> dict[str, Mapping[str, object]]:
    """Return what was configured between the dreams, each with its first value before and its last one after; and their models."""
    found: dict[str, Mapping[str, object]] = {}
    if first.model != second.model:
        found["model"] = as_change(first.model or None, second.model or None)
    entries = [entry for action in _ACTIONS for entry in _entries_between(uow, action, first, second)]
    for entry in sorted(entries, key=lambda one: (one.at, one.id)):
        named = {**entry.detail, **_as_mapping(entry.detail.get("overrides"))}
        for name, change in named.items():
            if isinstance(change, dict) and change.keys() == {"from", "to"}:
                found[name] = as_change(found.get(name, change)["from"], change["to"])
    return {name: change for name, change in found.items() if change["from"] != change["to"]}


def _entries_between(uow: UnitOfWork, action: str, first: Dream, second: Dream) -> list[AuditEntry]:
    entries = uow.audit.find_page(AuditFilter(action=action), start_after=None, limit=_CHANGES)
    return [
        entry
        for entry in entries
        if first.created_at < entry.at <= second.created_at and entry.detail.get("store", first.store) == first.store
    ]


def _as_mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
