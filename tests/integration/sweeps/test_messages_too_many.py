"""A message that comes twice: it neither runs a phase again nor makes a lost worker look alive."""

import psycopg

from shared.all_ports import Ports
from shared.core.dream.model import Dream
from tests.integration.gates.gate_support import start_and_claim
from tests.support.builders import get_dream, write
from workers.phase.work import PhaseKey, claim_phase
from workers.phases import PHASES
from workers.runner.run import run_phase


def test_a_second_message_does_not_prolong_the_lease_of_a_worker_that_may_be_lost(
    ports: Ports, tenant: str, owner_connection: psycopg.Connection
) -> None:
    write(ports, tenant, {"web/a.md": "# Note\n\nWhat the gardener said.\n"})
    dream = start_and_claim(ports, tenant)
    key = PhaseKey(tenant_id=tenant, dream_id=dream.id, epoch=dream.epoch, phase=PHASES[0].name)
    assert claim_phase(ports, PHASES[0], key, "run_lost") is not None
    owner_connection.execute("UPDATE dreams SET lease_until = now() + interval '5 seconds' WHERE id = %s", [dream.id])
    before = find_lease(ports, dream)
    assert not run_phase(ports, PHASES[0], key), "its runner counts as alive"
    assert find_lease(ports, dream) == before


def find_lease(ports: Ports, dream: Dream) -> object:
    return get_dream(ports, dream.tenant_id, dream.id).lease_until
