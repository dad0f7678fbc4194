"""Searches of agents are asked again when a dream has ended, and nothing that goes wrong there reaches the dream."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape

import psycopg
import pytest

from gateway.cli.dreams.as_json import losing_lines
from shared import counting
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from shared.core.dream.operations import OperationKind
from shared.core.dream.recall import ProbeKind, Recall
from shared.core.dream.summary import render_summary
from shared.core.errors import ServiceUnavailableError
from shared.core.memory.model import Signals
from shared.core.sessions.model import EventKind
from shared.core.tenants.store import DEFAULT_STORE
from shared.ports.evidence.search_log import AskedSearch, Searched, WasRead
from shared.services.dreams.read import get_dream_view
from shared.services.evaluation.own_probes import set_own_probes
from shared.services.operations.undo import undo_dream
from shared.services.tenants.configure import StoreChanges, configure_store
from tests.integration.api.api_support import a_client, a_token, an_app, bearer
from tests.integration.console.console_support import a_visitor
from tests.integration.undo.undo_support import (
    COOKIES,
    COOKIES_TWIN,
    LONG_AGO,
    STALE,
    a_rich_store,
    dream_of_everything,
    find_operation,
)
from tests.support.builders import get_dream, texts, write
from tests.support.session_builders import tell
from workers.dream.recall import measure_searches
from workers.phases import CATALOG

#: Its stub does not hold all that it says.
ATTIC = (
    STALE["old/attic.md"]
    + "\n".join(f"Box {number} holds drawings of the {number}th floor." for number in range(40))
    + "\n\nThe ladder leans behind the furnace.\n"
)
QUERIES = {"ladder behind the furnace": "old/attic.md", "clear water behind the shed": "garden/well.md"}


class Counted(counting.CountSink):
    """Keeps what is counted."""

    def __init__(self) -> None:
        self.series: dict[counting.Series, float] = {}

    def add(self, series: dict[counting.Series, float]) -> None:
        for key, amount in series.items():
            self.series[key] = self.series.get(key, 0) + amount


@pytest.fixture
def counted() -> Iterator[Counted]:
    sink = Counted()
    counting.send_counts_to(sink)
    yield sink
    counting.stop_counting(sink)


@pytest.fixture
def dream(ports: Ports, tenant: str) -> Dream:
    """A dream in a store in which an agent has searched for two memories and read them: one is archived, the other stays."""
    a_rich_store(ports, tenant)
    write(ports, tenant, texts({"old/attic.md": ATTIC}, signals=Signals(importance=10), at=LONG_AGO))
    at = datetime.now(UTC)
    with ports.db.transaction(tenant) as uow:
        store = uow.stores.get(DEFAULT_STORE)
        log = uow.search_log(store.id)
        for query, path in QUERIES.items():
            memory = uow.memories(store.id).find_by_path(path)
            assert memory is not None
            searched = Searched(key_id=path, surface="mcp", query=query, shown=(memory.id,), at=at)
            log.write([(ports.ids.new("srch"), searched)], [WasRead(key_id=path, memory_id=memory.id, at=at)], [])
    return dream_of_everything(ports, tenant)


def test_what_an_agent_searched_for_is_asked_again_and_shown_wherever_the_dream_is(
    ports: Ports, tenant: str, dream: Dream, counted: Counted, owner_connection: psycopg.Connection
) -> None:
    assert dream.summary is not None
    assert ProbeKind.ASKED not in dream.summary.recall

    measure_searches(ports, tenant, dream.id)

    measured = get_dream(ports, tenant, dream.id)
    archived = find_operation(ports, tenant, dream, OperationKind.ARCHIVE)
    assert measured.summary is not None
    found = Recall(asked=2, before=2, after=1, lost=1, lost_by={archived: 1})
    recall = dream.summary.recall | {ProbeKind.ASKED: found}
    assert measured.summary == replace(dream.summary, recall=recall), "nothing else of the summary changes"
    said = "What agents searched for: a search finds 1 of 2, 2 before the dream"
    assert said in render_summary(measured)
    assert any(
        series[0] == "slowwave_dream_recall_delta_sum" and ("kind", "asked") in series[1] for series in counted.series
    )
    browser = a_visitor(ports, tenant)
    page = browser.get(f"/console/t/{tenant}/dreams/{dream.id}").text
    assert said in page
    week = unescape(browser.get(f"/console/t/{tenant}/insight").text)
    assert "What agents searched for: a search found 1 of 2 after the last dream, 2 before." in week
    client, header = a_client(an_app(ports)), bearer(a_token(ports, tenant))
    told = client.get(f"/api/dreams/{dream.id}", headers=header).json()["summary"]["recall"]["asked"]
    assert told == {"asked": 2, "before": 2, "after": 1, "lost": 1, "lost_by": {archived: 1}}
    assert client.get("/api/insight", headers=header).json()["recall"]["asked"]["asked"] == 2
    (row,) = owner_connection.execute("SELECT d::text FROM dreams d WHERE id = %s", [dream.id]).fetchall()
    assert not any(query in row[0] for query in QUERIES), "the log alone keeps what was asked"


def test_an_operation_that_lost_what_an_agent_had_read_is_named_where_it_can_be_undone(
    ports: Ports, tenant: str, dream: Dream
) -> None:
    measure_searches(ports, tenant, dream.id)

    archived = find_operation(ports, tenant, dream, OperationKind.ARCHIVE)
    lines = list(losing_lines(get_dream_view(ports.db, tenant, dream.id)))
    assert any(
        line.startswith(f"1 answer to what agents searched for is in a note that {archived} archived") for line in lines
    )
    page = a_visitor(ports, tenant).get(f"/console/t/{tenant}/dreams/{dream.id}").text
    assert f'searched for lost by <a href="/console/t/{tenant}/operations/{archived}">an operation</a>' in page


def test_a_log_that_does_not_answer_is_counted_and_the_dream_stays_done(
    ports: Ports, tenant: str, dream: Dream, counted: Counted
) -> None:
    class Silent:
        def find_asked(self, _tenant_id: str, _store_id: str, _limit: int) -> list[AskedSearch]:
            raise ServiceUnavailableError("The database does not answer")

    measure_searches(replace(ports, search_log=Silent()), tenant, dream.id)

    assert get_dream(ports, tenant, dream.id) == dream
    assert dream.state is DreamState.COMPLETED
    assert counted.series == {("slowwave_recall_unmeasured_total", ()): 1}


def test_a_measured_dream_can_be_undone(ports: Ports, tenant: str, dream: Dream) -> None:
    measure_searches(ports, tenant, dream.id)

    undo_dream(ports.db, tenant, dream.id, actor="a test")

    assert get_dream(ports, tenant, dream.id).state is DreamState.UNDONE
    measure_searches(ports, tenant, dream.id)  # a late message finds nothing in force
    assert get_dream(ports, tenant, dream.id).state is DreamState.UNDONE


def test_a_log_that_a_store_does_not_keep_any_more_is_not_asked(ports: Ports, tenant: str, dream: Dream) -> None:
    off = StoreChanges(overrides={"evidence.log_searches": False})
    configure_store(ports.db, tenant, DEFAULT_STORE, changes=off, phases=CATALOG, actor="a test")

    measure_searches(ports, tenant, dream.id)

    assert get_dream(ports, tenant, dream.id) == dream


@pytest.mark.usefixtures("dream")
def test_a_dream_without_the_phase_that_measures_is_not_measured_afterwards(ports: Ports, tenant: str) -> None:
    off = StoreChanges(overrides={"phases.measure_recall": False})
    configure_store(ports.db, tenant, DEFAULT_STORE, changes=off, phases=CATALOG, actor="a test")
    write(ports, tenant, {"web/cookies-twin.md": COOKIES_TWIN})
    again = dream_of_everything(ports, tenant)

    measure_searches(ports, tenant, again.id)

    assert get_dream(ports, tenant, again.id) == again


def test_a_stores_own_questions_and_those_of_its_users_are_asked_after_each_dream(ports: Ports, tenant: str) -> None:
    a_rich_store(ports, tenant)
    question = "What signs its cookies on the login page?"
    tell(ports, tenant, "door", "What opens the office door?", (EventKind.ASSISTANT, "The badge `door_v2` opens it."))
    own = [{"question": question, "evidence": COOKIES.splitlines()[-1]}]
    set_own_probes(ports.db, tenant, DEFAULT_STORE, own, actor="a test")

    dream = dream_of_everything(ports, tenant)

    assert dream.summary is not None
    assert dream.summary.recall[ProbeKind.OWN] == Recall(asked=1, before=1, after=1, lost=0)
    assert dream.summary.recall[ProbeKind.SAID].asked == 1
    said = render_summary(dream)
    assert "Your own questions: a search finds answers to 1 of 1, as before" in said
    assert "What users asked in sessions: a search finds answers to 0 of 1, as before" in said
    week = unescape(a_visitor(ports, tenant).get(f"/console/t/{tenant}/insight").text)
    assert "Your own questions: a search found answers to 1 of 1 after the last dream, as before." in week
    undo_dream(ports.db, tenant, dream.id, actor="a test")
    week = unescape(a_visitor(ports, tenant).get(f"/console/t/{tenant}/insight").text)
    assert "No dream has measured yet" in week, "what an undone dream did to recall is no more"


def test_a_summary_that_an_earlier_version_wrote_keeps_its_counts(
    ports: Ports, tenant: str, dream: Dream, owner_connection: psycopg.Connection
) -> None:
    owner_connection.execute("UPDATE dreams SET summary = summary - 'recall' WHERE id = %s", [dream.id])
    found = Recall(asked=2, before=2, after=2, lost=0)

    with ports.db.transaction(tenant) as uow:
        uow.dreams.add_recall(dream.id, ProbeKind.ASKED, found)

    assert dream.summary is not None
    expected = replace(dream.summary, recall={ProbeKind.ASKED: found})
    assert get_dream(ports, tenant, dream.id).summary == expected
