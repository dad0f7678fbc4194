"""Sessions at the console: which there are, what dreams made of each event, and why of others nothing."""

import re

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.questions.question import Question
from shared.core.sessions.model import EventKind
from shared.ports.sessions import Margins
from shared.services.sessions.explain import EventPage, explain_events
from shared.services.sessions.ingest import ImportTarget
from shared.services.sessions.live import open_live_session
from tests.integration.console.console_support import a_visitor
from tests.support.builders import a_store, run_dream, take_picture, write
from tests.support.session_builders import tell
from workers.phases import CATALOG
from workers.phases.gather.answer import GatherAnswer, GatheredMemory

SAVE = "Remember that the staging cluster runs in eu-north-1."
KNOWN = "Remember that tokens live an hour."
WRONG = "Remember that backups run at night."


def _answer(question: Question) -> GatherAnswer | None:
    if question.phase != "gather":
        return None
    piece = next(one.path for one in question.documents if one.role == "session")
    said = [
        GatheredMemory(kind="save", window=piece, quote=SAVE, statement=SAVE[14:].capitalize(), confidence=0.9),
        GatheredMemory(
            kind="save", window=piece, quote=KNOWN, statement="Tokens live an hour.", target="auth.md", confidence=0.9
        ),
        GatheredMemory(kind="save", window=piece, quote=WRONG, statement="Do backups run at night?", confidence=0.9),
    ]
    return GatherAnswer(memories=tuple(said))


def a_read_session(ports: Ports, tenant: str) -> str:
    write(ports, tenant, {"auth.md": "# Auth\n\nTokens live an hour.\n"})
    tool = (EventKind.TOOL_RESULT, "42 files")
    session = tell(ports, tenant, "chat", SAVE, KNOWN, WRONG, "Where do the logs go?", tool)
    run_dream(ports, tenant, ScriptedLlm(_answer))
    return session.id


def test_each_event_says_what_it_became_or_why_nothing(ports: Ports, tenant: str) -> None:
    session_id = a_read_session(ports, tenant)
    _, found = explain_events(
        ports.db, tenant, "default", session_id, CATALOG, EventPage(after=0, limit=10, max_chars=2_000)
    )
    assert [len(one.gathered) for one in found] == [1, 0, 0, 0, 0]
    assert [[skip.code for skip in one.refused] for one in found] == [[], ["known_already"], ["question"], [], []]
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/default"
    shown = browser.get(f"{where}/sessions/{session_id}").text
    assert f'<mark title="save">{SAVE}</mark>' in shown
    [gathered] = re.findall(rf'<a href="{where}/memories/(mem_\w+)"><code>', shown)
    assert "Nothing new: auth.md says it already" in shown
    assert "Refused (question)" in shown
    assert "A question, which states nothing" in shown
    assert "Tools and systems are not gathered from" in shown
    memory = browser.get(f"{where}/memories/{gathered}").text
    back = re.search(rf'href="({where}/sessions/{session_id}\?event=e1)"', memory)
    assert back
    assert 'class="event user aimed" id="e1"' in browser.get(back[1]).text


def test_a_session_in_which_nothing_was_said_yet_says_so(ports: Ports, tenant: str) -> None:
    target = ImportTarget(tenant_id=tenant, store="default", source="api", is_current=True)
    a_store(ports, tenant)
    session_id = open_live_session(ports.db, target, "quiet").id
    shown = a_visitor(ports, tenant).get(f"/console/t/{tenant}/stores/default/sessions/{session_id}").text
    assert "Nothing has been said in it yet." in shown
    assert "From the beginning" not in shown


def test_a_memory_and_its_session_name_the_project_that_they_are_from(ports: Ports, tenant: str) -> None:
    session = tell(ports, tenant, "chat", SAVE)
    margins = Margins(session_id=session.id, title="", project="-srv-shop", skipped=0, malformed=0)
    with ports.db.transaction(tenant) as uow:
        uow.ingest(session.store_id).record_margins([margins])
    tell(ports, tenant, "elsewhere", "Remember that the archive of invoices is in Malmo.")
    run_dream(ports, tenant, OfflineLlm())
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/default"
    pages = [browser.get(f"{where}/memories/{memory_id}").text for memory_id in take_picture(ports, tenant).memories]
    (shown,) = [page for page in pages if "of the project <code>-srv-shop</code>" in page]
    assert f"“{SAVE}”" in shown
    assert "<code>-srv-shop</code>" in browser.get(f"{where}/sessions/{session.id}").text


def test_sessions_are_found_by_where_they_came_from_their_state_and_their_day(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "chat-one", SAVE)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/default/sessions"
    assert browser.get(f"/console/t/{tenant}/sessions").headers["location"] == where
    for query, is_found in (
        ("", True),
        ("?source=plain", True),
        ("?source=api", False),
        ("?state=waiting", True),
        ("?state=read", False),
        ("?state=current", False),
        ("?day=2026-03-04", True),
        ("?day=2026-03-05", False),
        ("?day=2026-99-99", True),
    ):
        assert ("chat-one</a>" in browser.get(where + query).text) == is_found, query
    assert "No session matches." in browser.get(f"{where}?state=read").text
    assert browser.get(f"{where}?state=dead").status_code == 422


def test_a_long_session_comes_in_pages_and_a_long_event_is_cut(ports: Ports, tenant: str) -> None:
    lines = [f"Line {number}. " + "<b>word</b> " * 400 for number in range(60)]
    session = tell(ports, tenant, "chat", *lines)
    browser, where = a_visitor(ports, tenant), f"/console/t/{tenant}/stores/default/sessions/{session.id}"
    answer = browser.get(where)
    assert len(answer.content) <= 150_000
    assert "<b>word" not in answer.text
    seen: list[str] = []
    query: str | None = ""
    while query is not None:
        text = browser.get(where + query).text
        seen += re.findall(r'id="e(\d+)"', text)
        following = re.search(r'rel="next" href="(\?cursor=[\w-]+)"', text)
        query = following[1] if following else None
    assert seen == [str(number) for number in range(1, 61)]
    whole = browser.get(f"{where}?whole=7").text
    assert whole.count("word") == 400
    assert "Line 6." in whole
    assert "Not read yet: the next dream reads it" in whole
