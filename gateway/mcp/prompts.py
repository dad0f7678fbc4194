"""Let a person begin with memory: prompts that a host offers as commands. They read nothing; the tools that they name do."""

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from gateway.mcp.callers import Admission


def add_prompts(server: MCPServer[Admission]) -> None:
    """Add every prompt."""
    server.prompt(name="recall", description="Answer from memory.")(_recall)
    server.prompt(name="remember", description="Keep something, in the memory that it belongs to.")(_remember)
    server.prompt(name="review", description="Go through what dreams ask a person.")(_review)


def _recall(question: Annotated[str, Field(description="What you want to know.")]) -> str:
    return (
        f"Answer from memory: {question}\n\nCall search_memory, read the memories that fit with read_memory, and name their paths. "
        "Say so if memory holds no answer."
    )


def _remember(fact: Annotated[str, Field(description="What is to be kept.")]) -> str:
    return (
        f"Keep this: {fact}\n\nCall search_memory first. If a memory is about the same thing, read it and write it again with the "
        "fact in it; else write a new one. If the fact makes a memory untrue, call note_correction with its path instead."
    )


def _review() -> str:
    return (
        "Call list_reviews and go through the operations one by one: tell me in a sentence what each would change and why, and ask "
        "me. Approve or reject only what I have decided."
    )
