"""The days on which sessions said the statements of a note: what a model is told of them, and what they decide."""

from shared.core.memory.frontmatter import build_frontmatter
from shared.core.memory.model import Author, Memory
from tests.unit.builders import memory
from tests.unit.phases.revise.test_revise import answer, only, plan, read, update, written
from workers.phases.revise.phase import PHASE


def gathered(path: str, *said: tuple[str, str], more: str = "") -> Memory:
    """Return a note that a dream wrote from sessions: statements with the days on which they were said."""
    sources = [f"sesn_{n}#e1 {day}: {words}" for n, (day, words) in enumerate(said)]
    body = "\n".join(f"- {words}" for _, words in said)
    return memory(
        path, build_frontmatter({"gathered_from": sources}, f"# Costs\n\n{body}\n{more}"), author=Author.DREAM
    )


def test_a_note_that_sessions_of_one_day_said_carries_that_day_in_its_frame() -> None:
    note = gathered("notes/costs.md", ("2024-08-10", "Rent is 900."), ("2024-08-10", "Heating is 80."))
    document = PHASE.ask(read(note))[0].documents[0]
    assert (document.at, document.facts) == ("2024-08-10", ())


def test_statements_that_sessions_of_several_days_said_are_told_with_their_days() -> None:
    note = gathered(
        "notes/costs.md",
        ("2024-08-10", "Guardianship costs are 5,000 as a compromise."),
        ("2025-02-20", "Guardianship costs are 60,000 in all."),
        ("2025-02-20", "The lawyer takes 15%."),
    )
    document = PHASE.ask(read(note))[0].documents[0]
    assert (document.at, document.facts) == ("", ("said: a1 2024-08-10, a2-a3 2025-02-20",))


def test_a_statement_that_two_days_may_have_said_is_told_with_both_and_one_of_a_person_with_none() -> None:
    both = ("2024-08-10", "Rent is 900."), ("2025-02-20", "Rent is 900.")
    note = gathered("notes/costs.md", *both)
    assert PHASE.ask(read(note))[0].documents[0].facts == ("said: a1-a2 2024-08-10 to 2025-02-20",)
    mixed = gathered("notes/costs.md", both[0], more="\nGardens are green.\n\nBirds sing.\n")
    assert PHASE.ask(read(mixed))[0].documents[0].facts == ("said: a1 2024-08-10",)


def test_what_a_session_said_later_replaces_what_one_said_before_in_the_same_note_and_not_the_reverse() -> None:
    note = gathered(
        "notes/costs.md", ("2024-08-10", "The estate tax is 15%."), ("2025-02-20", "The estate tax is 12%.")
    )
    later = only(plan(answer(updates=[update("a1", "a2")]), inputs=read(note)))
    assert later.propose_only is None
    assert "“The estate tax is 15%.” — no longer so on 2025-02-20\n" in written(later)
    assert only(plan(answer(updates=[update("a2", "a1")]), inputs=read(note))).propose_only
