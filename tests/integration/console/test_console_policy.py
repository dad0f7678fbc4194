"""A store's settings and directives on the console: each value with where it comes from, and a preview before each change."""

import re
from html import unescape

from gateway.phases import read_built_in
from shared.all_ports import Ports
from shared.core.tenants.roles import Role
from shared.services.tenants.stores import get_store
from tests.integration.console.console_support import a_visitor, send
from tests.support.builders import a_store, write

_DREAMT = re.compile(r"it would have dreamt <strong>(.*?)</strong>")


def where_of(tenant: str) -> str:
    return f"/console/t/{tenant}/settings/stores/default"


def test_a_change_is_previewed_over_what_came_in_and_only_then_saved(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {f"a/{number}.md": f"# Note {number}\n" for number in range(2)})
    browser, where = a_visitor(ports, tenant), where_of(tenant)
    asked = {"gates.min_curations": "1", "gates.idle_seconds": "", "gates.require_empty_queue": ""}
    page = browser.get(f"{where}/change", params=asked).text
    assert _DREAMT.findall(page) == ["0 times"]  # the agent was heard a moment ago, and no check came since
    assert "1 setting would differ" in page
    assert get_store(ports.db, tenant, "default").overrides == {}
    hidden = dict(re.findall(r'name="(gates\.[a-z_]+)" value="([^"]*)"', page))
    assert hidden == asked
    send(browser, where, **hidden)
    assert get_store(ports.db, tenant, "default").overrides == {"gates.min_curations": 1}


def test_an_emptied_field_goes_back_to_the_profile_and_off_switches_off(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, overrides={"gates.min_hours": 4, "gates.min_sessions": 2})
    browser, where = a_visitor(ports, tenant), where_of(tenant)
    page = browser.get(where).text
    assert re.search(r'name="gates.min_hours" value="4"', page)
    send(browser, where, **{"gates.min_hours": "", "gates.min_sessions": "off", "phases.split_large": "false"})
    found = get_store(ports.db, tenant, "default")
    assert found.overrides == {"gates.min_sessions": None, "phases.split_large": False}
    assert found.policy.gates.min_hours == 12


def test_a_profile_is_previewed_with_everything_that_it_changes(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser, where = a_visitor(ports, tenant), where_of(tenant)
    page = browser.get(f"{where}/change", params={"profile": "rockbot", "autonomy": "propose", "days": "14"}).text
    assert "gates.wake_hours" in page
    assert "In the last 14 days" in page
    send(browser, where, profile="rockbot", autonomy="propose")
    found = get_store(ports.db, tenant, "default")
    assert (found.profile, found.autonomy) == ("rockbot", "propose")


def test_an_impossible_policy_is_refused_in_words_before_it_is_saved(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser, where = a_visitor(ports, tenant), where_of(tenant)
    for asked, said in (
        ({"gates.min_hours": "soon"}, "gates.min_hours takes a number"),
        ({"gates.nonsense": "1"}, "There is no setting 'gates.nonsense'"),
        ({"profile": "made-up"}, "There is no profile 'made-up'"),
        ({"autonomy": "wild"}, "autonomy is"),
        ({"gates.min_hours": ""}, "Nothing was changed"),
    ):
        assert browser.get(f"{where}/change", params=asked).headers["location"] == where
        assert said in unescape(browser.get(where).text)
        send(browser, where, **asked)
        assert said in unescape(browser.get(where).text)
    assert get_store(ports.db, tenant, "default").overrides == {}


def test_an_operator_gives_a_store_a_model_of_its_own(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    operator, where = a_visitor(ports, tenant, Role.OPERATOR), where_of(tenant)
    send(operator, f"{where}/model", **{"model": "claude-haiku-4-5", "model.consolidate": "claude-sonnet-4-5"})
    own = {"model": "claude-haiku-4-5", "model.consolidate": "claude-sonnet-4-5"}
    assert get_store(ports.db, tenant, "default").llm == own
    assert "SLOWWAVE_" not in a_visitor(ports, tenant).get(where).text


def test_a_directive_is_shown_against_the_built_in_prompt_and_reset(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/settings/directives"
    assert "dream.md" in browser.get(where).text
    assert "No prompt of your own" in browser.get(f"{where}/dream.md").text
    own = read_built_in("dream.md") + "\nKeep every <b>date</b>.\n"
    send(browser, f"{where}/dream.md", content=own.replace("\n", "\r\n"))
    page = browser.get(f"{where}/dream.md").text
    assert "Keep every &lt;b&gt;date&lt;/b&gt;." in page
    assert page.count('<tr class="added">') == 2
    assert "own, version 1" in browser.get(where).text
    assert "own, version" not in browser.get(where, params={"store": "default"}).text
    send(browser, f"{where}/dream.md/reset")
    assert "No prompt of your own" in browser.get(f"{where}/dream.md").text


def test_a_refused_prompt_stays_in_the_form(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/settings/directives/dream.md?store=default"
    page = send(browser, where, content="Mine. " * 7_000).text
    assert "at most 40,000 are allowed" in page
    assert "Mine. Mine." in page


def test_the_page_of_a_store_is_light(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    assert len(a_visitor(ports, tenant).get(where_of(tenant)).content) < 100_000
