"""Read and set the switches of the whole installation, for operators: the kill switch, deferral, and the list of workers."""

from fastapi import APIRouter
from pydantic import BaseModel, Field

from gateway.api.http.auth import Operator
from gateway.api.http.paging import Page
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.tenants import InstallationOut, InstallationPatch, installation_out
from shared.adapters.redis.worker_pulse import SeenWorker, find_workers
from shared.bootstrap import redis_url
from shared.services.tenants.pause import set_all_paused, set_defer

router = APIRouter(prefix="/api", tags=["installation"], route_class=OneThreadRoute)


class WorkerOut(BaseModel):
    """A worker that sent a heartbeat within the last 45 seconds."""

    name: str
    pid: int
    pool: str
    concurrency: int
    leaving: bool = Field(description="Whether it is shutting down and accepts no new work.")
    seconds_ago: float
    dreams: list[str] = Field(description="The tenants of the phases that it is running.")


@router.get("/installation", responses=answers(), summary="Get the installation's switches")
def get(caller: Operator) -> InstallationOut:
    """Return whether all tenants are paused or deferred, and the time of the last sweep."""
    return installation_out(caller.ports.db.installation.get())


@router.patch("/installation", responses=answers(), summary="Set the installation's switches")
def change(body: InstallationPatch, caller: Operator) -> InstallationOut:
    """Pause, resume or defer all tenants; the audit log records the caller."""
    db = caller.ports.db
    if body.paused is not None:
        set_all_paused(db, paused=body.paused, actor=caller.actor)
    if body.defer_percent is not None:
        set_defer(db, None, body.defer_percent, actor=caller.actor)
    return installation_out(db.installation.get())


@router.get("/workers", responses=answers(), summary="List workers")
def workers(caller: Operator) -> Page[WorkerOut]:
    """List the workers by name, with their current work."""
    found = find_workers(redis_url(caller.ports.settings))
    return Page(data=[_worker_out(one) for one in found], next_cursor=None)


def _worker_out(seen: SeenWorker) -> WorkerOut:
    facts = seen.facts
    return WorkerOut(
        name=seen.name,
        pid=facts.pid,
        pool=facts.pool,
        concurrency=facts.concurrency,
        leaving=facts.is_draining,
        seconds_ago=seen.seconds_ago,
        dreams=list(facts.dreams),
    )
