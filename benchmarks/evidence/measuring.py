"""Dream over a store, and ask it the same questions before and after, and after a dream without one of its phases."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.evidence.answers import Answer, Answers
from benchmarks.evidence.cases import Case
from benchmarks.rest.dreams import Dreamt, Run
from shared.all_ports import Ports
from shared.core.evaluation.measure import Measured, find_gone, measure
from shared.core.evaluation.probes import Probe
from shared.core.evaluation.readers import CHARS_PER_TOKEN, Found, Reader, Snapshot
from shared.core.memory.model import MemoryState
from shared.services.memories.write import ensure_store, write_memories
from shared.services.sessions.ingest import ImportTarget, import_session_items
from shared.services.tenants.configure import StoreChanges, configure_store
from workers.phases import CATALOG

STORE = "default"
BEFORE = "before"
#: The moments at which a store is asked: so many dreams later.
DREAMS = (1, 4)
_DREAMS = {"gates.enabled": True}  # a profile may leave dreaming to its owner
#: What counts as an answer: found at all (ten hits, or the index and three files), or in the first text that a search returns.
MEASURES = ("search", "search, first", "files")


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A store at one moment; `retired` has the archived texts by path."""

    snapshot: Snapshot
    retired: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One store, dreamt over and asked.

    Attributes:
        taken: the store by moment.
        measured: the answers to all its questions, by moment.
        first: the first dream.
        changed_later: memories that dreams after the first one changed, although nothing was written.
        done: the applied operations of the first dream, by phase, of phases that can be switched off.
        without: the answers after one dream without a phase; only for phases that did something.
    """

    case: Case
    taken: Mapping[str, Taken]
    measured: Mapping[str, Measured]
    first: Dreamt
    changed_later: tuple[str, ...]
    done: Mapping[str, int]
    without: Mapping[str, Measured]

    def find_gone(self, moment: str) -> tuple[tuple[str, str], ...]:
        """Return (path, statement) of what no memory says any more."""
        return find_gone(self.taken[BEFORE].snapshot, self.taken[moment].snapshot, self.taken[moment].retired)


def after(dreams: int) -> str:
    """Return the name of a moment."""
    return f"after {dreams} dream{'s' * (dreams > 1)}"


def measure_case(ports: Ports, case: Case, profile: str) -> Outcome:
    """Fill a store, dream by a profile, and ask."""
    tenant = f"{case.material} {case.name}".lower().replace(",", "").replace(".", "-").replace(" ", "-")
    changes = StoreChanges(profile=profile, overrides=_DREAMS)
    _fill(ports, tenant, case, changes)
    run = Run(ports, tenant)
    taken = {BEFORE: take(ports, tenant)}
    for dreams in DREAMS:
        _dream(run, dreams)
        taken[after(dreams)] = take(ports, tenant)
    done = _count_done(run.dreams[0])
    probes = [one for some in case.probes.values() for one in some]
    return Outcome(
        case=case,
        taken=taken,
        measured=_measure_each(probes, taken),
        first=run.dreams[0],
        changed_later=tuple(path for one in run.dreams[1:] for path in one.changed),
        done=done,
        without={phase: measure(probes, _dream_without(ports, tenant, case, profile, phase)) for phase in done},
    )


def _measure_each(probes: Sequence[Probe], taken: Mapping[str, Taken]) -> dict[str, Measured]:
    """Ask at each moment; a store that has not changed since the moment before gives the same answers."""
    measured: dict[str, Measured] = {}
    earlier: tuple[Snapshot, Measured] | None = None
    for moment, one in taken.items():
        found = earlier[1] if earlier and earlier[0] == one.snapshot else measure(probes, one.snapshot)
        measured[moment], earlier = found, (one.snapshot, found)
    return measured


def _dream(run: Run, until: int) -> None:
    """Force so many dreams in all; one that found nothing to do at all is followed by others like it, which are left out."""
    while len(run.dreams) < until:
        if len(run.dreams) > 1 and not (run.dreams[-1].operations or run.dreams[-1].changed):
            return
        run.dream(len(run.dreams) + 1)


def _fill(ports: Ports, tenant: str, case: Case, changes: StoreChanges) -> None:
    ensure_store(ports.db, tenant, STORE)
    configure_store(ports.db, tenant, STORE, changes=changes, phases=CATALOG, actor="benchmark")
    if case.texts:
        write_memories(ports.db, ports.ids, tenant, STORE, case.texts, case.author)
    if case.events:
        import_session_items(ports.db, ImportTarget(tenant_id=tenant, store=STORE, source="benchmark"), case.events)


def _dream_without(ports: Ports, tenant: str, case: Case, profile: str, phase: str) -> Snapshot:
    tenant = f"{tenant}-{phase.replace('_', '-')}"
    _fill(ports, tenant, case, StoreChanges(profile=profile, overrides={**_DREAMS, f"phases.{phase}": False}))
    Run(ports, tenant).dream(1)
    return take(ports, tenant).snapshot


def take(ports: Ports, tenant: str) -> Taken:
    """Return the texts of a store as they are now."""
    with ports.db.transaction(tenant) as uow:
        memories = uow.memories(uow.stores.get(STORE).id)
        live, retired = memories.find_live(), memories.find_retired()
    archived = [one for one in retired if one.state is MemoryState.ARCHIVED]
    return Taken(
        snapshot=Snapshot(
            live={one.path: one.content for one in live}, stubs={one.path: one.stub for one in archived if one.stub}
        ),
        retired={one.path: one.content for one in archived},
    )


def _count_done(dreamt: Dreamt) -> Mapping[str, int]:
    """Count the applied operations of each phase that can be switched off."""
    optional = {entry.name for entry in CATALOG.entries if entry.is_optional}
    applied = (one.operation.phase for one in dreamt.operations if one.state == "applied")
    return Counter(phase for phase in applied if phase in optional)


def answers_of(store: str, probes: Iterable[Probe], measured: Measured, counted: str) -> Answers:
    """Return the answers that count by one measure, with keys and clusters that no other store has."""
    found = measured.found[Reader.FILES if counted == "files" else Reader.SEARCH]
    return {f"{store}/{one.key}": Answer(f"{store}/{one.cluster}", _counts(found[one.key], counted)) for one in probes}


def _counts(found: Found, counted: str) -> bool:
    return found.rank is not None and (counted != "search, first" or found.rank <= 1)


def tokens_of(probes: Sequence[Probe], measured: Measured, reader: Reader) -> float:
    """Return the tokens that a reader read for all these questions, also in vain."""
    return sum(measured.found[reader][one.key].chars for one in probes) / CHARS_PER_TOKEN
