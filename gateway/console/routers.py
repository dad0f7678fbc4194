"""List all routers of the console. A new page is a file and a line here."""

from fastapi import APIRouter

from gateway.console import static_files
from gateway.console.access import oidc, sign_in
from gateway.console.costs import costs
from gateway.console.dreams import calls, compare, dreams
from gateway.console.evaluations import evaluations, probes
from gateway.console.graph import graph
from gateway.console.insight import week
from gateway.console.memories import ask, change, forget, memories, memory
from gateway.console.operators import installation
from gateway.console.operators import tenants as operator_tenants
from gateway.console.reviews import bulk_reviews, notes, reviews, saved_filters
from gateway.console.sessions import sessions
from gateway.console.settings import audit, directives, general, keys, store_policy, webhooks
from gateway.console.tenants import overview, stores

ROUTERS: tuple[APIRouter, ...] = (
    static_files.router,
    sign_in.router,
    oidc.router,
    overview.root_router,
    operator_tenants.router,
    installation.router,
    overview.tenant_router,
    week.router,
    memories.router,
    memory.router,
    ask.router,
    change.router,
    forget.router,
    graph.router,
    sessions.router,
    stores.router,
    evaluations.router,
    probes.router,
    dreams.router,
    calls.router,
    compare.router,
    reviews.router,
    bulk_reviews.router,
    notes.router,
    saved_filters.router,
    costs.router,
    costs.root_router,
    general.router,
    store_policy.router,
    directives.router,
    keys.router,
    webhooks.router,
    webhooks.old_router,
    audit.router,
)
