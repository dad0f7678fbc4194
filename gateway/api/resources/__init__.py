"""Every resource of the native API. A new one is a file and a line here."""

from fastapi import APIRouter

from gateway.api.resources import (
    dream_events,
    dreams,
    health,
    keys,
    memories,
    reviews,
    sessions,
    stores,
    swarmclaw,
    tenants,
)

ROUTERS: tuple[APIRouter, ...] = (
    health.router,
    dreams.router,
    dream_events.router,
    reviews.router,
    stores.router,
    memories.router,
    sessions.router,
    swarmclaw.router,
    keys.router,
    tenants.router,
)
