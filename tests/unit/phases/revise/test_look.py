"""A look of the phase revise: an answer sees more of a store that does not fit, once, before it is final."""

from collections.abc import Sequence
from dataclasses import replace

from shared.core.dream.operations import Plan, Rewrite, Skip, paths_of
from shared.core.memory.model import Author, Memory
from shared.core.policy.policy import Policy, ShowPolicy
from shared.core.questions.question import Question
from tests.unit.builders import codes, memory
from tests.unit.phases.reading import around, context
from workers.phase.shape import Answers
from workers.phases.revise.answer import UpdateAnswer
from workers.phases.revise.phase import PHASE, Inputs

NEWS = memory(
    "notes/shop-2026-03-02.md", "# Shop\n\nThe shop has 31 endpoints now.\n\nAna likes pages.\n", author=Author.IMPORT
)
OLD = memory("places/a-00.md", "# Endpoints of the shop\n\nThe shop has 12 endpoints.\n", dirty=False)
FAR = [
    memory(f"places/b-{number:03}.md", f"# Place {number}\n\n{f'Trees stand in row {number} here. ' * 12}", dirty=False)
    for number in range(200)
]
#: Its note is neither shown nor listed.
HIDDEN = memory("places/z.md", "# Harbour\n\nThe harbour gate counts 12 endpoints.\n", dirty=False)
STORE = (NEWS, OLD, *FAR, HIDDEN)


def read(*memories: Memory, tokens: int = 400) -> Inputs:
    found = PHASE.read(context(*(memories or STORE), policy=Policy(show=ShowPolicy(tokens=tokens))))
    assert isinstance(found, Inputs)
    return replace(found, memories=tuple(one for one in found.memories if one.path == NEWS.path), listed=listed(found))


def listed(found: Inputs) -> tuple[Memory, ...]:
    """The old note is shown by its title only, as an old note that is no relative of what changed would be."""
    return tuple({one.path: one for one in (OLD, *found.listed) if one.path != HIDDEN.path}.values())


def look(*files: str, search: str = "", by: Sequence[str] = ("a1",), **more: object) -> Answers:
    return {"store": UpdateAnswer.model_validate({"look": {"files": files, "search": search, "by": by}, **more})}


def go(answers: Answers, inputs: Inputs | None = None, memories: Sequence[Memory] = STORE) -> Inputs:
    found = PHASE.look(context(*memories), inputs or read(), answers)
    assert isinstance(found, Inputs)
    return found


def plan(inputs: Inputs, answers: Answers) -> Plan:
    return PHASE.plan(inputs, answers, replace(around(), has_passed=True))


def only(questions: Sequence[Question]) -> Question:
    (question,) = questions
    return question


def detail_of(planned: Plan, code: str) -> str:
    (found,) = [one for one in planned.skips if one.code == code]
    assert isinstance(found, Skip)
    return found.detail


def update(old: str, write: str) -> dict[str, object]:
    return {"old": old, "by": ["a1"], "write": write, "confidence": 0.95}


def test_what_an_answer_names_of_the_table_of_contents_is_shown_whole_beside_what_makes_it_wanted() -> None:
    inputs = go(look(OLD.path))
    asked = only(PHASE.repair(inputs, look(OLD.path)))
    assert [(one.path, one.role) for one in asked.documents] == [(NEWS.path, "changed"), (OLD.path, "opened")]
    assert "[a1] The shop has 31 endpoints now." in asked.documents[0].text
    assert "[b1] The shop has 12 endpoints." in asked.documents[1].text


def test_a_stale_value_in_a_note_of_which_the_title_is_shown_is_updated_after_a_look_and_the_first_answer_counts_too() -> (
    None
):
    first = look(OLD.path, updates=[update("a2", "Ana likes 31 endpoints.")])
    inputs = go(first)
    second = UpdateAnswer.model_validate(
        {"updates": [update("b1", "The shop has 31 endpoints."), update("a2", "Ana likes 31 endpoints.")]}
    )
    planned = plan(inputs, {**first, "store/look": second})
    written = {paths_of(one)[0]: one.changes[0] for one in planned.operations}
    change = written[OLD.path]
    assert isinstance(change, Rewrite)
    assert "The shop has 31 endpoints.\n\n## Superseded" in change.content
    assert planned.counts == {"opened": 1}
    alone = plan(inputs, {**first, "store/look": UpdateAnswer()})
    assert len(alone.skips) == len(planned.skips), "the same said twice is said once"
    assert "a look opened 1" in detail_of(planned, "not_shown")


def test_of_files_that_are_named_those_that_are_not_listed_are_ignored_and_counted() -> None:
    answers = look("places/none.md", HIDDEN.path, NEWS.path, OLD.path)
    inputs = go(answers)
    assert [one.path for one in inputs.view.memories] == [NEWS.path, OLD.path]
    assert detail_of(plan(inputs, answers), "not_offered") == "look: 3 of its files were not listed"


def test_a_look_that_names_nothing_that_is_listed_is_not_paid_for() -> None:
    answers = look("places/none.md")
    inputs = go(answers)
    assert PHASE.repair(inputs, answers) == ()
    assert "not_offered" in codes(plan(inputs, answers))


def test_a_look_opens_twenty_files_and_of_these_what_fits_the_budget_and_counts_those_that_wait() -> None:
    inputs = replace(read(), look_tokens=100_000)
    many = [one.path for one in inputs.listed][:25]
    assert len(many) == 25
    roomy = go(look(*many), inputs)
    assert len(roomy.view.memories) == 1 + 20
    assert plan(roomy, look(*many)).counts == {"opened": 20, "unopened": 5}
    tight = go(look(*many), replace(inputs, look_tokens=400))
    counts = plan(tight, look(*many)).counts
    assert 0 < counts["opened"] < 20
    assert counts["opened"] + counts["unopened"] == 25
    assert "show.tokens" in detail_of(plan(tight, look(*many)), "unopened")


def test_a_search_of_three_words_finds_what_is_not_even_listed() -> None:
    inputs = go(look(search="the harbour gate"))
    assert inputs.view.memories[1].path == HIDDEN.path
    assert len(inputs.view.memories) <= 1 + 8


def test_without_a_statement_that_makes_it_look_an_answer_sees_again_what_changed() -> None:
    inputs = go(look(OLD.path, by=("x9",)))
    assert inputs.look is not None
    assert inputs.look.again == (NEWS.path,)


def test_a_second_look_is_ignored_and_counted() -> None:
    first = look(OLD.path)
    inputs = go(first)
    again = {**first, "store/look": look(FAR[0].path)["store"]}
    assert PHASE.repair(inputs, again) == ()
    assert go(again, inputs) is inputs
    assert "looked_before" in codes(plan(inputs, again))


def test_a_resumed_dream_asks_over_the_texts_that_were_opened_and_not_over_newer_ones() -> None:
    first = look(OLD.path)
    inputs = go(first)
    newer = [*(one for one in STORE if one is not OLD), replace(OLD, content="# Shop\n\nNew.\n\nTwo.\n", version=9)]
    assert PHASE.repair(go(first, inputs, newer), first) == PHASE.repair(inputs, first)


def test_a_store_that_fits_is_never_looked_at_twice() -> None:
    whole = PHASE.read(context(NEWS, OLD))
    assert isinstance(whole, Inputs)
    assert PHASE.look(context(NEWS, OLD), whole, look(OLD.path)) is whole
    assert PHASE.repair(whole, look(OLD.path)) == ()


def test_a_part_of_the_budget_is_kept_for_a_look_where_much_has_changed() -> None:
    changed = [replace(one, is_dirty=True) for one in FAR]
    inputs = PHASE.read(context(*changed, policy=Policy(show=ShowPolicy(tokens=6_000))))
    assert isinstance(inputs, Inputs)
    assert inputs.unshown
    assert inputs.look_tokens >= 1_000
    assert {one.path for one in inputs.listed} <= {one.path for one in changed}
