"""The page of costs: sums and filters, what was saved, budgets, and the download."""

import csv
import io
import re
from dataclasses import replace
from html import unescape

import orjson
import psycopg
import pytest

from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.ports.llm import LlmOutcome, LlmReply, LlmUsage
from shared.services.tenants.configure import TenantChanges, configure_tenant
from tests.integration.console.console_support import a_visitor
from tests.integration.gates.gate_support import start_and_claim
from tests.support.builders import a_store

SMALL = LlmReply(
    outcome=LlmOutcome.REFUSED,
    model="claude-haiku-4-5",
    usage=LlmUsage(input_tokens=100, output_tokens=20, cached_tokens=1_000_000, cache_write_tokens=0, cost_usd=0.5),
)
LARGE = replace(SMALL, model="=large", usage=replace(SMALL.usage, cached_tokens=0, cost_usd=4.0))


def spend(ports: Ports, tenant: str, store: str = "default") -> None:
    """Two calls of one phase and one of another."""
    a_store(ports, tenant, store)
    dream = start_and_claim(ports, tenant, store)
    with ports.db.transaction(tenant) as uow:
        for number, (phase, reply) in enumerate((("consolidate", SMALL), ("consolidate", LARGE), ("prune", SMALL))):
            uow.calls.record(dream.id, phase, f"k{number}", reply, latency_ms=1)


@pytest.fixture
def where(ports: Ports, tenant: str) -> str:
    spend(ports, tenant)
    return f"/console/t/{tenant}/costs"


def test_costs_are_summed_by_store_model_phase_and_day_and_filtered_by_the_address(
    ports: Ports, tenant: str, where: str
) -> None:
    browser = a_visitor(ports, tenant)
    page = browser.get(where).text
    assert "<b>$5.00</b> in 30 days" in page
    assert "by=phase" in page
    by_phase = browser.get(where, params={"by": "phase"}).text
    assert "Consolidate" in by_phase or "consolidate" in by_phase
    only = browser.get(where, params={"by": "model", "phase": "prune"}).text
    assert "<b>$0.5000</b> in 30 days" in only
    assert "=large" not in only
    assert "No model was called" in browser.get(where, params={"store": "other"}).text
    assert "<b>$5.00</b>" in browser.get(where, params={"by": "day", "days": "7"}).text
    assert browser.get(where, params={"days": "400"}).status_code == 422


def test_the_browser_gets_each_day_of_the_chart_and_what_draws_it(ports: Ports, tenant: str, where: str) -> None:
    browser = a_visitor(ports, tenant)
    page = browser.get(where, params={"days": "7"}).text
    (sent,) = re.findall(r'data-chart="([^"]+)"', page)
    drawn = orjson.loads(unescape(sent))
    assert drawn["series"] == [{"tone": "accent", "values": [0.0] * 6 + [5.0]}]
    assert drawn["said"][-1] == "$5.00, 2,000,360 tokens"
    assert "<td>$5.00, 2,000,360 tokens</td>" in page
    for name in ("uplot.min.js", "charts.js", "uplot.min.css"):
        (address,) = re.findall(rf'"(/console/static/{re.escape(name)}\?v=\w+)"', page)
        packed = browser.get(address)
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.text == browser.get(address, headers={"Accept-Encoding": "identity"}).text


def test_the_page_says_what_cache_and_gate_saved(
    ports: Ports, tenant: str, where: str, owner_connection: psycopg.Connection
) -> None:
    owner_connection.execute(
        "INSERT INTO phase_runs (dream_id, phase, tenant_id, state, runner, reason, counts)"
        """ SELECT id, 'prune', tenant_id, 'done', '', '', '{"skip_same_inputs": 4}' FROM dreams WHERE tenant_id = %s""",
        [tenant],
    )
    page = unescape(a_visitor(ports, tenant).get(where).text)
    assert "4 questions not asked again" in page
    assert "<strong>$2.00</strong>" in page  # four at the mean of the phase, half a dollar
    assert "2,000,000 tokens read from it, 100 % of the prompts" in page
    assert "<strong>$1.80</strong>" in page  # at a dollar less ten cents a million


def test_a_download_has_every_line_and_no_formula(ports: Ports, tenant: str, where: str) -> None:
    browser = a_visitor(ports, tenant)
    file = browser.get(f"{where}/download", params={"by": "model", "kind": "csv"})
    assert file.headers["content-disposition"].startswith(f'attachment; filename="costs-{tenant}-by-model-')
    rows = list(csv.DictReader(io.StringIO(file.text)))
    assert [(row["name"], row["cost_usd"]) for row in rows] == [("'=large", "4.0"), ("claude-haiku-4-5", "1.0")]
    plain = orjson.loads(browser.get(f"{where}/download", params={"by": "phase", "kind": "json"}).content)
    assert [(row["name"], row["model_calls"]) for row in plain] == [("consolidate", 2), ("prune", 1)]
    assert browser.get(f"{where}/download", params={"kind": "exe"}).status_code == 422


def test_a_budget_shows_what_is_used_of_it(ports: Ports, tenant: str, where: str) -> None:
    configure_tenant(ports.db, tenant, changes=TenantChanges(usd_per_day=4.0, usd_per_month=100.0), actor="a test")
    page = a_visitor(ports, tenant).get(where).text
    assert "$5.00 of $4.00" in page
    assert 'class="budget bad"' in page
    assert "$5.00 of $100.00" in page


def test_costs_are_for_admins_and_those_of_all_tenants_for_operators(ports: Ports, tenant: str, where: str) -> None:
    assert a_visitor(ports, tenant, Role.REVIEWER).get(where).status_code == 403
    page = a_visitor(ports, tenant, Role.OPERATOR).get("/console/costs", params={"days": "1"}).text
    assert f"/console/t/{tenant}/costs" in page
    assert 'href="/console/costs"' not in a_visitor(ports, tenant).get(where).text
