"""Copies of a store that an evaluation dreams over: complete, unseen, and gone without a trace."""

from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import psycopg
import pytest

from shared.all_ports import Ports
from shared.core.dream.model import DreamState, Trigger
from shared.core.errors import NotFoundError
from shared.core.sessions.model import EventKind, Findings, NewEvent, SearchedWindow
from shared.core.tenants.store import PendingMerge, Store
from shared.ports.api_lists import TimeSpan
from shared.services.evaluation.shadows import remove_shadows
from shared.settings import Settings
from tests.integration.tenancy.isolation_support import TENANT_TABLES
from tests.support.builders import LONG_AGO, a_store, run_dream, take_picture, texts, write
from tests.support.servers import plain_url


@pytest.fixture
def tenant(ports: Ports) -> str:
    """A tenant with a store of three memories, a hint, and a session that no dream has read."""
    tenant = f"t{uuid4().hex}"
    note = "# Cookies\n\nThe login page signs its [cookies](b.md) with key 7.\n"
    write(ports, tenant, texts({"web/a.md": note, "web/b.md": note, "web/c.md": "# Mail\n\nPort 25.\n"}, at=LONG_AGO))
    store = a_store(ports, tenant)
    event = NewEvent(event_id="e1", kind=EventKind.USER, role="user", text="Remember: the port is 8080.")
    with ports.db.transaction(tenant) as uow:
        uow.merges(store.id).add(
            [PendingMerge(source_path="web/a.md", target_path="web/b.md", reason="twins", suggested_by="drm_x")]
        )
        session, _ = uow.sessions(store.id).ensure("a-session", source="plain")
        session = uow.ingest(store.id).append([(session, [event])])[0]
        uow.ingest(store.id).record_findings(
            [SearchedWindow(session=session, after=0, upto=1, found={1: Findings()})], 1
        )
    return tenant


def original_id(row_id: str) -> str:
    """Return the id of the row that a row of a copy was made of."""
    return row_id.partition(".")[0]


def _copy(ports: Ports, tenant: str) -> Store:
    with ports.db.with_shadows().transaction(tenant) as uow:
        source = uow.stores.get("default")
        return uow.evaluations.shadows.copy(
            "eval_1", source, profile=source.profile, overrides={"phases.prune": False}, llm={}
        )


@pytest.fixture
def shadow(ports: Ports, tenant: str) -> Store:
    return _copy(ports, tenant)


@pytest.fixture
def seeing(ports: Ports) -> Ports:
    return replace(ports, db=ports.db.with_shadows())


@pytest.fixture
def everything(settings: Settings) -> Iterator[psycopg.Connection]:
    with psycopg.connect(plain_url(settings.owner_database_url), autocommit=True) as connection:
        connection.execute("SET ROLE slowwave_backup")
        yield connection


def _count_traces(everything: psycopg.Connection, shadow: Store) -> dict[str, int]:
    mark = shadow.id.removeprefix("shadow_")
    found = {}
    for table in TENANT_TABLES:
        query = f"SELECT count(*) FROM {table} t WHERE t.tenant_id = %s AND t::text LIKE %s"
        ((found[table],),) = everything.execute(query, [shadow.tenant_id, f"%{mark}%"]).fetchall()
    return {table: number for table, number in found.items() if number}


def test_a_shadow_has_all_that_a_dream_reads(ports: Ports, seeing: Ports, tenant: str, shadow: Store) -> None:
    mine, copied = take_picture(ports, tenant), take_picture(seeing, tenant, shadow.name)

    assert {
        original_id(one): replace(memory, id=original_id(one)) for one, memory in copied.memories.items()
    } == mine.memories
    assert copied.merges == mine.merges
    assert {original_id(one): at for one, at in copied.cursors.items()} == mine.cursors
    assert shadow.policy.phases == {"prune": False}
    with seeing.db.transaction(tenant) as uow:
        read = [uow.gathering(one.id).find_ungathered(10) for one in (uow.stores.get("default"), shadow)]
        assert [[one.external_id for one in sessions] for sessions in read] == [["a-session"], ["a-session"]]


def test_a_copy_of_a_copy_is_one_of_the_store(seeing: Ports, tenant: str, shadow: Store) -> None:
    with seeing.db.transaction(tenant) as uow:
        second = uow.evaluations.shadows.copy("eval_1", shadow, profile="default", overrides={}, llm={})
        ids = [one.id for one in uow.memories(second.id).find_live()]
        originals = [one.id for one in uow.memories(uow.stores.get("default").id).find_live()]

    assert [original_id(one) for one in ids] == originals
    assert second.name.startswith("eval_1/")
    assert second.name.endswith("/default")


def test_a_dream_over_a_shadow_changes_nothing_of_the_store(
    ports: Ports, seeing: Ports, tenant: str, shadow: Store
) -> None:
    before = take_picture(ports, tenant)

    dream = run_dream(seeing, tenant, store=shadow.name, dream_id=_queue(seeing, tenant, shadow))

    assert dream.state is DreamState.COMPLETED
    assert take_picture(seeing, tenant, shadow.name).memories != {}
    assert take_picture(ports, tenant) == before


def _queue(seeing: Ports, tenant: str, shadow: Store) -> str:
    with seeing.db.transaction(tenant) as uow:
        return uow.dreams.add(shadow.id, trigger=Trigger.API, force=True, dry_run=False).id


def test_a_shadow_is_in_no_list_and_no_count(ports: Ports, seeing: Ports, tenant: str) -> None:
    def look() -> list[object]:
        with ports.db.transaction(tenant) as uow:
            span = TimeSpan()
            return [
                [one.name for one in uow.stores.find_all()],
                [one.id for one in uow.store_listing.find_page(span, with_archived=True, start_after=None, limit=100)],
                uow.statistics.count_now(),
                uow.statistics.count_memories(),
                uow.statistics.count_pending(),
                [one.id for one in uow.dreams.find_recent(limit=100)],
                uow.orders.find_page(span, statuses=(), with_archived=True, start_after=None, limit=100),
                [one.id for one in uow.operations.find_pending(limit=100)],
            ]

    before = look()
    shadow = _copy(ports, tenant)
    assert look() == before
    queued = _queue(seeing, tenant, shadow)
    assert look() == before
    run_dream(seeing, tenant, store=shadow.name, dream_id=queued)
    assert look() == before
    with pytest.raises(NotFoundError), ports.db.transaction(tenant) as uow:
        uow.stores.get(shadow.name)
    with pytest.raises(NotFoundError), ports.db.transaction(tenant) as uow:
        uow.dreams.get(queued)


def test_a_shadow_is_never_due(seeing: Ports, tenant: str, shadow: Store) -> None:
    with seeing.db.transaction(tenant) as uow:
        uow.stores.save(replace(shadow, next_check_at=LONG_AGO))
        assert uow.stores.get(shadow.name).next_check_at is None


def test_nothing_is_left_of_a_shadow_that_was_removed(
    ports: Ports, seeing: Ports, tenant: str, shadow: Store, everything: psycopg.Connection
) -> None:
    run_dream(seeing, tenant, store=shadow.name, dream_id=_queue(seeing, tenant, shadow))
    assert {"stores", "memories", "dreams", "sessions"} <= _count_traces(everything, shadow).keys()

    assert remove_shadows(ports.db, tenant, "eval_1")

    assert _count_traces(everything, shadow) == {}


def test_a_shadow_is_removed_with_a_dream_that_waits(
    ports: Ports, seeing: Ports, tenant: str, shadow: Store, everything: psycopg.Connection
) -> None:
    _queue(seeing, tenant, shadow)

    assert remove_shadows(ports.db, tenant, "eval_1")

    assert _count_traces(everything, shadow) == {}


def test_a_dream_over_a_store_goes_before_the_dream_of_a_copy_that_waits_longer(
    ports: Ports, tenant: str, shadow: Store
) -> None:
    with ports.db.with_shadows().transaction(tenant) as uow:
        of_copy = uow.dreams.add(shadow.id, trigger=Trigger.API, force=True, dry_run=False)
    with ports.db.transaction(tenant) as uow:
        real = uow.dreams.add(uow.stores.get("default").id, trigger=Trigger.API, force=False, dry_run=False)

    waiting = {of_copy.id, real.id}
    assert [one.dream_id for one in ports.db.admission.find_next(1_000) if one.dream_id in waiting] == [real.id]
