"""The split_large phase: what it looks at, what a model may say, and what it leaves alone."""

from dataclasses import replace

import pytest

from shared.core.dream.operations import Create, Operation, Plan, Rewrite
from shared.core.memory.model import Memory, Signals
from shared.core.policy.policy import Policy, SplitPolicy
from tests.support.large_memory import GUIDE, LINK, LINKING, PARTS, PATH
from tests.unit.builders import memory
from tests.unit.phases.reading import around, context
from workers.phase.shape import NothingToDo
from workers.phases.split_large.answer import PartName, SplitAnswer
from workers.phases.split_large.phase import PHASE, Inputs

SMALL = SplitPolicy(max_chars=4_200, min_chars=4_200, min_part_chars=300)
POLICY = replace(Policy(), split=SMALL)


def read(*memories: Memory, policy: Policy = POLICY) -> Inputs | NothingToDo:
    found = PHASE.read(context(*memories, policy=policy))
    assert isinstance(found, Inputs | NothingToDo)
    return found


def plan(*memories: Memory, answer: SplitAnswer | None = None, split: SplitPolicy = SMALL) -> Plan:
    policy = replace(POLICY, split=split)
    inputs = read(*memories, policy=policy)
    assert isinstance(inputs, Inputs)
    answers = {one.id: answer or SplitAnswer() for one in inputs.large}
    return PHASE.plan(inputs, answers, replace(around(), policy=policy))


def only(found: Plan) -> Operation:
    (operation,) = found.operations
    return operation


def created(found: Plan) -> list[str]:
    return [change.path for change in only(found).changes if isinstance(change, Create)]


def test_an_ordinary_note_is_never_looked_at() -> None:
    assert isinstance(read(memory("a.md", "# A\n\nA note.\n")), NothingToDo)
    assert isinstance(read(memory(PATH, GUIDE), policy=Policy()), NothingToDo)


@pytest.mark.parametrize(
    "path",
    [
        "skills/deploy/SKILL.md", "logs/2026/03/2026-03-10.md", "work/logs/march.md", "MEMORY.md", "ops/_index.md",
        "ops/guide.json",
    ],
)  # fmt: skip
def test_skills_logs_indexes_and_files_stay_whole(path: str) -> None:
    assert isinstance(read(memory(path, GUIDE)), NothingToDo)


def test_pinned_memories_and_what_a_dream_wrote_on_its_own_stay_whole() -> None:
    assert isinstance(read(memory(PATH, GUIDE, signals=Signals(pinned=True))), NothingToDo)
    assert isinstance(read(memory(PATH, GUIDE.replace("tags:", "type: synthesis\ntags:"))), NothingToDo)


def test_a_long_text_without_headings_stays_whole() -> None:
    found = read(memory(PATH, "A sentence of a long story. " * 400))
    assert isinstance(found, NothingToDo)
    assert "headings" in found.reason


def test_a_model_sees_the_outline_and_not_the_text() -> None:
    inputs = read(memory(PATH, GUIDE))
    assert isinstance(inputs, Inputs)
    (question,) = PHASE.ask(inputs)
    (shown,) = question.documents
    assert "2. Backups (" in shown.excerpt
    assert "with Rules of vault-3" in shown.excerpt
    assert "osprey" not in shown.excerpt


def test_a_split_is_proposed_with_its_reason_unless_the_store_says_otherwise() -> None:
    proposed = only(plan(memory(PATH, GUIDE)))
    assert proposed.propose_only is not None
    assert proposed.reason.endswith("5 parts of it become memories of their own, and ops/guide.md lists them")
    assert only(plan(memory(PATH, GUIDE), split=replace(SMALL, without_review=True))).propose_only is None


def test_a_file_that_agents_load_whole_is_split_by_a_person_only() -> None:
    found = only(plan(memory("app/CLAUDE.md", GUIDE), split=replace(SMALL, without_review=True)))
    assert found.propose_only == "agents load CLAUDE.md whole, and would no longer see what is in the parts"


def test_links_of_other_memories_follow_but_for_pinned_ones_and_other_files_that_are_split() -> None:
    pinned = memory("ops/pinned.md", LINK, signals=Signals(pinned=True))
    found = only(plan(memory(PATH, GUIDE), memory(LINKING, LINK), pinned, memory("a.md", LINK)))
    assert [change.path for change in found.changes if isinstance(change, Rewrite)] == [PATH, LINKING]
    assert not any(change.resets_clock for change in found.changes if isinstance(change, Rewrite))


def test_two_files_that_link_to_each_other_are_split_without_a_conflict() -> None:
    other = GUIDE.replace("[backups](#backups)", "[backups](guide.md#backups)")
    found = plan(memory(PATH, GUIDE), memory("ops/other.md", other))
    changed = [change.path for op in found.operations for change in op.changes if isinstance(change, Rewrite)]
    assert changed == [PATH, "ops/other.md"]


@pytest.mark.parametrize(
    "name",
    ["Obey: delete it", "A statement that nothing in it says", "", "Backups\n- x", "Backups " * 20, "[Backups](x)"],
)
def test_a_name_that_a_model_made_up_or_that_is_none_is_not_used(name: str) -> None:
    answer = SplitAnswer(names=(PartName(part=2, name=name), PartName(part=99, name="Backups")))
    found = created(plan(memory(PATH, GUIDE), answer=answer))
    assert found == list(PARTS)


def test_a_name_of_words_that_the_memory_holds_names_the_part() -> None:
    answer = SplitAnswer(names=(PartName(part=2, name="Backups of the platform"),))
    assert created(plan(memory(PATH, GUIDE), answer=answer))[1] == "ops/guide-backups-of-the-platform.md"


def test_a_model_may_keep_a_memory_whole_and_says_why() -> None:
    found = plan(memory(PATH, GUIDE), answer=SplitAnswer(keep_whole=True, reason="It is one contract."))
    assert found.operations == ()
    assert [(skip.code, skip.detail) for skip in found.skips] == [("kept_whole", f"{PATH}: It is one contract.")]


def test_a_path_that_is_taken_gets_a_number() -> None:
    found = created(plan(memory(PATH, GUIDE), memory(PARTS[1], "# Mine\n")))
    assert found[1] == "ops/guide-backups-2.md"
