"""An operator's pages: which tenants need attention, a dream of any tenant, and how the installation is."""

import re
from datetime import timedelta
from uuid import uuid4

import psycopg
import pytest
from starlette.testclient import TestClient

from gateway.api.http.paging import encode_cursor
from scheduler.run_sweep import run_sweep
from scheduler.sweep import Sweep
from scheduler.sweeps import due_stores
from shared.all_ports import Ports
from shared.core.errors import NotFoundError
from shared.core.tenants.roles import Role
from shared.services.dreams.read import find_dreams
from tests.integration.console.console_support import a_visitor, send
from tests.integration.gates.test_quarantine import SAID, quarantine
from tests.support.builders import a_store


@pytest.fixture(scope="module")
def operator(session_ports: Ports) -> TestClient:
    return a_visitor(session_ports, "operators-at-work", Role.OPERATOR)


@pytest.fixture
def letters() -> str:
    """The beginning of this test's tenants, by which the page finds them alone."""
    return uuid4().hex


def listed(browser: TestClient, letters: str, **query: str) -> list[str]:
    """Return the tenants of the page in its order, each without the common beginning of its id."""
    text = browser.get("/console", params={"find": letters, **query}).text
    return re.findall(rf'<td class="name" title="[^"]*"><a href="/console/t/{letters}([\w-]*)">', text)


def test_tenants_that_need_attention_come_first_and_each_says_why(
    ports: Ports, operator: TestClient, letters: str, owner_connection: psycopg.Connection
) -> None:
    for name in ("-a-calm", "-late", "-paused"):
        a_store(ports, letters + name)
    owner_connection.execute(
        "UPDATE stores SET next_check_at = now() - interval '2 hours' WHERE tenant_id = %s", [f"{letters}-late"]
    )
    owner_connection.execute("UPDATE tenants SET paused_at = now() WHERE id = %s", [f"{letters}-paused"])
    quarantine(ports, f"{letters}-zealous")
    assert listed(operator, letters) == ["-zealous", "-late", "-paused", "-a-calm"]
    text = operator.get("/console", params={"find": letters}).text
    assert f'href="/console/t/{letters}-zealous/stores?only=quarantined">1 quarantined</a>' in text
    assert f'href="/console/t/{letters}-zealous/dreams?state=error">failed dreams</a>' in text
    assert f'href="/console/t/{letters}-late/stores">overdue</a>' in text
    assert listed(operator, letters, order="name") == ["-a-calm", "-late", "-paused", "-zealous"]
    for order, first in (("paused", "-paused"), ("overdue", "-late"), ("failed", "-zealous")):
        assert listed(operator, letters, order=order)[0] == first
    assert listed(operator, letters, order="no-such-order") == listed(operator, letters)


def test_a_tenant_near_its_budget_is_told_and_found_by_the_order(
    ports: Ports, operator: TestClient, letters: str, owner_connection: psycopg.Connection
) -> None:
    a_store(ports, f"{letters}-a")
    quarantine(ports, f"{letters}-b")
    dream = find_dreams(ports.db, f"{letters}-b", limit=1)[0]
    owner_connection.execute("UPDATE tenants SET tokens_per_day = 100 WHERE id = %s", [dream.tenant_id])
    owner_connection.execute(
        "INSERT INTO llm_calls (id, tenant_id, dream_id, phase, key, model, outcome, detail, input_tokens, output_tokens,"
        " cached_tokens, cache_write_tokens, cost_usd, latency_ms)"
        " VALUES (%s, %s, %s, 'prune', 'k', 'm', 'failed', '', 85, 0, 0, 0, 0.25, 1)",
        [f"call_{letters}", dream.tenant_id, dream.id],
    )
    text = operator.get("/console", params={"find": letters}).text
    assert "near its budget" in text
    assert "85 %" in text
    assert listed(operator, letters, order="spent") == listed(operator, letters, order="tokens") == ["-b", "-a"]


@pytest.mark.parametrize("order", ["attention", "name"])
def test_every_tenant_is_on_exactly_one_page_of_each_order(
    order: str, operator: TestClient, letters: str, owner_connection: psycopg.Connection
) -> None:
    owner_connection.execute(
        "INSERT INTO tenants (id, paused_at) SELECT %s || n, CASE WHEN n %% 3 = 0 THEN now() END"
        " FROM generate_series(1, 60) n",
        [letters],
    )
    seen: list[str] = []
    where = f"/console?order={order}&find={letters}"
    for _ in range(3):
        text = operator.get(where).text
        seen += re.findall(rf'<td class="name" title="[^"]*"><a href="/console/t/({letters}\d+)">', text)
        following = re.search(r'rel="next" href="([^"]+)"', text)
        where = "/console" + following.group(1).replace("&amp;", "&") if following else ""
    assert where == ""
    assert len(seen) == len(set(seen)) == 60
    assert operator.get("/console", params={"cursor": encode_cursor("none|x")}).status_code == 422


def test_a_dream_of_any_tenant_is_found_by_its_id(ports: Ports, operator: TestClient, tenant: str) -> None:
    quarantine(ports, tenant)
    dream = find_dreams(ports.db, tenant, limit=1)[0].id
    found = operator.get("/console/dreams", params={"dream": f" {dream} "})
    assert found.headers["location"] == f"/console/t/{tenant}/dreams/{dream}"
    missing = operator.get("/console/dreams", params={"dream": "drm_gone<b>"})
    assert missing.headers["location"] == "/console"
    assert "There is no dream drm_gone&lt;b&gt;" in operator.get("/console").text


def test_a_quarantine_is_listed_with_its_reason_and_released_with_a_button(
    ports: Ports, operator: TestClient, tenant: str
) -> None:
    quarantine(ports, tenant)
    here = {"cursor": encode_cursor(f"{tenant}| ")}  # others of this database may be in quarantine, too
    text = operator.get("/console/installation", params=here).text
    assert f'href="/console/t/{tenant}/stores/default">default</a>' in text
    assert SAID in text
    release = f"/console/t/{tenant}/stores/default/resume"
    assert f'action="{release}"' in text
    assert send(operator, release).status_code == 303
    assert release not in operator.get("/console/installation", params=here).text


def test_the_installations_page_tells_of_sweeps_and_of_alerts_that_hold(fresh_ports: Ports) -> None:
    def fails(_: Ports) -> list[str]:
        raise NotFoundError("a tenant's words")

    operator = a_visitor(fresh_ports, "operators", Role.OPERATOR)
    before = operator.get("/console/installation").text
    assert "No sweep has ended yet." in before
    assert before.index("No sweep has run for a minute") < before.index("quiet alert")
    run_sweep(fresh_ports, due_stores.SWEEP)
    broken = Sweep(name="due_stores", every=lambda _: timedelta(seconds=1), find=fails, act=lambda *_: True)
    with pytest.raises(NotFoundError):
        run_sweep(fresh_ports, broken)
    run_sweep(fresh_ports, due_stores.SWEEP)
    [told] = fresh_ports.db.operators.find_sweeps()
    assert (told.name, told.found, told.acted, told.failed) == ("due_stores", 0, 0, 0)
    assert told.error.startswith("NotFoundError, ")
    assert told.error_at is not None
    assert told.error_at < told.at
    text = operator.get("/console/installation").text
    assert '<td class="path">due stores</td>' in text
    assert "NotFoundError" in text
    assert "a tenant&#39;s words" not in text
    assert text.index("No sweep has run for a minute") > text.index("quiet alert")
