"""The model, which answers a question with a validated value, the answers that copies have bought, and the rate limits of model calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection

    from pydantic import BaseModel

    from shared.core.questions.call_limits import CallScope
    from shared.core.questions.question import Question


class LlmOutcome(StrEnum):
    """The outcome of a call. Only `ok` has an answer; the other outcomes change nothing in a store."""

    OK = "ok"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    UNPARSABLE = "unparsable"
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    TIMED_OUT = "timed_out"
    UNREACHABLE = "unreachable"
    FAILED = "failed"


#: The outcomes of calls to which no model has answered, not even with something useless.
UNHEARD_OUTCOMES = frozenset(
    {LlmOutcome.RATE_LIMITED, LlmOutcome.OVERLOADED, LlmOutcome.TIMED_OUT, LlmOutcome.UNREACHABLE, LlmOutcome.FAILED}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmUsage:
    """Tokens as billed. `cached_tokens` were read from the prompt cache and are not in `input_tokens`."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float = 0.0
    saved_usd: float | None = None  # what the answer had cost an evaluation; None for one that is bought


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTotals:
    """The calls of one model in one phase of a dream, summed up."""

    model: str
    phase: str
    calls: int
    answers: int
    tokens: int
    cost_usd: float
    latency_ms: int  # of all calls together; 0 in a batch


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmRequest:
    """One call. `prefix` is the same to the byte for every call, `instructions` for those of a phase without own prompts."""

    question: Question
    prefix: str
    instructions: str
    max_output_tokens: int
    timeout_seconds: float
    effort: str = "low"


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmReply:
    """The reply to a call. `answer` is an instance of the question's `answer_type`; None unless the outcome is `ok`."""

    outcome: LlmOutcome
    model: str
    usage: LlmUsage
    answer: BaseModel | None = None
    detail: str = ""
    retry_after_seconds: float | None = None


class Llm(Protocol):
    """Answers questions. Never raises for a failure of the model or its server; the outcome reports it."""

    @property
    def model(self) -> str:
        """Return the model's name for the log, such as `offline` or `claude-haiku-4-5`."""

    def decide(self, request: LlmRequest) -> LlmReply:
        """Answer one question within `timeout_seconds`; safe to call from several threads at once."""

    def count_tokens(self, request: LlmRequest) -> int:
        """Estimate the prompt tokens of a request without sending it."""

    def find_unwritten(self, request: LlmRequest) -> frozenset[int]:
        """Return a key for each shared beginning that this call would write into the server's prompt cache.

        Other calls can read it once this call is answered. Empty for a model without a prompt cache.
        """


class ModelLimits(Protocol):
    """Rate limits of model calls, shared by all processes.

    No method raises: dreams continue while the counting server is unavailable.
    """

    def acquire(self, scope: CallScope, call_id: str, *, hold_seconds: float) -> float:
        """Return 0.0 when the call may be made now, else the seconds after which to try again.

        A call that is never released, because its process died, stops counting after `hold_seconds`.
        """

    def release(self, scope: CallScope, call_id: str) -> None:
        """Release the slot of a call that has ended."""

    def close(self, scope: CallScope, seconds: float) -> None:
        """Block the scope's endpoint for all callers for some seconds, as its server asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTotals:
    """The model calls of a dream, summed up."""

    calls: int = 0
    tokens: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float = 0.0
    reused: int = 0  # answers that an evaluation had bought
    saved_usd: float = 0.0
    outcomes: dict[str, int] = field(default_factory=dict)
    models: tuple[ModelTotals, ...] = ()  # the most expensive first


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """An answer that a copy has bought, and what it has cost."""

    answer: dict[str, Any]
    cost_usd: float


class AnswerRepository(Protocol):
    """The answers that copies of a store have bought in the last 24 hours, by a hash of the whole question."""

    def keep(self, evaluation_id: str, question_hash: str, kept: KeptAnswer) -> None:
        """Keep an answer instead of an older one to the same question; none of an evaluation that is gone."""

    def find(self, store_name: str, hashes: Collection[str]) -> dict[str, KeptAnswer]:
        """Return the answers to these questions about a store, by their hashes."""

    def delete_old(self, evaluation_id: str) -> None:
        """Delete the answers of an evaluation that are too old to be taken."""
