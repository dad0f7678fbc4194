"""Fairness: tenants take turns in the sweep, whatever one of them has piled up."""

from collections import Counter

import psycopg

from shared.all_ports import Ports


def add_due(owner: psycopg.Connection, tenant: str, stores: int, *, minutes_ago: int, weight: int = 1) -> None:
    owner.execute("INSERT INTO tenants (id, weight) VALUES (%s, %s)", (tenant, weight))
    owner.execute(
        "INSERT INTO stores (id, tenant_id, name, next_check_at) SELECT %s || n, %s, 's' || n,"
        " now() - make_interval(mins => %s) FROM generate_series(1, %s) n",
        (tenant, tenant, minutes_ago, stores),
    )


def claim(ports: Ports, limit: int) -> Counter[str]:
    return Counter(due.tenant_id for due in ports.db.sweeps.claim_due_stores(limit, 600.0))


def test_a_tenant_with_thousands_of_due_stores_delays_the_others_by_its_turn_only(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    add_due(owner, "big", 2_000, minutes_ago=600)
    for number in range(15):
        add_due(owner, f"small{number}", 1, minutes_ago=1)
    claimed = claim(fresh_ports, 16)
    assert claimed == Counter({"big": 1, **{f"small{number}": 1 for number in range(15)}})
    assert claim(fresh_ports, 16) == Counter({"big": 16}), "what is left is the big one's alone"


def test_turns_follow_the_tenants_weights(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    add_due(owner, "gold", 100, minutes_ago=10, weight=3)
    add_due(owner, "plain", 100, minutes_ago=10)
    assert claim(fresh_ports, 16) == Counter({"gold": 12, "plain": 4})


def test_a_tenant_whose_slots_are_taken_is_not_checked_in_vain(fresh_ports: Ports, owner: psycopg.Connection) -> None:
    add_due(owner, "busy", 10, minutes_ago=10)
    add_due(owner, "free", 2, minutes_ago=1)
    owner.execute(
        "INSERT INTO dreams (id, tenant_id, store_id, state, trigger, is_forced, is_dry_run, model, reason)"
        " VALUES ('drm_1', 'busy', 'busy1', 'running', 'cli', false, false, '', '')",
    )
    assert claim(fresh_ports, 16) == Counter({"free": 2})
    owner.execute("UPDATE dreams SET state = 'completed'")
    assert claim(fresh_ports, 16) == Counter({"busy": 10})
