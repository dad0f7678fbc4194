"""Every resource of the native API. A new one is a file and a line here."""

from fastapi import APIRouter

from gateway.api.resources import (
    audit,
    directives,
    dream_events,
    dreams,
    feedback,
    health,
    installation,
    keys,
    memories,
    reviews,
    sessions,
    settings,
    skills,
    stores,
    swarmclaw,
    tenants,
    webhooks,
)

ROUTERS: tuple[APIRouter, ...] = (
    health.router,
    dreams.router,
    dream_events.router,
    reviews.router,
    stores.router,
    memories.router,
    sessions.router,
    feedback.router,
    skills.router,
    swarmclaw.router,
    keys.router,
    directives.router,
    settings.router,
    webhooks.router,
    audit.router,
    tenants.router,
    installation.router,
)
