"""Answer liveness and readiness checks of supervisors and load balancers, without a key and without tenant data."""

import asyncio
from functools import partial
from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from gateway.api.http.auth import get_ports
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.in_time import Shared
from shared.all_ports import Ports
from shared.core.errors import ConflictError, DatabaseRefusesError, ServiceUnavailableError
from shared.ports.runtime import UNREADABLE

router = APIRouter(tags=["health"], route_class=OneThreadRoute)


#: Less than the usual time limit of a load balancer's check.
_SECONDS = 4.0


class Alive(BaseModel):
    """The process is alive."""

    status: Literal["ok"] = "ok"


class Ready(BaseModel):
    """The state of each server."""

    status: Literal["ready", "not ready"]
    database: bool
    redis: bool
    reasons: list[str] = Field(default_factory=list, description="What each server that is not ready said.")


@router.get("/healthz", summary="Liveness")
async def healthz() -> Alive:
    """Answer 200 while the process is alive; a supervisor restarts a process that does not answer.

    Takes no thread, since all of them may wait for a slow database.
    """
    return Alive()


@router.get("/readyz", summary="Readiness", responses={503: {"model": Ready, "description": "Not ready"}})
async def readyz(request: Request, response: Response) -> Ready:
    """Check whether the process can serve requests; otherwise a load balancer sends them elsewhere.

    Answers within 5 s, also while a server hangs and all threads wait for it.
    """
    database, redis = await asyncio.gather(*(_ask(name, check) for name, check in _checks(request).items()))
    reasons = [reason for reason in (database, redis) if reason]
    response.status_code = 503 if reasons else 200
    return Ready(
        status="not ready" if reasons else "ready", database=not database, redis=not redis, reasons=reasons
    )  # fmt: skip


def _checks(request: Request) -> dict[str, Shared[str]]:
    """Return the checks of this application's servers; each returns why its server is not ready, else nothing."""
    state, ports = request.app.state, get_ports(request)
    if not hasattr(state, "ready_checks"):
        state.ready_checks = {
            "The database": Shared(partial(_ask_database, ports)),
            "Redis": Shared(partial(_ask_redis, ports)),
        }
    checks: dict[str, Shared[str]] = state.ready_checks
    return checks


async def _ask(name: str, check: Shared[str]) -> str:
    asked = asyncio.wrap_future(check.ask())
    done, _ = await asyncio.wait([asked], timeout=_SECONDS)  # the check runs on, for the next request
    return asked.result() if done else f"{name} has not answered within {_SECONDS:g} s"


def _ask_database(ports: Ports) -> str:
    try:
        ports.db.operators.check_schema()
    except DatabaseRefusesError as error:
        return error.sentence
    except ServiceUnavailableError:
        return "The database does not answer"
    except ConflictError as error:
        return str(error)
    return ""


def _ask_redis(ports: Ports) -> str:
    return "Redis does not answer" if ports.lock.find_holder("readyz", "readyz") == UNREADABLE else ""
