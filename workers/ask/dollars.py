"""Reserve a question's maximum price in the dollar budgets that all dreams of a tenant share.

A reservation is a row, so dreams in other processes see it. The commit that stores the answer deletes it. If a question was
interrupted, its reservation is released when the dream asks again, is claimed again or ends.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from shared.all_ports import Ports
from shared.core.budgets.dollars import find_dollar_budgets, say_refused
from shared.core.questions.prices import FREE_MODEL, ModelPrice, find_price, highest_cost_usd
from shared.core.tenants.model_settings import use_store_model
from shared.core.tenants.store import Store, Tenant
from shared.model_endpoint import find_tenant_prices
from shared.ports.database import UnitOfWork
from shared.services.budgets.use import OpenBudgets, open_budgets
from workers.phase.work import PhaseKey

#: Why a question is not asked.
DOLLAR_BUDGET = "dollar_budget"
UNKNOWN_PRICE = "unknown_price"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserved:
    """A reservation; its id is empty if no budget in dollars applies."""

    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotAffordable:
    """The reason why a question is not asked, as a code and in words."""

    code: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dollars:
    """The dollar budgets that apply to one model's questions in a phase."""

    ports: Ports
    key: PhaseKey
    store: str
    model: str
    price: ModelPrice | None
    is_bounded: bool

    def reserve(self, prompt_tokens: int, answer_tokens: int) -> Reserved | NotAffordable:
        """Reserve the maximum price of a question, in its own commit.

        Raises:
            LostLeaseError: another worker has the dream.
        """
        if not self.is_bounded:
            return Reserved()
        if self.price is None:
            return self._without_price()
        usd = highest_cost_usd(self.price, prompt_tokens=prompt_tokens, answer_tokens=answer_tokens)
        with self.ports.db.transaction(self.key.tenant_id) as uow:
            budgets = open_budgets(uow, self.store)
            dream = uow.dreams.fence(self.key.dream_id, self.key.epoch, self.ports.settings.lease_seconds)
            refusal = _take(budgets, usd)
            if refusal is not None:
                return refusal
            reserved = Reserved(id=self.ports.ids.new("res"))
            uow.budgets.reserve(reserved.id, store_id=dream.store_id, dream_id=dream.id, epoch=self.key.epoch, usd=usd)
        return reserved

    def take_for_batch(
        self, uow: UnitOfWork, tokens: Mapping[str, tuple[int, int]]
    ) -> tuple[dict[str, float], dict[str, NotAffordable]]:
        """Return the maximum prices of a batch's questions, by key, and the refused questions.

        `tokens` are those of each prompt and of the longest answer. The row of a question is its reservation, so it must be added
        in this transaction.
        """
        if not self.is_bounded:
            return {}, {}
        if self.price is None:
            return {}, dict.fromkeys(tokens, self._without_price())
        budgets = open_budgets(uow, self.store)
        taken: dict[str, float] = {}
        refused: dict[str, NotAffordable] = {}
        for key, (prompt, answer) in tokens.items():
            usd = highest_cost_usd(self.price, prompt_tokens=prompt, answer_tokens=answer) * self.price.batch_factor
            refusal = _take(budgets, usd)
            if refusal is None:
                taken[key] = usd
            else:
                refused[key] = refusal
        return taken, refused

    def _without_price(self) -> NotAffordable:
        said = (
            f"a budget in dollars holds, and the price of {self.model} is not known:"
            " give it one in the file that SLOWWAVE_PRICES_FILE names (docs/costs.md)"
        )
        return NotAffordable(code=UNKNOWN_PRICE, said=said)


def open_dollars(ports: Ports, key: PhaseKey, tenant: Tenant, store: Store, model: str) -> Dollars:
    """Return the dollar budgets that apply to a model's questions; rules without a model cost nothing and have none."""
    provider = use_store_model(tenant, store, ports.settings.llm)
    return Dollars(
        ports=ports,
        key=key,
        store=store.name,
        model=model,
        price=find_price(model, find_tenant_prices(ports.settings, provider)),
        is_bounded=model != FREE_MODEL and bool(find_dollar_budgets(tenant, store)),
    )


def _take(budgets: OpenBudgets, usd: float) -> NotAffordable | None:
    refused = budgets.take(usd)
    return None if refused is None else NotAffordable(code=DOLLAR_BUDGET, said=say_refused(refused.use, usd))
