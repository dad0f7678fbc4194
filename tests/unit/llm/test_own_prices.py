"""The cost of an answer, by an operator's own file of prices."""

from pathlib import Path

import pytest
from pydantic import BaseModel, SecretStr

from shared.core.tenants.store import Tenant
from shared.model_choice import choose_batches
from shared.settings import Settings

OWN = """\
date = 2026-11-20
source = "our contract"
models.llama = { input = 1, output = 2, cache_read = 0.1, cache_write = 1.5, batch = 0.4 }
"""
MESSAGE = {
    "content": [{"type": "text", "text": "{}"}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 1_000_000, "output_tokens": 500_000},
}


class Nothing(BaseModel):
    """An answer without a word."""


@pytest.mark.parametrize(("has_file", "cost"), [(True, (1 + 0.5 * 2) * 0.4), (False, 0.0)])
def test_an_answer_of_a_batch_costs_the_operators_own_price_and_its_share(
    tmp_path: Path, has_file: bool, cost: float
) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(OWN)
    settings = Settings(
        llm="anthropic", llm_model="llama", llm_api_key=SecretStr("k"), prices_file=path if has_file else None
    )
    batches = choose_batches(settings, Tenant(id="acme"))
    assert batches is not None
    reply = batches.read("llama", {"type": "succeeded", "message": MESSAGE}, Nothing)
    assert reply.usage.cost_usd == pytest.approx(cost)
