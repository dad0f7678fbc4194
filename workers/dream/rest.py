"""Tell what a dream leaves for the next one, and when that one comes."""

from dataclasses import replace

from shared.core.dream.model import Dream, DreamSummary
from shared.core.gates.gates import GateVerdict, decide_gates
from shared.ports.database import UnitOfWork
from shared.services.dreams.gate_facts import get_gate_facts

AT_ONCE = "follows at once"


def tell_rest(uow: UnitOfWork, dream: Dream, summary: DreamSummary, *, is_cut: bool) -> DreamSummary:
    """Return the summary with the sessions and changes that wait, and what the gates say about the next dream.

    A dream that was cut short may leave sessions although none of them is a backlog: it has read none.
    """
    store = uow.stores.get(dream.store)
    sessions = uow.sessions(store.id).count_waiting() if store.waiting_sessions or is_cut else 0
    if not (sessions or store.waiting_changes):
        return summary
    facts = get_gate_facts(uow, uow.stores.get_tenant(), store, ignoring_dream=dream.id)
    freed = replace(facts, tenant_dreams=facts.tenant_dreams - 1)  # this dream still counts as running
    verdict = decide_gates(freed, store.policy.gates, uow.now(), force=False)
    return replace(
        summary,
        waiting_sessions=sessions,
        waiting_changes=store.waiting_changes,
        next_dream=_say_next(verdict),
    )


def _say_next(verdict: GateVerdict) -> str:
    if verdict.is_open:
        return AT_ONCE
    if verdict.retry_at is None:
        return f"waits: {verdict.reason}"
    return f"comes after {verdict.retry_at:%Y-%m-%d %H:%M} UTC: {verdict.reason}"
