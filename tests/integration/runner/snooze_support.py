"""Dreams that are turned away by their model: how tests run, wake and find them."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import psycopg

from shared.adapters.inmemory.dispatch import RecordingDispatch
from shared.all_ports import Ports
from shared.core.dream.model import Dream
from shared.ports.database import StalledDream
from shared.ports.llm import Llm, LlmOutcome, LlmReply, LlmRequest, LlmUsage
from tests.integration.failures.crash_support import CountingLlm
from tests.support.builders import get_dream, run_chain
from workers.dream.begin import begin_dream
from workers.dream.finish import finish_dream

NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After.\n",
    "api/throttle.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429 with Retry-After. "
    "Burst is 50.\n",
    "ops/backups.md": "# Backups\n\nNightly backups of the orders database go to the Malmo vault at 02:30.\n",
}
TURNED_AWAY = LlmReply(
    outcome=LlmOutcome.RATE_LIMITED, model="scripted", usage=LlmUsage(), retry_after_seconds=90.0, detail="429"
)


class TurnsAway(CountingLlm):
    """The offline model, except that it turns the first calls of each question away."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def decide(self, request: LlmRequest) -> LlmReply:
        question = request.question
        if Counter(self.asked)[question.phase, question.key] < self.times:
            self.asked.append((question.phase, question.key))
            return TURNED_AWAY
        return super().decide(request)


def go(ports: Ports, tenant: str, llm: Llm, dream_id: str | None = None, *, force: bool = True) -> Dream | None:
    """Begin or wake a dream and run its chain as far as it gets; None when it was not claimed."""
    dispatch = RecordingDispatch()
    here = replace(ports, dispatch=dispatch, choose_llm=lambda _: llm)
    begun = begin_dream(here, tenant, "default", force=force, dream_id=dream_id)
    if begun is None:
        return None
    chain = dispatch.chains[-1]
    if run_chain(here, chain):
        finish_dream(here, tenant, begun, chain.epoch)
    return get_dream(ports, tenant, begun)


def pass_time(owner: psycopg.Connection, dream_id: str, seconds: float = 90) -> None:
    """Shift the dream's times, as if it had slept for the given time."""
    owner.execute(
        "UPDATE dreams SET next_attempt_at = next_attempt_at - %(t)s, snoozed_at = snoozed_at - %(t)s WHERE id = %(id)s",
        {"t": timedelta(seconds=seconds), "id": dream_id},
    )


def open_endpoint(ports: Ports) -> None:
    """As if the time that the model's server had asked for were over in Redis, too."""
    client = ports.limits._client  # type: ignore[attr-defined] # the port cannot forget
    for key in client.scan_iter("slowwave:calls:closed:*"):
        client.delete(key)


def stalled(ports: Ports, unsent_seconds: float = 30.0) -> list[StalledDream]:
    return ports.db.sweeps.find_stalled_dreams(100, unsent_seconds)
