"""KAIROS through the API: an agent appends to its daily log as to any memory, and dreams distil what it appended."""

import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.errors import PreconditionFailedError
from shared.core.memory.model import Author, Memory, MemoryKind, kind_of
from shared.core.sessions.model import Session, Window
from shared.services.memories.edit import Expected, MemoryEdit, create_memory, edit_memory
from shared.services.memories.write import NewText
from tests.support.builders import a_store, get_operations, get_store, run_dream, take_picture
from tests.support.session_builders import get_session

PLACE = "logs/2026/03/2026-03-04.md"
FIRST = "- 10:15 Remember that the staging cluster runs in eu-north-1.\n"
KEY = "AKIA" + "IOSFODNN7QWERTYU"


def begin(ports: Ports, tenant: str, content: str = FIRST, path: str = PLACE) -> Memory:
    a_store(ports, tenant)
    text = NewText(path=path, content=content)
    return create_memory(ports.db, ports.ids, tenant, "default", text, Author.AGENT)


def append(ports: Ports, tenant: str, log: Memory, content: str, *, version: int | None = None) -> Memory:
    edit = MemoryEdit(content=content)
    expected = Expected(version=version)
    return edit_memory(ports.db, tenant, "default", log.id, edit, expected=expected, author=Author.AGENT)


def said(ports: Ports, tenant: str, session: Session) -> list[str]:
    with ports.db.transaction(tenant) as uow:
        window = Window(session_id=session.id, after=0, upto=session.last_position)
        [events] = uow.gathering(session.store_id).find_windows([window], max_chars=200)
    return [event.text for event in events]


def test_entries_of_an_agents_log_become_memories_and_the_log_stays_as_it_is(ports: Ports, tenant: str) -> None:
    log = begin(ports, tenant)
    assert get_store(ports, tenant).sessions == 1
    whole = f"{FIRST}- 17:40 Remember that invoices are numbered per country.\n"
    append(ports, tenant, log, whole)
    session = get_session(ports, tenant, PLACE)
    assert (session.source, session.event_count) == ("daily-log", 2)
    run_dream(ports, tenant, OfflineLlm())
    live = {m.path: m.content for m in take_picture(ports, tenant).memories.values() if m.state == "live"}
    assert live[PLACE] == whole
    learnt = [content for path, content in live.items() if kind_of(path) is MemoryKind.TOPIC]
    assert any("eu-north-1" in content for content in learnt)
    assert any("numbered per country" in content for content in learnt)


ENTRIES = """# Wednesday

- 08:50 started work, read mails
- 09:12 The billing export lives in s3://billing-eu and is written by the job export-nightly.
- Marta owns the importer; changes go through her.
- 10:20 ran the test suite, all green
- API keys for the sandbox expire after 90 days.
- Der Exportdienst läuft auf db-02 und braucht Python 3.12.
- why does the importer hang?
"""
LATER = "- 17:05 The label printer in Lyon only accepts ZPL.\n- 17:30 pushed the branch\n"


def notes_of(ports: Ports, tenant: str) -> dict[str, str]:
    live = [memory for memory in take_picture(ports, tenant).memories.values() if memory.state == "live"]
    return {memory.path: memory.content for memory in live if kind_of(memory.path) is MemoryKind.TOPIC}


def test_facts_in_log_entries_are_filed_under_their_day_without_a_model_and_reports_of_work_are_not(
    ports: Ports, tenant: str
) -> None:
    log = begin(ports, tenant, ENTRIES)
    run_dream(ports, tenant, OfflineLlm())
    [(path, content)] = notes_of(ports, tenant).items()
    assert path == "notes/from-the-log-of-2026-03-04.md"
    assert all(words in content for words in ("s3://billing-eu", "Marta owns", "90 days", "db-02"))
    assert not any(words in content for words in ("started work", "all green", "why does"))
    append(ports, tenant, log, ENTRIES + LATER)
    run_dream(ports, tenant, OfflineLlm())
    [(path, content)] = notes_of(ports, tenant).items()
    assert "only accepts ZPL" in content
    assert "pushed" not in content
    live = {m.path: m.content for m in take_picture(ports, tenant).memories.values() if m.state == "live"}
    assert live[PLACE] == ENTRIES + LATER


def test_only_what_is_new_in_the_log_waits_for_the_next_dream(ports: Ports, tenant: str) -> None:
    log = begin(ports, tenant)
    run_dream(ports, tenant, OfflineLlm())
    append(ports, tenant, log, f"{FIRST}- 18:00 done\n")
    session = get_session(ports, tenant, PLACE)
    assert (session.event_count, session.waiting) == (2, 1)
    append(ports, tenant, log, FIRST)
    assert get_session(ports, tenant, PLACE).event_count == 2


def test_a_key_in_a_log_is_masked_before_a_dream_can_carry_it_on(ports: Ports, tenant: str) -> None:
    begin(ports, tenant, f"- 10:15 Remember that the key is {KEY}.\n")
    session = get_session(ports, tenant, PLACE)
    assert session.masked_count == 1
    assert KEY not in said(ports, tenant, session)[0]


def test_an_append_that_is_refused_leaves_no_entries_behind(ports: Ports, tenant: str) -> None:
    log = begin(ports, tenant)
    with pytest.raises(PreconditionFailedError):
        append(ports, tenant, log, f"{FIRST}- 18:00 never\n", version=9)
    assert get_session(ports, tenant, PLACE).event_count == 1


@pytest.mark.parametrize("path", ["logs/2026/03/notes.md", "logs/2026-03-04.md", "api/logs/2026/03/2026-03-04.md"])
def test_a_memory_elsewhere_is_no_session(ports: Ports, tenant: str, path: str) -> None:
    begin(ports, tenant, path=path)
    assert get_store(ports, tenant).sessions == 0


def test_a_log_states_no_wish_and_no_correction_of_a_person(ports: Ports, tenant: str) -> None:
    begin(
        ports,
        tenant,
        "# Wednesday\n\n- 09:00 Never push to main without asking me!!\n- 09:05 No, that's wrong: the port is 8080.\n",
    )
    dream = run_dream(ports, tenant, OfflineLlm())
    kinds = {one.operation.kind for one in get_operations(ports, tenant, dream.id)}
    assert OperationKind.CORRECT not in kinds
    assert not [path for path in notes_of(ports, tenant) if path.startswith(("preferences/", "user-preferences/"))]
