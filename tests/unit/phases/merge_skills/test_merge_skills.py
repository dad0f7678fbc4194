"""The merge_skills phase: what it shows, what it merges, and what it never does."""

from typing import Any

import pytest

from shared.core.dream.operations import OperationKind, Plan
from shared.core.learning.skills import SkillUse
from shared.core.memory.frontmatter import read_fields
from shared.core.memory.model import Memory, MemoryState
from shared.core.questions.change_gate import Asked
from shared.core.questions.fingerprint import cluster_fingerprint
from tests.unit.builders import NOW, codes, created, days_ago, memory, retired, rewrites
from tests.unit.phases.reading import around, context
from workers.phase.shape import NothingToDo
from workers.phases.merge_skills.answer import MergeSkillsAnswer
from workers.phases.merge_skills.phase import PHASE, Inputs
from workers.phases.prune.answer import PruneAnswer

MAIL = "---\nname: mail\ndescription: Sort the mail\n---\n\nSort the mail by sender, port 993.\n"
INBOX = "---\nname: inbox\n---\n\nSort the mail by sender, port 993. Keep invoices apart.\n"
MERGED = "Sort the mail by sender, port 993. Keep invoices apart.\n"


def skill(name: str, text: str = "Do it well. " * 20, *, days: float = 10, **values: Any) -> Memory:
    return memory(f"skills/{name}/SKILL.md", text, untouched_days=days, **values)


def use(name: str, session: str, days: float = 1) -> SkillUse:
    return SkillUse(skill=name, session=session, used_at=days_ago(days))


def read(*memories: Memory, uses: tuple[SkillUse, ...] = ()) -> Inputs:
    found = PHASE.read(context(*memories, uses=uses))
    assert isinstance(found, Inputs)
    return found


def plan(inputs: Inputs, *drafts: dict[str, Any], delete: tuple[str, ...] = ()) -> Plan:
    answers: dict[str, Any] = {"skills": MergeSkillsAnswer.model_validate({"toDelete": delete, "toSave": drafts})}
    return PHASE.plan(inputs, answers, around())


TWINS = (skill("mail", MAIL), skill("inbox", INBOX))
MERGE: dict[str, Any] = {"name": "mail", "content": MERGED, "sourceNames": ["inbox"]}


def test_without_two_skills_or_a_change_there_is_no_call() -> None:
    assert PHASE.read(context(memory("api/a.md"))) == NothingToDo("fewer than 2 skills (0)")
    settled = [skill("a", dirty=False), skill("b", dirty=False)]
    found = PHASE.read(context(*settled, last_dream_at=NOW))
    assert found == NothingToDo("no skill changed since the last dream")
    assert isinstance(PHASE.read(context(*settled, skill("c"), last_dream_at=NOW)), Inputs)


def left_alone(*skills: Memory) -> Asked:
    return Asked(
        phase="merge_skills",
        fingerprint=cluster_fingerprint(skills),
        dream_id="drm_0",
        asked_at=days_ago(8),
        times_settled=1,
        members=tuple(one.id for one in skills),
    )


def test_skills_that_were_left_alone_are_looked_at_again_when_their_time_has_come() -> None:
    same = [skill("a", dirty=False), skill("b", dirty=False)]
    found = PHASE.read(context(*same, last_dream_at=NOW, due=[left_alone(*same)]))
    assert isinstance(found, Inputs)
    (cluster,) = PHASE.settle(found, ["skills"], ()).clusters
    assert cluster.fingerprint == left_alone(*same).fingerprint
    assert PHASE.settle(found, ["skills"], {same[0].id}).clusters == ()
    assert PHASE.settle(found, (), ()).clusters == ()


def test_another_set_of_skills_that_was_left_alone_is_no_reason_to_look_again() -> None:
    same = [skill("a", dirty=False), skill("b", dirty=False)]
    due = left_alone(*same, skill("gone"))
    assert isinstance(PHASE.read(context(*same, last_dream_at=NOW, due=[due])), NothingToDo)
    changed = PHASE.read(context(*same, skill("c"), last_dream_at=NOW, due=[due]))
    assert isinstance(changed, Inputs)
    assert changed.obsolete == (due.fingerprint,)


def test_uses_of_30_days_are_shown_and_older_ones_are_not_counted() -> None:
    (question,) = PHASE.ask(read(*TWINS, uses=(use("mail", "s1"), use("mail", "s1", 2), use("mail", "s2", 31))))
    assert {d.path: d.facts[0] for d in question.documents} == {
        "mail": "used 2 times in 30 days",
        "inbox": "used 0 times in 30 days",
    }


def test_a_skill_under_200_characters_and_over_7_days_old_is_marked_as_sparse() -> None:
    (question,) = PHASE.ask(read(skill("old", "Short.", days=8), skill("new", "Short.", days=6), skill("long", days=8)))
    assert [d.path for d in question.documents if "[sparse-content]" in d.facts] == ["old"]


def test_the_ten_pairs_that_sessions_used_most_together_are_shown() -> None:
    names = [f"s{number}" for number in range(6)]
    uses = (*(use(name, "one") for name in names), use("s4", "two"), use("s5", "two"))
    (question,) = PHASE.ask(read(*(skill(name) for name in names), uses=uses))
    (signal,) = (d.text for d in question.documents if d.path == "used-together")
    assert len(signal.splitlines()) == 10
    assert signal.startswith("- s4 and s5: 2 session(s)\n")


def test_skills_of_one_prefix_are_shown_as_a_cluster() -> None:
    (question,) = PHASE.ask(read(skill("mcp/mail"), skill("mcp/cal"), skill("web/one"), skill("plain")))
    assert [d.text for d in question.documents if d.path == "prefix-clusters"] == ["- mcp/*: mcp/cal, mcp/mail"]


def test_a_skill_is_shown_with_at_most_800_characters() -> None:
    (question,) = PHASE.ask(read(skill("long", "x" * 5_000), skill("b")))
    assert max(len(document.text) for document in question.documents) == 800


def test_merged_skills_are_superseded_and_never_deleted() -> None:
    (operation,) = plan(read(*TWINS), MERGE, delete=("inbox",)).operations
    assert operation.kind is OperationKind.MERGE_SKILLS
    assert operation.needs_review
    gone = retired(operation)["skills/inbox/SKILL.md"]
    assert (gone.state, gone.superseded_by) == (MemoryState.SUPERSEDED, "skills/mail/SKILL.md")
    assert rewrites(operation)["skills/mail/SKILL.md"].content.endswith(f"---\n\n{MERGED}")


def test_source_ids_are_understood_as_source_names() -> None:
    (operation,) = plan(read(*TWINS), {"name": "post", "content": MERGED, "sourceIds": ["mail", "inbox"]}).operations
    assert created(operation).path == "skills/post/SKILL.md"
    assert set(retired(operation)) == {"skills/mail/SKILL.md", "skills/inbox/SKILL.md"}


def test_a_merged_skill_carries_the_earliest_creation_and_the_latest_use() -> None:
    old = skill("inbox", INBOX.replace("name: inbox", "name: inbox\ncreated: 2025-02-03T00:00:00Z"))
    (operation,) = plan(read(TWINS[0], old, uses=(use("inbox", "s1", 5), use("mail", "s2", 9))), MERGE).operations
    fields = read_fields(rewrites(operation)["skills/mail/SKILL.md"].content)
    assert str(fields["created"]).startswith("2025-02-03")
    assert str(fields["last-used"]).startswith(days_ago(5).date().isoformat())


def test_a_deletion_without_any_replacement_leaves_the_whole_answer_alone() -> None:
    planned = plan(read(*TWINS), delete=("inbox", "mail"))
    assert planned.operations == ()
    assert codes(planned) == ["deletion_without_replacement"]


def test_a_deletion_that_no_saved_skill_replaces_is_refused_and_the_rest_goes_on() -> None:
    planned = plan(read(*TWINS, skill("other", "Bake bread. " * 30)), MERGE, delete=("inbox", "other", "foreign"))
    assert [op.kind for op in planned.operations] == [OperationKind.MERGE_SKILLS]
    assert codes(planned) == ["deletion_without_replacement", "not_offered"]


def test_namespaced_singletons_are_never_merged_across_suffixes() -> None:
    inputs = read(skill("mcp/mail", "Call it."), skill("mcp/cal", "Call it."), skill("mail", "Call it."))
    for target, sources in (("mcp/mail", ["mcp/cal"]), ("mcp/guide", ["mcp/mail"]), ("all", ["mcp/mail", "mcp/cal"])):
        planned = plan(inputs, {"name": target, "content": "Call it.", "sourceNames": sources})
        assert codes(planned) == ["namespaced_singleton"]
    same = {"name": "mcp/mail", "content": "Call it.", "sourceNames": ["mail"]}
    assert len(plan(inputs, same).operations) == 1


def test_a_prefix_cluster_gets_a_parent_guide_and_its_siblings_stay() -> None:
    inputs = read(skill("mcp/mail"), skill("mcp/cal"))
    guide = {"name": "mcp/guide", "summary": "Which one", "content": "Mail or calendar.", "seeAlso": ["foreign"]}
    (operation,) = plan(inputs, guide).operations
    assert operation.kind is OperationKind.GUIDE_SKILLS
    assert read_fields(created(operation).content)["see-also"] == ["mcp/cal", "mcp/mail"]


@pytest.mark.parametrize("name", ["mcp/other", "web/guide", "guide", "new-skill"])
def test_a_skill_from_nothing_that_is_no_guide_of_a_cluster_is_refused(name: str) -> None:
    inputs = read(skill("mcp/mail"), skill("mcp/cal"), skill("web/one"))
    assert codes(plan(inputs, {"name": name, "summary": "s", "content": "c"})) == ["no_sources"]


def test_see_also_is_written_for_skills_that_stay_and_names_of_none_are_left_out() -> None:
    wanted = {"name": "mail", "content": "ignored", "seeAlso": ["inbox", "foreign", "mail"]}
    (operation,) = plan(read(*TWINS), wanted).operations
    (content,) = (change.content for change in rewrites(operation).values())
    assert operation.kind is OperationKind.LINK_SKILLS
    assert read_fields(content)["see-also"] == ["inbox"]
    assert content.endswith(MAIL.partition("---\n\n")[2])


def test_links_to_a_superseded_skill_lead_to_its_successor() -> None:
    third = skill("post", "---\nname: post\nsee-also: [inbox, elsewhere]\n---\nWrite letters.\n")
    planned = plan(read(*TWINS, third), MERGE)
    link = next(op for op in planned.operations if op.kind is OperationKind.LINK_SKILLS)
    assert read_fields(rewrites(link)["skills/post/SKILL.md"].content)["see-also"] == ["mail", "elsewhere"]


def test_a_merged_text_in_words_of_its_own_that_loses_a_specific_is_proposed() -> None:
    (proposed,) = plan(read(*TWINS), MERGE | {"content": "Sort the mail by sender."}).operations
    assert "993" in (proposed.propose_only or "")


def test_what_a_merged_text_lacks_of_skills_that_were_shown_in_part_is_put_back() -> None:
    steps = "".join(f"- Step {number} sorts the mail of sender {number}.\n" for number in range(80))
    (operation,) = plan(
        read(skill("mail", f"{steps}- Log out.\n"), skill("inbox", steps)), MERGE | {"content": steps}
    ).operations
    assert "- Log out." in rewrites(operation)["skills/mail/SKILL.md"].content


def test_skills_that_contradict_each_other_are_not_merged_without_a_person() -> None:
    inputs = read(
        skill("a", "Always restart the printer before the update."),
        skill("b", "Never restart the printer before the update."),
    )
    planned = plan(inputs, {"name": "a", "content": "Restart the printer.", "sourceNames": ["b"]})
    (operation,) = planned.operations
    assert "differ in a negation" in (operation.propose_only or "")


def test_a_skill_with_files_beside_it_is_not_merged_away() -> None:
    inputs = read(*TWINS, memory("skills/inbox/run.sh", "exit 0"))
    assert codes(plan(inputs, MERGE)) == ["has_files"]
    assert len(plan(inputs, MERGE | {"name": "inbox", "sourceNames": ["mail"]}).operations) == 1


def test_a_skill_is_in_one_merge_only_and_beyond_the_loss_cap_merges_are_proposed() -> None:
    many = [skill(f"m{number}", "Sort the mail by sender.") for number in range(8)]
    drafts = [
        {"name": f"m{number}", "content": "Sort the mail by sender.", "sourceNames": [f"m{number + 1}"]}
        for number in (0, 1, 2, 4, 6)
    ]
    planned = plan(read(*many), *drafts)
    assert codes(planned) == ["already_merged"]
    assert [op.propose_only is None for op in planned.operations] == [True, True, False, False]


def test_foreign_names_garbage_and_emptiness_change_nothing() -> None:
    inputs = read(*TWINS)
    assert codes(plan(inputs, {"name": "mail", "content": "x", "sourceNames": ["../../etc"]}))[0] == "not_offered"
    assert plan(inputs, {"name": "mail", "content": "x", "sourceNames": ["foreign"]}).operations == ()
    assert codes(plan(inputs, MERGE | {"content": " "})) == ["incomplete_action"]
    assert codes(plan(inputs, MERGE | {"name": "../x", "sourceNames": ["mail", "inbox"]})) == ["unsafe_path"]
    assert codes(PHASE.plan(inputs, {}, around())) == ["no_answer"]
    assert codes(PHASE.plan(inputs, {"skills": PruneAnswer()}, around())) == ["no_answer"]
    assert plan(inputs) == Plan()
    assert PHASE.repair(inputs, {}) == ()


def test_skills_for_different_things_do_not_become_one_whatever_the_model_wants() -> None:
    text = "---\nname: release-{0}\n---\n\nBump the version in `{1}`, then push the tag and wait for the pipeline.\n"
    pair = (
        skill("release-ios", text.format("ios", "Info.plist")),
        skill("release-web", text.format("web", "app.json")),
    )
    wanted = {"name": "release-ios", "content": "Bump `Info.plist` or `app.json`.", "sourceNames": ["release-web"]}
    planned = plan(read(*pair), wanted)
    assert planned.operations == ()
    assert codes(planned) == ["different_subjects"]


def test_a_merge_that_the_rules_are_unsure_of_is_proposed() -> None:
    (operation,) = plan(read(*TWINS), MERGE | {"doubt": "rules alone do not know"}).operations
    assert operation.propose_only == "rules alone do not know"
