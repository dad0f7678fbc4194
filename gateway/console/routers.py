"""List all routers of the console. A new page is a file and a line here."""

from fastapi import APIRouter

from gateway.console import bulk_reviews, calls, dreams, memories, overview, reviews, static_files, stores, webhooks
from gateway.console.access import oidc, sign_in

ROUTERS: tuple[APIRouter, ...] = (
    static_files.router,
    sign_in.router,
    oidc.router,
    overview.root_router,
    overview.router,
    overview.tenant_router,
    memories.router,
    stores.router,
    dreams.router,
    calls.router,
    reviews.router,
    bulk_reviews.router,
    webhooks.router,
)
