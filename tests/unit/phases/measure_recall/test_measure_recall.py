"""The phase that measures recall: what it counts, and when it has nothing to measure."""

from dataclasses import replace

import pytest

from shared.core.dream.operations import OperationKind
from shared.core.evaluation.around_dream import Touched, read_losing, searched
from shared.core.memory.model import Memory, MemoryState
from shared.core.policy.policy import Policy
from shared.core.policy.retention import EvidencePolicy
from tests.unit.builders import memory
from tests.unit.phases.reading import around
from workers.phases.measure_recall.phase import PHASE, Inputs, count_questions

SERVICES = tuple(
    memory(
        f"services/{name}.md",
        f"# The {name} service\n\nIt is deployed with `make {name}_up` by the {name} team.\n",
    )
    for name in ("billing", "search", "mail", "export")
)


def measured(live: tuple[Memory, ...], *touched: Touched) -> dict[str, int]:
    texts = {one.path: searched(one.content) for one in live}
    plan = PHASE.plan(Inputs(store_id="sto_1", touched=touched, texts=texts), {}, around())
    assert plan.operations == ()
    return dict(plan.counts)


def test_a_dream_that_archives_what_only_one_memory_says_loses_its_answer() -> None:
    gone = replace(SERVICES[0], state=MemoryState.ARCHIVED, version=2, stub="Something old.")
    archived = Touched(operation_id="op_1", kind=OperationKind.ARCHIVE, before=(SERVICES[0],), after=(gone,))
    counts = measured(SERVICES[1:], archived)
    assert counts["recall_asked"] >= len(SERVICES)
    assert counts["recall_before"] == counts["recall_asked"]
    assert counts["recall_lost"] == counts["recall_before"] - counts["recall_after"] > 0
    assert read_losing(counts) == {"op_1": counts["recall_lost"]}, "the operation is named"


def test_a_dream_that_only_rewords_loses_nothing() -> None:
    new = replace(SERVICES[0], content=SERVICES[0].content + "\nSee also the search service.\n", version=2)
    edited = Touched(operation_id="op_1", kind=OperationKind.CORRECT, before=(SERVICES[0],), after=(new,))
    counts = measured((new, *SERVICES[1:]), edited)
    assert counts["recall_before"] == counts["recall_after"] == counts["recall_asked"]
    assert read_losing(counts) == {}


def test_of_many_operations_that_lost_answers_the_five_that_lost_most_are_named() -> None:
    many = tuple(memory(f"n{n}.md", SERVICES[0].content.replace("billing", f"unit{n}")) for n in range(8))
    lost = [
        Touched(
            operation_id=f"op_{n}",
            kind=OperationKind.ARCHIVE,
            before=(one,),
            after=(replace(one, state=MemoryState.ARCHIVED, version=2, stub="Old."),),
        )
        for n, one in enumerate(many)
    ]
    assert len(read_losing(measured(SERVICES, *lost))) == 5


@pytest.mark.parametrize(("is_logged", "most"), [(True, 100), (False, 200)])
def test_half_of_the_questions_are_left_to_what_agents_searched_for_where_that_is_logged(
    is_logged: bool, most: int
) -> None:
    many = tuple(memory(f"n{n}.md", SERVICES[0].content.replace("billing", f"unit{n}")) for n in range(250))
    gone = replace(many[0], state=MemoryState.ARCHIVED, version=2, stub="Old.")
    archived = Touched(operation_id="op_1", kind=OperationKind.ARCHIVE, before=(many[0],), after=(gone,))
    texts = {one.path: searched(one.content) for one in many[1:]}
    policy = Policy(evidence=EvidencePolicy(log_searches=is_logged))
    inputs = Inputs(store_id="sto_1", touched=(archived,), texts=texts, most=count_questions(policy))
    assert PHASE.plan(inputs, {}, around()).counts["recall_asked"] == most
