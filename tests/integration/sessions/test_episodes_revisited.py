"""Episodes on a real database: what a later session repeats is reinforced once for each session, and undo takes it back."""

import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.memory.doc_type import category_of
from shared.core.memory.model import Memory, MemoryKind, kind_of
from shared.core.memory.provenance import read_sources
from shared.core.sessions.model import Window
from shared.services.operations.clear_verdicts import clear_verdicts
from shared.services.operations.undo import undo_dream
from tests.support.builders import a_store, run_dream, take_picture
from tests.support.session_builders import SAID_AT, get_session, tell

SAVE = "Remember that the staging cluster runs in eu-north-1."
LATER = SAID_AT.replace(day=9)
LATEST = SAID_AT.replace(day=19)


def the_episode(ports: Ports, tenant: str) -> Memory:
    found = [m for m in take_picture(ports, tenant).memories.values() if m.state == "live"]
    (only,) = [memory for memory in found if kind_of(memory.path) is MemoryKind.TOPIC]
    return only


def remembered(ports: Ports, tenant: str) -> Memory:
    """A memory as the dream after the first session left it."""
    tell(ports, tenant, "s1", SAVE)
    run_dream(ports, tenant, OfflineLlm())
    return the_episode(ports, tenant)


def gathered_anew(ports: Ports, tenant: str, session_id: str) -> None:
    """Reset a session's cursor, so that the next dream reads it from its beginning."""
    session = get_session(ports, tenant, session_id)
    with ports.db.transaction(tenant) as uow:
        whole = Window(session_id=session.id, after=0, upto=session.last_position)
        uow.gathering(session.store_id).restore([whole])


@pytest.mark.parametrize("dreams", [1, 2])
def test_each_later_session_reinforces_once_in_one_dream_or_in_several(ports: Ports, tenant: str, dreams: int) -> None:
    first = remembered(ports, tenant)
    tell(ports, tenant, "s2", SAVE, "thanks", SAVE, at=LATER)
    if dreams == 2:
        run_dream(ports, tenant, OfflineLlm())
    tell(ports, tenant, "s3", SAVE, at=LATEST)
    run_dream(ports, tenant, OfflineLlm())
    again = the_episode(ports, tenant)
    assert again.signals.reinforcement_count == first.signals.reinforcement_count + 2
    assert again.signals.last_seen_at is not None
    assert again.signals.last_seen_at.date() == LATEST.date()
    known = [source.session_id for source in read_sources(again.content)]
    assert known == [get_session(ports, tenant, name).id for name in ("s1", "s2", "s3")]


def test_undo_of_the_dream_takes_reinforcement_and_source_back_and_asked_again_it_counts_the_same(
    ports: Ports, tenant: str
) -> None:
    first = remembered(ports, tenant)
    tell(ports, tenant, "s2", SAVE, at=LATER)
    dream = run_dream(ports, tenant, OfflineLlm())
    reinforced = the_episode(ports, tenant)
    undo_dream(ports.db, tenant, dream.id, actor="test")
    undone = the_episode(ports, tenant)
    assert (undone.signals, undone.content) == (first.signals, first.content)
    clear_verdicts(ports.db, tenant, "default", actor="test")  # as `dream --again` does
    run_dream(ports, tenant, OfflineLlm())
    again = the_episode(ports, tenant)
    assert (again.signals, again.content) == (reinforced.signals, reinforced.content)


@pytest.mark.parametrize("session_id", ["s1", "s2"])
def test_a_session_that_is_gathered_again_does_not_count_again(ports: Ports, tenant: str, session_id: str) -> None:
    remembered(ports, tenant)
    tell(ports, tenant, "s2", SAVE, at=LATER)
    run_dream(ports, tenant, OfflineLlm())
    before = the_episode(ports, tenant)
    gathered_anew(ports, tenant, session_id)
    dream = run_dream(ports, tenant, OfflineLlm())
    assert dream.summary is not None
    assert dream.summary.gathered == 0
    after = the_episode(ports, tenant)
    assert (after.signals, after.content) == (before.signals, before.content)


def test_a_session_that_goes_on_and_says_it_once_more_does_not_count_again(ports: Ports, tenant: str) -> None:
    first = remembered(ports, tenant)
    tell(ports, tenant, "s1", "thanks", SAVE, at=LATER)
    run_dream(ports, tenant, OfflineLlm())
    assert the_episode(ports, tenant).signals.reinforcement_count == first.signals.reinforcement_count


def test_under_rockbots_profile_a_decision_is_an_episode_and_is_reinforced_as_one(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, profile="rockbot")
    choice = "We decided to keep invoices in Postgres."
    tell(ports, tenant, "s1", choice)
    run_dream(ports, tenant, OfflineLlm())
    first = the_episode(ports, tenant)
    assert first.path.startswith("episodic/decision/")
    assert category_of(first.content) == "episodic/decision"
    tell(ports, tenant, "s2", choice, at=LATER)
    run_dream(ports, tenant, OfflineLlm())
    again = the_episode(ports, tenant)
    assert (again.path, again.signals.reinforcement_count) == (first.path, first.signals.reinforcement_count + 1)
