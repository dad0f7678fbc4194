"""Agents, dreams, undo, reviewers, imports and retention on one store at once: no deadlock, and nothing is lost."""

import psycopg
import pytest

from shared.all_ports import Ports
from shared.settings import Settings
from tests.chaos.checks import find_violations
from tests.integration.memories.concurrent_writers import Crowd
from tests.integration.memories.writer_actions import ACTORS
from tests.support.builders import a_store
from tests.support.servers import plain_url


@pytest.mark.parametrize(
    ("seed", "dreams"), [(0, 1), *(pytest.param(seed, 4, marks=pytest.mark.thorough) for seed in (1, 2))]
)
def test_with_every_writer_in_one_store_at_once_nothing_is_lost_and_no_write_is_turned_away(
    fresh_ports: Ports, fresh_settings: Settings, seed: int, dreams: int
) -> None:
    a_store(fresh_ports, "acme")
    crowd = Crowd(ports=fresh_ports, tenant="acme", seed=seed)
    crowd.run(ACTORS, dreams)
    assert crowd.errors == [], "a deadlock, or anything else that a user cannot act on"
    assert crowd.done["dream"] == dreams
    assert crowd.done["undo"] + crowd.done["review"], "without them it would prove little"
    with psycopg.connect(plain_url(fresh_settings.owner_database_url)) as owner:
        assert find_violations(owner, {"acme": crowd.marks}) == []
