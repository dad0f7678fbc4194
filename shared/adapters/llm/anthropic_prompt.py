"""What is sent to the Messages API for one question: one cached prefix, then the instructions and the framed documents."""

import json
from typing import cast

from anthropic import Omit, omit, transform_schema
from anthropic.types import OutputConfigParam, TextBlockParam
from pydantic import BaseModel

from shared.core.question import render_question
from shared.ports.llm import LlmRequest


def system_blocks(request: LlmRequest) -> list[TextBlockParam] | Omit:
    """Return the prefix as a block of its own that the server caches; an empty block would be refused by the API."""
    if not request.prefix:
        return omit
    return [{"type": "text", "text": request.prefix, "cache_control": {"type": "ephemeral"}}]


def user_text(request: LlmRequest, *, with_schema: bool) -> str:
    """Return the instructions, the question's framed documents and, if the server cannot enforce it, the schema."""
    parts = [request.instructions, render_question(request.question)]
    if with_schema:
        schema = json.dumps(answer_schema(request.question.answer_type), ensure_ascii=False)
        parts.append(f"Answer with one JSON object that fits this JSON schema, and with nothing else:\n{schema}")
    return "\n\n".join(part for part in parts if part)


def output_config(request: LlmRequest, *, with_schema: bool, with_effort: bool) -> OutputConfigParam | Omit:
    """Return the part of the request that holds the answer's schema and the effort."""
    config: dict[str, object] = {}
    if with_schema:
        config["format"] = {"type": "json_schema", "schema": answer_schema(request.question.answer_type)}
    if with_effort:
        config["effort"] = request.effort
    return cast("OutputConfigParam", config) if config else omit


def answer_schema(answer_type: type[BaseModel]) -> dict[str, object]:
    """Return the answer's JSON schema as structured outputs accept it: bounds are words in the descriptions."""
    return transform_schema(answer_type)
