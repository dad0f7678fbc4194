"""Check many due stores at once: store the verdicts of shut gates; the other stores get a check of their own.

Deciding needs no lock: a verdict is stored only if no other transaction has written or locked the store since it was
read. Every other store goes to `start_dream`, which decides again under the locks of tenant and store.
"""

from collections import Counter
from collections.abc import Sequence
from zoneinfo import ZoneInfoNotFoundError

from shared.core.budgets.dollars import find_dollar_budgets
from shared.core.errors import SlowwaveError
from shared.core.gates.deferral import Installation
from shared.core.gates.gates import decide_gates
from shared.core.gates.next_check import PRE_SCAN_GATES, decide_next_check
from shared.counting import count
from shared.logger import get_logger
from shared.ports.database import Database
from shared.ports.stores import DueStore, ShutVerdict, StoreState
from shared.services.dreams.gate_facts import facts_of
from shared.services.dreams.start import to_stored_verdict

_log = get_logger()
#: Ended dreams that are read for each store; a policy that needs more has its store checked alone.
_ENDED = 10


def check_many(db: Database, due: Sequence[DueStore]) -> list[DueStore]:
    """Store the verdicts of stores with a closed gate, and return the other stores in their order."""
    installation = db.installation.get()
    states = db.sweeps.read_states(due, ended=_ENDED)
    decided = {state.store.id: _decide_shut(state, installation) for state in states}
    shut = [verdict for verdict in decided.values() if verdict is not None]
    kept = db.sweeps.keep_verdicts(shut) if shut else set()
    refusals = Counter(one.verdict.gate for one in shut if one.store_id in kept)
    for gate, number in refusals.items():
        count("slowwave_refusals_total", number, gate=gate)
    if refusals:
        _log.info("not_eligible", stores=refusals.total(), gates=dict(refusals))
    done = {(state.tenant.id, state.store.name) for state in states if state.store.id in kept}
    return [one for one in due if (one.tenant_id, one.store) not in done]


def _decide_shut(state: StoreState, installation: Installation) -> ShutVerdict | None:
    """Return the verdict to store; None when the gates are open, or deciding needs more facts."""
    store = state.store
    try:
        policy = store.policy.gates
        if (policy.quarantine_after or 0) > _ENDED or find_dollar_budgets(state.tenant, store):
            return None
        verdict = decide_gates(facts_of(state, installation), policy, state.at, force=False)
    except (SlowwaveError, ZoneInfoNotFoundError):
        return None  # the store's own check reports what is wrong with its settings
    if verdict.is_open:
        return None
    return ShutVerdict(
        tenant_id=store.tenant_id,
        store_id=store.id,
        version=state.version,
        verdict=to_stored_verdict(store, verdict, state.at),
        next_check_at=decide_next_check(store, verdict, state.at),
        is_full_check=verdict.gate not in PRE_SCAN_GATES,
    )
