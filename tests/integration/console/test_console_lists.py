"""The console's lists: who waits for a person, and dreams by when they were asked for."""

import re
from datetime import timedelta

from psycopg import Connection

from gateway.cli.dreams.status import when
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.services.dreams.explain import explain_store
from shared.services.tenants.configure import StoreChanges, configure_store
from shared.services.tenants.stores import archive_store
from tests.integration.console.console_support import a_visitor, send
from tests.integration.gates.test_quarantine import quarantine
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything
from tests.support.builders import a_store, get_store
from workers.phases import CATALOG, get_catalog

_ROW = re.compile(r'/stores/([\w.-]+)">\1</a>')


def a_profile_that_begins_off(ports: Ports, tenant: str) -> None:
    configure_store(ports.db, tenant, "claw", changes=StoreChanges(profile="swarmclaw"), phases=CATALOG, actor="a test")


def test_quarantined_stores_are_counted_on_the_overview_and_found_in_the_list(ports: Ports, tenant: str) -> None:
    quarantine(ports, tenant)
    a_store(ports, tenant, "healthy")
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}"
    assert f'href="{where}/stores?only=quarantined"><b>1</b> quarantined' in browser.get(where).text
    assert set(_ROW.findall(browser.get(f"{where}/stores").text)) >= {"default", "healthy"}
    assert _ROW.findall(browser.get(f"{where}/stores?only=quarantined").text) == ["default"]
    assert "No store is paused." in browser.get(f"{where}/stores?only=paused").text
    send(browser, f"{where}/stores/default/resume")
    assert "quarantined</a></li>" not in browser.get(where).text
    assert "No store is quarantined." in browser.get(f"{where}/stores?only=quarantined").text


def test_an_operator_sees_whose_stores_are_in_quarantine(fresh_ports: Ports) -> None:
    quarantine(fresh_ports, "acme")
    browser = a_visitor(fresh_ports, "operators", Role.OPERATOR)
    text = browser.get("/console").text
    assert "<b>1</b> quarantined" in text
    assert 'href="/console/t/acme/stores?only=quarantined">1 quarantined</a>' in text
    assert 'href="/console/t/operators/stores?only=quarantined"' not in text


def test_a_store_that_is_switched_off_says_so_and_is_switched_on_with_a_button(ports: Ports, tenant: str) -> None:
    a_profile_that_begins_off(ports, tenant)
    where = f"/console/t/{tenant}/stores/claw"
    reader, admin = a_visitor(ports, tenant, Role.REVIEWER), a_visitor(ports, tenant)
    shown = reader.get(where).text
    assert "An admin switches it on" in shown
    assert "--set" not in shown
    assert "--set gates.enabled=true" in a_visitor(ports, tenant, Role.OPERATOR).get(where).text
    assert "Switch dreaming on" not in shown
    assert "Switch dreaming on" in admin.get(where).text
    assert send(admin, f"{where}/enable").headers["location"] == where
    assert "Switched on" in (after := admin.get(where).text)
    assert "Switch dreaming on" not in after
    assert get_store(ports, tenant, "claw").policy.gates.enabled
    assert send(admin, f"/console/t/{tenant}/stores/gone/enable").status_code == 404


def test_the_command_line_says_how_a_store_is_switched_on(ports: Ports, tenant: str) -> None:
    a_profile_that_begins_off(ports, tenant)
    assert f"slowwave stores set {tenant}/claw --set gates.enabled=true" in when(
        explain_store(ports.db, tenant, "claw", get_catalog)
    )


def test_dreams_are_found_by_their_day_and_filters_stay_when_another_is_chosen(
    ports: Ports, tenant: str, owner_connection: Connection
) -> None:
    a_rich_store(ports, tenant)
    dream = dream_of_everything(ports, tenant)
    day = dream.created_at - timedelta(days=10)
    owner_connection.execute("UPDATE dreams SET created_at = %s WHERE id = %s", (day, dream.id))
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/dreams"

    def lists_it(**query: str) -> bool:
        return f"/dreams/{dream.id}" in browser.get(where, params=query).text

    on, after = f"{day:%Y-%m-%d}", f"{day + timedelta(days=1):%Y-%m-%d}"
    assert lists_it()
    assert lists_it(since=on, until=on)
    assert not lists_it(since=after)
    assert lists_it(until=on, store="default", state="completed")
    assert not lists_it(until=f"{day - timedelta(days=1):%Y-%m-%d}")
    for odd in ("", "yesterday", "9999-12-31", "0001-01-01", "2026-02-30"):
        assert lists_it(since=odd, until=odd), odd
    backwards = browser.get(where, params={"since": after, "until": f"{day - timedelta(days=1):%Y-%m-%d}"})
    assert (backwards.status_code, "must be later than" in backwards.text) == (422, True)
    text = browser.get(where, params={"since": on, "store": "default", "state": "completed"}).text
    assert f"?store=default&amp;since={on}&amp;state=running" in text
    assert f'value="{on}"' in text


def test_a_store_that_was_archived_is_not_said_to_be_the_operators_pause(ports: Ports, tenant: str) -> None:
    store = a_store(ports, tenant)
    archive_store(ports.db, tenant, store.id, actor="a test")
    text = a_visitor(ports, tenant).get(f"/console/t/{tenant}/stores/default").text
    assert "It was archived over the API, for good" in text
    assert "operator has paused all tenants" not in text
    assert "slowwave resume" not in text
    assert ">Pause</button>" not in text
    assert when(explain_store(ports.db, tenant, "default", get_catalog)).startswith(
        "It was archived over the API, for good"
    )
