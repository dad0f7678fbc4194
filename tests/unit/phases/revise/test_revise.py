"""The phase revise: what a model is shown, and what becomes of what it finds."""

from dataclasses import replace

import pytest

from shared.core.dream.model import ReviewState
from shared.core.dream.operations import Flag, Operation, OperationKind, Plan, Rewrite
from shared.core.memory.frontmatter import body_of, read_fields
from shared.core.memory.model import Author, Memory
from shared.core.policy.policy import ALL_PROPOSED, MergePolicy, Policy, ShowPolicy, Verified
from shared.core.reading.placed import read_placed
from tests.unit.builders import codes, memory
from tests.unit.phases.reading import around, context
from workers.phase.by_reference import Statements
from workers.phase.flags import find_shown
from workers.phase.shape import Answers, NothingToDo
from workers.phases.revise.answer import UpdateAnswer
from workers.phases.revise.phase import PHASE, Inputs

ROOT = memory("MEMORY.md", "# Shop\n\nThe shop has 12 endpoints. Deploys need a review.\n", author=Author.USER)
LOG = memory(
    "notes/api-2026-03-02.md", "# API\n\nThe shop has 31 endpoints now.\n\nUser pages moved.\n", author=Author.IMPORT
)
RULES = memory(
    "rules.md",
    "# Rules\n\n- Run all tests before a release\n- Never deploy the shop on Fridays unless Ana agrees\n"
    "- Before a release run all tests\n- Deploy the shop from main\n",
)
#: The letters: a is MEMORY.md, b the log, c the rules.
STORE = (ROOT, LOG, RULES)


def read(*memories: Memory, policy: Policy | None = None) -> Inputs:
    found = PHASE.read(context(*(memories or STORE), policy=policy))
    assert isinstance(found, Inputs)
    return found


def answer(**said: object) -> Answers:
    return {"store": UpdateAnswer.model_validate(said)}


def update(old: str, by: str, write: str = "", **more: object) -> dict[str, object]:
    return {"old": old, "by": [by], "write": write, "confidence": 0.95, **more}


def plan(answers: Answers, *, passed: bool = True, inputs: Inputs | None = None) -> Plan:
    return PHASE.plan(inputs or read(), answers, replace(around(), has_passed=passed))


def only(planned: Plan) -> Operation:
    (operation,) = planned.operations
    return operation


def written(operation: Operation) -> str:
    (change,) = operation.changes
    assert isinstance(change, Rewrite)
    return body_of(change.content)


def test_a_store_that_fits_is_shown_whole_with_a_name_for_each_statement() -> None:
    (question,) = PHASE.ask(read())
    assert [one.path for one in question.documents] == ["MEMORY.md", "notes/api-2026-03-02.md", "rules.md"]
    assert "[a1] The shop has 12 endpoints." in question.documents[0].text
    assert question.documents[1].at == "2026-03-02"


def test_whether_there_is_a_question_is_known_without_reading_a_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = read(memory("api/a.md", "Calls are retried.\n"))
    monkeypatch.setattr(Statements, "read", lambda *_: pytest.fail("a statement was read"))
    assert PHASE.has_questions(inputs)


def test_without_a_model_or_a_change_there_is_nothing_to_do() -> None:
    assert isinstance(PHASE.read(context(*STORE, has_model=False)), NothingToDo)
    assert isinstance(PHASE.read(context(*(replace(one, is_dirty=False) for one in STORE))), NothingToDo)


def test_of_a_store_that_does_not_fit_what_changed_and_its_relatives_are_shown_and_the_rest_is_listed() -> None:
    others = [
        memory(f"far/{number}.md", f"# Place {number}\n\n{'Something else is told here. ' * 40}", dirty=False)
        for number in range(30)
    ]
    near = memory("shop/endpoints.md", "# Endpoints\n\nThe shop has 12 endpoints, listed by Ana.\n", dirty=False)
    inputs = read(LOG, near, *others, policy=Policy(show=ShowPolicy(tokens=700)))
    shown = {one.path for one in inputs.memories}
    assert {LOG.path, near.path} <= shown
    assert shown.isdisjoint(one.path for one in inputs.listed)
    assert inputs.unshown == 32 - len(shown) > 0
    planned = plan(answer(), inputs=inputs)
    assert "not_shown" in codes(planned)


def test_a_value_that_a_later_note_changed_is_replaced_where_it_stands_as_current_and_kept_as_superseded() -> None:
    operation = only(plan(answer(updates=[update("a1", "b1", "The shop has 31 endpoints.")])))
    assert operation.kind is OperationKind.UPDATE
    assert operation.propose_only is None
    assert operation.needs_review
    text = written(operation)
    assert "\nThe shop has 31 endpoints. Deploys need a review.\n" in text
    current, superseded = text.split("## Superseded")
    assert "12 endpoints" not in current
    assert "“The shop has 12 endpoints.” — no longer so on 2026-03-02, see notes/api-2026-03-02.md" in superseded


def test_a_sentence_that_goes_leaves_no_gap_and_no_pointer_to_its_own_file() -> None:
    note = memory(
        "notes/site.md",
        "# Site\n\nThe site is down. Ana looks after pages.\n\nThe site is up again.\n",
        author=Author.IMPORT,
    )
    text = written(only(plan(answer(updates=[update("b1", "b3", since="2026-03-04")]), inputs=read(ROOT, note))))
    assert "\n\nAna looks after pages.\n" in text
    assert "“The site is down.” — until 2026-03-04\n" in text


def test_a_sentence_of_a_notes_own_remark_is_replaced_behind_its_mark() -> None:
    inputs = read(memory("a.md", "# Shop\n\n> **Note:** the shop has 12 endpoints.\n"), LOG)
    planned = plan(answer(updates=[update("a1", "b1", "**Note:** the shop has 31 endpoints.")]), inputs=inputs)
    assert "\n> **Note:** the shop has 31 endpoints.\n" in written(only(planned))
    gone = plan(answer(updates=[update("a1", "b1")]), inputs=inputs)
    assert ">" not in written(only(gone))


def test_a_line_of_an_index_is_replaced_in_its_place_and_nothing_of_it_is_kept_below() -> None:
    root = memory(
        "MEMORY.md", "# Shop\n\n- [API](notes/api-2026-03-02.md): the shop has 12 endpoints\n", author=Author.USER
    )
    wanted = update("a1", "b1", "[API](notes/api-2026-03-02.md): the shop has 31 endpoints")
    text = written(only(plan(answer(updates=[wanted]), inputs=read(root, LOG))))
    assert text == "# Shop\n\n- [API](notes/api-2026-03-02.md): the shop has 31 endpoints\n"


def test_a_pointer_to_a_file_of_the_store_that_is_gone_may_go_without_a_witness() -> None:
    note = memory(
        "notes/a.md",
        "# A\n\nPorts are open.\n\n## Related\n\n- notes/gone.md\n\n## Code\n\n- src/other.md\n",
        author=Author.IMPORT,
    )
    inputs = read(note, memory("notes/b.md", "# B\n\nDoors are shut.\n"))
    assert PHASE.ask(inputs)[0].documents[0].facts == ("names files that are gone: notes/gone.md",)
    planned = plan(
        answer(updates=[{"old": "a2", "by": [], "confidence": 0.9}, {"old": "a3", "by": [], "confidence": 0.9}]),
        inputs=inputs,
    )
    assert written(only(planned)) == "# A\n\nPorts are open.\n\n## Code\n\n- src/other.md\n"
    assert codes(planned) == ["not_cited"], "a folder that the store does not have is another place"


def test_a_wiki_link_to_a_note_that_is_not_there_is_told_to_a_model() -> None:
    text = "# A\n\nPorts are open, see [[b]] and [[notes/b|doors]].\n\nThe plan is in [[plan#Later|the plan]].\n\n`[[code]]` is code.\n"
    note = memory("notes/a.md", text, author=Author.IMPORT)
    (question,) = PHASE.ask(read(note, memory("notes/b.md", "# B\n\nDoors are shut.\n")))
    assert question.documents[0].facts == ("links to notes that are not there: [[plan]]",)


def test_a_file_that_only_the_frontmatter_or_a_superseded_line_or_code_names_is_no_fact_since_nothing_can_be_mended() -> (
    None
):
    front = "---\nconsolidated_from:\n- notes/gone.md\n---\n"
    old = "## Superseded\n\n- “See notes/gone.md.” — no longer so\n"
    note = memory("notes/a.md", f"{front}\n# A\n\nPorts are open.\n\n```\ncat notes/gone.md\n```\n\n{old}")
    assert PHASE.ask(read(note, memory("notes/b.md", "# B\n\nDoors are shut.\n")))[0].documents[0].facts == ()


@pytest.mark.parametrize("pattern", ["notes/YYYY-MM-DD.md", "notes/adr-XXX.md"])
def test_a_pattern_of_file_names_is_no_file_that_is_gone(pattern: str) -> None:
    note = memory("notes/a.md", f"# A\n\nEach day has its log, {pattern}, beside notes/maxxxed.md.\n")
    facts = PHASE.ask(read(note, memory("notes/b.md", "# B\n\nDoors are shut.\n")))[0].documents[0].facts
    assert facts == ("names files that are gone: notes/maxxxed.md",), "a name may hold the same letters"


def test_a_pointer_to_a_file_that_was_merged_away_leads_to_the_merged_one_when_a_model_mends_it() -> None:
    note = memory("notes/a.md", "# A\n\nThe fund pays for schools, see notes/gone.md.\n", author=Author.IMPORT)
    target = memory("notes/fund.md", "# Fund\n\nIt holds 5,000 in all.\n")
    inputs = PHASE.read(context(note, target, moves=[("notes/gone.md", target.id)]))
    assert isinstance(inputs, Inputs)
    (fact,) = PHASE.ask(inputs)[0].documents[0].facts
    assert fact == "names files that are gone: notes/gone.md (its text is in notes/fund.md)"
    mended = {"old": "a1", "write": "The fund pays for schools, see notes/fund.md.", "confidence": 0.9}
    operation = only(plan(answer(updates=[mended]), inputs=inputs))
    assert operation.propose_only is None
    current, superseded = written(operation).split("## Superseded")
    assert current == "# A\n\nThe fund pays for schools, see notes/fund.md.\n\n"
    assert "see notes/gone.md.” — notes/gone.md went into notes/fund.md" in superseded
    other = mended | {"write": "The fund pays for schools, see notes/else.md."}
    assert codes(plan(answer(updates=[other]), inputs=inputs)) == ["made_up"]


def test_a_description_in_the_frontmatter_is_mended_like_a_statement_and_the_old_one_is_kept_below() -> None:
    front = "---\nname: Shop\ndescription: The shop with its 12 endpoints\n---\n"
    note = memory("notes/shop.md", f"{front}\n# Shop\n\nDeploys need a review.\n", author=Author.IMPORT)
    inputs = read(note, LOG)
    assert "[b2] description: The shop with its 12 endpoints" in PHASE.ask(inputs)[0].documents[1].text
    operation = only(plan(answer(updates=[update("b2", "a1", "The shop with its 31 endpoints")]), inputs=inputs))
    (change,) = operation.changes
    assert isinstance(change, Rewrite)
    assert read_fields(change.content) == {"name": "Shop", "description": "The shop with its 31 endpoints"}
    assert body_of(change.content).startswith("\n# Shop\n\nDeploys need a review.\n\n## Superseded")
    assert "“The shop with its 12 endpoints” — no longer so on 2026-03-02" in body_of(change.content)


def test_a_model_that_has_not_passed_the_exam_only_proposes() -> None:
    operation = only(plan(answer(updates=[update("a1", "b1", "The shop has 31 endpoints.")]), passed=False))
    assert operation.propose_only
    assert "exam" in operation.propose_only


def test_a_value_that_no_cited_statement_says_is_refused() -> None:
    planned = plan(answer(updates=[update("a1", "b1", "The shop has 44 endpoints.")]))
    assert not planned.operations
    assert codes(planned) == ["made_up"]


def test_a_name_that_was_not_given_is_refused() -> None:
    planned = plan(answer(updates=[update("a9", "b1", "x"), update("a1", "zz1", "x")], repeats=[{"drop": "q1"}]))
    assert not planned.operations
    assert codes(planned) == ["not_offered"] * 3


def test_a_later_statement_is_not_replaced_by_an_earlier_one() -> None:
    earlier = memory("notes/api-2026-01-02-old.md", "# API\n\nThe shop has 12 endpoints.\n", author=Author.IMPORT)
    inputs = read(earlier, LOG)
    operation = only(plan(answer(updates=[update("b1", "a1", "The shop has 12 endpoints.")]), inputs=inputs))
    assert operation.propose_only
    assert "2026-01-02" in operation.propose_only


def test_a_rule_does_not_lose_its_condition_without_a_second_reader_and_a_person() -> None:
    wanted = answer(updates=[update("c2", "c4", "Deploy the shop from main.")])
    (question,) = PHASE.confirm(read(), wanted)
    assert "unless Ana agrees" in question.documents[0].text
    operation = only(plan(wanted))
    assert operation.propose_only


@pytest.mark.parametrize(("verdict", "is_applied"), [("nothing_lost", True), ("lost", False), ("unsure", False)])
def test_what_the_checks_neither_refuse_nor_confirm_is_applied_if_a_second_reader_finds_nothing_lost(
    verdict: str, *, is_applied: bool
) -> None:
    wanted = answer(updates=[update("a1", "b1", "The shop exposes 31 endpoints.")])
    (question,) = PHASE.confirm(read(), wanted)
    said = {
        question.key: question.answer_type.model_validate({"verdicts": [{"change": "update-1", "verdict": verdict}]})
    }
    assert (only(plan({**wanted, **said})).propose_only is None) is is_applied


def test_a_statement_that_stands_twice_in_a_file_is_said_once() -> None:
    operation = only(plan(answer(repeats=[{"drop": "c3", "saidBy": ["c1"], "confidence": 0.9}])))
    assert operation.propose_only is None
    assert written(operation) == RULES.content.replace("- Before a release run all tests\n", "")


def test_of_two_statements_that_repeat_each_other_one_stays() -> None:
    both = [{"drop": "c3", "saidBy": ["c1"]}, {"drop": "c1", "saidBy": ["c3"]}]
    planned = plan(answer(repeats=both))
    assert len(planned.operations) == 1
    assert codes(planned) == ["already_changed"]


def test_a_repeat_in_another_file_may_be_about_another_subject_so_a_person_decides() -> None:
    other = memory("shop/rules.md", "# Shop\n\n- Run all tests before a release\n")
    inputs = read(RULES, other)
    operation = only(plan(answer(repeats=[{"drop": "b1", "saidBy": ["a1"]}]), inputs=inputs))
    assert operation.propose_only


def test_two_statements_of_which_nothing_tells_which_holds_are_a_question_with_both_quotes() -> None:
    operation = only(plan(answer(conflicts=[{"statements": ["a1", "b1"], "question": "12 or 31?"}])))
    assert operation.kind is OperationKind.FLAG
    assert "“The shop has 12 endpoints.” (MEMORY.md) or “The shop has 31 endpoints now.”" in operation.reason
    (flag,) = operation.changes
    assert isinstance(flag, Flag)
    again = replace(read(), flagged=find_shown([(flag, ReviewState.APPROVED)]))
    for names in (["a1", "b1"], ["b1", "a1"]):
        assert codes(plan(answer(conflicts=[{"statements": names}]), inputs=again)) == ["flagged_before"]


def test_what_is_certain_is_applied_beside_a_proposal_for_what_is_doubtful() -> None:
    two = [update("a1", "b1", "The shop has 31 endpoints."), update("a2", "b2", "Deploys moved with user pages.")]
    doubtful, sure = plan(answer(updates=two)).operations
    assert (doubtful.propose_only is None, sure.propose_only is None) == (False, True)
    assert "31 endpoints" in written(sure)
    assert "31 endpoints" not in written(doubtful)


def test_an_entry_of_a_series_of_days_tells_history_and_waits_for_a_person() -> None:
    days = [
        memory(f"logs-of/2026-03-0{day}.md", f"# Day {day}\n\nThe shop has {day} endpoints.\n", author=Author.IMPORT)
        for day in (1, 2, 3)
    ]
    inputs = read(*days)
    operation = only(plan(answer(updates=[update("a1", "c1", "The shop has 3 endpoints.")]), inputs=inputs))
    assert operation.propose_only == "logs-of/2026-03-01.md tells what was so on its day"


def test_a_store_may_ask_a_person_about_verified_changes_too() -> None:
    asking = Policy(merge=MergePolicy(verified=Verified.PROPOSE))
    wanted = answer(updates=[update("a1", "b1", "The shop has 31 endpoints.")])
    operation = only(PHASE.plan(read(), wanted, replace(around(policy=asking), has_passed=True)))
    assert operation.propose_only == ALL_PROPOSED


@pytest.mark.parametrize(
    ("confidence", "is_linked"), [(0.9, True), (0.6, True), (None, True), (0.3, False), (0.0, False)]
)
def test_a_link_is_written_unless_the_model_rather_does_not_think_so(
    confidence: float | None, *, is_linked: bool
) -> None:
    wanted = [{"files": [RULES.path, LOG.path], "reason": "Both tell of the shop.", "confidence": confidence}]
    planned = plan(answer(links=wanted))
    assert [one.kind for one in planned.operations] == [OperationKind.CROSS_REFERENCE] * is_linked
    assert codes(planned) == ["unsure_link"] * (not is_linked)


def test_an_update_also_writes_the_links_of_its_memory() -> None:
    links = [{"files": [LOG.path, RULES.path], "reason": "Both tell of the shop."}]
    updates = [update("c4", "b1", "Deploy the shop of 31 endpoints from main.")]
    planned = plan(answer(updates=updates, links=links))
    assert {one.path: ("related:" in one.content) for op in planned.operations for one in op.changes if isinstance(one, Rewrite)} == {
        RULES.path: True, LOG.path: True,
    }  # fmt: skip


def test_a_memory_whose_frontmatter_cannot_be_read_stays_as_it_is() -> None:
    broken = memory("a.md", "---\nname: [a, b\n---\n\nThe shop has 12 endpoints.\n")
    inputs = read(broken, LOG)
    (told,) = [one.number for one in read_placed(broken.content) if "12 endpoints" in one.text]
    planned = plan(answer(updates=[update(f"a{told}", "b1", "The shop has 31 endpoints.")]), inputs=inputs)
    assert not planned.operations
    assert codes(planned) == ["uneditable_frontmatter"]


def test_a_model_that_would_replace_much_of_the_store_at_once_only_proposes_it() -> None:
    notes = [
        memory(f"n/{letter}.md", f"# {letter}\n\n" + "".join(f"- Limit {n} of the shop is {n}\n" for n in range(1, 6)))
        for letter in "bcdefgh"
    ]
    inputs = read(memory("n/a.md", "# New\n\nEvery limit of the shop is 9 since May.\n"), *notes)
    many = [update(f"{letter}{n}", "a1", f"Limit {n} of the shop is 9") for letter in "bcdefgh" for n in (1, 2)]
    planned = plan(answer(updates=many), inputs=inputs)
    assert len(planned.operations) == len(many)
    assert {one.propose_only for one in planned.operations} == {"14 of 36 statements would be replaced at once"}
    few = plan(answer(updates=many[:10]), inputs=inputs)
    assert {one.propose_only for one in few.operations} == {None}


def test_of_somewhat_many_updates_the_surest_are_applied_and_the_others_wait() -> None:
    limits = "".join(f"- Limit {n} of the shop is {n}\n" for n in range(1, 61))
    inputs = read(
        memory("n/a.md", "# New\n\nThe limits of the shop are 900 now.\n"), memory("n/b.md", f"# B\n\n{limits}")
    )
    many = [
        update(f"b{n}", "a1", f"Limit {n} of the shop is 900", confidence=0.99 if n == 12 else 0.95)
        for n in range(1, 13)
    ]
    planned = plan(answer(updates=many), inputs=inputs)
    waiting = [one for one in planned.operations if one.propose_only]
    assert len(waiting) == 2
    assert not any("Limit 12 " in one.reason for one in waiting)


def test_a_statement_that_shows_a_change_may_itself_be_updated_but_not_by_what_it_changes() -> None:
    chain = [
        update("a1", "b1", "The shop has 31 endpoints."),
        update("b1", "a2", "The shop has 31 endpoints; they need a review."),
    ]
    planned = plan(answer(updates=chain))
    assert [one.propose_only for one in planned.operations] == [None, None]
    circle = [chain[0], update("b1", "a1", "The shop has 12 endpoints.")]
    assert codes(plan(answer(updates=circle))) == ["already_changed"]


#: What a new statement may take a name from: pieces of names that are cited, and what the cited note says of itself.
_TOLD = "---\ndescription: Plan 29 of the mirrors\n---\n# Mirrors\n\nThe file has `fog.near`, and player/vehicles/time menus.\n"


@pytest.mark.parametrize(
    ("told", "is_doubted"),
    [("the time menu of plan 29", False), ("`fog.time` menus", True)],
)
def test_a_new_statement_may_name_what_its_witness_says_of_itself_and_a_name_put_together_is_a_second_readers(
    told: str, *, is_doubted: bool
) -> None:
    inputs = read(memory("a.md", "# Menus\n\nThe file has no menu.\n"), memory("b.md", _TOLD))
    wanted = answer(updates=[update("a1", "b1", f"The file has {told}.")])
    assert bool(PHASE.confirm(inputs, wanted)) is is_doubted
    assert codes(plan(wanted, inputs=inputs)) == []


@pytest.mark.parametrize("other", ["The date is 2026-03-04.", "The ratio is 0.4.", "The host is web-07."])
def test_a_value_is_never_put_together(other: str) -> None:
    told = "On 2026-04-03 web-06 had 7 carts, 0 errors and 4 rows; the ratio, the date and the host follow."
    inputs = read(memory("a.md", "# Facts\n\nThe facts are unknown.\n"), memory("b.md", f"# Facts\n\n{told}\n"))
    assert codes(plan(answer(updates=[update("a1", "b1", other)]), inputs=inputs)) == ["made_up"]
