"""List every tool that an agent may call. A new tool is a function and a line here."""

from collections.abc import Callable
from typing import Any

from gateway.mcp.tools.activity import append_session, record_use
from gateway.mcp.tools.corrections import forget, note_correction
from gateway.mcp.tools.dreams import get_dream, last_evaluation, start_dream
from gateway.mcp.tools.memories import (
    linked_memories,
    list_memories,
    read_memory,
    search_everything,
    search_memory,
    why_remembered,
)
from gateway.mcp.tools.reviews import approve_review, list_reviews, reject_review
from gateway.mcp.tools.stores import delete_memory, list_stores, write_memory

READ_TOOLS: tuple[Callable[..., Any], ...] = (
    list_stores,
    list_memories,
    search_memory,
    search_everything,
    read_memory,
    why_remembered,
    linked_memories,
    get_dream,
    last_evaluation,
    list_reviews,
)
WRITE_TOOLS: tuple[Callable[..., Any], ...] = (
    write_memory,
    delete_memory,
    note_correction,
    forget,
    append_session,
    record_use,
    start_dream,
    approve_review,
    reject_review,
)
