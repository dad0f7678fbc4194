"""Memories of which a model sees the beginning: they are linked at once, and merged or rewritten only by their whole texts."""

from dataclasses import replace
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from shared.core.memory.model import Memory
from shared.core.merging.calls import Group
from shared.core.merging.statements import find_unsaid
from shared.core.policy.policy import ConsolidatePolicy, Policy
from shared.core.questions.question import render_question
from tests.support.laws import examples
from tests.unit.builders import codes, group, memory, rewrites
from tests.unit.phases.consolidate.consolidating import does, plan
from tests.unit.phases.reading import around, context
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.consolidate.phase import PHASE, Inputs

HEAD = "# Parcels\n\nParcels of Nordpost are scanned at the hub in Malmo at six."
TAIL = "They leave at nine by van, and customs clears them in Gothenburg."
OTHER = "# Parcels\n\nNordpost brings the freight to the hub in Malmo, where it is scanned at six."
ONE, TWO = memory("post/parcels.md", f"{HEAD} {TAIL}\n"), memory("post/freight.md", f"{OTHER}\n")
IN_PART = replace(group(ONE, TWO, key="post#1"), in_part=(ONE.path,))
INPUTS = Inputs(
    groups=(IN_PART,), live_paths=frozenset({ONE.path, TWO.path}), hints=(), changed=2, settled=0, excerpt_chars=72
)


def saying(*actions: ConsolidateAction) -> ConsolidateAnswer:
    return ConsolidateAnswer(actions=actions)


MERGE = does("MERGE", ONE, TWO, outputFile=ONE.path, confidence=0.9)


def test_a_model_sees_the_beginning_and_the_rules_without_a_model_the_whole() -> None:
    (question,) = PHASE.ask(INPUTS)
    assert [document.text for document in question.documents] == [ONE.content, TWO.content]
    rendered = render_question(question)
    assert "scanned at the hub in Malmo" in rendered
    assert "Gothenburg" not in rendered
    assert TWO.content in rendered


def test_of_a_file_beside_what_changed_a_model_sees_its_share() -> None:
    beside = replace(group(TWO), beside=(ONE,), in_part=(ONE.path,), beside_chars=40)
    (question,) = PHASE.ask(replace(INPUTS, groups=(beside,)))
    (shown,) = (document.excerpt for document in question.documents if document.path == ONE.path)
    assert shown.startswith("# Parcels")
    assert len(shown) <= 40


def test_memories_that_were_shown_in_part_are_joined_word_for_word() -> None:
    (operation,) = PHASE.plan(INPUTS, {"post#1": saying(MERGE)}, around()).operations
    merged = rewrites(operation)[ONE.path].content
    assert find_unsaid(merged, [ONE.content, TWO.content]) == ()


def test_a_merge_without_a_text_of_what_was_shown_whole_changes_nothing() -> None:
    whole = replace(INPUTS, groups=(replace(IN_PART, in_part=()),))
    assert codes(PHASE.plan(whole, {"post#1": saying(MERGE)}, around())) == ["incomplete_action"]


def test_a_new_text_that_leaves_out_what_was_not_shown_is_refused() -> None:
    late = memory("post/late.md", f"The van was late yesterday. {TAIL}\n")
    shown = replace(group(late), in_part=(late.path,))
    update = partial(does, "TEMPORAL_UPDATE", late, confidence=0.9)
    assert codes(plan(update(updatedContent="The van was late yesterday (2026-03-09)."), of=shown)) == ["shown_in_part"]
    whole = plan(update(updatedContent=f"The van was late yesterday (2026-03-09). {TAIL}\n"), of=shown)
    assert [operation.propose_only for operation in whole.operations] == [None]


def test_memories_in_part_are_linked_at_once() -> None:
    (operation,) = plan(does("CROSS_REFERENCE", ONE, TWO, confidence=0.9), of=IN_PART).operations
    assert {change.path for change in operation.changes if hasattr(change, "path")} == {ONE.path, TWO.path}


_SENTENCES = st.lists(
    st.sampled_from([HEAD, TAIL, OTHER, "Carrier calls are retried three times.", "The printers broke yesterday."]),
    max_size=3,
).map(" ".join)
_STORES = st.dictionaries(st.sampled_from([f"{d}/{n}.md" for d in ("api", "ops", "post") for n in "ab"]), _SENTENCES)


def decisions(memories: list[Memory], shared_call_chars: int) -> tuple[int, list[str]]:
    policy = Policy(consolidate=ConsolidatePolicy(shared_call_chars=shared_call_chars))
    inputs = PHASE.read(context(*memories, policy=policy))
    if not isinstance(inputs, Inputs):
        return 0, []
    questions = PHASE.ask(inputs)
    answers = [question.without_model(question) for question in questions if question.without_model]
    return len(questions), [action.model_dump_json() for one in answers for action in getattr(one, "actions", ())]


@given(_STORES)
@examples(40)
def test_without_a_model_domains_that_share_a_call_are_decided_on_as_if_each_were_asked_about_alone(
    texts: dict[str, str],
) -> None:
    memories = [memory(path, text) for path, text in texts.items()]
    alone, decided = decisions(memories, 0)
    together, the_same = decisions(memories, 40_000)
    assert the_same == decided
    assert together == min(alone, 1)


def test_groups_stored_by_an_earlier_version_are_read_as_shown_whole() -> None:
    old = Group(key="post#1", domain="post", changed=(ONE,), related=(TWO,))
    (question,) = PHASE.ask(replace(INPUTS, groups=(old,), excerpt_chars=0))
    assert [document.excerpt for document in question.documents] == ["", ""]
