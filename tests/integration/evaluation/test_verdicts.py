"""Verdicts of people on a store hold for the copies that evaluations dream over."""

from shared.all_ports import Ports
from shared.core.dream.model import OperationState, ReviewState
from tests.integration.undo.undo_support import Dreamt


def test_what_a_person_has_refused_is_refused_in_a_copy(quiet_ports: Ports, dreamt: Dreamt) -> None:
    with quiet_ports.db.with_shadows().transaction(dreamt.tenant) as uow:
        dream = uow.dreams.find_recent(limit=1)[0]
        done = uow.operations.find_all(dream.id)
        for one in done:
            uow.operations.decide(one.id, state=OperationState.REJECTED, review=ReviewState.REJECTED, by="ada")
        store = uow.stores.get(dream.store)
        shadow = uow.evaluations.shadows.copy("eval_1", store, profile="default", overrides={}, llm={})
        refused = {one.operation.kind: uow.verdicts(store.id).find_refused(one.operation.kind, 10) for one in done}

        assert any(refused.values())
        assert {kind: uow.verdicts(shadow.id).find_refused(kind, 10) for kind in refused} == refused
