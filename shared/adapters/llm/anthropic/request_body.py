"""Build the body of a request to the Messages API for one question, with marks for the prompt cache where they pay off.

The rules and the instructions come first: all questions of a phase share them, also across dreams. Then come the shared
beginnings of questions of this phase, then the question's own part.
"""

import json
from collections.abc import Collection
from typing import cast

from anthropic import Omit, omit, transform_schema
from anthropic.types import OutputConfigParam, TextBlockParam
from pydantic import BaseModel

from shared.adapters.llm.anthropic.beginnings import count_shared_parts, shared_texts
from shared.core.questions.question import render_parts
from shared.ports.llm import LlmRequest


def user_texts(request: LlmRequest, *, with_schema: bool) -> list[str]:
    """Return the framed documents, shared beginnings first, and the schema if the server cannot enforce it."""
    parts = list(render_parts(request.question))
    if with_schema:
        schema = json.dumps(answer_schema(request.question.answer_type), ensure_ascii=False)
        schema = f"Answer with one JSON object that fits this JSON schema, and with nothing else:\n{schema}"
        is_all_shared = len(parts) == count_shared_parts(request)
        parts = [*parts, schema] if is_all_shared else [*parts[:-1], f"{parts[-1]}\n\n{schema}"]
    return parts


def system_blocks(request: LlmRequest, marked: Collection[int]) -> list[TextBlockParam] | Omit:
    """Return the rules and the instructions; an empty block would be refused by the API.

    Args:
        request: the call.
        marked: the beginnings for the server's cache, as numbered by `find_long_beginnings`.
    """
    blocks: list[TextBlockParam] = [{"type": "text", "text": text} for text in shared_texts(request)]
    if not blocks:
        return omit
    if 0 in marked:
        blocks[-1]["cache_control"] = {"type": "ephemeral"}
    return blocks


def user_content(request: LlmRequest, marked: Collection[int], *, with_schema: bool) -> str | list[TextBlockParam]:
    """Return the question: one text, or a block for each shared part and one for the rest."""
    texts = user_texts(request, with_schema=with_schema)
    if not count_shared_parts(request):
        return "\n\n".join(texts)
    blocks: list[TextBlockParam] = [{"type": "text", "text": text} for text in texts]
    for number in marked:
        if number:
            blocks[number - 1]["cache_control"] = {"type": "ephemeral"}
    return blocks


def output_config(request: LlmRequest, *, with_schema: bool, with_effort: bool) -> OutputConfigParam | Omit:
    """Return the part of the request with the answer's schema and the effort."""
    config: dict[str, object] = {}
    if with_schema:
        config["format"] = {"type": "json_schema", "schema": answer_schema(request.question.answer_type)}
    if with_effort:
        config["effort"] = request.effort
    return cast("OutputConfigParam", config) if config else omit


def answer_schema(answer_type: type[BaseModel]) -> dict[str, object]:
    """Return the answer's JSON schema in the form of structured outputs: descriptions contain the bounds."""
    return transform_schema(answer_type)
