"""The same wish is recognised however it is stressed, and no other wish is taken for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.sessions.statements.plain_sentence import plain_sentence
from shared.core.sessions.statements.same_statement import says_the_same

_WISH = "Never push to main without asking."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (_WISH, "NEVER push to main without asking me!!"),
        (_WISH, "The user wants: NEVER push to main without asking me!!"),
        (_WISH, "Please don't ever push to main without asking me"),
        (_WISH, "Stop pushing to main without asking."),
        ("Use tabs in Makefiles", "Please always use tabs in Makefiles!"),
        ("Push nie auf main, ohne zu fragen", "Push NIEMALS auf main ohne zu fragen!"),
        ("永远不要直接推送到 main", "不要直接推送到 main\uff01"),
        ("タブを使ってください", "タブを使ってください。"),
    ],
)  # fmt: skip
def test_stress_and_politeness_make_no_other_wish(one: str, other: str) -> None:
    assert says_the_same(one, other)
    assert says_the_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs, not spaces", "Use spaces, not tabs"),
        ("Deploy only on Fridays", "Deploy on Fridays"),
        ("Commit before review", "Commit after review"),
        ("Ask the team before deploying", "Ask before deploying"),
        ("Never push to main", _WISH),
        ("Never push to main", "Push to main"),
        ("Staging is pg-7", "Staging is pg-9"),
        ("Anna likes green tea", "Ben likes green tea"),
        ("Move files from a to b", "Move files from b to a"),
        ("用中文回答", "用英文回答"),
    ],
)
def test_another_value_name_order_or_negation_is_another_statement(one: str, other: str) -> None:
    assert not says_the_same(one, other)


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("The user wants: NEVER push to main without asking me!!", "Never push to main without asking me."),
        ("ALWAYS use SQL, NOT NoSQL!!!", "Always use SQL, not NoSQL."),
        ("NEVER PUSH TO AWS!", "NEVER PUSH TO AWS."),
        ("Use `NEVER` as the flag!", "Use `NEVER` as the flag."),
        ("A label costs 3.99 € in NO and SE.", "A label costs 3.99 € in NO and SE."),
        ("pnpm is used", "pnpm is used"),
        ("¡NUNCA hagas push a main sin preguntar!", "Nunca hagas push a main sin preguntar."),
        ("永远不要直接推送到 main\uff01\uff01", "永远不要直接推送到 main。"),
    ],
)  # fmt: skip
def test_a_memory_says_it_plainly_and_changes_no_name_number_or_code(said: str, plain: str) -> None:
    assert plain_sentence(said) == plain


@given(st.text(st.sampled_from('NEVER always push 3.99€`"!. '), max_size=40))
def test_a_plain_sentence_is_left_as_it_is_and_says_the_same(text: str) -> None:
    once = plain_sentence(text)
    assert plain_sentence(once) == once or once.endswith((".", "!"))
    assert [sign for sign in once if sign.isdigit()] == [sign for sign in text if sign.isdigit()]
