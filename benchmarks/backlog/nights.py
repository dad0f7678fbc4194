"""Fill a store with a backlog of sessions, and let dreams follow each other until nothing is due."""

import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from scheduler.check_eligibility import check_eligibility
from scheduler.run_sweep import run_sweep
from scheduler.sweeps import due_stores
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream
from shared.core.sessions.model import EventKind, NewEvent
from shared.ports.llm import LlmReply, LlmRequest
from shared.services.memories.write import ensure_store
from shared.services.tenants.configure import StoreChanges, configure_store
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.work import PhaseKey
from workers.phases import ALL_PHASES, CATALOG
from workers.phases.gather import NAME as GATHER
from workers.runner.run import run_phases

_MOST_DREAMS = 200
_RIVERS = ("Aller", "Bode", "Dinkel", "Eder", "Fulda", "Glan", "Havel", "Isar", "Jagst", "Kocher", "Lahn", "Mosel")


@dataclass
class StandIn:
    """A model that waits, remembers what the rules find in sessions, and has nothing to say about memories."""

    seconds: float
    calls: int = field(default=0)
    silent: ScriptedLlm = field(default_factory=ScriptedLlm)

    @property
    def model(self) -> str:
        """Return the model's name for the log."""
        return "stand-in"

    def decide(self, request: LlmRequest) -> LlmReply:
        """Answer after the wait."""
        self.calls += 1
        time.sleep(self.seconds)
        answers = OfflineLlm() if request.question.phase == GATHER else self.silent
        return answers.decide(request)

    def count_tokens(self, request: LlmRequest) -> int:
        """Return the estimate that the budgets go by."""
        return OfflineLlm().count_tokens(request)

    def find_unwritten(self, _request: LlmRequest) -> frozenset[int]:
        """Return nothing: there is no cache."""
        return frozenset()


def tell_backlog(ports: Ports, tenant: str, sessions: int, at: datetime | None = None) -> None:
    """Store ended sessions of two statements each, in a store that dreams once in 24 hours."""
    ensure_store(ports.db, tenant, "default")
    changes = StoreChanges(profile="claude-code", overrides={"budget.tokens_per_day": 10_000_000})
    configure_store(ports.db, tenant, "default", changes=changes, phases=CATALOG, actor="benchmark")
    begun = at or datetime.now(UTC) - timedelta(days=3)
    with ports.db.transaction(tenant) as uow:
        store_id = uow.stores.get("default").id
        for number in range(sessions):
            session, _ = uow.sessions(store_id).ensure(f"s{number}", source="plain")
            events = [_event(number, turn, text, begun) for turn, text in enumerate(_statements(number), 1)]
            uow.ingest(store_id).append([(session, events)])
            uow.activity.record(store_id, sessions=1)


def _statements(number: int) -> tuple[str, str]:
    river = _RIVERS[number % len(_RIVERS)]
    return (
        f"Remember that gauge {river}-{number} reports its level every {number % 50 + 5} minutes.",
        f"Remember that the key of station {number * 7 + 3} hangs in cabinet {river} number {number % 90 + 1}.",
    )


def _event(number: int, turn: int, text: str, begun: datetime) -> NewEvent:
    at = begun + timedelta(minutes=number, seconds=turn)
    return NewEvent(event_id=f"e{turn}", kind=EventKind.USER, role="user", text=text, at=at)


def dream_through(ports: Ports, tenant: str) -> list[Dream]:
    """Check the store, then sweep, check and dream until it is not due; return the dreams as they ended."""
    dreams: list[Dream] = []
    checks = [(tenant, "default")]
    while checks and len(dreams) < _MOST_DREAMS:
        dispatch = RecordingDispatch()
        here = replace(ports, dispatch=dispatch)
        begun = [check_eligibility(here, name, store) for name, store in checks if name == tenant]
        dreams += [_run_dream(here, tenant, dream_id) for dream_id in begun if dream_id is not None]
        run_sweep(here, due_stores.SWEEP)
        checks = dispatch.checks
    return dreams


def _run_dream(ports: Ports, tenant: str, dream_id: str) -> Dream:
    """Run a queued dream to its end."""
    dispatch = RecordingDispatch()
    here = replace(ports, dispatch=dispatch)
    begun = begin_dream(here, tenant, "default", force=False, dream_id=dream_id)
    assert begun == dream_id, "it was not claimed"
    chain = dispatch.chains[-1]
    left = tuple(next(one for one in ALL_PHASES if one.name == name) for name in chain.phases)
    while left:
        key = PhaseKey(tenant_id=tenant, dream_id=dream_id, epoch=chain.epoch, phase=left[0].name)
        left = left[run_phases(here, left, key).ended :]
    assert finish_dream(here, tenant, dream_id, chain.epoch), "it was taken over"
    with here.db.transaction(tenant) as uow:
        return uow.dreams.get(dream_id)
