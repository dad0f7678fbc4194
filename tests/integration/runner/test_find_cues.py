"""Cues are found before a dream reads what was said, and not while it is said."""

import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.sessions import cues
from shared.core.sessions.cues import DETECTOR_VERSION
from shared.core.sessions.model import CueHit, Session, Window
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.sessions import find_cues
from shared.services.sessions.explain import EventPage, explain_events
from shared.services.sessions.find_cues import SearchScope, find_new_cues
from tests.support.builders import get_store, run_dream, take_picture
from tests.support.session_builders import get_session, tell
from workers.phases import CATALOG

SAVE = "Remember that the staging cluster runs in eu-north-1."
OTHER = "Remember that invoices are numbered per country and year."


def stored_cues(ports: Ports, tenant: str, session: Session) -> list[CueHit]:
    with ports.db.transaction(tenant) as uow:
        window = Window(session_id=session.id, after=0, upto=session.last_position)
        return uow.gathering(session.store_id).find_cues([window], limit=99)


def scope(ports: Ports, tenant: str) -> SearchScope:
    return SearchScope(tenant_id=tenant, store_id=get_store(ports, tenant).id)


def test_events_are_stored_without_searching_them_for_cues(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(cues, "_find_users")  # a search would raise
    session = tell(ports, tenant, "s1", SAVE)
    assert (session.last_position, session.searched_position) == (1, 0)
    assert stored_cues(ports, tenant, session) == []


def test_a_dream_finds_and_keeps_the_cues_of_what_it_reads(ports: Ports, tenant: str) -> None:
    tell(ports, tenant, "s1", "please fix the tests", SAVE)
    run_dream(ports, tenant, OfflineLlm())
    session = get_session(ports, tenant, "s1")
    assert (session.gathered_position, session.searched_position, session.detector_version) == (2, 2, DETECTOR_VERSION)
    assert [(hit.event_id, hit.cue.kind) for hit in stored_cues(ports, tenant, session)] == [("e2", "save")]


def test_events_beyond_the_limit_of_one_dream_are_gathered_by_the_next(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_cues, "_BATCH_EVENTS", 1)
    monkeypatch.setattr(find_cues.find_new_cues, "__defaults__", (lambda: True, 1))
    session = tell(ports, tenant, "s1", SAVE, OTHER)
    for read in (1, 2):
        run_dream(ports, tenant, OfflineLlm())
        now = get_session(ports, tenant, "s1")
        assert (now.gathered_position, now.searched_position) == (read, read)
        assert get_store(ports, tenant).waiting_sessions == 2 - read, "the next dream follows at once while one is left"
    texts = [memory.content for memory in take_picture(ports, tenant).memories.values()]
    assert all(any(word in text for text in texts) for word in ("eu-north-1", "invoices"))
    assert len(stored_cues(ports, tenant, session)) == 2


def test_a_search_that_was_cut_short_goes_on_after_its_last_batch(
    ports: Ports, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_cues, "_BATCH_EVENTS", 1)
    session = tell(ports, tenant, "s1", SAVE, OTHER, SAVE)
    rounds = iter([True, True, False])
    assert find_new_cues(ports.db, scope(ports, tenant), goes_on=lambda: next(rounds)) == 2
    assert find_new_cues(ports.db, scope(ports, tenant)) == 1
    assert find_new_cues(ports.db, scope(ports, tenant)) == 0
    assert [hit.position for hit in stored_cues(ports, tenant, session)] == [1, 2, 3]


def test_many_sessions_share_a_batch_and_each_gets_its_own_cues(ports: Ports, tenant: str) -> None:
    told = [tell(ports, tenant, f"s{number}", "please fix the tests", SAVE) for number in range(120)]
    assert find_new_cues(ports.db, scope(ports, tenant)) == 240
    assert {tuple(hit.position for hit in stored_cues(ports, tenant, one)) for one in told[::20]} == {(2,)}


def test_a_session_is_explained_with_its_cues_before_a_dream_has_looked(ports: Ports, tenant: str) -> None:
    session = tell(ports, tenant, "s1", "please fix the tests", SAVE)
    page = EventPage(after=0, limit=9, max_chars=2_000)

    def explained() -> list[list[str]]:
        _, events = explain_events(ports.db, tenant, DEFAULT_STORE, session.id, CATALOG, page)
        return [[cue.kind for cue in event.cues] for event in events]

    before = explained()
    find_new_cues(ports.db, scope(ports, tenant))
    assert before == explained() == [[], ["save"]]
