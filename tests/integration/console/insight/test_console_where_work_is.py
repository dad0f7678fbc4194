"""The console opens where work is: at stores that wait for a person, at the store that was used last, with names that say which dream."""

import re
from datetime import UTC, date, datetime
from html import unescape

import pytest

from shared.all_ports import Ports
from shared.core.listings.dream_name import DreamName
from shared.core.policy.policy import Autonomy
from tests.integration.console.console_support import a_visitor
from tests.integration.undo.undo_support import a_rich_store, dream_of_everything
from tests.support.builders import run_dream, write
from tests.support.session_builders import tell

_NOTE = {"a.md": "# A\n\nIt rains.\n"}


def test_the_overview_shows_first_the_store_in_which_most_waits_for_a_person(ports: Ports, tenant: str) -> None:
    for number in range(9):
        write(ports, tenant, _NOTE, store=f"a{number}")
    a_rich_store(ports, tenant, autonomy=Autonomy.PROPOSE)  # its name, `default`, comes after theirs
    dream_of_everything(ports, tenant)
    text = a_visitor(ports, tenant).get(f"/console/t/{tenant}").text
    names = re.findall(rf'<td><a href="/console/t/{tenant}/stores/([^"/]+)">', text)
    assert names[0] == "default"
    assert f'<a href="/console/t/{tenant}/reviews?store=default">8</a>' in text


@pytest.mark.parametrize("place", ["memories", "graph", "sessions"])
def test_a_place_that_every_store_has_opens_where_something_is_and_then_where_a_person_was_last(
    place: str, ports: Ports, tenant: str
) -> None:
    write(ports, tenant, _NOTE)
    write(ports, tenant, {f"{name}.md": f"# {name}\n\nText {name}.\n" for name in "abc"}, store="full")
    tell(ports, tenant, "s", "It rained.", store="full", at=datetime.now(UTC))
    browser = a_visitor(ports, tenant)

    def led_to() -> str:
        return str(browser.get(f"/console/t/{tenant}/{place}").headers["location"])

    assert led_to() == f"/console/t/{tenant}/stores/full/{place}"
    browser.get(f"/console/t/{tenant}/stores/default")
    assert led_to() == f"/console/t/{tenant}/stores/default/{place}"
    assert browser.get(f"/console/t/{tenant}/stores/none").status_code == 404
    assert led_to() == f"/console/t/{tenant}/stores/default/{place}"


def test_a_dream_is_named_by_its_store_its_day_and_its_number_there(ports: Ports, tenant: str) -> None:
    write(ports, tenant, _NOTE)
    write(ports, tenant, _NOTE, store="other")
    first, second = run_dream(ports, tenant), run_dream(ports, tenant)
    other = run_dream(ports, tenant, store="other")
    browser = a_visitor(ports, tenant)
    listed = unescape(browser.get(f"/console/t/{tenant}/dreams").text)
    for dream, name in ((first, "1st"), (second, "2nd"), (other, "1st")):
        day = f"{dream.created_at:%d %b}, {name}"
        assert f'/dreams/{dream.id}">{day}</a>' in listed
        shown = unescape(browser.get(f"/console/t/{tenant}/dreams/{dream.id}").text)
        assert f"<h1>Dream of {dream.store}, {day}</h1>" in shown


def test_numbers_of_a_day_read_as_people_say_them() -> None:
    day = date(2026, 11, 9)
    said = [DreamName(store="s", day=day, nth=nth).of_day for nth in (1, 2, 3, 4, 11, 12, 13, 21, 112, 122)]
    ends = ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "122nd"]
    assert said == [f"09 Nov, {end}" for end in ends]
