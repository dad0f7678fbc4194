"""The words of the console: nothing is said twice, and no code of a failure stands in a sentence."""

import pytest

from gateway.console.views.words import beyond, capital, span, why_only


@pytest.mark.parametrize(
    ("reason", "rest", "why"),
    [
        ("Merged a.md and b.md — overlapping labels", "a.md and b.md — overlapping labels", "Overlapping labels"),
        ("Merged a.md, b.md", "a.md, b.md", ""),
        ("From sessions of May (save): It rains.", None, None),
        ("Mergedale is a town", None, None),
    ],
)
def test_a_reason_beside_its_kind_does_not_say_the_kind_again(reason: str, rest: str | None, why: str | None) -> None:
    assert beyond(reason, "MERGE") == (reason if rest is None else rest)
    assert why_only(reason, "MERGE") == (reason if why is None else why)


def test_a_reason_begins_with_a_capital_and_says_a_code_in_words() -> None:
    said = capital("no answer from the model (model_unreachable 1, by budget.tokens_per_call)")
    assert said == "No answer from the model (model unreachable 1, by budget.tokens_per_call)"
    assert capital("") == ""


@pytest.mark.parametrize(("days", "said"), [(3, "3 d"), (45, "1 mo"), (419, "1 y"), (800, "2 y")])
def test_a_long_span_is_said_in_months_and_years(days: int, said: str) -> None:
    assert span(days * 86_400) == said
