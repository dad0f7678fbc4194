"""Rules without a model have no token budget; a model has one, and the dream names its settings."""

from dataclasses import dataclass

import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import DreamState
from shared.ports.llm import Llm, LlmReply, LlmRequest
from tests.support.builders import a_store, run_dream, texts, write

_NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429.\n",
    "api/limits-of-keys.md": "# Limits of keys\n\nThe API allows 600 calls a minute per key. Above it answers 429.\n",
}
_SMALL = {"budget.tokens_per_call": 10, "budget.tokens_per_dream": 10, "budget.tokens_per_day": 10}


@dataclass
class PaidRules:
    """The same rules under the name of a model."""

    model: str = "paid"

    def decide(self, request: LlmRequest) -> LlmReply:
        return OfflineLlm().decide(request)

    def count_tokens(self, request: LlmRequest) -> int:
        return OfflineLlm().count_tokens(request)

    def find_unwritten(self, _request: LlmRequest) -> frozenset[int]:
        return frozenset()


@pytest.mark.parametrize(("llm", "ended"), [(OfflineLlm(), DreamState.COMPLETED), (PaidRules(), DreamState.PARTIAL)])
def test_only_a_model_runs_out_of_tokens(llm: Llm, ended: DreamState, ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, overrides=_SMALL)
    write(ports, tenant, texts(_NOTES))
    dream = run_dream(ports, tenant, llm)
    assert dream.state is ended
    settings = ("budget.tokens_per_call", "budget.tokens_per_dream", "tokens per day")
    assert all(name in dream.reason for name in settings) is (ended is DreamState.PARTIAL), dream.reason
    with ports.db.transaction(tenant) as uow:
        assert uow.calls.count_tokens_today() == 0
