"""With a model, an archive needs a ground that the host can check itself."""

from dataclasses import replace
from typing import Any

import pytest

from shared.core.dream.operations import Operation, Plan, Retire
from shared.core.memory.model import Memory, MemoryState
from shared.core.merging.loss_cap import LossBudget
from tests.unit.builders import codes, days_ago, memory
from tests.unit.phases.reading import around
from workers.phases.prune.answer import PruneAnswer, PruneDecision
from workers.phases.prune.plan import PruneView, plan_pruning

#: A model that has passed its exam answers.
ACTING = replace(around(), has_passed=True)

PATH = "notes/health-old.md"
HELD_IN = "notes/health.md"


def plan(text: str, *neighbours: Memory, written: float = 183, **said: Any) -> Plan:
    """Return what becomes of a model's ARCHIVE of one note, written so many days ago."""
    one = replace(memory(PATH, text, untouched_days=183), created_at=days_ago(written))
    view = PruneView(
        candidates={PATH: one},
        why={PATH: "signal stale"},
        neighbours={other.path: other for other in neighbours},
        waiting=frozenset(),
        around=ACTING,
        loss=LossBudget(allowed=5),
    )
    return plan_pruning(view, [PruneDecision.model_validate({"file": PATH, "decision": "ARCHIVE", **said})])


def only(found: Plan) -> Operation:
    (operation,) = found.operations
    return operation


ALLERGY = "The user is allergic to peanuts.\n"
LASTING = [
    ALLERGY,
    "Never restart the primary while a backup runs.\n",
    "The platform team owns the billing service and is on call in even weeks.\n",
    "prefers tea\n",
    "用户对花生过敏\n",
]


@pytest.mark.parametrize("text", LASTING)
@pytest.mark.parametrize("ground", ["over", "past", "held_elsewhere", "thin", "none", "", "Thin", None])
def test_no_answer_of_a_model_archives_an_allergy_a_rule_an_owner_or_a_preference(
    text: str, ground: str | None
) -> None:
    other = memory(HELD_IN, "# All\n\nNothing of that sort.\n")
    found = plan(text, other, ground=ground, quote=text.strip(), heldIn=HELD_IN, confidence=1.0, reason="Trivial.")
    assert all(one.propose_only for one in found.operations)


@pytest.mark.parametrize("ground", ["thin", "none", "", "low value"])
def test_that_a_memory_is_thin_is_no_ground_and_is_counted(ground: str) -> None:
    found = plan(ALLERGY, ground=ground)
    assert (found.operations, codes(found)) == ((), ["no_ground"])


def test_an_answer_of_the_published_shape_without_a_ground_is_proposed_only() -> None:
    (decision,) = PruneAnswer.model_validate({"decisions": [{"file": PATH, "decision": "ARCHIVE"}]}).decisions
    assert decision.ground is None
    assert (only(plan(ALLERGY)).propose_only or "").startswith("no ground was given")


def test_an_empty_memory_may_go() -> None:
    assert only(plan("", ground="over")).propose_only is None
    assert codes(plan("---\ndescription: no peanuts\n---\n", ground="over")) == ["no_ground"]


@pytest.mark.parametrize(
    "text",
    [
        "This note is obsolete.\n",
        "# Move\n\nThis plan is obsolete: the move was called off.\n",
        "# Move\n\nThe workaround is no longer needed since the fix.\n",
    ],
)
def test_a_memory_that_says_that_it_is_over_goes_on_the_models_word(text: str) -> None:
    assert only(plan(text, ground="over", quote=text.splitlines()[-1])).propose_only is None


@pytest.mark.parametrize(
    "text",
    [
        ALLERGY,
        "We no longer use Jenkins.\n",
        "The user no longer eats meat.\n",
        "- Fence. Status: done\n- Gate. Status: open\n",
        "The gate opens at dawn.\n\n## Hinges\n\nThis plan is obsolete.\n",
        "This plan is obsolete, but the port is right.\n",
        "> This note is obsolete.\n",
    ],
)
def test_a_quote_that_does_not_say_so_of_the_whole_memory_is_shown_to_a_person(text: str) -> None:
    operation = only(plan(text, ground="over", quote=text.strip().splitlines()[-1]))
    assert "does not plainly say of the whole memory that it is over" in (operation.propose_only or "")


@pytest.mark.parametrize("quote", ["This note is obsolete.", "the user is allergic", "The user"])
@pytest.mark.parametrize("ground", ["over", "past"])
def test_a_quote_that_the_memory_does_not_hold_word_for_word_archives_nothing(ground: str, quote: str) -> None:
    found = plan(ALLERGY + "Ask The\nuser", ground=ground, quote=quote)
    assert codes(found) == ["quote_not_found"] or all(one.propose_only for one in found.operations)
    assert codes(plan(ALLERGY, ground=ground, quote="This note is obsolete.")) == ["quote_not_found"]


def test_a_memory_of_which_another_offered_one_says_all_goes_and_names_its_successor() -> None:
    other = memory(HELD_IN, f"# All\n\n{ALLERGY}\nThe user likes rice.\n")
    operation = only(plan(ALLERGY, other, ground="held_elsewhere", heldIn=HELD_IN, quote=ALLERGY.strip()))
    (change,) = operation.changes
    assert isinstance(change, Retire)
    assert (operation.propose_only, change.state, change.successor_id) == (None, MemoryState.SUPERSEDED, other.id)


def test_a_memory_that_says_more_than_the_other_one_is_proposed_with_what_would_be_lost() -> None:
    other = memory(HELD_IN, f"# All\n\n{ALLERGY}")
    operation = only(
        plan(
            f"{ALLERGY}\nThe pills are in the drawer.\n",
            other,
            ground="held_elsewhere",
            heldIn=HELD_IN,
            quote=ALLERGY.strip(),
        )
    )
    assert operation.propose_only == f'{HELD_IN} does not say "The pills are in the drawer."'


def test_a_memory_of_frontmatter_alone_is_held_by_no_other() -> None:
    text = "---\nphone: 555-0100\n---\n"
    assert only(
        plan(text, memory(HELD_IN, ALLERGY), ground="held_elsewhere", heldIn=HELD_IN, quote=ALLERGY.strip())
    ).propose_only


@pytest.mark.parametrize("held_in", [None, "", PATH, "secrets/keys.md", "../x.md"])
def test_what_is_held_in_no_other_offered_memory_stays(held_in: str | None) -> None:
    found = plan(ALLERGY, memory(HELD_IN, ALLERGY), ground="held_elsewhere", heldIn=held_in)
    assert (found.operations, codes(found)) == ((), ["not_held"])


def test_a_quote_that_the_other_memory_does_not_hold_archives_nothing() -> None:
    found = plan(ALLERGY, memory(HELD_IN, ALLERGY), ground="held_elsewhere", heldIn=HELD_IN, quote="No peanuts at all.")
    assert codes(found) == ["quote_not_found"]


@pytest.mark.parametrize("quote", ["", "  ", "user"])
def test_a_model_has_to_quote_where_another_memory_says_it(quote: str) -> None:
    found = plan(ALLERGY, memory(HELD_IN, ALLERGY), ground="held_elsewhere", heldIn=HELD_IN, quote=quote)
    assert (found.operations, codes(found)) == ((), ["no_ground"])


def test_two_memories_that_name_each_other_do_not_both_go() -> None:
    one, other = memory(PATH, ALLERGY), memory(HELD_IN, ALLERGY)
    view = PruneView(
        candidates={PATH: one, HELD_IN: other}, why={}, neighbours={}, waiting=frozenset(),
        around=ACTING, loss=LossBudget(allowed=5),
    )  # fmt: skip
    pairs = ((PATH, HELD_IN), (HELD_IN, PATH))
    said = [
        {"file": a, "decision": "ARCHIVE", "ground": "held_elsewhere", "heldIn": b, "quote": ALLERGY} for a, b in pairs
    ]
    found = plan_pruning(view, [PruneDecision.model_validate(one) for one in said])
    assert len(found.operations) == 1
    assert codes(found) == ["already_changed"]


def test_an_appointment_that_has_passed_goes() -> None:
    text = "# Dentist\n\nThe appointment is on 3 December 2025 at nine.\n"
    operation = only(plan(text, ground="past", quote="on 3 December 2025 at nine"))
    assert operation.propose_only is None


@pytest.mark.parametrize(
    ("text", "written", "why"),
    [
        ("The appointment is in spring.\n", 183, "no day is read"),
        ("The user fell ill on 2025-12-03.\n", 10, "it records what happened"),
        ("From 2025-12-03 on the platform team owns billing.\n", 183, "something begins that lasts"),
        ("Ab 2025-12-03 gehört die Abrechnung Team Netz.\n", 183, "something begins that lasts"),
        ("Dentist on 2025-12-03.\n\nThe user fears needles.\n", 183, 'it also says "The user fears needles."'),
    ],
)
def test_a_date_that_does_not_make_the_whole_memory_past_is_shown_to_a_person(
    text: str, written: float, why: str
) -> None:
    operation = only(plan(text, written=written, ground="past", quote=text.splitlines()[0]))
    assert why in (operation.propose_only or "")


@pytest.mark.parametrize("day", ["2026-03-10", "2026-03-09", "2027-01-01"])
def test_a_moment_that_may_be_to_come_somewhere_on_earth_stays(day: str) -> None:
    text = f"Dentist on 2025-12-03, again on {day}.\n"
    assert codes(plan(text, ground="past", quote=text.strip())) == ["still_to_come"]
