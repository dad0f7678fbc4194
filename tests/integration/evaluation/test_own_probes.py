"""A store's own questions: kept in order, seen by their tenant alone, and gone with what they say and with their store."""

from collections.abc import Sequence
from uuid import uuid4

import pytest

from shared.all_ports import Ports
from shared.core.errors import BadInputError, NotFoundError
from shared.core.evaluation.model import MAX_KEPT_PROBES, MAX_PROBE_CHARS
from shared.core.evaluation.probes import probes_of_owner
from shared.ports.tenants import AuditFilter
from shared.services.evaluation.own_probes import find_own_probes, set_own_probes
from shared.services.forgetting.forget import forget
from shared.services.forgetting.wanted import Kind, Target
from shared.services.tenants.delete import delete_tenant
from shared.services.tenants.delete_store import delete_store
from tests.integration.evaluation.evaluation_support import begin, drive, fill
from tests.support.builders import a_store, get_store

Row = dict[str, object]
REFUND: Row = {"question": "How long is a refund possible?", "evidence": ["refunds within 30 days"], "group": "refunds"}
SIGNS: Row = {
    "question": "Who signs off a refund?",
    "evidence": ["Mara signs off refunds", "above 500 EUR the team lead"],
}


@pytest.fixture
def tenant(ports: Ports) -> str:
    tenant = f"t{uuid4().hex}"
    a_store(ports, tenant, "bot")
    return tenant


def keep(ports: Ports, tenant: str, *rows: Row) -> None:
    with ports.db.transaction(tenant) as uow:
        uow.probes(uow.stores.get("bot").id).replace(rows)


def kept(ports: Ports, tenant: str, store_id: str) -> Sequence[object]:
    with ports.db.transaction(tenant) as uow:
        return uow.probes(store_id).find_all()


def test_questions_are_read_back_in_their_order_and_as_probes(ports: Ports, tenant: str) -> None:
    keep(ports, tenant, SIGNS, REFUND)
    with ports.db.transaction(tenant) as uow:
        rows = uow.probes(uow.stores.get("bot").id).find_all()
    assert rows == [SIGNS, REFUND]
    assert [(one.query, one.cluster) for one in probes_of_owner(rows)] == [
        ("Who signs off a refund?", "Who signs off a refund?"),
        ("Who signs off a refund?", "Who signs off a refund?"),
        ("How long is a refund possible?", "refunds"),
    ]


def test_new_questions_replace_all_earlier_ones_of_the_store_and_of_no_other(ports: Ports, tenant: str) -> None:
    other = a_store(ports, tenant, "other").id
    with ports.db.transaction(tenant) as uow:
        uow.probes(other).replace([SIGNS])
    store = get_store(ports, tenant, "bot").id
    keep(ports, tenant, SIGNS, REFUND)
    keep(ports, tenant, {**REFUND, "evidence": "refunds within 60 days"})
    assert kept(ports, tenant, store) == [{**REFUND, "evidence": ["refunds within 60 days"]}]
    keep(ports, tenant)
    assert kept(ports, tenant, store) == []
    assert kept(ports, tenant, other) == [SIGNS]


def test_another_tenant_reads_none_of_them_even_by_the_id_of_the_store(ports: Ports, tenant: str) -> None:
    keep(ports, tenant, REFUND)
    stranger = f"t{uuid4().hex}"
    a_store(ports, stranger, "bot")
    assert kept(ports, stranger, get_store(ports, tenant, "bot").id) == []


def test_forgetting_a_text_deletes_the_questions_that_hold_it_wherever_it_stands(ports: Ports, tenant: str) -> None:
    words: Row = {"question": "What is Zq4711xx?", "evidence": ["a cookie"]}
    quote: Row = {"question": "Which cookie?", "evidence": ["the oven", "the zq4711xx cookie"]}
    group: Row = {"question": "How many?", "evidence": ["eleven of them"], "group": "zq4711xx"}
    keep(ports, tenant, words, REFUND, quote, group)
    forget(ports.db, tenant, "bot", Target(Kind.TEXT, "zq4711xx"), actor="a test")
    assert kept(ports, tenant, get_store(ports, tenant, "bot").id) == [REFUND]


def test_they_are_deleted_with_their_store_and_with_their_tenant(ports: Ports, tenant: str) -> None:
    keep(ports, tenant, REFUND, SIGNS)
    assert delete_store(ports.db, tenant, get_store(ports, tenant, "bot").id, actor="a test")["probes"] == 2
    a_store(ports, tenant, "bot")
    keep(ports, tenant, REFUND)
    assert delete_tenant(ports.db, ports.lock, tenant, actor="a test").rows["probes"] == 1


def test_a_store_that_hides_something_from_agents_hides_them_too(ports: Ports, tenant: str) -> None:
    shown, hides = (
        get_store(ports, tenant, "bot").id,
        a_store(ports, tenant, "hides", overrides={"recall.least_rank": "user"}).id,
    )
    with ports.db.transaction(tenant) as uow:
        for store_id in (shown, hides):
            uow.probes(store_id).replace([REFUND])
    with ports.db.for_agents().transaction(tenant) as uow:
        for name, rows in (("bot", [REFUND]), ("hides", [])):
            assert uow.probes(uow.stores.get(name).id).find_all() == rows


def test_what_a_store_keeps_out_of_its_texts_is_masked_in_its_questions(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, "bot", overrides={"personal_data.action": "mask"})
    row: Row = {"question": "Who signs?", "evidence": "mara.vogel@posteo.de signs", "group": "mara.vogel@posteo.de"}
    set_own_probes(ports.db, tenant, "bot", [row], actor="a test")
    (found,) = find_own_probes(ports.db, tenant, "bot")
    assert "posteo" not in str(found)
    a_store(ports, tenant, "bot", overrides={"personal_data.action": "refuse"})
    with pytest.raises(BadInputError, match="Probe 1 contains something like personal data"):
        set_own_probes(ports.db, tenant, "bot", [row], actor="a test")


def test_what_was_forgotten_is_left_out_of_later_questions(ports: Ports, tenant: str) -> None:
    keep(ports, tenant, {"question": "What is zq4711xx?", "evidence": ["a cookie"]})
    forget(ports.db, tenant, "bot", Target(Kind.TEXT, "zq4711xx"), actor="a test")
    row: Row = {"question": "What is zq4711xx?", "evidence": "a cookie"}
    set_own_probes(ports.db, tenant, "bot", [row], actor="a test")
    assert find_own_probes(ports.db, tenant, "bot") == [{"question": "What is [forgotten]?", "evidence": ["a cookie"]}]


def test_a_change_is_audited_by_its_number_of_questions_and_a_repetition_is_not(ports: Ports, tenant: str) -> None:
    for rows in ([REFUND], [REFUND], []):
        set_own_probes(ports.db, tenant, "bot", rows, actor="ada")
    with ports.db.transaction(tenant) as uow:
        entries = uow.audit.find_page(AuditFilter(action="probes.set"), start_after=None, limit=10)
    assert [(one.actor, one.detail) for one in entries] == [
        ("ada", {"store": "bot", "questions": 0}),
        ("ada", {"store": "bot", "questions": 1}),
    ]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([REFUND] * (MAX_KEPT_PROBES + 1), "At most 200 questions"),
        ([REFUND, {"question": "Which?", "evidence": []}], "Probe 2 needs a question and its evidence"),
        ([{**REFUND, "group": "g" * MAX_PROBE_CHARS}], "Probe 1 has more than 4,000 characters"),
        ([{**REFUND, "question": "Which\x00?"}], "Probe 1 holds a NUL"),
        ([{**REFUND, "evidence": ["a", "half \ud83d"]}], "Probe 1 holds a NUL or half a surrogate pair"),
    ],
)
def test_rows_that_cannot_be_kept_are_refused_and_change_nothing(
    ports: Ports, tenant: str, rows: list[Row], said: str
) -> None:
    keep(ports, tenant, SIGNS)
    with pytest.raises(BadInputError, match=said):
        set_own_probes(ports.db, tenant, "bot", rows, actor="a test")
    assert find_own_probes(ports.db, tenant, "bot") == [SIGNS]


def test_a_store_that_there_is_not_keeps_none(ports: Ports, tenant: str) -> None:
    with pytest.raises(NotFoundError):
        find_own_probes(ports.db, tenant, "nowhere")
    with pytest.raises(NotFoundError):
        set_own_probes(ports.db, tenant, "nowhere", [REFUND], actor="a test")


def test_an_evaluation_asks_the_stores_own_questions_unless_others_come_with_it(ports: Ports, tenant: str) -> None:
    fill(ports, tenant)
    own = [{"question": f"Who owns service {number}?", "evidence": f"owned by Team-{number}"} for number in range(100)]
    set_own_probes(ports.db, tenant, "bot", own, actor="a test")
    report = drive(ports, tenant, begin(ports, tenant).id).report
    assert report is not None
    assert report["verdict"]["terms"]["kind"] == "own"
    other = begin(ports, tenant, own=(REFUND,))
    assert other.order.own == (REFUND,)
    assert len(find_own_probes(ports.db, tenant, "bot")) == 100
