"""In any order of verdicts, undos, redos, edits, redactions and dreams, each does what it says and takes nothing else along."""

from collections.abc import Callable, Iterator
from functools import cache
from uuid import uuid4

import psycopg
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.policy.policy import Autonomy
from shared.settings import Settings
from tests.integration.undo.undo_support import Dreamt, dream_in_a_rich_store, want_updates_too
from tests.integration.verdicts.verdict_walk import ALLOWED, Walk
from tests.support.builders import get_operations
from tests.support.database.scene import Scene
from tests.support.laws import examples, some_quick
from tests.support.servers import plain_url

#: A dream costs as much as ten verdicts.
NAMES = (*("approve", "reject", "reopen", "edit") * 3, *("undo", "redo", "redact") * 2, "dream")
STEPS = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 59)), min_size=3, max_size=9)
Begin = Callable[[Autonomy], Walk]


@pytest.fixture(scope="module")
def begin(settings: Settings, session_ports: Ports) -> Iterator[Begin]:
    """Begin a walk in a store in which a dream has just done, or proposed, one operation of every kind."""
    url = plain_url(settings.owner_database_url)

    @cache
    def scene(autonomy: Autonomy) -> tuple[Dreamt, Scene]:
        tenant = f"t{uuid4().hex}"
        dreamt = dream_in_a_rich_store(session_ports, tenant, want_updates_too, autonomy=autonomy)
        assert OperationKind.UPDATE in {
            one.operation.kind for one in get_operations(session_ports, tenant, dreamt.dream.id)
        }
        return dreamt, Scene(url, dreamt.tenant)

    def start(autonomy: Autonomy) -> Walk:
        dreamt, found = scene(autonomy)
        found.restore()
        return Walk.begin(session_ports, owner, dreamt)

    with psycopg.connect(url, autocommit=True) as owner:
        yield start


@pytest.mark.parametrize("autonomy", Autonomy)
@pytest.mark.parametrize("_round", some_quick(range(14), one_in=14))
@examples(24, suppress=list(HealthCheck))
@given(steps=STEPS)
def test_no_sequence_of_verdicts_undos_edits_redactions_and_dreams_breaks_a_promise(
    begin: Begin, autonomy: Autonomy, _round: int, steps: list[tuple[str, int]]
) -> None:
    walk = begin(autonomy)
    for name, number in steps:
        walk.step(name, number)
    walk.end()


def test_a_walk_reaches_every_kind_of_step_and_verdict(begin: Begin) -> None:
    """Otherwise the law above would hold because nothing ever happened."""
    walk = begin(Autonomy.PROPOSE)
    for name in ("edit", "approve", "reject", "reject", "reopen", "redact", "undo", "redo"):
        walk.step(name, 1)
    walk.step("dream", 2)
    walk.step("undo", 1)
    assert {(one.state, one.review) for one in walk.operations()} == {(state, review) for state, review, _ in ALLOWED}
    assert walk.redacted
