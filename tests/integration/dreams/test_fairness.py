"""Fairness through the whole of sweep, claim and check: a small edition of the benchmark."""

from dataclasses import replace

import psycopg

from benchmarks.fairness import run_rounds
from shared.all_ports import Ports
from shared.settings import Settings
from tests.integration.dreams.test_taking_turns import add_due
from tests.support.servers import plain_url


def test_small_tenants_have_dreamt_before_a_big_one_had_more_than_its_share(
    fresh_ports: Ports, fresh_settings: Settings
) -> None:
    with psycopg.connect(plain_url(fresh_settings.owner_database_url), autocommit=True) as owner:
        add_due(owner, "big", 200, minutes_ago=600)
        for number in range(10):
            add_due(owner, f"small{number}", 1, minutes_ago=1)
        owner.execute("UPDATE stores SET curations = 9")
    four = replace(fresh_ports, settings=fresh_ports.settings.model_copy(update={"max_active_dreams": 4}))
    dreams, rounds = run_rounds(four, 10)
    assert len(dreams) == 11
    assert dreams["big"] <= rounds <= 4
