"""List every resource of the native API. A new resource is a file and a line here."""

from fastapi import APIRouter

from gateway.api.resources import (
    dream_events,
    dreams,
    export,
    feedback,
    forgetting,
    health,
    installation,
    memories,
    models,
    reviews,
    sessions,
    skills,
    swarmclaw,
    webhooks,
)
from gateway.api.resources.tenants import (
    arms,
    audit,
    costs,
    directives,
    estimate,
    evaluations,
    insight,
    keys,
    probes,
    settings,
    stores,
)
from gateway.api.resources.tenants import tenants as all_tenants  # `tenants` is the name of the folder

ROUTERS: tuple[APIRouter, ...] = (
    health.router,
    dreams.router,
    dream_events.router,
    reviews.router,
    stores.router,
    memories.router,
    forgetting.router,
    export.router,
    sessions.router,
    feedback.router,
    skills.router,
    swarmclaw.router,
    keys.router,
    directives.router,
    settings.router,
    webhooks.router,
    audit.router,
    costs.router,
    models.router,
    estimate.router,
    insight.router,
    evaluations.router,
    probes.router,
    arms.router,
    all_tenants.router,
    installation.router,
)
