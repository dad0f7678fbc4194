"""Agents, dreams, undo, reviewers, imports and retention on one store at once: nobody waits for ever, nothing is lost."""

import psycopg
import pytest

from shared.ports.ports import Ports
from shared.settings import Settings
from tests.chaos.checks import find_violations
from tests.integration.access.everybody_acts import ACTORS
from tests.integration.access.everybody_support import Crowd
from tests.support.builders import a_store
from tests.support.servers import plain_url

_DREAMS = 4


@pytest.mark.parametrize("seed", range(2))
def test_whoever_writes_into_a_store_at_the_same_moment_nothing_is_lost_and_nobody_is_turned_away(
    fresh_ports: Ports, fresh_settings: Settings, seed: int
) -> None:
    a_store(fresh_ports, "acme")
    crowd = Crowd(ports=fresh_ports, tenant="acme", seed=seed)
    crowd.run(ACTORS, _DREAMS)
    assert crowd.errors == [], "a deadlock, or anything else that nobody can do something about"
    assert crowd.done["dream"] == _DREAMS
    assert crowd.done["undo"] + crowd.done["review"], "without them it would prove little"
    with psycopg.connect(plain_url(fresh_settings.owner_database_url)) as owner:
        assert find_violations(owner, {"acme": crowd.marks}) == []
