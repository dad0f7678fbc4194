"""The contract of `PendingMergeRepository`."""

from dataclasses import replace

from shared.all_ports import Ports
from shared.core.tenants.store import PendingMerge, Store
from tests.support.builders import a_store

FIRST = PendingMerge(source_path="a/z.md", target_path="a/y.md", reason="twins", suggested_by="drm_1")
SECOND = PendingMerge(source_path="a/b.md", target_path="a/c.md", reason="overlap", suggested_by="drm_1")


def find_open(ports: Ports, store: Store) -> list[PendingMerge]:
    with ports.db.transaction(store.tenant_id) as uow:
        return uow.merges(store.id).find_open()


def test_suggestions_are_found_in_the_order_in_which_they_were_made(ports: Ports, store: Store) -> None:
    with ports.db.transaction(store.tenant_id) as uow:
        uow.merges(store.id).add([FIRST, SECOND])
    assert find_open(ports, store) == [FIRST, SECOND]


def test_a_suggestion_that_exists_is_left_as_it_is(ports: Ports, store: Store) -> None:
    with ports.db.transaction(store.tenant_id) as uow:
        uow.merges(store.id).add([FIRST])
        uow.merges(store.id).add([replace(FIRST, reason="again", suggested_by="drm_2")])
    assert find_open(ports, store) == [FIRST]


def test_only_what_is_named_is_removed(ports: Ports, store: Store) -> None:
    with ports.db.transaction(store.tenant_id) as uow:
        merges = uow.merges(store.id)
        merges.add([FIRST, SECOND])
        merges.remove([FIRST, replace(SECOND, target_path="a/other.md")])
    assert find_open(ports, store) == [SECOND]


def test_a_removed_suggestion_can_be_made_again(ports: Ports, store: Store) -> None:
    with ports.db.transaction(store.tenant_id) as uow:
        uow.merges(store.id).add([FIRST])
        uow.merges(store.id).remove([FIRST])
        uow.merges(store.id).add([FIRST])
    assert find_open(ports, store) == [FIRST]


def test_stores_have_suggestions_of_their_own(ports: Ports, tenant: str, store: Store) -> None:
    other = a_store(ports, tenant, "other")
    with ports.db.transaction(tenant) as uow:
        uow.merges(store.id).add([FIRST])
        uow.merges(other.id).remove([FIRST])
    assert (find_open(ports, store), find_open(ports, other)) == ([FIRST], [])
