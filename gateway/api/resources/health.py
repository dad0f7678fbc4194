"""Is the process alive, and can it work? For supervisors and load balancers: no key, and nothing about anybody."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel

from gateway.api.http.auth import get_ports
from gateway.api.http.threaded_route import OneThreadRoute
from shared.core.errors import ServiceUnavailableError
from shared.ports.ports import Ports
from shared.ports.runtime import UNREADABLE

router = APIRouter(tags=["health"], route_class=OneThreadRoute)


class Alive(BaseModel):
    """The process answers."""

    status: Literal["ok"] = "ok"


class Ready(BaseModel):
    """Which servers answer."""

    status: Literal["ready", "not ready"]
    database: bool
    redis: bool


@router.get("/healthz", summary="Liveness")
def healthz() -> Alive:
    """Tell that the process is alive; a supervisor restarts one that does not answer."""
    return Alive()


@router.get("/readyz", summary="Readiness", responses={503: {"model": Ready, "description": "Not ready"}})
def readyz(response: Response, ports: Annotated[Ports, Depends(get_ports)]) -> Ready:
    """Tell whether requests can be served; a load balancer sends them elsewhere while they cannot."""
    database, redis = _database_answers(ports), ports.lock.find_holder("readyz", "readyz") != UNREADABLE
    is_ready = database and redis
    response.status_code = 200 if is_ready else 503
    return Ready(status="ready" if is_ready else "not ready", database=database, redis=redis)


def _database_answers(ports: Ports) -> bool:
    try:
        ports.db.installation.get()
    except ServiceUnavailableError:
        return False
    return True
