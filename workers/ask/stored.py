"""Store a model's answer in its own commit, so that it is never paid for twice."""

from dataclasses import dataclass

from shared.all_ports import Ports
from shared.core.errors import ServiceUnavailableError
from shared.core.questions.prompt import Prompt
from shared.core.questions.question import render_parts
from shared.logger import get_logger
from shared.ports.llm import LlmReply, LlmRequest
from workers.ask.reuse import KeepAs
from workers.phase.work import PhaseKey
from workers.process.running import RUNNING

_log = get_logger()
#: As long as a restart or a failover of PostgreSQL takes, and less than a lease, which cannot be renewed meanwhile.
_PAUSES_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Also:
    """The other work of the commit that stores an answer.

    Attributes:
        batch_call: the question of a batch that it ends.
        reserved: the reservation that it releases.
        keep_as: where it keeps the answer of a copy for other dreams.
    """

    batch_call: str = ""
    reserved: str = ""
    keep_as: KeepAs | None = None


def store_answer(
    ports: Ports, key: PhaseKey, request: LlmRequest, reply: LlmReply, *, latency_ms: int, also: Also = Also()
) -> None:
    """Store a model's reply in its own commit; retry for half a minute, without pauses while the worker drains.

    The prompt is stored if the settings allow it.

    Raises:
        ServiceUnavailableError: the database stays unavailable; the worker that resumes asks the question again.
    """
    prompt = prompt_of(request) if ports.settings.keep_prompts == "on" else None
    call_id = ports.ids.new("call")  # a commit whose confirmation was lost is not counted twice
    for pause in (*_PAUSES_SECONDS, None):
        try:
            with ports.db.transaction(key.tenant_id) as uow:
                asked = (key.dream_id, key.phase, request.question.key)
                uow.calls.record(*asked, reply, latency_ms=latency_ms, call_id=call_id, prompt=prompt)
                if also.keep_as is not None:
                    also.keep_as.keep(uow, reply)
                if also.batch_call:
                    uow.batch_calls.delete([also.batch_call])
                if also.reserved:
                    uow.budgets.release([also.reserved])
        except ServiceUnavailableError as error:
            if pause is None:
                raise
            _log.warning("answer_store_retry", dream_id=key.dream_id, phase=key.phase, reason=str(error))
            RUNNING.draining.wait(pause)
        else:
            return


def prompt_of(request: LlmRequest) -> Prompt:
    """Return the prompt of a request in the form in which it is stored."""
    system = tuple(text for text in (request.prefix, request.instructions) if text)
    return Prompt(system=system, question=render_parts(request.question))
