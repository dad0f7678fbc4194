"""The phase that measures recall: what it counts, and when it has nothing to measure."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from shared.core.dream.operations import OperationKind
from shared.core.dream.recall import ProbeKind, Recall, count_recall, read_recall
from shared.core.evaluation.around_dream import Touched, searched
from shared.core.evaluation.probes import Turn, probes_of_owner
from shared.core.memory.model import Memory, MemoryState
from shared.core.sessions.statement_text import add_superseded
from tests.unit.builders import memory
from tests.unit.phases.reading import around
from workers.phase.this_dream import MAX_PROBES, measure
from workers.phases.measure_recall import MOST_OWN
from workers.phases.measure_recall.phase import PHASE, Inputs

SERVICES = tuple(
    memory(
        f"services/{name}.md",
        f"# The {name} service\n\nIt is deployed with `make {name}_up` by the {name} team.\n",
    )
    for name in ("billing", "search", "mail", "export")
)


def measured(live: tuple[Memory, ...], *touched: Touched, **asked: Any) -> dict[ProbeKind, Recall]:
    texts = {one.path: searched(one.content) for one in live}
    plan = PHASE.plan(Inputs(store_id="sto_1", touched=touched, texts=texts, **asked), {}, around())
    assert plan.operations == ()
    return read_recall(plan.counts)


def test_a_dream_that_archives_what_only_one_memory_says_loses_its_answer() -> None:
    gone = replace(SERVICES[0], state=MemoryState.ARCHIVED, version=2, stub="Something old.")
    archived = Touched(operation_id="op_1", kind=OperationKind.ARCHIVE, before=(SERVICES[0],), after=(gone,))
    facts = measured(SERVICES[1:], archived)[ProbeKind.PAIR]
    assert facts.before == facts.asked >= len(SERVICES)
    assert facts.lost == facts.before - facts.after > 0
    assert facts.lost_by == {"op_1": facts.lost}, "the operation is named"


def test_a_dream_that_only_rewords_loses_nothing() -> None:
    new = replace(SERVICES[0], content=SERVICES[0].content + "\nSee also the search service.\n", version=2)
    edited = Touched(operation_id="op_1", kind=OperationKind.CORRECT, before=(SERVICES[0],), after=(new,))
    facts = measured((new, *SERVICES[1:]), edited)[ProbeKind.PAIR]
    assert facts == Recall(asked=facts.asked, before=facts.asked, after=facts.asked, lost=0)


def test_what_was_found_before_a_dream_does_not_depend_on_what_the_dream_did() -> None:
    dice = Random(0)
    words = [f"word{number}" for number in range(120)]
    texts = {f"m{number}.md": " ".join(dice.choices(words, k=60)) for number in range(60)}
    merged = dict(texts)
    chosen = dice.sample(sorted(texts), 20)
    for into, gone in zip(chosen[::2], chosen[1::2], strict=True):
        merged[into] += f" {merged.pop(gone)}"
    rows = [
        {"question": " ".join(dice.sample(text.split(), 2)), "evidence": " ".join(text.split()[:12])}
        for text in texts.values()
    ]
    probes = probes_of_owner(rows)
    before = {
        of: measure(f"sto_{of}", (), now, texts, probes)[ProbeKind.OWN].before
        for of, now in (("merged", merged), ("same", texts))
    }
    assert before["merged"] == before["same"] > 0


def test_the_stores_own_questions_and_those_of_users_are_asked_and_reported_apart() -> None:
    gathered = memory("office/door.md", "# Door\n\nThe door code of the office is 4711.\n")
    created = Touched(operation_id="op_1", kind=OperationKind.CREATE, before=(), after=(gathered,))
    turns = (
        Turn(session="ses_1", speaker="user", text="What is the door code of the office?"),
        Turn(session="ses_1", speaker="assistant", text="The door code of the office is 4711."),
    )
    own = [{"question": "How is billing deployed?", "evidence": "deployed with `make billing_up`"}]

    found = measured((*SERVICES, gathered), created, own=own, turns=turns)

    assert found[ProbeKind.OWN] == Recall(asked=1, before=1, after=1, lost=0)
    assert found[ProbeKind.SAID] == Recall(asked=1, before=0, after=1, lost=0), "the dream has written the answer down"
    assert found[ProbeKind.PAIR].asked


def test_a_question_that_a_dream_leaves_without_its_answer_names_the_operation() -> None:
    gone = replace(SERVICES[0], state=MemoryState.ARCHIVED, version=2, stub="Something old.")
    archived = Touched(operation_id="op_1", kind=OperationKind.ARCHIVE, before=(SERVICES[0],), after=(gone,))
    own = [{"question": "How is billing deployed?", "evidence": "deployed with `make billing_up`"}]

    found = measured(SERVICES[1:], archived, own=own)[ProbeKind.OWN]

    assert found == Recall(asked=1, before=1, after=0, lost=1, lost_by={"op_1": 1})


def test_a_fact_that_a_dream_superseded_is_no_answer_any_more_and_not_lost() -> None:
    old = "It is deployed with `make billing_up` by the billing team."
    new = "It is deployed with `make billing_roll` by the billing team."
    content = add_superseded(SERVICES[0].content.replace(old, new), old, "until 2026-03-04")
    corrected = Touched(
        operation_id="op_1",
        kind=OperationKind.CORRECT,
        before=(SERVICES[0],),
        after=(replace(SERVICES[0], content=content, version=2),),
    )

    facts = measured((corrected.after[0], *SERVICES[1:]), corrected)[ProbeKind.PAIR]

    others = measured(SERVICES[1:], replace(corrected, before=SERVICES[1:2], after=SERVICES[1:2]))[ProbeKind.PAIR]
    assert facts == others, "what the other memories say is asked, and found"


def test_a_person_whose_answer_was_superseded_is_told_that_it_is_found_no_more() -> None:
    old, new = "The code of the office door is 1234.", "The code of the office door is 5678."
    door = memory("office/door.md", f"# Door\n\n{old}\n")
    content = add_superseded(door.content.replace(old, new), old, "until 2026-03-04")
    corrected = Touched(
        operation_id="op_1",
        kind=OperationKind.CORRECT,
        before=(door,),
        after=(replace(door, content=content, version=2),),
    )
    own = [{"question": "What is the code of the office door?", "evidence": old}]

    found = measured(corrected.after, corrected, own=own)

    assert found[ProbeKind.OWN] == Recall(asked=1, before=1, after=0, lost=1, lost_by={"op_1": 1})


def test_what_a_phase_counted_reads_as_what_it_found() -> None:
    found = Recall(asked=9, before=7, after=5, lost=3, lost_by={"op_1": 2, "op_2": 1})
    for kind in ProbeKind:
        assert read_recall(count_recall(kind, found) | {"probes": 4}) == {kind: found}


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
    assert len(measured(SERVICES, *lost)[ProbeKind.PAIR].lost_by) == 5


@pytest.mark.parametrize(("is_logged", "most"), [(True, 100), (False, 200)])
def test_half_of_the_questions_are_left_to_what_agents_searched_for_where_that_is_logged(
    is_logged: bool, most: int
) -> None:
    many = tuple(memory(f"n{n}.md", SERVICES[0].content.replace("billing", f"unit{n}")) for n in range(250))
    gone = replace(many[0], state=MemoryState.ARCHIVED, version=2, stub="Old.")
    archived = Touched(operation_id="op_1", kind=OperationKind.ARCHIVE, before=(many[0],), after=(gone,))
    texts = {one.path: searched(one.content) for one in many[1:]}
    inputs = Inputs(store_id="sto_1", touched=(archived,), texts=texts, is_logged=is_logged)
    assert read_recall(PHASE.plan(inputs, {}, around()).counts)[ProbeKind.PAIR].asked == most


def test_however_many_questions_a_store_has_no_more_than_200_are_asked() -> None:
    many = tuple(memory(f"n{n}.md", SERVICES[0].content.replace("billing", f"unit{n}")) for n in range(250))
    gone = replace(many[0], state=MemoryState.ARCHIVED, version=2, stub="Old.")
    archived = Touched(operation_id="op_1", kind=OperationKind.ARCHIVE, before=(many[0],), after=(gone,))
    own = [
        {"question": f"How is unit{n} deployed?", "evidence": f"deployed with `make unit{n}_up`"} for n in range(250)
    ]

    found = measured(many[1:], archived, own=own)

    assert found[ProbeKind.OWN].asked == MOST_OWN
    assert sum(one.asked for one in found.values()) == MAX_PROBES
