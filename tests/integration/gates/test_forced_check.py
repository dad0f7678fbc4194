"""A store whose agent never rests still dreams once a day."""

from datetime import timedelta

from shared.all_ports import Ports
from shared.core.dream.model import Trigger
from shared.core.tenants.store import Verdict
from shared.services.dreams.claim import LeaseTerms, claim_dream
from shared.services.dreams.start import start_dream
from shared.services.sessions.activity import mark_activity
from tests.support.builders import a_store, get_store, write


def test_a_store_that_was_busy_for_24_hours_gets_its_dream_in_the_middle_of_a_turn(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {f"{number}.md": f"text {number}" for number in range(3)})
    a_store(ports, tenant, overrides={"gates.scan_throttle_minutes": 0})
    mark_activity(ports.db, tenant, "default", busy_seconds=600, pending_tasks=1)
    refused = start_dream(ports.db, tenant, trigger=Trigger.SWEEP)
    assert refused.verdict.gate == "queue"
    store = get_store(ports, tenant)
    assert store.last_verdict is not None
    assert store.last_verdict.busy_since == store.last_verdict.at
    assert store.next_check_at is not None
    since = store.last_verdict.at - timedelta(hours=25)
    with ports.db.transaction(tenant) as uow:
        waited = Verdict(at=since, is_open=False, gate="queue", busy_since=since)
        uow.activity.record_verdict(store.id, waited, None, is_full_check=False)
    started = start_dream(ports.db, tenant, trigger=Trigger.SWEEP)
    assert started.dream is not None
    claimed = claim_dream(ports.db, ports.lock, tenant, started.dream.id, LeaseTerms(lease_seconds=60, model="m"))
    assert claimed.dream is not None
