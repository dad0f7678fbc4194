"""Tenants with budgets in dollars, a model with a price, and a store with several questions."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.budgets.dollars import BudgetUse
from shared.core.dream.model import Dream, DreamState
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage
from shared.services.budgets.use import find_budget_lines
from shared.services.tenants.configure import StoreChanges, TenantChanges, configure_store, configure_tenant
from tests.integration.gates.gate_support import start_and_claim
from tests.support.builders import LONG_AGO, texts, write
from workers.phases import get_catalog

#: A model that prices.toml lists. A question of a small store may cost up to $0.05 of it: 8,192 tokens of an answer at $5.
PRICED = "claude-haiku-4-5"
DOMAINS = ("api", "billing", "hiring", "ops")
#: One question for each domain, one after the other, so that each sees what the one before it has cost.
ONE_BY_ONE: dict[str, object] = {
    "consolidate.shared_call_chars": 0, "budget.calls_side_by_side": 1, "phases.revise": False,
}  # fmt: skip


class PricedLlm(ScriptedLlm):
    """A scripted model with a price; each call costs `usd`. `meanwhile` runs while a call is under way."""

    def __init__(self, usd: float = 0.02, meanwhile: Callable[[], None] | None = None) -> None:
        super().__init__()
        self._usd = usd
        self._meanwhile = meanwhile

    @property
    def model(self) -> str:
        """Return the id of a model that has a price."""
        return PRICED

    def decide(self, request: LlmRequest) -> LlmReply:
        """Answer as the script says, at this price."""
        reply = super().decide(request)
        if self._meanwhile is not None:
            self._meanwhile()
        return replace(reply, model=PRICED, usage=replace(reply.usage, cost_usd=self._usd))

    @property
    def asked(self) -> list[str]:
        """Return the paths that each question of `consolidate` was about."""
        return [one.question.documents[0].path for one in self.requests if one.question.phase == "consolidate"]


def set_budget(ports: Ports, tenant: str, **changes: float) -> None:
    configure_tenant(ports.db, tenant, changes=TenantChanges(**changes), actor="bo")  # type: ignore[arg-type] # names of budgets


def set_store(ports: Ports, tenant: str, overrides: Mapping[str, object], store: str = "default") -> None:
    changes = StoreChanges(overrides=overrides)
    configure_store(ports.db, tenant, store, changes=changes, phases=get_catalog(), actor="bo")


def with_questions(ports: Ports, tenant: str, store: str = "default") -> None:
    """Write a store about which a dream has a question for each of four domains."""
    notes = {
        f"{domain}/{name}.md": f"# {domain} {name}\n\nThe {domain} team keeps the {domain} keys for 30 days. {more}\n"
        for domain in DOMAINS
        for name, more in (("first", ""), ("second", "It asks twice."))
    }
    write(ports, tenant, texts(notes, at=LONG_AGO), store=store)
    set_store(ports, tenant, ONE_BY_ONE, store)


def uses(ports: Ports, tenant: str, store: str | None = None) -> dict[str, BudgetUse]:
    return {line.use.budget.name: line.use for line in find_budget_lines(ports.db, tenant, store)}


def costing(usd: float) -> LlmReply:
    usage = LlmUsage(input_tokens=100, output_tokens=20, cached_tokens=0, cache_write_tokens=0, cost_usd=usd)
    return LlmReply(outcome=LlmOutcome.REFUSED, model="claude-haiku-4-5", usage=usage)


def spend_on(ports: Ports, dream: Dream, usd: float, key: str = "k") -> None:
    with ports.db.transaction(dream.tenant_id) as uow:
        uow.calls.record(dream.id, "consolidate", key, costing(usd), latency_ms=1)


def spend(ports: Ports, tenant: str, usd: float) -> None:
    """End a dream over the tenant's store with the given cost."""
    dream = start_and_claim(ports, tenant)
    spend_on(ports, dream, usd)
    with ports.db.transaction(tenant) as uow:
        uow.dreams.finish(dream.id, DreamState.COMPLETED, reason="")
