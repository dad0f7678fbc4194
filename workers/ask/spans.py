"""Describe a model call by the attributes of OpenTelemetry's conventions for generative AI, without any text."""

from shared.model_endpoint import OFFLINE
from shared.ports.llm import LlmReply, LlmRequest
from shared.tracing import Attributes

#: What the conventions call the other providers.
_OTHERS = {"bedrock": "aws.bedrock", "vertex": "gcp.vertex_ai", "openai": "openai"}


def request_attributes(model: str, request: LlmRequest, adapter: str = "") -> Attributes:
    """Return the attributes that are known before the call; `adapter` is the API that is called."""
    provider = "slowwave" if model == OFFLINE else _OTHERS.get(adapter, "anthropic")
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.system": provider,  # the attribute's former name, which many backends still read
        "gen_ai.request.model": model,
        "gen_ai.request.max_tokens": request.max_output_tokens,
        "gen_ai.output.type": "json",
        "slowwave.phase": request.question.phase,
    }


def reply_attributes(reply: LlmReply) -> Attributes:
    """Return the attributes of the answer and its cost. Input tokens include cached ones, as the conventions require."""
    usage = reply.usage
    return {
        "gen_ai.usage.input_tokens": usage.input_tokens + usage.cached_tokens + usage.cache_write_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
        "gen_ai.usage.cache_write.input_tokens": usage.cache_write_tokens,
        "slowwave.model.outcome": str(reply.outcome),
        "slowwave.model.cost_usd": usage.cost_usd,
    }
