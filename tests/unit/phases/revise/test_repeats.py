"""A statement that stands twice in one file: what is the same although it is written otherwise, and what is not."""

import pytest

from shared.core.dream.operations import Plan
from shared.core.memory.model import Author
from tests.unit.builders import codes, memory
from tests.unit.phases.revise.test_revise import answer, only, plan, read


def drop_second(first: str, second: str, head: str = "") -> Plan:
    note = memory("notes/shop.md", f"# Shop\n\n{head}{first}\n\n{head}{second}\n", author=Author.IMPORT)
    return plan(answer(repeats=[{"drop": "a2", "saidBy": ["a1"], "confidence": 0.95}]), inputs=read(note))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Do not deploy the shop by hand.", "Don't deploy the shop by hand."),
        ("The shop cannot sell wine.", "The shop can't sell wine."),
        ("The shop holds 4,000 carts.", "The shop holds 4_000 carts."),
        ("The shop holds 4000 carts.", "The shop holds 4,000 carts."),
    ],
)
def test_a_repeat_may_spell_numbers_and_denials_differently(first: str, second: str) -> None:
    assert only(drop_second(first, second)).propose_only is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Deploy the shop by hand.", "Don't deploy the shop by hand."),
        ("The shop can sell wine.", "The shop cannot sell wine."),
        ("The shop holds 4000 carts.", "The shop holds 400 carts."),
        ("Its ports are 443 and 8,000.", "Its ports are 443, 8 and 000."),
    ],
)
def test_a_denial_or_another_number_is_no_repeat(first: str, second: str) -> None:
    planned = drop_second(first, second)
    assert not [one for one in planned.operations if not one.propose_only]


def test_a_row_is_left_out_only_for_the_same_row_of_a_table_with_the_same_head() -> None:
    ports, prices = (f"| what | {name} |\n|---|---|\n" for name in ("port", "price"))
    row = "| shop | **80** |"
    assert only(drop_second(row, "| shop | 80 |", ports)).propose_only is None
    assert codes(drop_second(f"{ports}{row}", f"{prices}| shop | 80 |")) == ["kept_whole"]
    assert codes(drop_second(row, "| shop | 81 |", ports)) == ["kept_whole"]
