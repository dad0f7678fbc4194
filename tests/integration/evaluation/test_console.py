"""The console's page of evaluations: ordered by an admin, followed, canceled, and read by all roles."""

import json
import re

import pytest

from shared.all_ports import Ports
from shared.core.evaluation.model import EvaluationState
from shared.core.tenants.roles import Role
from shared.services.evaluation.evaluations import find_evaluations, get_evaluation
from shared.services.evaluation.own_probes import find_own_probes, set_own_probes
from tests.integration.console.console_support import a_visitor, send
from tests.support.builders import a_store, write
from tests.support.evaluation.reports import a_harmful_report, a_memory, a_report, store_evaluation


@pytest.fixture
def path(ports: Ports, tenant: str) -> str:
    a_store(ports, tenant, "bot")
    return f"/console/t/{tenant}/stores/bot/evaluations"


def test_an_admin_orders_an_evaluation_follows_it_and_cancels_it(ports: Ports, tenant: str, path: str) -> None:
    browser = a_visitor(ports, tenant)
    assert path in browser.get(path.removesuffix("/evaluations")).text, "the store's page leads there"

    ordered = send(browser, path, dreams="3", ablate="")
    (started,) = find_evaluations(ports.db, tenant, limit=5)
    assert ordered.headers["location"] == f"{path}/{started.id}"
    assert started.order.dreams == 3
    followed = browser.get(f"{path}/{started.id}")
    assert 'hx-trigger="every 2s"' in followed.text
    assert "<html" not in browser.get(f"{path}/{started.id}", headers={"hx-request": "true"}).text
    assert 'name="dreams"' not in browser.get(path).text, "a store is evaluated once at a time"

    send(browser, f"{path}/{started.id}/cancel")

    assert get_evaluation(ports.db, tenant, started.id).state is EvaluationState.CANCELED
    ended = browser.get(f"{path}/{started.id}").text
    assert "every 2s" not in ended
    assert "It ended without a result." in ended


def test_an_order_that_cannot_be_carried_out_is_refused_with_the_reason(ports: Ports, tenant: str, path: str) -> None:
    browser = a_visitor(ports, tenant)

    refused = send(browser, path, dreams="2", ablate="true")

    assert refused.headers["location"] == path
    assert "two evaluations: ask for one of them" in browser.get(path).text
    assert find_evaluations(ports.db, tenant, limit=5) == []


def test_a_reader_sees_the_verdict_and_the_setting_that_ends_a_harm_but_orders_nothing(
    ports: Ports, tenant: str, path: str
) -> None:
    harmful = store_evaluation(ports, tenant, "bot", a_harmful_report())
    store_evaluation(ports, tenant, "bot", a_report())
    browser = a_visitor(ports, tenant, Role.REVIEWER)

    listed, shown = browser.get(path).text, browser.get(f"{path}/{harmful.id}").text

    assert listed.index("Dreaming makes no difference") < listed.index("Dreaming harms this store")
    assert 'name="dreams"' not in listed
    assert "--set phases.prune=false" in shown
    assert "ARCHIVE by prune" in shown
    assert browser.get(path.replace("/bot/", "/another/") + f"/{harmful.id}").status_code == 404


def test_an_admin_follows_links_to_what_keeps_the_next_dream_from_a_harm(ports: Ports, tenant: str, path: str) -> None:
    write(ports, tenant, {f"services/s{number}.md": a_memory(number) for number in range(30)}, store="bot")
    harmful = store_evaluation(ports, tenant, "bot", a_harmful_report())
    browser = a_visitor(ports, tenant)

    links = re.findall(r'<a href="([^"]+)">(Pin|Turn)[^<]*</a>', browser.get(f"{path}/{harmful.id}").text)
    to_pin, to_turn_off = (next(link for link, said in links if said == wanted) for wanted in ("Pin", "Turn"))

    memory = browser.get(to_pin, follow_redirects=True)
    assert memory.status_code == 200
    assert "/pin" in memory.text
    assert "phases.prune" in browser.get(to_turn_off).text


def test_with_a_model_an_admin_sees_what_it_may_cost_and_sets_the_most(ports: Ports, tenant: str, path: str) -> None:
    a_store(ports, tenant, "bot", llm={"adapter": "anthropic", "model": "claude-haiku-4-5"})
    browser = a_visitor(ports, tenant)

    assert 'name="max_usd"' in browser.get(path).text
    price = browser.get(f"{path}/price").text
    assert "One dream asks claude-haiku-4-5 for about $" in price
    assert "3 copies dream" in price
    send(browser, path, max_usd="0.25")

    (started,) = find_evaluations(ports.db, tenant, limit=5)
    assert started.order.max_usd == 0.25


def test_an_admin_writes_the_stores_own_questions_and_a_refused_text_stays_in_the_form(
    ports: Ports, tenant: str, path: str
) -> None:
    browser, where = a_visitor(ports, tenant), path.replace("/evaluations", "/probes")
    assert "no questions of its own" in browser.get(path).text
    row = '{"question": "Which <port>?", "evidence": ["port 8080"], "group": "ops"}'

    refused = send(browser, where, rows=f"{row}\n{{}}")
    assert "Not saved. The form, line 2: question is missing" in refused.text
    assert "Which &lt;port&gt;?" in refused.text, "what was typed is not lost"
    assert find_own_probes(ports.db, tenant, "bot") == []

    send(browser, where, rows=row)
    assert find_own_probes(ports.db, tenant, "bot") == [json.loads(row)]
    assert ">1 question of the store's own</a>" in browser.get(path).text
    shown = browser.get(where).text
    assert "<q>port 8080</q>" in shown
    assert "Not asked" not in shown
    reviewers = a_visitor(ports, tenant, Role.REVIEWER).get(where).text
    assert ("<q>port 8080</q>" in reviewers, "<textarea" in reviewers) == (True, False)
    agents = a_visitor(ports, tenant, Role.AGENT)
    assert agents.get(where).status_code == 403
    assert "/probes" not in agents.get(path).text, "an agent is not told what it is measured by"

    send(browser, where, rows=row.replace("port 8080", "any port"))
    assert "to search for: <q>any port</q></p>" in browser.get(where).text, "it would be found in nearly every text"

    send(browser, where, rows="")
    assert find_own_probes(ports.db, tenant, "bot") == []


def test_questions_that_are_too_long_for_a_form_are_left_to_the_command(ports: Ports, tenant: str, path: str) -> None:
    rows = [{"question": f"What is {number}?", "evidence": "so " * 500} for number in range(20)]
    set_own_probes(ports.db, tenant, "bot", rows, actor="a test")
    shown = a_visitor(ports, tenant).get(path.replace("/evaluations", "/probes")).text
    assert f"slowwave probes set {tenant}/bot FILE" in shown
    assert "<textarea" not in shown
