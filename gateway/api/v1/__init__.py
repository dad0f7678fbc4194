"""Serve `/v1`: stores, memories, sessions and dreams in the form of Anthropic's API, for its official SDKs."""

from fastapi import APIRouter

from gateway.api.v1 import (
    dreams,
    memories,
    memory_stores,
    memory_versions,
    session_events,
    session_resources,
    session_stream,
    sessions,
)

ROUTERS: tuple[APIRouter, ...] = (
    dreams.router,
    memory_stores.router,
    memories.router,
    memory_versions.router,
    sessions.router,
    session_events.router,
    session_stream.router,
    session_resources.router,
)
