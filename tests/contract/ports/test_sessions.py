"""Importers append to sessions, and dreams gather from them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.all_ports import Ports
from shared.core.errors import ConflictError, NotFoundError
from shared.core.sessions.model import (
    CueSpan,
    EventKind,
    Findings,
    NewEvent,
    SaidTerms,
    SearchedWindow,
    Session,
    Window,
)
from shared.core.tenants.store import Store
from shared.ports.sessions import Margins
from tests.support.builders import a_store

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def said(number: int, text: str = "words", *, kind: EventKind = EventKind.USER, **values: object) -> NewEvent:
    at = NOON + timedelta(minutes=number)
    return NewEvent(event_id=f"e{number}", kind=kind, role="user", text=text, at=at, **values)  # type: ignore[arg-type] # a builder


def append(ports: Ports, store: Store, events: Sequence[NewEvent], name: str = "s1") -> Session:
    with ports.db.transaction(store.tenant_id) as uow:
        repository = uow.sessions(store.id)
        session, _ = repository.ensure(name, source="plain")
        return uow.ingest(store.id).append([(session, events)])[0]


def search(ports: Ports, store: Store, session: Session, found: Mapping[int, Findings], version: int = 1) -> Session:
    """Record what a detector of some version found in all events that it had not looked at."""
    looked = SearchedWindow(session=session, after=session.searched_position, upto=session.last_position, found=found)
    with ports.db.transaction(store.tenant_id) as uow:
        uow.ingest(store.id).record_findings([looked], version)
        return uow.sessions(store.id).get(session.id)


def get(ports: Ports, store: Store, name: str = "s1") -> Session:
    with ports.db.transaction(store.tenant_id) as uow:
        return uow.sessions(store.id).get(name)


def test_positions_count_on_from_one_batch_to_the_next(ports: Ports, store: Store) -> None:
    append(ports, store, [said(1), said(2)])
    session = append(ports, store, [said(3)])
    with ports.db.transaction(store.tenant_id) as uow:
        [events] = uow.gathering(store.id).find_windows([Window(session_id=session.id, after=0, upto=9)], max_chars=99)
    assert [(event.event_id, event.position) for event in events] == [("e1", 1), ("e2", 2), ("e3", 3)]
    assert (session.last_position, session.event_count) == (3, 3)
    assert (session.started_at, session.last_event_at) == (events[0].at, events[2].at)


def test_an_event_that_is_known_is_told_and_not_appended_twice(ports: Ports, store: Store) -> None:
    append(ports, store, [said(1)])
    with ports.db.transaction(store.tenant_id) as uow:
        session, is_new = uow.sessions(store.id).ensure("s1", source="plain")
        assert uow.ingest(store.id).find_known({session.id: ["e1", "e2"]}) == {(session.id, "e1")}
        assert not is_new
    with pytest.raises(ConflictError):
        append(ports, store, [said(1)])
    assert get(ports, store).event_count == 1


def test_two_stores_may_hold_a_session_of_the_same_name(ports: Ports, tenant: str, store: Store) -> None:
    other = a_store(ports, tenant, "other")
    first, second = append(ports, store, [said(1)]), append(ports, other, [said(1)])
    assert first.id != second.id
    with ports.db.transaction(tenant) as uow, pytest.raises(NotFoundError):
        uow.sessions(other.id).get(first.id)


def test_only_what_is_after_the_cursor_waits(ports: Ports, store: Store) -> None:
    session = append(ports, store, [said(1), said(2)])
    with ports.db.transaction(store.tenant_id) as uow:
        gathering = uow.gathering(store.id)
        assert [found.id for found in gathering.find_ungathered(9)] == [session.id]
        gathering.advance([Window(session_id=session.id, after=0, upto=2)])
        assert gathering.find_ungathered(9) == []
        assert uow.sessions(store.id).count_waiting() == 0
    assert get(ports, store).consumed_at is not None
    late = append(ports, store, [said(3)])
    assert (late.waiting, late.consumed_at) == (1, None)


def test_a_cursor_never_goes_back_by_advancing_nor_beyond_the_end(ports: Ports, store: Store) -> None:
    session = append(ports, store, [said(1), said(2)])
    with ports.db.transaction(store.tenant_id) as uow:
        gathering = uow.gathering(store.id)
        gathering.advance([Window(session_id=session.id, after=0, upto=99)])
        gathering.advance([Window(session_id=session.id, after=0, upto=1)])
    assert get(ports, store).gathered_position == 2


def test_an_undone_dreams_events_wait_again(ports: Ports, store: Store) -> None:
    session = append(ports, store, [said(1), said(2), said(3)])
    window = Window(session_id=session.id, after=1, upto=3)
    with ports.db.transaction(store.tenant_id) as uow:
        uow.gathering(store.id).advance([window])
        uow.gathering(store.id).restore([window])
    found = get(ports, store)
    assert (found.gathered_position, found.consumed_at) == (1, None)


def test_the_session_that_is_still_lived_is_not_gathered(ports: Ports, store: Store) -> None:
    session = append(ports, store, [said(1)])
    with ports.db.transaction(store.tenant_id) as uow:
        uow.sessions(store.id).set_current([session.id], is_current=True)
        assert uow.gathering(store.id).find_ungathered(9) == []
        assert len(uow.gathering(store.id).find_ungathered(9, with_current=True)) == 1
        assert uow.sessions(store.id).count_waiting() == 0


def test_cues_are_found_by_position_with_the_time_of_their_event(ports: Ports, store: Store) -> None:
    cue = CueSpan(kind="correction", start=2, end=7, strength=0.5, rule="no, use")
    session = append(ports, store, [said(1), said(2)])
    search(ports, store, session, {2: Findings(cues=(cue,))})
    with ports.db.transaction(store.tenant_id) as uow:
        [hit] = uow.gathering(store.id).find_cues([Window(session_id=session.id, after=0, upto=2)], limit=9)
        assert uow.gathering(store.id).find_cues([Window(session_id=session.id, after=2, upto=9)], limit=9) == []
    assert (hit.event_id, hit.position, hit.at) == ("e2", 2, NOON + timedelta(minutes=2))
    assert hit.cue == cue


def test_a_theme_is_a_term_that_two_sessions_say_one_of_them_recently(ports: Ports, store: Store) -> None:
    first, second = (append(ports, store, [said(1)], name) for name in ("s1", "s2"))
    search(ports, store, first, {1: Findings(terms=("goreleaser", "yaml"))})
    search(ports, store, second, {1: Findings(terms=("goreleaser",))})
    with ports.db.transaction(store.tenant_id) as uow:
        gathering = uow.gathering(store.id)
        gathering.advance([Window(session_id=first.id, after=0, upto=1)])
        [theme] = gathering.find_themes(min_sessions=2, limit=9)
        assert (theme.term, theme.sessions, theme.places) == ("goreleaser", 2, ((second.id, 1),))
        gathering.advance([Window(session_id=second.id, after=0, upto=1)])
        assert gathering.find_themes(min_sessions=2, limit=9) == []


def test_terms_that_were_found_anew_stand_in_for_the_stored_ones_of_events_that_wait(
    ports: Ports, store: Store
) -> None:
    first, second = append(ports, store, [said(1)], "s1"), append(ports, store, [said(1), said(2)], "s2")
    search(ports, store, first, {1: Findings(terms=("old",))})
    search(ports, store, second, dict.fromkeys((1, 2), Findings(terms=("old", "kept"))))
    anew = [
        SaidTerms(session_id=session.id, position=place, terms=("goreleaser",))
        for session, place in ((first, 1), (second, 2))
    ]
    with ports.db.transaction(store.tenant_id) as uow:
        gathering = uow.gathering(store.id)
        gathering.advance([Window(session_id=second.id, after=0, upto=1)])
        [theme] = gathering.find_themes(min_sessions=2, limit=9, read_again=anew)
        assert (theme.term, theme.places) == ("goreleaser", ((first.id, 1), (second.id, 2)))
        foreign = [SaidTerms(session_id="sesn_of_no_store", position=1, terms=("old", "kept"))]
        assert [theme.term for theme in gathering.find_themes(min_sessions=2, limit=9, read_again=foreign)] == ["old"]


def test_search_finds_what_was_said_and_leaves_tool_results_alone(ports: Ports, store: Store) -> None:
    session = append(
        ports,
        store,
        [
            said(1, "We release with goreleaser on Tuesdays."),
            said(2, "goreleaser 1.2.3", kind=EventKind.TOOL_RESULT),
            said(3, "The release is not by hand."),
        ],
    )
    with ports.db.transaction(store.tenant_id) as uow:
        gathering = uow.gathering(store.id)
        assert [match.event.event_id for match in gathering.search("goreleaser", 9)] == ["e1"]
        assert [match.event.event_id for match in gathering.search("release -goreleaser", 9)] == ["e3"]
        assert len(gathering.search("release", 9, session_id=session.id)) == 2
        gathering.advance([Window(session_id=session.id, after=0, upto=1)])
        assert gathering.search("goreleaser", 9, only_new=True) == []
        assert [match.event.event_id for match in gathering.search("release", 9, only_new=True)] == ["e3"]
        uow.sessions(store.id).set_current([session.id], is_current=True)
        assert gathering.search("release", 9, only_new=True) == []
        for hostile in ("'); DROP TABLE sessions; --", '"', "& | !", "\x00", ""):
            gathering.search(hostile, 9)


def test_words_of_which_any_will_do_are_found_with_the_rarest_first_and_counted(ports: Ports, store: Store) -> None:
    texts = ("the rota changes on Mondays", "Mondays are busy", "Mondays, Mondays", "nothing of it")
    session = append(ports, store, [said(number, text=text) for number, text in enumerate(texts, 1)])
    with ports.db.transaction(store.tenant_id) as uow:
        gathering = uow.gathering(store.id)
        found = gathering.find_said(["rota", "mondays", "absent"], 9)
        assert found.events[0].event_id == "e1"
        assert {event.event_id for event in found.events} == {"e1", "e2", "e3"}
        assert (found.texts, dict(found.holding)) == (4, {"rota": 1, "mondays": 3})
        assert len(gathering.find_said(["mondays"], 2).events) == 2
        named = {(session.id, "e2"), (session.id, "e9"), ("sesn_of_no_store", "e1")}
        assert [event.event_id for event in gathering.find_events(named)] == ["e2"]


@pytest.mark.parametrize("terms", [["'); DROP TABLE sessions; --"], ["& | !"], ["\x01"], ["absent"], []])
def test_words_that_nothing_holds_find_nothing_whatever_they_are(ports: Ports, store: Store, terms: list[str]) -> None:
    append(ports, store, [said(1, text="a plain text")])
    with ports.db.transaction(store.tenant_id) as uow:
        found = uow.gathering(store.id).find_said(terms, 9)
    assert (found.events, found.texts, dict(found.holding)) == ((), 1, {})


def test_a_session_tells_how_far_it_was_searched_and_by_what_also_when_more_is_said(ports: Ports, store: Store) -> None:
    session = append(ports, store, [said(1)])
    assert (session.searched_position, session.detector_version) == (0, 0)
    search(ports, store, session, {}, version=2)
    more = append(ports, store, [said(2)])
    assert (more.searched_position, more.detector_version) == (1, 2)


def test_a_newer_detectors_cues_take_the_place_of_an_older_ones(ports: Ports, store: Store) -> None:
    old, new = (Findings(cues=(CueSpan(kind=kind, start=0, end=3),), terms=(kind,)) for kind in ("save", "correction"))
    session = append(ports, store, [said(1), said(2)])
    searched = search(ports, store, session, {1: old, 2: old}, version=1)
    search(
        ports, store, replace(searched, searched_position=1), {2: new}, version=2
    )  # it was read before the other search
    window = Window(session_id=session.id, after=0, upto=2)
    with ports.db.transaction(store.tenant_id) as uow:
        again = SearchedWindow(session=searched, after=0, upto=2, found={1: new})
        uow.ingest(store.id).record_findings([again], 2)
        assert [hit.cue.kind for hit in uow.gathering(store.id).find_cues([window], limit=9)] == ["correction"]
        assert uow.gathering(store.id).find_themes(min_sessions=1, limit=9)[0].term == "correction"


def test_of_two_searches_at_once_the_first_one_counts(ports: Ports, store: Store) -> None:
    session = append(ports, store, [said(1)])
    found = Findings(cues=(CueSpan(kind="save", start=0, end=3),))
    assert search(ports, store, session, {1: found}) == search(ports, store, session, {1: found})
    with ports.db.transaction(store.tenant_id) as uow:
        window = Window(session_id=session.id, after=0, upto=1)
        assert len(uow.gathering(store.id).find_cues([window], limit=9)) == 1


def test_a_second_import_counts_no_line_twice(ports: Ports, store: Store) -> None:
    session = append(ports, store, [said(1)])
    with ports.db.transaction(store.tenant_id) as uow:
        for title in ("First", "Second"):
            margins = Margins(session_id=session.id, title=title, skipped=3, malformed=1)
            uow.ingest(store.id).record_margins([margins])
    found = get(ports, store)
    assert (found.title, found.skipped_count, found.malformed_count) == ("First", 3, 1)
    assert get(ports, store, session.id) == found


def test_kinds_are_counted_and_the_newest_session_is_listed_first(ports: Ports, store: Store) -> None:
    append(ports, store, [said(1), said(2, kind=EventKind.META), said(3, kind=EventKind.META)])
    newer = append(ports, store, [said(9)], "s2")
    with ports.db.transaction(store.tenant_id) as uow:
        repository = uow.sessions(store.id)
        assert repository.count_kinds(repository.get("s1").id) == {EventKind.META: 2, EventKind.USER: 1}
        assert [session.id for session in repository.find_recent(1)] == [newer.id]
