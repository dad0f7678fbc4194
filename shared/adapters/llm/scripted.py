"""A model for tests: it gives scripted answers and records every request."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from shared.adapters.llm.token_estimate import estimate_tokens
from shared.core.questions.question import Question
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage

Line = BaseModel | LlmOutcome | LlmReply
Lines = Line | Sequence[Line]
Script = Mapping[Any, Lines] | Callable[[Question], Lines | None]

_CHARS_PER_TOKEN = 4


class ScriptedLlm:
    """Answers from a script.

    A script is a function of the question, or a mapping by question, by its `key` or by its `phase`, looked up in this
    order. A sequence gives one line per call. A question that the script does not cover gets an empty answer of its
    type, or is unparsable if that type cannot be empty; so does a line that answers another question of the phase. A
    line can be a whole `LlmReply`, for its usage or its `retry_after_seconds`.
    """

    def __init__(self, script: Script | None = None, *, latency_seconds: float = 0.0) -> None:
        self._script: Script = script if script is not None else {}
        self._latency_seconds = latency_seconds
        self._lock = threading.Lock()
        self._said: Counter[Hashable] = Counter()
        self._requests: list[LlmRequest] = []

    @property
    def model(self) -> str:
        """Return the model's name for the log."""
        return "scripted"

    @property
    def requests(self) -> tuple[LlmRequest, ...]:
        """Return every request so far, in the order of arrival."""
        with self._lock:
            return tuple(self._requests)

    def decide(self, request: LlmRequest) -> LlmReply:
        """Return the next scripted answer for this question."""
        with self._lock:
            self._requests.append(request)
            line = self._next_line(request.question)
        if self._latency_seconds > 0:
            time.sleep(self._latency_seconds)
        if isinstance(line, LlmReply):
            return line
        if isinstance(line, LlmOutcome):
            return LlmReply(outcome=line, model=self.model, usage=LlmUsage(), detail=f"scripted: {line}")
        usage = LlmUsage(
            input_tokens=self.count_tokens(request),
            output_tokens=-(-len(line.model_dump_json(by_alias=True)) // _CHARS_PER_TOKEN),
        )
        return LlmReply(outcome=LlmOutcome.OK, model=self.model, usage=usage, answer=line)

    def count_tokens(self, request: LlmRequest) -> int:
        """Estimate the prompt tokens of a request."""
        return estimate_tokens(request)

    def find_unwritten(self, _request: LlmRequest) -> frozenset[int]:
        """Return nothing: there is no cache."""
        return frozenset()

    def _next_line(self, question: Question) -> Line:
        key, lines = self._look_up(question)
        if isinstance(lines, Sequence) and not isinstance(lines, LlmOutcome):
            said = self._said[key]
            self._said[key] += 1
            lines = lines[said] if said < len(lines) else None
        is_of_another = isinstance(lines, BaseModel) and not isinstance(lines, question.answer_type)
        return _empty_answer(question) if lines is None or is_of_another else lines

    def _look_up(self, question: Question) -> tuple[Hashable, Lines | None]:
        if callable(self._script):
            return question, self._script(question)
        for key in (question, question.key, question.phase):
            if key in self._script:
                return key, self._script[key]
        return question, None


def _empty_answer(question: Question) -> Line:
    try:
        return question.answer_type()
    except ValidationError:
        return LlmOutcome.UNPARSABLE
