"""The consolidate phase: what it reads, what it asks, what it asks twice, and what it makes of the answers."""

import pytest

from shared.core.dream.operations import OperationKind
from shared.core.memory.frontmatter import set_fields
from shared.core.memory.model import Author, Maturity, Memory
from shared.core.policy.policy import ConsolidatePolicy, Policy
from shared.core.questions.change_gate import Asked
from shared.core.questions.fingerprint import AskingTerms, cluster_fingerprint, question_fingerprint
from shared.core.questions.question import offered_paths
from shared.core.tenants.store import PendingMerge
from tests.unit.builders import codes, days_ago, memory, rewrites
from tests.unit.phases.reading import around, context
from tests.unit.workers.test_told_decisions import waiting
from workers.phase.shape import Answers, NothingToDo
from workers.phases.consolidate.answer import ConsolidateAnswer
from workers.phases.consolidate.offline import decide_consolidation
from workers.phases.consolidate.phase import PHASE, Inputs
from workers.phases.prune.answer import PruneAnswer

RETRY = "Carrier calls are retried three times with exponential backoff, starting at 2 seconds, says Norpost."
RETRIES = "Norpost says: carrier calls are retried three times with exponential backoff, starting at 2 seconds."
TAX = "Tax is rounded per line in Sweden, but per invoice in Germany, which the ledger handles itself."
ONE, TWO, OTHER = memory("api/retry.md", RETRY), memory("api/retries.md", RETRIES), memory("billing/tax.md", TAX)
HINT = PendingMerge(source_path=OTHER.path, target_path=ONE.path, reason="same topic", suggested_by="drm_0")


def read(*memories: Memory, pending: tuple[PendingMerge, ...] = ()) -> Inputs:
    found = PHASE.read(context(*memories, pending=pending))
    assert isinstance(found, Inputs)
    return found


def merging(text: str = RETRY, *files: str) -> ConsolidateAnswer:
    action = {"type": "MERGE", "files": files or (ONE.path, TWO.path), "mergedContent": text, "confidence": 0.9}
    return ConsolidateAnswer.model_validate({"actions": [action]})


def test_a_store_without_changes_and_without_hints_has_nothing_to_do() -> None:
    found = PHASE.read(context(memory("api/a.md", RETRY, dirty=False)))
    assert found == NothingToDo("no memory changed since the last dream")


@pytest.mark.parametrize("core", [ONE.path, TWO.path])
def test_of_two_memories_that_say_the_same_the_core_one_is_kept_whatever_their_texts_call_themselves(core: str) -> None:
    other = {"maturity": "core"}
    memories = [
        memory(
            one.path,
            set_fields(one.content, {} if one.path == core else other),
            maturity=Maturity.CORE if one.path == core else Maturity.DRAFT,
        )
        for one in (ONE, TWO)
    ]
    (question,) = PHASE.ask(read(*memories))
    (merge,) = decide_consolidation(question).actions
    assert (merge.type, merge.output_file) == ("MERGE", core)


def left_alone(*members: Memory) -> Asked:
    return Asked(
        phase="consolidate",
        fingerprint=cluster_fingerprint(members),
        dream_id="drm_0",
        asked_at=days_ago(8),
        times_settled=1,
        members=tuple(one.id for one in members),
    )


def test_a_settled_cluster_that_is_due_is_asked_about_in_a_question_of_its_own() -> None:
    one, two = (memory(each.path, each.content, dirty=False) for each in (ONE, TWO))
    inputs = PHASE.read(context(one, two, OTHER, due=[left_alone(one, two)]))
    assert isinstance(inputs, Inputs)
    (question,) = PHASE.ask(inputs)
    assert offered_paths(question) == {one.path, two.path}
    answered = PHASE.settle(inputs, [question.key], ())
    assert [cluster.members for cluster in answered.clusters] == [(one.id, two.id)]


def test_a_second_look_is_planned_under_the_same_rules_as_the_first() -> None:
    one, two = (memory(each.path, each.content, dirty=False) for each in (ONE, TWO))
    inputs = PHASE.read(context(one, two, due=[left_alone(one, two)]))
    (question,) = PHASE.ask(inputs)
    merged = PHASE.plan(inputs, {question.key: merging()}, around())
    assert [operation.kind for operation in merged.operations] == [OperationKind.MERGE]
    (lossy,) = PHASE.plan(inputs, {question.key: merging("Calls are retried.")}, around()).operations
    assert lossy.propose_only is not None


def test_a_cluster_of_texts_that_are_others_by_now_is_not_shown_again() -> None:
    one, two = (memory(each.path, each.content, dirty=False) for each in (ONE, TWO))
    due = left_alone(one, memory(TWO.path, TAX))
    assert PHASE.read(context(one, two, due=[due])) == NothingToDo("no memory changed since the last dream")


def test_a_group_without_an_answer_leaves_nothing_settled() -> None:
    inputs = read(ONE, TWO)
    assert PHASE.settle(inputs, (), ()).clusters == ()


def test_generated_files_are_no_changes() -> None:
    assert isinstance(
        PHASE.read(context(memory("MEMORY.md", "- [Retry](api/retry.md)\n"), memory("api/_index.md", RETRY))),
        NothingToDo,
    )


def test_each_domain_is_one_question_with_its_changed_and_related_documents() -> None:
    inputs = read(ONE, memory(TWO.path, RETRIES, dirty=False), OTHER)
    (question,) = PHASE.ask(inputs)
    assert [(document.path, document.role) for document in question.documents] == [
        (ONE.path, "changed"),
        (TWO.path, "related"),
    ]
    assert question.answer_type is ConsolidateAnswer
    assert (inputs.changed, inputs.settled) == (2, 1)


def test_a_document_says_which_day_its_relative_dates_refer_to() -> None:
    (question,) = PHASE.ask(read(memory("ops/a.md", "The mail server was down yesterday.", untouched_days=3)))
    assert question.documents[0].at == "2026-03-07"


def test_the_source_of_a_hint_is_looked_at_although_it_did_not_change_and_the_hint_is_given() -> None:
    quiet = memory(OTHER.path, TAX, dirty=False)
    inputs = read(memory(ONE.path, RETRY, dirty=False), quiet, pending=(HINT,))
    (question,) = PHASE.ask(inputs)
    assert question.hints == ("billing/tax.md -> api/retry.md: same topic",)
    assert offered_paths(question) == {OTHER.path, ONE.path}


def test_a_hint_whose_file_is_gone_is_heard_and_not_asked() -> None:
    inputs = read(memory(ONE.path, RETRY, dirty=False), pending=(HINT,))
    assert inputs.hints == (HINT,)
    assert PHASE.ask(inputs) == ()
    assert not PHASE.has_questions(inputs)


def test_questions_have_the_same_keys_when_they_are_asked_again() -> None:
    apart = Policy(consolidate=ConsolidatePolicy(shared_call_chars=0))
    inputs = PHASE.read(context(ONE, TWO, memory("ops/a.md", "Down yesterday."), policy=apart))
    assert isinstance(inputs, Inputs)
    assert PHASE.has_questions(inputs)
    keys = [question.key for question in PHASE.ask(inputs)]
    assert len(set(keys)) == 2
    assert keys == [question.key for question in PHASE.ask(inputs)]


@pytest.mark.parametrize("answers", [{}, {"api#1": PruneAnswer()}, {"foreign": merging()}])
def test_missing_and_foreign_answers_change_nothing(answers: Answers) -> None:
    found = PHASE.plan(read(ONE, TWO), answers, around())
    assert found.operations == ()
    assert codes(found) == ["no_answer"]


def test_an_empty_answer_is_a_good_answer() -> None:
    found = PHASE.plan(read(ONE, TWO), {"api#1": ConsolidateAnswer()}, around())
    assert found.operations == ()
    assert found.skips == ()


def test_ids_that_were_not_offered_are_ignored() -> None:
    found = PHASE.plan(read(ONE, TWO), {"api#1": merging(RETRY, ONE.path, OTHER.path)}, around())
    assert found.operations == ()
    assert codes(found) == ["not_offered", "too_few_files"]


def test_the_loss_cap_counts_what_earlier_phases_have_retired() -> None:
    copy = memory("api/retry-copy.md", RETRY)
    answers = {"api#1": merging(RETRY, ONE.path, copy.path)}
    copies = read(ONE, copy)
    (free,) = PHASE.plan(copies, answers, around(live=12, retired=2)).operations
    (capped,) = PHASE.plan(copies, answers, around(live=12, retired=3)).operations
    assert free.propose_only is None
    assert "loss cap" in (capped.propose_only or "")


def test_the_phase_plans_only_kinds_of_operations_that_it_declares() -> None:
    (operation,) = PHASE.plan(read(ONE, TWO), {"api#1": merging()}, around()).operations
    assert operation.kind in PHASE.may_emit
    assert RETRY in rewrites(operation)[ONE.path].content


def test_the_model_gets_no_day_for_a_memory_that_a_dream_wrote_last_so_that_yesterday_gets_no_wrong_date() -> None:
    mine = memory("api/retry.md", RETRY, author=Author.AGENT)
    linked = memory("api/retries.md", RETRIES, author=Author.DREAM)
    (question,) = PHASE.ask(read(mine, linked))
    days = {document.path: document.at for document in question.documents}
    assert days == {"api/retry.md": mine.updated_at.date().isoformat(), "api/retries.md": ""}


def test_a_model_is_told_of_a_merge_that_waits_and_the_question_counts_as_the_same() -> None:
    proposed = waiting(1, ONE, TWO)
    (plain,), (told,) = (
        PHASE.ask(found)
        for found in (read(ONE, TWO), PHASE.read(context(ONE, TWO, proposed=[proposed])))
        if isinstance(found, Inputs)
    )
    assert any("MERGE with api/retry.md" in fact for one in told.documents for fact in one.facts)
    terms = AskingTerms(model="a", prompts=())
    assert question_fingerprint(plain, terms) == question_fingerprint(told, terms)
