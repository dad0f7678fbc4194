"""The synthesize phase: when it runs, what it shows, and what it makes of the answer."""

import pytest

from shared.core.memory.model import Memory
from shared.core.policy.policy import Autonomy, Policy, ReflectPolicy, SynthesizePolicy
from shared.core.policy.profiles import get_policy
from tests.unit.builders import codes, created, memory
from tests.unit.phases.reading import around, context
from workers.phase.shape import Answers, NothingToDo
from workers.phases.prune.answer import PruneAnswer
from workers.phases.synthesize.answer import SynthesizeAnswer
from workers.phases.synthesize.phase import PHASE, Inputs
from workers.phases.synthesize.reflection import KEY as REFLECTION

API = memory("api/retry.md", "# Retries\n\nCalls are retried with backoff.\n")
OPS = memory("ops/queue.md", "# Queue\n\nJobs are retried with backoff.\n")
KNOWN = memory("api/known.md", "---\ntype: synthesis\n---\n# Printers\n\nPaper is everywhere.\n")
DRAFT = {"title": "Retries everywhere", "content": "With backoff.", "sources": ["api/_index.md", "ops/_index.md"]}


def read(*memories: Memory, policy: Policy | None = None) -> Inputs:
    found = PHASE.read(context(*memories, policy=policy))
    assert isinstance(found, Inputs)
    return found


def test_it_runs_only_when_something_changed() -> None:
    assert PHASE.read(context(API, OPS, changed=0)) == NothingToDo("no memory changed since the last dream")


@pytest.mark.parametrize(
    "memories",
    [
        (),
        (API,),
        (API, memory("api/b.md")),
        (API, memory("top.md")),
        (API, memory("_archived/x.md"), memory(".git/x.md"), memory("_drafts/x.md")),
        (API, memory("ops/_index.md"), memory("MEMORY.md")),
    ],
)
def test_fewer_than_two_ordinary_domains_are_skipped_with_the_reason(memories: tuple[Memory, ...]) -> None:
    found = PHASE.read(context(*memories, changed=1))
    assert found == NothingToDo(f"fewer than 2 domains ({1 if memories else 0})")


def test_each_domain_is_shown_by_titles_and_summaries_never_by_whole_texts() -> None:
    long = memory("ops/long.md", "# Long\n\nFirst sentence.\n\n" + "Deep inside. " * 500)
    question, _ = PHASE.ask(read(API, OPS, long))
    shown = {document.path: document.text for document in question.documents}
    assert shown == {
        "api/_index.md": "- Retries: Calls are retried with backoff.",
        "ops/_index.md": "- Long: First sentence.\n- Queue: Jobs are retried with backoff.",
    }


def test_a_summary_stays_within_its_length() -> None:
    many = [memory(f"ops/{n}.md", f"# Note {n}\n\nSomething.\n") for n in range(500)]
    inputs = read(API, *many, policy=Policy(synthesize=SynthesizePolicy(domain_digest_chars=300)))
    assert all(len(text) <= 300 for text in inputs.summaries.values())


def test_syntheses_that_exist_are_shown_as_such_and_are_not_in_the_summaries() -> None:
    inputs = read(API, OPS, KNOWN)
    (question,) = PHASE.ask(inputs)
    assert [d.path for d in question.documents if d.role == "existing"] == [KNOWN.path]
    assert "Printers" not in inputs.summaries["api/_index.md"]


def test_of_many_domains_a_model_sees_those_that_changed_and_the_nearest_of_the_others() -> None:
    known = [memory(f"d{n}/note.md", f"# Note\n\nPrinters jam on floor {n}.\n", dirty=False) for n in range(9)]
    near = memory("ops/queue.md", OPS.content, dirty=False)
    inputs = read(API, *known, near, policy=Policy(synthesize=SynthesizePolicy(known_domains=1)))
    assert set(inputs.summaries) == {"api/_index.md", "ops/_index.md"}
    assert [skip.detail for skip in inputs.skips if skip.code == "not_shown"] == [
        "9 domains without a change were not shown (synthesize.known_domains)"
    ]


def test_every_domain_is_seen_where_all_have_changed_or_the_limit_is_switched_off() -> None:
    many = [memory(f"d{n}/note.md", f"# Note\n\nPrinters jam on floor {n}.\n") for n in range(9)]
    assert len(read(*many, policy=Policy(synthesize=SynthesizePolicy(known_domains=1))).summaries) == 9
    known = [memory(one.path, one.content, dirty=False) for one in many]
    assert len(read(API, *known, policy=Policy(synthesize=SynthesizePolicy(known_domains=0))).summaries) == 10


def test_a_draft_becomes_a_file() -> None:
    answers = {"domains": SynthesizeAnswer.model_validate({"syntheses": [DRAFT]})}
    (operation,) = PHASE.plan(read(API, OPS), answers, around()).operations
    assert created(operation).path == "api/retries-everywhere.md"
    assert operation.kind in PHASE.may_emit


def test_no_file_is_overwritten() -> None:
    taken = memory("api/retries-everywhere.md", "By hand.")
    answers = {"domains": SynthesizeAnswer.model_validate({"syntheses": [DRAFT]})}
    assert codes(PHASE.plan(read(API, OPS, taken), answers, around())) == ["name_taken", "no_answer"]


def test_sources_that_were_not_offered_are_refused() -> None:
    foreign = DRAFT | {"sources": ["secret/_index.md", "other/_index.md"]}
    answers = {"domains": SynthesizeAnswer.model_validate({"syntheses": [foreign]})}
    found = PHASE.plan(read(API, OPS), answers, around())
    assert found.operations == ()
    assert codes(found) == ["too_few_memories", "not_offered"]


@pytest.mark.parametrize(
    "answers", [{}, {"domains": PruneAnswer()}, {"foreign": SynthesizeAnswer()}, {"domains": SynthesizeAnswer()}]
)
def test_missing_foreign_and_empty_answers_change_nothing(answers: Answers) -> None:
    assert PHASE.plan(read(API, OPS), answers, around()).operations == ()


def test_nothing_is_asked_twice() -> None:
    assert PHASE.repair(read(API, OPS), {}) == ()


def test_a_summary_by_hand_is_shown_instead_of_a_digest_and_a_generated_one_is_not() -> None:
    by_hand = memory("api/_index.md", "# api\n\nEverything about calls, by a person.\n")
    generated = memory("ops/_index.md", "---\ngenerated_by: slowwave\n---\n# ops\n\n- old pointer\n")
    shown = read(API, OPS, by_hand, generated).summaries
    assert shown["api/_index.md"] == "# api\n\nEverything about calls, by a person."
    assert shown["ops/_index.md"] == "- Queue: Jobs are retried with backoff."


def test_three_memories_of_one_domain_are_reflected_on_although_nothing_spans_domains() -> None:
    inputs = read(API, memory("api/b.md", "# B\n\nText.\n"), memory("top.md", "# Top\n\nText.\n"))
    (question,) = PHASE.ask(inputs)
    assert {document.path for document in question.documents} == {API.path, "api/b.md", "top.md"}
    assert [skip.code for skip in inputs.skips] == ["too_few_domains"]


def test_writes_of_dreams_and_hidden_folders_are_not_reflected_on() -> None:
    inputs = read(API, OPS, KNOWN, memory("_drafts/x.md"), memory(".git/y.md"), memory("MEMORY.md"))
    assert inputs.reflected == ()
    assert [skip.detail for skip in inputs.skips] == ["reflection: fewer than 3 memories (2)"]


def test_at_most_the_published_number_of_memories_is_shown_each_by_its_first_300_characters() -> None:
    many = [memory(f"ops/{n}.md", f"# Note {n}\n\n" + "Text. " * 200, importance=n) for n in range(60)]
    question = PHASE.ask(read(API, *many))[1]
    assert len(question.documents) == 50
    assert all(len(document.text) <= 300 for document in question.documents)
    assert "ops/0.md" not in {document.path for document in question.documents}  # the least important stay out


def test_of_a_memory_that_no_one_has_written_since_the_last_dream_a_model_sees_less() -> None:
    text = "# Note\n\n" + "Parcels leave at nine. " * 20
    known, news = memory("ops/known.md", text, dirty=False), memory("ops/news.md", text)
    question = PHASE.ask(read(API, known, news))[1]
    shown = {document.path: document for document in question.documents}
    assert 0 < len(shown[known.path].excerpt) <= 122 < len(shown[known.path].text)
    assert shown[news.path].excerpt == ""


def test_of_a_digest_a_model_sees_the_beginning_of_each_line_and_of_a_summary_by_hand_everything() -> None:
    wordy = [memory(f"ops/{n}.md", f"# Note {n}\n\n" + "Parcels leave at nine " * 12 + "sharp.") for n in range(4)]
    by_hand = memory("api/_index.md", "# api\n\n" + "Everything about calls, by a person. " * 20)
    question = PHASE.ask(read(API, by_hand, *wordy))[0]
    shown = {document.path: document for document in question.documents}
    digest = shown["ops/_index.md"]
    assert [len(line) <= 100 for line in digest.excerpt.split("\n")] == [True] * 4
    assert [line[:60] for line in digest.excerpt.split("\n")] == [line[:60] for line in digest.text.split("\n")]
    assert shown["api/_index.md"].excerpt == ""


def test_the_digests_of_many_domains_share_what_a_model_is_shown_of_them() -> None:
    policy = Policy(synthesize=SynthesizePolicy(shown_digests_chars=400))
    many = [
        memory(f"d{n}/{k}.md", f"# Note {k}\n\nParcels of depot {n} leave at nine.") for n in range(4) for k in "abcd"
    ]
    question = PHASE.ask(read(*many, policy=policy))[0]
    assert all(0 < len(document.excerpt) <= 100 for document in question.documents)


def test_a_profile_may_switch_reflection_off() -> None:
    off = Policy(reflect=ReflectPolicy(enabled=False))
    inputs = read(API, OPS, memory("ops/c.md", "# C\n\nText.\n"), policy=off)
    assert len(PHASE.ask(inputs)) == 1
    assert [skip.code for skip in inputs.skips] == ["reflection_off"]


def test_without_an_answer_to_the_reflection_the_synthesis_still_counts() -> None:
    inputs = read(API, OPS, memory("ops/c.md", "# C\n\nText.\n"))
    answers: Answers = {"domains": SynthesizeAnswer.model_validate({"syntheses": [DRAFT]})}
    found = PHASE.plan(inputs, answers, around())
    assert len(found.operations) == 1
    assert [skip.detail for skip in found.skips] == ["reflection: the model gave no usable answer"]


def test_a_store_may_reflect_without_syntheses_where_its_profile_writes_none() -> None:
    alone = get_policy("claude-code", {"reflect.enabled": True}, Autonomy.FLAG)
    third = memory("ops/printer.md", "# Printer\n\nIt wants paper.\n")
    inputs = read(API, OPS, third, policy=alone)
    assert [question.key for question in PHASE.ask(inputs)] == [REFLECTION]
    assert [skip.code for skip in inputs.skips] == ["synthesis_off"]
    assert PHASE.entry.runs_by(alone)


def test_where_neither_part_is_on_the_phase_does_not_run() -> None:
    off = {"phases.synthesize": False, "reflect.enabled": False}
    assert not PHASE.entry.runs_by(get_policy("swarmclaw", off, Autonomy.FLAG))
    for profile in ("byterover", "claude-code", "rockbot"):
        assert not get_policy(profile, {}, Autonomy.FLAG).reflect.enabled, f"{profile} publishes no reflection"
