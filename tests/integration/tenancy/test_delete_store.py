"""Deleting a store: everything in it is gone, what is the tenant's own and what was copied from it stays."""

import threading
from collections.abc import Callable
from itertools import count

import anthropic
import psycopg
import pytest

from shared.adapters.llm.offline import OfflineLlm
from shared.all_ports import Ports
from shared.core.dream.model import Trigger
from shared.core.errors import NotFoundError, ServiceUnavailableError
from shared.core.memory.model import Author
from shared.services.dreams.start import start_dream
from shared.services.memories.write import write_memories
from shared.services.sessions.api import begin_session
from shared.services.tenants.delete_store import delete_store
from tests.integration.api.api_support import a_client, a_token, an_app
from tests.integration.tenancy.isolation_support import TENANT_TABLES, make_tenants
from tests.integration.tenancy.test_delete_tenant import rows_of
from tests.support.builders import a_store, get_store, run_dream, take_picture, texts, write
from tests.support.sdk import an_sdk

#: What belongs to the tenant and not to a store of its.
OF_THE_TENANT = {
    "api_keys",
    "api_requests",
    "audit_log",
    "directives",
    "exams",
    "saved_filters",
    "webhook_deliveries",
    "webhook_endpoints",
}


@pytest.fixture
def sdk(ports: Ports, tenant: str) -> anthropic.Anthropic:
    return an_sdk(a_client(an_app(ports)), a_token(ports, tenant, rate_per_minute=10_000))


def test_every_table_is_emptied_of_the_store_and_no_other_row_is_touched(
    fresh_ports: Ports, owner: psycopg.Connection
) -> None:
    tenants = make_tenants(fresh_ports)
    owner.execute("UPDATE dreams SET state = 'canceled' WHERE state = 'queued'")
    write(fresh_ports, tenants.mine, {"kept.md": "# Kept\n"}, store="beside")
    mine, theirs = rows_of(owner, tenants.mine), rows_of(owner, tenants.theirs)
    assert all(mine[table] for table in TENANT_TABLES), "a table without a row would prove nothing"

    rows = delete_store(fresh_ports.db, tenants.mine, get_store(fresh_ports, tenants.mine).id, actor="a test")

    left = rows_of(owner, tenants.mine)
    assert {table for table in TENANT_TABLES if left[table]} - OF_THE_TENANT == {
        "stores",
        "memories",
        "memory_versions",
    }
    assert [len(left[table]) for table in ("stores", "memories", "memory_versions")] == [1, 1, 1]
    assert all(left[table] == mine[table] for table in OF_THE_TENANT - {"audit_log"})
    assert rows == {table: len(mine[table]) - len(left[table]) for table in rows}
    assert rows_of(owner, tenants.theirs) == theirs


def test_a_store_is_deleted_with_the_sdk_and_its_name_begins_anew(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str
) -> None:
    write(ports, tenant, {"a.md": "# A\n"})
    store = get_store(ports, tenant)
    deleted = sdk.beta.memory_stores.delete(store.id)
    assert (deleted.id, deleted.type) == (store.id, "memory_store_deleted")
    for call in (sdk.beta.memory_stores.retrieve, sdk.beta.memory_stores.delete, sdk.beta.memory_stores.memories.list):
        with pytest.raises(anthropic.NotFoundError):
            call(store.id)
    assert a_store(ports, tenant).id != store.id
    assert take_picture(ports, tenant).memories == {}


def test_an_archived_store_is_deleted_and_one_with_a_dream_is_not(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str
) -> None:
    vault = sdk.beta.memory_stores.create(name="Vault")
    sdk.beta.memory_stores.archive(vault.id)
    sdk.beta.memory_stores.delete(vault.id)
    store = a_store(ports, tenant)
    dream = start_dream(ports.db, tenant, "default", trigger=Trigger.API, force=True).dream
    assert dream is not None
    with pytest.raises(anthropic.BadRequestError, match=dream.id):
        sdk.beta.memory_stores.delete(store.id)
    sdk.beta.dreams.cancel(dream.id)
    sdk.beta.memory_stores.delete(store.id)
    assert dream.id not in [one.id for one in sdk.beta.dreams.list()]


def order_copy(sdk: anthropic.Anthropic, ports: Ports, tenant: str) -> tuple[str, str, str]:
    """A dream into a copy that waits: the store that it was made of, the dream, and the copy's name."""
    vault = sdk.beta.memory_stores.create(name="Vault").id
    sdk.beta.memory_stores.memories.create(vault, path="/a.md", content="# A\n\nTokens are signed.\n")
    ordered = sdk.beta.dreams.create(inputs=[{"type": "memory_store", "memory_store_id": vault}], model="any")
    with ports.db.transaction(tenant) as uow:
        return vault, ordered.id, uow.dreams.get(ordered.id).store


def test_a_copy_and_its_dream_outlive_the_store_that_they_were_made_of(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str
) -> None:
    vault, dream, copy = order_copy(sdk, ports, tenant)
    run_dream(ports, tenant, OfflineLlm(), store=copy, dream_id=dream)
    sdk.beta.memory_stores.delete(vault)
    seen = sdk.beta.dreams.retrieve(dream)
    assert seen.status == "completed"
    assert seen.inputs[0].to_dict()["memory_store_id"] == vault
    left = sdk.beta.memory_stores.memories.list(seen.outputs[0].memory_store_id)
    assert "/a.md" in [one.to_dict()["path"] for one in left]


def test_the_input_of_a_copy_is_deleted_while_its_dream_waits_and_the_dream_completes(
    sdk: anthropic.Anthropic, ports: Ports, tenant: str
) -> None:
    vault, dream, copy = order_copy(sdk, ports, tenant)
    sdk.beta.memory_stores.delete(vault)
    run_dream(ports, tenant, OfflineLlm(), store=copy, dream_id=dream)
    assert sdk.beta.dreams.retrieve(dream).status == "completed"


def write_on(do: Callable[[int], object], begun: threading.Barrier, odd: list[Exception]) -> None:
    """Write until the store is not there any more; keep what else has gone wrong."""
    begun.wait()
    for number in count():
        try:
            do(number)
        except NotFoundError:
            return
        except ServiceUnavailableError:  # it held what the deletion wanted
            continue
        except Exception as error:  # noqa: BLE001 - the test shows it
            odd.append(error)
            return


def test_a_store_stays_deleted_although_its_agents_write_meanwhile(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a.md": "# A\n"})
    store = get_store(ports, tenant).id
    odd: list[Exception] = []
    begun = threading.Barrier(3)

    def remember(number: int) -> None:
        batch = texts({f"api/{number}.md": "# A\n\nTokens are signed.\n"})
        write_memories(ports.db, ports.ids, tenant, "default", batch, Author.AGENT)

    def talk(number: int) -> None:
        begin_session(ports.db, tenant, f"chat-{number}", store_id=store, title="", details={})

    writers = [threading.Thread(target=write_on, args=(do, begun, odd), daemon=True) for do in (remember, talk)]
    for writer in writers:
        writer.start()
    begun.wait()
    delete_store(ports.db, tenant, store, actor="a test")
    for writer in writers:
        writer.join(60)
    assert odd == []
    with ports.db.transaction(tenant) as uow:
        assert uow.stores.find_all() == []
