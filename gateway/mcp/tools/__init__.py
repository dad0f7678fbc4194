"""List every tool that an agent may call. A new tool is a function and a line here."""

from collections.abc import Callable
from typing import Any

from gateway.mcp.tools.dreams import get_dream, start_dream
from gateway.mcp.tools.memories import note_correction, read_memory, search_everything, search_memory, why_remembered
from gateway.mcp.tools.reviews import approve_review, list_reviews, reject_review

READ_TOOLS: tuple[Callable[..., Any], ...] = (
    search_memory,
    search_everything,
    read_memory,
    why_remembered,
    get_dream,
    list_reviews,
)
WRITE_TOOLS: tuple[Callable[..., Any], ...] = (note_correction, start_dream, approve_review, reject_review)
