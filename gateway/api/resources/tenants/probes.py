"""Read and set the questions of its own that a store keeps, for people: no agent's key reads what it is measured by."""

from fastapi import APIRouter

from gateway.api.http.auth import Administrator, Reviewer
from gateway.api.http.parameters import StoreName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.evaluations import ProbesIn, ProbesOut, own_probes
from shared.services.evaluation.own_probes import find_own_probes, set_own_probes

router = APIRouter(prefix="/api/stores/{store}/probes", tags=["evaluations"], route_class=OneThreadRoute)


@router.get("", responses=answers(), summary="Get a store's probes")
def get(store: StoreName, caller: Reviewer) -> ProbesOut:
    """Return the questions of its own that the store keeps. The list is whole: there are at most 200."""
    return ProbesOut.model_validate({"probes": find_own_probes(caller.ports.db, caller.tenant_id, store)})


@router.put("", responses=answers(), summary="Set a store's probes")
def put(store: StoreName, body: ProbesIn, caller: Administrator) -> ProbesOut:
    """Keep these questions instead of all that the store has; its evaluations ask them from now on."""
    db, rows = caller.ports.db, own_probes(body.probes)
    return ProbesOut.model_validate({"probes": set_own_probes(db, caller.tenant_id, store, rows, actor=caller.actor)})
