"""Ask a phase's questions in parallel, within the token budget, and store each answer in its own commit.

A stored answer is never paid for twice, and storing it is retried while the database is briefly unavailable. A question
that failed, ran out of time or would exceed the budget has no answer, and its reason is counted.

Concurrent dreams of one tenant see each other's used tokens, but not each other's calls in flight: a tenant can exceed its
daily token budget by these calls. Budgets in dollars also count calls in flight (`workers/ask/dollars.py`).
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from pydantic import BaseModel, ValidationError

from shared.all_ports import Ports
from shared.core.dream.operations import Skip
from shared.core.policy.policy import BudgetPolicy
from shared.core.questions.call_limits import CallScope
from shared.core.questions.question import Question
from shared.core.questions.shared_beginnings import share_beginnings
from shared.counting import count, counting_together, observe
from shared.ports.llm import Llm, LlmOutcome, LlmReply, LlmRequest, LlmUsage
from shared.tracing import keep_trace, traced
from workers.ask.dollars import Dollars, NotAffordable
from workers.ask.prompts import AskSettings, Prompts
from workers.ask.rate_limit import model_slot
from workers.ask.reuse import KeepAs, Reuse
from workers.ask.spans import reply_attributes, request_attributes
from workers.ask.stored import Also, store_answer
from workers.phase.heartbeat import Heartbeat
from workers.phase.work import PhaseKey, TimeLeft
from workers.process.running import RUNNING, DrainingError
from workers.process.turns import TURNS


@dataclass
class TokenBudget:
    """The remaining tokens of a dream. They are reserved before a call, so that parallel calls cannot overspend."""

    per_call: int
    left: int
    find_left_today: Callable[[], int] | None = None  # of a tenant that may have several dreams at once
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reserve(self, tokens: int) -> str | None:
        """Reserve tokens; return why they are refused, or None."""
        with self._lock:
            if tokens > self.per_call:
                return f"a call of {tokens:,} tokens is over the limit of {self.per_call:,}"
            left = self.count_left()
            if tokens > left:
                return f"a call of {tokens:,} tokens is over the {max(0, left):,} that are left of the budget"
            self.left -= tokens
            return None

    def count_left(self) -> int:
        """Return the tokens that are neither used nor reserved."""
        return self.left if self.find_left_today is None else min(self.left, self.find_left_today())

    def settle(self, reserved: int, used: int) -> None:
        """Release the reserved tokens that a call did not use."""
        with self._lock:
            self.left += reserved - used


#: Why a question has no answer yet: it goes out in a batch.
BATCHED = "batched"
_ATTEMPTS = 3
_BACKOFF_SECONDS = (1.0, 4.0)
_TRY_AGAIN = frozenset({LlmOutcome.RATE_LIMITED, LlmOutcome.OVERLOADED, LlmOutcome.UNREACHABLE})
_LIMITED = frozenset({LlmOutcome.RATE_LIMITED, LlmOutcome.OVERLOADED})
#: How long a dream sleeps when the model's server rejected several calls without a retry-after time.
_CALM_SECONDS = 30.0
#: Some questions go before the others only where the time is enough for both, however slow the model is.
_TURNS = 2
#: With less time than this no call is made.
_MIN_CALL_SECONDS = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The answers by key, and why the others are missing."""

    answers: dict[str, BaseModel]
    missing: Counter[str]
    unanswered: Mapping[str, str] = field(default_factory=dict)  # why, by key
    retry_seconds: float = 0.0  # a rate limit held back an answer; retry after this
    is_batched: bool = False  # answers come with a batch, and the dream sleeps meanwhile
    has_new: bool = False  # an answer came that was not stored before
    prompts: tuple[str, ...] = ()  # which prompts were used, for the log
    doubts: Mapping[str, int] = field(default_factory=dict)  # how many questions a better model was asked, by reason
    fingerprints: Mapping[str, str] = field(default_factory=dict)  # of the questions that are answered for good, by key
    spared: Mapping[str, str] = field(default_factory=dict)  # which dream has asked the same, by key
    said: str = ""  # why questions are missing, in words, where their codes alone do not say what to do
    has_passed: bool = False  # the models that may have answered have passed their exams
    exam_note: Skip | None = None  # why not, for the log of the dream
    is_by_model: bool = False  # a model was asked, not the rules that stand in for one


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """The reason why a question has no answer; `retry_seconds` above 0 when a rate limit held it back."""

    code: str
    retry_seconds: float = 0.0
    said: str = ""  # in words, where the code alone does not say what to do


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Asks the questions of one phase of one dream."""

    ports: Ports
    key: PhaseKey
    llm: Llm
    scope: CallScope
    budget: BudgetPolicy
    tokens: TokenBudget
    dollars: Dollars
    left: TimeLeft
    heartbeat: Heartbeat
    prompts: Prompts
    adapter: str = ""  # the provider: `anthropic`, `bedrock` or `vertex`
    wish: str = ""  # of the person who ordered the dream
    survey: str = ""  # of the store, with which every question begins
    is_resumed: bool = True  # an earlier run of the phase may have bought answers
    #: Asks questions in another way than one call for each.
    ask_otherwise: "AskOtherwise | None" = None
    #: The answers that an evaluation has bought; None for rules without a model.
    reuse: Reuse | None = None
    #: Set by a soft time limit: calls that are under way are stored when they end, and no other one is made.
    is_cut: threading.Event = field(default_factory=threading.Event)

    def ask_all(self, questions: Sequence[Question]) -> Asked:
        """Ask all questions; return the stored and the new answers."""
        if not questions:
            return Asked(answers={}, missing=Counter())
        stored = self._find_stored() if self.is_resumed else {}
        answers: dict[str, BaseModel] = {}
        for question in questions:
            kept = _parse(question, stored.get(question.key))
            if kept is not None:
                answers[question.key] = kept
        answers |= self._take_bought([question for question in questions if question.key not in answers])
        open_questions = [question for question in questions if question.key not in answers]
        missing: dict[str, Missing] = {}
        for question, result in zip(open_questions, self._ask_open(open_questions), strict=True):
            if isinstance(result, BaseModel):
                answers[question.key] = result
            else:
                missing[question.key] = result
        if any(one.code == "draining" for one in missing.values()):
            raise DrainingError
        return Asked(
            answers=answers,
            missing=Counter(one.code for one in missing.values()),
            unanswered={key: one.code for key, one in missing.items()},
            retry_seconds=max((one.retry_seconds for one in missing.values()), default=0.0),
            has_new=len(missing) < len(open_questions),
            is_batched=any(one.code == BATCHED for one in missing.values()),
            said=next((one.said for one in missing.values() if one.said), ""),
        )

    def _find_stored(self) -> dict[str, dict[str, Any]]:
        with self.ports.db.transaction(self.key.tenant_id) as uow:
            return uow.calls.find_answers(self.key.dream_id, self.key.phase)

    def _take_bought(self, questions: Sequence[Question]) -> dict[str, BaseModel]:
        """Store the answers that an evaluation has bought as those of this dream, and return them by key."""
        if self.reuse is None or not questions:
            return {}
        taken: dict[str, BaseModel] = {}
        for request, kept in self.reuse.find(self.llm.model, [self.build_request(one) for one in questions]):
            answer = _parse(request.question, kept.answer)
            if answer is not None:
                reply = LlmReply(
                    outcome=LlmOutcome.OK, model=self.llm.model, usage=LlmUsage(saved_usd=kept.cost_usd), answer=answer
                )
                store_answer(self.ports, self.key, request, reply, latency_ms=0)
                count("slowwave_model_answers_reused_total")
                taken[request.question.key] = answer
        return taken

    def keep_as(self, request: LlmRequest) -> KeepAs | None:
        """Return where the answer to a question is kept for other dreams; None if it is not."""
        return self.reuse.keep_as(self.llm.model, request) if self.reuse is not None else None

    def _ask_open(self, questions: Sequence[Question]) -> list[BaseModel | Missing]:
        laid_out = share_beginnings(questions, self.survey)
        with TURNS.give_up():
            return self._ask_in_turn(laid_out) if self.ask_otherwise is None else self.ask_otherwise(self, laid_out)

    def _ask_in_turn(self, laid_out: Sequence[Question]) -> list[BaseModel | Missing]:
        """If there is time, first ask one question per shared beginning, so that the others read it from the server's prompt cache."""
        first = self._choose_first(laid_out)
        others = [number for number in range(len(laid_out)) if number not in first]
        results: dict[int, BaseModel | Missing] = {}
        for numbers in (first, others):
            asked = self._ask_side_by_side([laid_out[number] for number in numbers])
            results.update(zip(numbers, asked, strict=True))
        return [results[number] for number in range(len(laid_out))]

    def _choose_first(self, questions: Sequence[Question]) -> list[int]:
        """Return the indexes of the questions to ask first: one for each shared beginning that is not cached yet."""
        if self.left.seconds() < _TURNS * self.budget.call_timeout_seconds:
            return []
        first: list[int] = []
        known: frozenset[int] = frozenset()
        for number, question in enumerate(questions):
            written = self.llm.find_unwritten(self.build_request(question)) - known
            if written:
                first.append(number)
                known |= written
        return first

    def _ask_side_by_side(self, questions: Sequence[Question]) -> list[BaseModel | Missing]:
        width = min(self.budget.calls_side_by_side, len(questions))
        if width <= 1:
            return [self._ask(question) for question in questions]
        pool = ThreadPoolExecutor(width, thread_name_prefix="ask")
        try:
            return list(pool.map(keep_trace(self._ask), questions))
        except SoftTimeLimitExceeded:  # prefork's hard limit would kill the process while it waits for the calls
            self.is_cut.set()
            raise
        finally:
            pool.shutdown(wait=not self.is_cut.is_set(), cancel_futures=True)

    def _ask(self, question: Question) -> BaseModel | Missing:
        """Return the answer, or the reason why there is none."""
        for attempt in range(_ATTEMPTS):
            if self.is_stopped():
                return Missing(code="stopped")
            if RUNNING.draining.is_set():
                return Missing(code="draining")
            reply = self._call_within_limits(question)
            if isinstance(reply, Missing):
                return reply
            if reply.answer is not None:
                return reply.answer
            pause = reply.retry_after_seconds or _BACKOFF_SECONDS[min(attempt, len(_BACKOFF_SECONDS) - 1)]
            is_last = attempt + 1 == _ATTEMPTS or reply.outcome not in _TRY_AGAIN
            missing = self._decide_missing(reply, pause, is_last=is_last)
            if missing is not None:
                return missing
            RUNNING.draining.wait(pause)
        return Missing(code="time_budget")

    def _decide_missing(self, reply: LlmReply, pause: float, *, is_last: bool) -> Missing | None:
        """Return why a question stays without an answer, or None to retry it after `pause`.

        If a model's server rejects a call, its endpoint is blocked for every dream that shares it.
        """
        code = f"model_{reply.outcome}"
        if reply.outcome in _LIMITED:
            self.ports.limits.close(self.scope, pause)
            if is_last or pause > self._patience():
                return Missing(code=code, retry_seconds=reply.retry_after_seconds or _CALM_SECONDS)
        if is_last or pause >= self.left.seconds():
            is_late = reply.outcome is LlmOutcome.TIMED_OUT and self.left.seconds() < _MIN_CALL_SECONDS
            return Missing(code="time_budget" if is_late else code)
        return None

    def is_stopped(self) -> bool:
        """Tell whether further calls are forbidden."""
        return self.is_cut.is_set() or self.heartbeat.is_lost.is_set() or self.heartbeat.cancel_requested.is_set()

    def _patience(self) -> float:
        """Return how long this worker may wait for rate limits before the dream is snoozed."""
        is_over = self.is_stopped() or RUNNING.draining.is_set()
        return 0.0 if is_over else min(self.ports.settings.model_patience_seconds, self.left.seconds())

    def _call_within_limits(self, question: Question) -> LlmReply | Missing:
        """Call the model within the rate limits, waiting for a slot at most as long as the dream has time left."""
        hold = self.budget.call_timeout_seconds + 10
        with model_slot(self.ports, self.scope, hold_seconds=hold, patience=self._patience) as no_slot:
            if no_slot is not None and RUNNING.draining.is_set():
                return Missing(code="draining")
            if no_slot is not None:
                return Missing(code="rate_limited", retry_seconds=no_slot.retry_seconds)
            if self.left.seconds() < _MIN_CALL_SECONDS:
                return Missing(code="time_budget")
            return self._call(question)

    def _call(self, question: Question) -> LlmReply | Missing:
        request = self.build_request(question)
        reserved = self.llm.count_tokens(request) + request.max_output_tokens
        refusal = self.tokens.reserve(reserved)
        if refusal is not None:
            return Missing(code="token_budget")
        dollars = self.dollars.reserve(reserved - request.max_output_tokens, request.max_output_tokens)
        if isinstance(dollars, NotAffordable):
            self.tokens.settle(reserved, 0)
            return Missing(code=dollars.code, said=dollars.said)
        begun = time.monotonic()
        with traced(f"chat {self.llm.model}", request_attributes(self.llm.model, request, self.adapter)) as span:
            reply = self.llm.decide(request)
            span.set_attributes(reply_attributes(reply))
        self.tokens.settle(reserved, _billed(reply.usage))
        latency_ms = int((time.monotonic() - begun) * 1000)
        also = Also(reserved=dollars.id, keep_as=self.keep_as(request))
        store_answer(self.ports, self.key, request, reply, latency_ms=latency_ms, also=also)
        count_call(reply, latency_ms / 1000)
        return reply

    def build_request(self, question: Question) -> LlmRequest:
        """Return the call that asks a question."""
        ask_settings = AskSettings(budget=self.budget, effort=self.ports.settings.llm_effort, wish=self.wish)
        return self.prompts.request(question, ask_settings, min(self.budget.call_timeout_seconds, self.left.seconds()))


#: Asks questions in another way than one call for each.
AskOtherwise = Callable[[Asker, Sequence[Question]], list[BaseModel | Missing]]


def count_call(reply: LlmReply, seconds: float | None = None) -> None:
    """Count a call: its outcome, its tokens, and how long it took if it was made at once."""
    usage = reply.usage
    with counting_together():
        count("slowwave_model_calls_total", outcome=str(reply.outcome))
        if seconds is not None:
            observe("slowwave_model_call_seconds", seconds)
        kinds = {
            "input": usage.input_tokens,
            "output": usage.output_tokens,
            "cached": usage.cached_tokens,
            "cache_write": usage.cache_write_tokens,
        }
        for kind, tokens in kinds.items():
            if tokens:
                count("slowwave_model_tokens_total", tokens, kind=kind)
        if usage.cost_usd:
            count("slowwave_model_cost_usd_total", usage.cost_usd)


def _billed(usage: LlmUsage) -> int:
    return usage.input_tokens + usage.output_tokens + usage.cached_tokens + usage.cache_write_tokens


def _parse(question: Question, stored: dict[str, object] | None) -> BaseModel | None:
    if stored is None:
        return None
    try:
        return question.answer_type.model_validate(stored)
    except ValidationError:
        return None
