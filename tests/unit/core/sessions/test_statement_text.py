from hypothesis import assume, given
from hypothesis import strategies as st

from shared.core.merging.specifics import find_missing_specifics
from shared.core.sessions.statement_text import append_statement, find_place, statements_of, supersede_statement

WORDS = st.lists(
    st.sampled_from(["alpha", "beta", "42", "v1.3", "Redis", "api/auth.md", "the", "is", "in"]), min_size=3, max_size=8
)
SENTENCES = WORDS.map(lambda words: " ".join(words).capitalize() + ".")
BODIES = st.lists(SENTENCES, min_size=1, max_size=6, unique=True).map(
    lambda lines: "# Notes\n\n" + "".join(f"- {line}\n" for line in lines)
)


@given(BODIES, SENTENCES)
def test_appending_keeps_every_line_in_its_place(body: str, statement: str) -> None:
    after = append_statement(body, statement)
    assert after.startswith(body.rstrip("\n"))
    assert statement in statements_of(after)


@given(BODIES, SENTENCES, st.data())
def test_superseding_loses_no_specific_and_ends_what_it_replaces(
    body: str, statement: str, data: st.DataObject
) -> None:
    old = data.draw(st.sampled_from(statements_of(body)))
    place = find_place(body, old)
    assume(place is not None)
    assert place is not None
    after = supersede_statement(body, place, statement, "until 2026-03-04")
    assert find_missing_specifics(after, [body]) == ()
    assert old not in statements_of(after) or old == statement


def test_words_that_stand_twice_are_not_replaced_because_either_may_be_meant() -> None:
    assert find_place("Port 80.\n\nPort 80.\n", "Port 80.") is None


def test_words_that_were_superseded_before_are_not_found_again() -> None:
    body = "- New.\n\n## Superseded\n- “Port 80.” — until 2026-03-04\n"
    assert find_place(body, "Port 80.") is None
