"""A memory is retired for a contradiction only when the host sees it, too: same subject, opposite words, the later one."""

from dataclasses import replace

import pytest

from shared.core.memory.model import Author, Memory
from tests.unit.builders import days_ago, memory
from workers.phases.consolidate.evidence import are_opposite, find_unproven

LATER = replace(memory("ops/rota.md", "# Rota\n\nThe rota changes on Mondays.\n"), updated_at=days_ago(1))
EARLIER = replace(memory("ops/rota-old.md", "# Rota\n\nThe rota changes on Fridays.\n"), updated_at=days_ago(9))
QUOTES = ("The rota changes on Mondays.", "The rota changes on Fridays.")


def unproven(
    winner: Memory = LATER, loser: Memory = EARLIER, quotes: tuple[str, str] = QUOTES, won: frozenset[str] = frozenset()
) -> str | None:
    return find_unproven(winner, loser, quotes, won)


def told(one: Memory, text: str) -> Memory:
    return replace(one, content=text)


def test_two_statements_of_one_thing_of_which_the_later_one_holds_are_a_contradiction() -> None:
    assert unproven() is None


def test_without_the_words_of_both_it_is_only_a_claim() -> None:
    for quotes in (("", ""), ("rota", QUOTES[1]), (QUOTES[0], "The rota changes on Sundays.")):
        assert "was quoted" in str(unproven(quotes=quotes))


def test_a_part_of_a_statement_stands_for_all_of_it() -> None:
    longer = told(EARLIER, "The rota of the night shift in Oslo changes on Fridays.")
    assert "contradict" in str(unproven(loser=longer, quotes=(QUOTES[0], "changes on Fridays")))


def test_statements_about_different_things_are_no_contradiction() -> None:
    aunt = told(replace(LATER, path="family/aunt.md"), "# Aunt\n\nThe favourite day of the week is Monday.\n")
    uncle = told(replace(EARLIER, path="family/uncle.md"), "# Uncle\n\nThe favourite day of the week is Friday.\n")
    quotes = ("The favourite day of the week is Monday.", "The favourite day of the week is Friday.")
    assert "about different" in str(unproven(aunt, uncle, quotes))


@pytest.mark.parametrize("winner", [replace(LATER, updated_at=days_ago(9)), replace(LATER, updated_at=days_ago(20))])
def test_a_statement_that_is_not_later_does_not_win(winner: Memory) -> None:
    assert "not later" in str(unproven(winner))


def test_a_text_that_a_dream_wrote_is_as_old_as_its_sources() -> None:
    dreamt = replace(LATER, author=Author.DREAM, created_at=days_ago(30))
    assert "not later" in str(unproven(dreamt))


@pytest.mark.parametrize(
    "field", ["tags: [x, correction]", "category: correction", "category: corrections/api", "type: correction"]
)
def test_a_memory_that_calls_itself_a_correction_does_not_win_for_it(field: str) -> None:
    older = told(replace(LATER, updated_at=days_ago(90)), f"---\n{field}\n---\n{LATER.content}")
    assert "not later" in str(unproven(older))
    claiming = told(EARLIER, f"---\n{field}\n---\n{EARLIER.content}")
    assert unproven(loser=claiming) is None


def test_a_loser_that_says_one_thing_more_waits_for_a_person() -> None:
    fuller = told(EARLIER, f"{EARLIER.content}\nNadia keeps the list.\n")
    assert "Nadia" in str(unproven(loser=fuller))
    assert unproven(told(LATER, f"{LATER.content}\nNadia keeps the list.\n"), fuller) is None


def test_a_winner_is_not_retired_in_its_turn() -> None:
    assert "short while ago" in str(unproven(won=frozenset({EARLIER.id})))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A session of the shop lasts 15 minutes.", "A session of the shop lasts 20 minutes."),
        (
            "Every page of the shop loads its fonts from the network.",
            "No page of the shop loads its fonts from the network.",
        ),
        ("The owner of the API is Alice Berg these days.", "The owner of the API is Bob Berg these days."),
    ],
)
def test_two_values_of_one_thing_are_opposite(one: str, other: str) -> None:
    assert are_opposite(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The mirror in Oslo syncs at 2 in the night.", "The mirror in Bergen syncs at 3 in the night."),
        ("Server 1 runs the billing jobs.", "Server 2 runs the billing jobs."),
        ("Oslo is where the mirror of the shop stands.", "Bergen is where the mirror of the shop stands."),
        ("The rota changes on Mondays.", "Nadia keeps the list of the night shift."),
        ("The rota changes on Mondays.", "The rota changes on Mondays."),
    ],
)
def test_two_subjects_and_two_unrelated_sentences_are_not(one: str, other: str) -> None:
    assert not are_opposite(one, other)
