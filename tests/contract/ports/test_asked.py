"""The contract of `AskedRepository`: the newest of a fingerprint counts, and what a dream has asked can be given back."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from shared.all_ports import Ports
from shared.core.dream.model import DreamState, Trigger
from shared.core.questions.change_gate import Asked
from shared.ports.batches import AskedRepository
from tests.support.builders import a_store

NOW = datetime(2026, 3, 4, tzinfo=UTC)
Asking = Callable[..., Asked]


@pytest.fixture
def asking(ports: Ports, tenant: str) -> Asking:
    """Record something that a dream of its own has asked, and return it."""
    store = a_store(ports, tenant)

    def ask(fingerprint: str, days_ago: float, *, due_in_days: float | None = None, phase: str = "prune") -> Asked:
        with ports.db.transaction(tenant) as uow:
            dream = uow.dreams.add(store.id, trigger=Trigger.SWEEP, force=False, dry_run=False)
            uow.dreams.finish(dream.id, DreamState.CANCELED, reason="a test")
            asked = Asked(
                phase=phase,
                fingerprint=fingerprint,
                dream_id=dream.id,
                asked_at=NOW - timedelta(days=days_ago),
                times_settled=0 if due_in_days is None else 1,
                reopens_at=None if due_in_days is None else NOW + timedelta(days=due_in_days),
                members=() if due_in_days is None else ("mem_2", "mem_1"),
            )
            uow.asked(store.id).record([asked])
        return asked

    return ask


@pytest.fixture
def look(ports: Ports, tenant: str) -> Callable[[Callable[[AskedRepository], object]], object]:
    """Do something with the book of the tenant's store, in a transaction."""

    def use(act: Callable[[AskedRepository], object]) -> object:
        with ports.db.transaction(tenant) as uow:
            return act(uow.asked(uow.stores.get("default").id))

    return use


Look = Callable[[Callable[[AskedRepository], object]], object]


def test_the_newest_of_each_fingerprint_counts_and_what_was_never_asked_is_absent(asking: Asking, look: Look) -> None:
    asking("a", 3)
    newest, other = asking("a", 1), asking("b", 9)
    asking("a", 0, phase="synthesize")
    assert look(lambda repository: repository.find_last("prune", ["a", "b", "c"])) == {"a": newest, "b": other}
    assert look(lambda repository: repository.find_last("prune", [])) == {}


def test_due_clusters_come_longest_due_first_and_only_once(asking: Asking, look: Look) -> None:
    late, later = asking("a", 9, due_in_days=-2), asking("b", 9, due_in_days=-1)
    asking("c", 9, due_in_days=1)
    asking("d", 9)
    asking("e", 9, due_in_days=-3)
    asking("e", 1, due_in_days=6)  # it was looked at since
    assert look(lambda repository: repository.find_due("prune", now=NOW, limit=10)) == [late, later]
    assert look(lambda repository: repository.find_due("prune", now=NOW, limit=1)) == [late]
    assert look(lambda repository: repository.find_due("consolidate", now=NOW, limit=10)) == []


def test_forgetting_a_dreams_questions_keeps_those_asked_before_it(asking: Asking, look: Look) -> None:
    before, undone = asking("a", 3), asking("a", 1)
    look(lambda repository: repository.restore(undone.dream_id))
    assert look(lambda repository: repository.find_last("prune", ["a"])) == {"a": before}


def test_old_and_named_questions_are_forgotten_and_the_others_kept(asking: Asking, look: Look) -> None:
    asking("old", 9)
    asking("named", 1)
    kept = asking("kept", 1)
    look(lambda repository: repository.delete(before=NOW - timedelta(days=5), fingerprints=["named"]))
    assert look(lambda repository: repository.find_last("prune", ["old", "named", "kept"])) == {"kept": kept}
    look(lambda repository: repository.delete_all())
    assert look(lambda repository: repository.find_last("prune", ["kept"])) == {}
