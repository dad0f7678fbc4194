"""Files that are imported together: what they share, and what one of them costs the others."""

from collections.abc import Iterator

from shared.all_ports import Ports
from shared.core.errors import BadInputError
from shared.core.sessions.model import EventKind, SessionEvent, Window
from shared.core.sessions.transcript import FoundEvent, Item, MalformedLine, SkippedLine
from shared.services.sessions.ingest import ImportCounts, ImportTarget, import_files, import_session_items
from tests.support.builders import a_store, get_store


def an_event(number: int, text: str = "words", *, session: str = "s1", kind: EventKind = EventKind.USER) -> FoundEvent:
    return FoundEvent(line=number, session=session, event_id=f"e{number}", kind=kind, role="user", text=text)


def events_of(ports: Ports, tenant: str, session: str) -> list[SessionEvent]:
    with ports.db.transaction(tenant) as uow:
        store_id = uow.stores.get("default").id
        everything = Window(session_id=uow.sessions(store_id).get(session).id, after=0, upto=10_000)
        return uow.gathering(store_id).find_windows([everything], max_chars=100)[0]


def test_a_reader_that_meets_what_it_did_not_expect_costs_its_file_alone(ports: Ports, tenant: str) -> None:
    def mistaken() -> Iterator[Item]:
        yield an_event(1)
        raise TypeError("unhashable type")

    a_store(ports, tenant)
    target = ImportTarget(tenant_id=tenant, store="default", source="plain")
    first, second = import_files(ports.db, [(target, mistaken()), (target, [an_event(1, session="s2")])])
    assert isinstance(first, BadInputError)
    assert isinstance(second, ImportCounts)
    assert [len(events_of(ports, tenant, name)) for name in ("s1", "s2")] == [1, 1]


def test_two_files_of_one_session_make_one_session_in_which_each_event_stands_once(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant)
    target = ImportTarget(tenant_id=tenant, store="default", source="plain")
    halves: list[list[Item]] = [
        [SkippedLine(line=1, what="x", title="First"), an_event(1), an_event(2), MalformedLine(line=4, reason="x")],
        [an_event(2), an_event(3), SkippedLine(line=3, what="x", title="Second"), SkippedLine(line=4, what="x")],
    ]
    first, second = import_files(ports.db, [(target, items) for items in halves])
    assert isinstance(first, ImportCounts)
    assert isinstance(second, ImportCounts)
    assert (first.added, first.known, first.new_sessions) == (2, 0, 1)
    assert (second.added, second.known, second.new_sessions) == (1, 1, 0)
    assert (dict(first.skipped_kinds), dict(second.skipped_kinds)) == ({"x": 1}, {"x": 2})
    with ports.db.transaction(tenant) as uow:
        session = uow.sessions(uow.stores.get("default").id).get("s1")
    assert [(event.event_id, event.position) for event in events_of(ports, tenant, "s1")] == [
        ("e1", 1),
        ("e2", 2),
        ("e3", 3),
    ]
    assert (session.title, session.skipped_count, session.malformed_count) == ("First", 2, 1)
    assert get_store(ports, tenant).sessions == 1


def test_a_transcript_may_name_more_skills_than_a_statement_takes_values(ports: Ports, tenant: str) -> None:
    calls = "\n".join(f'Skill {{"skill":"s{number}"}}' for number in range(80))
    events = [an_event(number, calls, kind=EventKind.TOOL_CALL, session=f"s{number}") for number in range(300)]
    a_store(ports, tenant)
    target = ImportTarget(tenant_id=tenant, store="default", source="plain")
    assert import_session_items(ports.db, target, events).added == 300
    with ports.db.transaction(tenant) as uow:
        assert len(uow.skills(uow.stores.get("default").id).find_uses(None, 30_000)) == 24_000
