"""Changing a memory at the console: over the version that was read, with nothing lost when another one came first."""

from shared.all_ports import Ports
from shared.core.memory.model import Author
from shared.core.tenants.roles import Role
from shared.services.memories.history import get_versions
from shared.services.memories.read import get_memory
from tests.integration.console.console_support import a_visitor, send
from tests.integration.console.knowledge.test_console_memory import change, page_of
from tests.support.builders import write


def test_a_text_is_saved_over_the_version_that_was_read_with_its_own_line_ends(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "\nIt is one.\nTwo lines.\n"})
    browser, where = a_visitor(ports, tenant), page_of(ports, tenant, "a.md")
    assert f'href="{where}/edit"' in browser.get(where).text
    form = browser.get(f"{where}/edit").text
    assert (
        '<textarea id="content" name="content" rows="24" spellcheck="true">\n\nIt is one.\nTwo lines.\n</textarea>'
        in form
    )
    answer = send(browser, f"{where}/edit", version="1", content="\r\nIt is two.\r\nTwo lines.\r\n")
    assert (answer.status_code, answer.headers["location"]) == (303, where)
    assert "Saved as version 2" in browser.get(where).text
    after = get_memory(ports.db, tenant, "default", "a.md")
    assert (after.content, after.version, after.author) == ("\nIt is two.\nTwo lines.\n", 2, Author.USER)
    send(browser, f"{where}/edit", version="2", content=after.content)
    assert "Nothing was changed" in browser.get(where).text


def test_a_text_of_windows_keeps_its_line_ends(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "One.\r\nTwo.\r\n"})
    send(a_visitor(ports, tenant), page_of(ports, tenant, "a.md") + "/edit", version="1", content="One.\r\nThree.\r\n")
    assert get_memory(ports.db, tenant, "default", "a.md").content == "One.\r\nThree.\r\n"


def test_a_conflict_shows_both_texts_and_is_saved_only_after_both_were_seen(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "It is one.\n"})
    browser, where = a_visitor(ports, tenant), page_of(ports, tenant, "a.md")
    change(ports, tenant, "a.md", "It is theirs.\n")
    answer = send(browser, f"{where}/edit", version="1", content="It is mine.\r\n")
    assert answer.status_code == 409
    assert "You started from version 1; it is now at version 2" in answer.text
    assert "<del>theirs</del>" in answer.text
    assert "<ins>mine</ins>" in answer.text
    assert ">\nIt is mine.\n</textarea>" in answer.text
    assert 'name="version" value="2"' in answer.text
    assert get_memory(ports.db, tenant, "default", "a.md").content == "It is theirs.\n"
    send(browser, f"{where}/edit", version="2", content="It is ours.\r\n")
    assert get_memory(ports.db, tenant, "default", "a.md").content == "It is ours.\n"


def test_a_text_that_cannot_be_stored_is_shown_again_with_the_reason(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "One.\n"})
    answer = send(a_visitor(ports, tenant), page_of(ports, tenant, "a.md") + "/edit", version="1", content="Two\x00")
    assert answer.status_code == 409
    assert "NUL character" in answer.text
    assert "Two" in answer.text


def test_a_text_too_long_for_a_form_names_the_command(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "word " * 20_000})
    shown = a_visitor(ports, tenant).get(page_of(ports, tenant, "a.md") + "/edit").text
    assert "100,000 characters, too many for a form" in shown
    assert "<textarea" not in shown


def test_a_pin_is_put_in_and_taken_out(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "One.\n"})
    browser, where = a_visitor(ports, tenant), page_of(ports, tenant, "a.md")
    send(browser, f"{where}/pin", version="1", wanted="yes")
    shown = browser.get(where).text
    assert "Pinned: no dream archives it" in shown
    assert "Unpin" in shown
    send(browser, f"{where}/pin", version="1", wanted="no")
    assert "It was changed meanwhile" in browser.get(where).text
    send(browser, f"{where}/pin", version="2", wanted="no")
    assert not get_memory(ports.db, tenant, "default", "a.md").signals.pinned


def test_an_old_text_is_removed_for_good_once_the_box_is_ticked(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "The password is plumbus.\n"})
    browser, where = a_visitor(ports, tenant), page_of(ports, tenant, "a.md")
    memory_id = where.rpartition("/")[2]
    assert "is what the memory says now" in browser.get(f"{where}/redact?version=1").text
    change(ports, tenant, "a.md", "The password is elsewhere.\n")
    assert f'href="{where}/redact?version=1"' in browser.get(where).text
    asked = browser.get(f"{where}/redact?version=1").text
    assert "The password is plumbus." in asked
    assert "What goes:" in asked
    send(browser, f"{where}/redact", version="1")
    assert "Tick the box first" in browser.get(f"{where}/redact?version=1").text
    send(browser, f"{where}/redact", version="1", sure="yes")
    shown = browser.get(where).text
    assert "The text of version 1 is removed for good" in shown
    assert get_versions(ports.db, tenant, "default", memory_id, [1])[1][1].content == ""
    assert "plumbus" not in browser.get(f"{where}/compare").text
    send(browser, f"{where}/redact", version="2", sure="yes")
    assert "current version" in browser.get(f"{where}/redact?version=2").text


def test_a_memory_is_forgotten_once_what_goes_was_shown_and_the_box_is_ticked(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "# Door\n\nThe password of the door is plumbus.\n", "b.md": "# Tea\n\nGreen.\n"})
    browser, where = a_visitor(ports, tenant), page_of(ports, tenant, "a.md")
    memory_id = where.rpartition("/")[2]
    forget = f"/console/t/{tenant}/stores/default/forget"
    assert f"{forget}?what=memory&amp;value={memory_id}" in browser.get(where).text
    asked = browser.get(f"{forget}?what=memory&value={memory_id}").text
    assert "The password of the door is plumbus." in asked
    assert "What stays:" in asked
    send(browser, forget, what="memory", value=memory_id)
    assert "plumbus" in browser.get(where).text
    answer = send(browser, forget, what="memory", value=memory_id, sure="yes")
    assert answer.headers["location"].endswith("/stores/default/memories")
    assert "plumbus" not in browser.get(where).text
    assert "fewer than 3 letters" in browser.get(f"{forget}?what=text&value=a").text


def test_a_reviewer_is_offered_no_change(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "One.\n"})
    change(ports, tenant, "a.md", "Two.\n")
    shown = a_visitor(ports, tenant, Role.REVIEWER).get(page_of(ports, tenant, "a.md")).text
    assert "/edit" not in shown
    assert "/pin" not in shown
    assert "/redact" not in shown
    assert "/forget" not in shown
