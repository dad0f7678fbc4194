"""Keep an answer that was paid for: a database that is away for a moment must not cost it."""

import structlog

from shared.core.errors import ServiceUnavailableError
from shared.ports.all_ports import Ports
from shared.ports.llm import LlmReply
from workers.phase_key import PhaseKey
from workers.running import RUNNING

_log = structlog.get_logger()
#: As long as a restart or a failover of PostgreSQL takes; less than a lease, which nobody renews meanwhile.
_PAUSES_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


def keep_answer(ports: Ports, key: PhaseKey, question_key: str, reply: LlmReply, *, latency_ms: int) -> None:
    """Store a model's reply in its own commit, trying again for half a minute; a worker that leaves tries without a pause.

    Raises:
        ServiceUnavailableError: the database stays away; the question is asked again by whoever goes on.
    """
    call_id = ports.ids.new("call")  # a commit whose answer got lost is not counted a second time
    for pause in (*_PAUSES_SECONDS, None):
        try:
            with ports.db.transaction(key.tenant_id) as uow:
                uow.calls.record(key.dream_id, key.phase, question_key, reply, latency_ms=latency_ms, call_id=call_id)
        except ServiceUnavailableError as error:
            if pause is None:
                raise
            _log.warning("answer_not_kept_yet", dream_id=key.dream_id, phase=key.phase, reason=str(error))
            RUNNING.is_leaving.wait(pause)
        else:
            return
