from hypothesis import assume, given
from hypothesis import strategies as st

from shared.core.merging.specifics import find_missing_specifics
from shared.core.sessions.statement_text import (
    append_statement,
    changed_part,
    find_place,
    statements_of,
    supersede_statement,
)

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


def test_of_a_long_statement_only_the_clauses_that_went_are_quoted_as_superseded() -> None:
    kept = "The pipeline runs on four hosts in Bergen, each of which keeps its own cache of the packages that it needs"
    old = f"{kept}; the queue holds 40 jobs, and whatever fails is tried again in the same order on the next host."
    new = f"{kept}; the queue holds 90 jobs, and whatever fails is tried again in the same order on the next host."
    assert changed_part(old, new) == "… the queue holds 40 jobs, …"
    assert changed_part("The queue holds 40 jobs.", "The queue holds 90 jobs.") == "The queue holds 40 jobs."
    assert changed_part(old, "") == old


def test_what_a_new_statement_only_adds_to_supersedes_nothing() -> None:
    assert changed_part("Phase 14 is deferred.", "Phase 14 is deferred (DEC-28), and the banner says so.") == ""
    assert (
        changed_part("Redis holds the lock.", "Redis holds the lock, which is no longer so.") == "Redis holds the lock."
    )
    body = "# Plan\n\nPhase 14 is deferred.\n"
    place = find_place(body, "Phase 14 is deferred.")
    assert place is not None
    assert (
        supersede_statement(body, place, "Phase 14 is deferred (DEC-28).", "x")
        == "# Plan\n\nPhase 14 is deferred (DEC-28).\n"
    )


def test_a_statement_that_tells_the_rest_of_the_sentence_too_takes_the_place_of_all_of_it() -> None:
    """Else the sentence would say it twice: "Ada plans to visit the shop on Main Street, Ada's visit to the shop is at 4 PM"."""
    body = "# Shop\n\n- Ada plans to visit the shop on Main Street, Friday at 3 PM.\n- It sells shoes.\n"
    place = find_place(body, "Friday at 3 PM")
    assert place is not None
    after = supersede_statement(body, place, "Ada's visit to the shop is on Friday at 4 PM.", "until 2026-03-04")
    assert statements_of(after) == ["Ada's visit to the shop is on Friday at 4 PM.", "It sells shoes."]
    assert "“Ada plans to visit the shop on Main Street, Friday at 3 PM.” — until 2026-03-04" in after


def test_a_clause_of_which_the_statement_tells_no_more_is_replaced_alone() -> None:
    body = "# Orders\n\nThe service stores orders, and it is PostgreSQL. Backups run at night.\n"
    place = find_place(body, "it is PostgreSQL")
    assert place is not None
    after = supersede_statement(body, place, "It is MySQL.", "until 2026-03-04")
    assert statements_of(after)[0] == "The service stores orders, and it is MySQL."


def test_a_statement_in_several_lines_is_replaced_by_one_in_lines_of_that_length() -> None:
    body = "# Plan\n\nFirst. The service listens on the port 8080 of every\nhost, and the pipeline needs a green run.\n"
    place = find_place(body, "The service listens on the port 8080 of every host, and the pipeline needs a green run.")
    assert place is not None
    after = supersede_statement(
        body, place, "The service listens on the port 9090 of every host, and the pipeline needs a green run.", "x"
    )
    assert after.startswith(body.replace("8080", "9090"))


@given(st.lists(SENTENCES, min_size=8, max_size=20), st.data())
def test_each_word_of_a_superseded_statement_still_stands_or_is_quoted(
    sentences: list[str], data: st.DataObject
) -> None:
    old = " ".join(sentences)
    new = " ".join(data.draw(st.sampled_from(sentences)) for _ in range(6))
    told = f"{new} {changed_part(old, new)}".lower()
    assert {word.strip(".") for word in old.lower().split()} <= {word.strip(".") for word in told.split()}
