"""Every format comes into a store as its sample says it, and a second import of it adds nothing."""

import pytest

from gateway.cli.sessions.transcripts import ImportRequest, ReadFile, import_transcripts
from shared.all_ports import Ports
from shared.services.memories.write import ensure_store
from shared.services.sessions.live import find_events
from tests.unit.files.transcripts.test_formats import SAID, SAMPLES


def take(ports: Ports, tenant: str, name: str) -> tuple[int, int]:
    """Import a format's samples; return how many events were new, and how many known."""
    request = ImportRequest(place=SAMPLES / name, tenant=tenant, store="mine", quiet=True)
    read = [file for file in import_transcripts(ports.db, request) if isinstance(file, ReadFile)]
    return sum(file.counts.added for file in read), sum(file.counts.known for file in read)


def stored(ports: Ports, tenant: str) -> list[tuple[str, str, str]]:
    """Return what people said, in each session of a store: session, minute in UTC, words."""
    with ports.db.transaction(tenant) as uow:
        sessions = uow.sessions(uow.stores.get("mine").id).find_recent(100)
    return [
        (one.external_id, str(event.at)[:16], event.text)
        for one in sessions
        for event in find_events(ports.db, tenant, "mine", one.id, after=0, limit=1_000, max_chars=10_000)
        if event.is_spoken
    ]


@pytest.mark.parametrize("name", SAID)
def test_what_people_said_in_a_format_is_in_the_store_once(ports: Ports, tenant: str, name: str) -> None:
    ensure_store(ports.db, tenant, "mine", actor="a test")
    added, known = take(ports, tenant, name)
    assert (added > 0, known) == (True, 0)
    assert sorted(stored(ports, tenant)) == sorted(SAID[name])
    assert take(ports, tenant, name) == (0, added)
