"""Answer liveness and readiness checks of supervisors and load balancers, without a key and without tenant data."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Response
from pydantic import BaseModel

from gateway.api.http.auth import get_ports
from gateway.api.http.threaded_route import OneThreadRoute
from shared.all_ports import Ports
from shared.core.errors import ServiceUnavailableError
from shared.ports.runtime import UNREADABLE

router = APIRouter(tags=["health"], route_class=OneThreadRoute)


class Alive(BaseModel):
    """The process is alive."""

    status: Literal["ok"] = "ok"


class Ready(BaseModel):
    """The state of each server."""

    status: Literal["ready", "not ready"]
    database: bool
    redis: bool


@router.get("/healthz", summary="Liveness")
async def healthz() -> Alive:
    """Answer 200 while the process is alive; a supervisor restarts a process that does not answer.

    Takes no thread, since all of them may wait for a slow database.
    """
    return Alive()


@router.get("/readyz", summary="Readiness", responses={503: {"model": Ready, "description": "Not ready"}})
def readyz(response: Response, ports: Annotated[Ports, Depends(get_ports)]) -> Ready:
    """Check whether the process can serve requests; otherwise a load balancer sends them elsewhere."""
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
