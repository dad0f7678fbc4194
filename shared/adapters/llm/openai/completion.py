"""Chat completions as OpenAI defined them: what a question becomes, and what an answer means."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from shared.adapters.llm.anthropic.beginnings import shared_texts
from shared.adapters.llm.anthropic.request_body import answer_schema, user_texts
from shared.adapters.llm.sdk_reply import read_json
from shared.core.questions.prices import ModelPrice, cost_usd
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage

_NOT_A_COMPLETION = "The server's answer is not a chat completion. Check that base_url ends where /chat/completions begins, often in /v1."


class _Details(BaseModel):
    cached_tokens: int | None = None


class WireUsage(BaseModel):
    """Tokens as the server reports them; a compatible server may leave some out."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Details | None = None


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(BaseModel):
    """The fields of a completion that are read. They are checked here, because the SDK does not check them."""

    choices: list[_Choice]
    usage: WireUsage | None = None


def completion_body(request: LlmRequest, *, model: str, is_own_server: bool, with_schema: bool) -> dict[str, Any]:
    """Return the body of a chat completion. `is_own_server`: a server other than OpenAI's.

    The schema stands in the prompt; `with_schema` names it in `response_format`, too.
    """
    rules = "\n\n".join(shared_texts(request))
    messages = [{"role": "system", "content": rules}] if rules else []
    messages.append({"role": "user", "content": "\n\n".join(user_texts(request, with_schema=True))})
    # OpenAI's newer models refuse the older name, and other servers know only that.
    limit = "max_tokens" if is_own_server else "max_completion_tokens"
    body = {"model": model, "messages": messages, limit: request.max_output_tokens}
    if with_schema:
        answer_type = request.question.answer_type
        schema = {"name": answer_type.__name__, "schema": answer_schema(answer_type)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body


def read_completion(
    sent: object, answer_type: type[BaseModel], model: str, prices: Mapping[str, ModelPrice]
) -> LlmReply:
    """Convert a completion, of the SDK or as JSON, to a reply."""
    try:
        completion = _Completion.model_validate(sent, from_attributes=True)
        choice = completion.choices[0]
    except (ValidationError, IndexError):
        return LlmReply(outcome=LlmOutcome.FAILED, model=model, usage=LlmUsage(), detail=_NOT_A_COMPLETION)
    usage = read_usage(completion.usage or WireUsage(), model, prices)
    if choice.message.refusal or choice.finish_reason == "content_filter":
        return LlmReply(outcome=LlmOutcome.REFUSED, model=model, usage=usage, detail="The model refused to answer.")
    if choice.finish_reason == "length":
        detail = "The answer was cut off at its token limit."
        return LlmReply(outcome=LlmOutcome.TRUNCATED, model=model, usage=usage, detail=detail)
    outcome, answer, detail = read_json(choice.message.content or "", answer_type)
    return LlmReply(outcome=outcome, model=model, usage=usage, answer=answer, detail=detail)


def read_usage(usage: WireUsage, model: str, prices: Mapping[str, ModelPrice]) -> LlmUsage:
    """Return tokens as the server reports them, with their list price. It counts cached ones as part of the prompt."""
    cached = (usage.prompt_tokens_details.cached_tokens if usage.prompt_tokens_details else 0) or 0
    fresh, written = max(0, (usage.prompt_tokens or 0) - cached), usage.completion_tokens or 0
    cost = cost_usd(
        model, input_tokens=fresh, output_tokens=written, cached_tokens=cached, cache_write_tokens=0, prices=prices
    )
    return LlmUsage(input_tokens=fresh, output_tokens=written, cached_tokens=cached, cost_usd=cost)
