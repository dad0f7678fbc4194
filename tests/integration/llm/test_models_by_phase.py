"""Each phase asks the model that is set for it, and a better one is asked once more where the first one is in doubt."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import psycopg
import pytest
from pydantic import BaseModel

from gateway.cli.dreams.as_json import models_lines
from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, Trigger
from shared.core.errors import BadInputError
from shared.core.questions.question import Question
from shared.core.tenants.model_settings import SourcedValue
from shared.core.tenants.store import DEFAULT_STORE
from shared.ports.llm import CallTotals, LlmOutcome
from shared.services.dreams.read import get_dream_view
from shared.services.tenants.configure import StoreChanges, TenantChanges, configure_store, configure_tenant
from shared.services.tenants.effective import find_effective
from tests.integration.failures.crash_support import Crash, let_lapse
from tests.support.builders import LONG_AGO, get_dream, run_chain, texts, write
from workers.ask.asker import Asked
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream
from workers.phase.planned import Planned
from workers.phase.work import PhaseWork
from workers.phases import CATALOG
from workers.runner import steps

NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Burst is 50.\n",
}
WHOLE = "The API allows 600 calls a minute per key. Burst is 50."
Said = LlmOutcome | Mapping[str, object]
Says = Callable[[Question], Said]


class Named(ScriptedLlm):
    """A model with a name, which answers questions of consolidate as it is told, and all others with nothing."""

    def __init__(self, name: str, says: Says) -> None:
        super().__init__(lambda question: self._say(question, says))
        self._name = name

    @staticmethod
    def _say(question: Question, says: Says) -> BaseModel | LlmOutcome | None:
        said = says(question) if question.phase == "consolidate" else {}
        return said if isinstance(said, LlmOutcome) else question.answer_type.model_validate(said)

    @property
    def model(self) -> str:
        return self._name

    def heard(self, phase: str = "consolidate") -> list[str]:
        """The keys of the questions of a phase that it was asked."""
        return [one.question.key for one in self.requests if one.question.phase == phase]


@dataclass(frozen=True)
class Scene:
    """A tenant whose dreams may ask two models."""

    ports: Ports
    tenant: str
    models: dict[str, Named]

    def set(self, **llm: str) -> None:
        changes = StoreChanges(llm={name.replace("_of_", "."): value for name, value in llm.items()})
        configure_store(self.ports.db, self.tenant, DEFAULT_STORE, changes=changes, phases=CATALOG, actor="a test")

    def sweep(self) -> Dream:
        """Dream as when a sweep finds the store, so that unchanged questions are spared."""
        with self.ports.db.transaction(self.tenant) as uow:
            store = uow.stores.get(DEFAULT_STORE)
            queued = uow.dreams.add(store.id, trigger=Trigger.SWEEP, force=False, dry_run=False)
        return self.dream(queued.id)

    def dream(self, dream_id: str | None = None) -> Dream:
        dispatch = RecordingDispatch()
        ports = replace(self.ports, dispatch=dispatch)
        dream_id = begin_dream(ports, self.tenant, DEFAULT_STORE, force=True, dream_id=dream_id)
        assert dream_id is not None
        run_chain(ports, dispatch.chains[-1])
        finish_dream(ports, self.tenant, dream_id, dispatch.chains[-1].epoch)
        return get_dream(ports, self.tenant, dream_id)

    def counts(self, dream: Dream) -> dict[str, int]:
        """Return the counts of escalations and missing answers in the run of consolidate."""
        with self.ports.db.transaction(self.tenant) as uow:
            (run,) = uow.phases.find_all(dream.id, phase="consolidate")
        return {name: number for name, number in run.counts.items() if name.startswith(("escalated", "missing"))}

    def totals(self, dream: Dream) -> CallTotals:
        with self.ports.db.transaction(self.tenant) as uow:
            return uow.calls.get_totals(dream.id)


@pytest.fixture
def scene(ports: Ports, tenant: str) -> Callable[..., Scene]:
    def make(cheap: Says, better: Says = lambda _: {}) -> Scene:
        models = {"cheap": Named("cheap", cheap), "better": Named("better", better)}
        settings = ports.settings.model_copy(update={"llm": "anthropic", "llm_model": "cheap"})
        here = replace(ports, settings=settings, choose_llm=lambda one: models[one.llm.get("model", "cheap")])
        write(here, tenant, texts(NOTES, at=LONG_AGO))
        return Scene(ports=here, tenant=tenant, models=models)

    return make


def merge(text: str, confidence: float | None = None) -> Mapping[str, object]:
    action = {
        "type": "MERGE",
        "files": sorted(NOTES),
        "mergedContent": text,
        "reason": "the same",
        "confidence": confidence,
    }
    return {"actions": [action]}


def test_a_phase_asks_its_own_model_and_the_others_the_usual_one(scene: Callable[..., Scene]) -> None:
    one = scene(lambda _: {})
    one.set(model_of_consolidate="better")
    dream = one.dream()
    assert dream.state is DreamState.COMPLETED
    assert (one.models["cheap"].heard(), len(one.models["better"].heard())) == ([], 1)
    found = Counter({(total.model, total.phase): total.answers for total in one.totals(dream).models})
    assert found["better", "consolidate"] == 1
    assert {model for model, phase in found if phase != "consolidate"} <= {"cheap"}


def test_an_unsure_answer_is_asked_for_again_once_and_the_better_one_is_taken(scene: Callable[..., Scene]) -> None:
    one = scene(lambda _: merge(WHOLE, 0.4), lambda _: merge(WHOLE, 0.95))
    one.set(better_model="better")
    dream = one.dream()
    assert (len(one.models["cheap"].heard()), len(one.models["better"].heard())) == (1, 1)
    assert one.counts(dream) == {"escalated_unsure": 1}
    with one.ports.db.transaction(one.tenant) as uow:
        (merged,) = [op for op in uow.operations.find_all(dream.id) if op.operation.phase == "consolidate"]
    assert merged.operation.confidence == 0.95
    lines = models_lines(get_dream_view(one.ports.db, one.tenant, dream.id), compares_meaning=True)
    assert {line.partition(":")[0].strip() for line in lines} >= {"better in consolidate", "cheap in consolidate"}
    totals = one.totals(dream)
    assert totals.tokens == sum(total.tokens for total in totals.models), "both calls are in the budget and the costs"
    assert {total.model for total in totals.models if total.phase == "consolidate"} == {"cheap", "better"}


def test_the_first_answer_stands_where_the_better_model_gives_none(scene: Callable[..., Scene]) -> None:
    one = scene(lambda _: merge(WHOLE, 0.4), lambda _: LlmOutcome.UNPARSABLE)
    one.set(better_model="better")
    dream = one.dream()
    assert dream.state is DreamState.COMPLETED
    assert one.counts(dream) == {"escalated_unsure": 1}
    with one.ports.db.transaction(one.tenant) as uow:
        found = [op.operation.confidence for op in uow.operations.find_all(dream.id)]
    assert 0.4 in found


def test_a_useless_answer_is_asked_for_again(scene: Callable[..., Scene]) -> None:
    one = scene(lambda _: LlmOutcome.REFUSED, lambda _: merge(WHOLE, 0.95))
    one.set(better_model="better")
    dream = one.dream()
    assert dream.state is DreamState.COMPLETED
    assert one.counts(dream) == {"escalated_no_answer": 1}


def test_without_a_better_model_nothing_is_asked_again(scene: Callable[..., Scene]) -> None:
    one = scene(lambda _: LlmOutcome.REFUSED, lambda _: merge(WHOLE, 0.95))
    assert one.counts(one.dream()) == {"missing_model_refused": 1}
    assert one.models["better"].requests == ()


def test_a_changed_model_asks_its_phase_anew_and_no_other_one(scene: Callable[..., Scene]) -> None:
    one = scene(lambda _: {})
    one.sweep()
    assert one.models["cheap"].heard("prune")
    one.set(model_of_consolidate="better")
    one.sweep()
    assert len(one.models["cheap"].heard("prune")) == 1, "the question of another phase is spared"
    one.set(model_of_prune="better")
    one.sweep()
    assert len(one.models["better"].heard("prune")) == 1, "the answer of another model is not this one's"
    one.set(model_of_prune="")
    one.sweep()
    assert len(one.models["cheap"].heard("prune")) == 1, "the usual model's own answer holds again"


def test_a_useless_answer_is_not_bought_again_when_the_worker_dies_after_the_better_one(
    scene: Callable[..., Scene], owner_connection: psycopg.Connection
) -> None:
    one = scene(lambda _: LlmOutcome.UNPARSABLE, lambda _: merge(WHOLE, 0.95))
    one.set(better_model="better")

    def die_in_consolidate(work: PhaseWork, inputs: object, asked: Asked) -> Planned:
        if work.phase.name == "consolidate":
            raise Crash
        return plan(work, inputs, asked)

    plan = steps._plan

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(steps, "_plan", die_in_consolidate)
        with pytest.raises(Crash):
            one.dream()
    with one.ports.db.transaction(one.tenant) as uow:
        (dream,) = uow.dreams.find_recent(limit=1)
    let_lapse(owner_connection, dream.id)
    again = one.dream(dream.id)
    assert [len(one.models[name].heard()) for name in ("cheap", "better")] == [1, 1]
    assert one.counts(again) == {"escalated_no_answer": 1}


def test_a_level_with_a_model_of_its_own_takes_no_phases_model_from_above(scene: Callable[..., Scene]) -> None:
    one = scene(lambda _: {})
    db, settings = one.ports.db, one.ports.settings
    of_tenant = TenantChanges(llm={"model.prune": "m-prune", "better_model": "m-better"})
    configure_tenant(db, one.tenant, changes=of_tenant, actor="a test", phases=CATALOG)
    one.set(model_of_consolidate="m-consolidate")
    found = find_effective(db, settings, one.tenant, DEFAULT_STORE, CATALOG).model
    assert found["model.consolidate"] == SourcedValue(value="m-consolidate", source="store")
    assert found["model.prune"] == SourcedValue(value="m-prune", source="tenant")
    assert found["better_model"] == SourcedValue(value="m-better", source="tenant")
    one.set(model="m-own")
    found = find_effective(db, settings, one.tenant, DEFAULT_STORE, CATALOG).model
    assert found["model.consolidate"] == SourcedValue(value="m-consolidate", source="store")
    assert "model.prune" not in found
    assert found["better_model"] == SourcedValue(value=None, source="store")


def test_a_phase_that_asks_no_model_is_refused_with_those_that_do(scene: Callable[..., Scene]) -> None:
    one = scene(lambda _: {})
    with pytest.raises(BadInputError, match=r"no phase 'index' that asks a model; choose one of gather, "):
        one.set(model_of_index="m")
    changes = TenantChanges(llm={"model.dream": "m"})
    with pytest.raises(BadInputError, match="no phase 'dream'"):
        configure_tenant(one.ports.db, one.tenant, changes=changes, actor="a test", phases=CATALOG)
