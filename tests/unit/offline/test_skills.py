"""Skills without a model: twins become one, corrections are kept word for word."""

from shared.core.learning.skill_answers import SkillsAnswer
from shared.core.questions.question import Document, Question
from workers.phases.merge_skills.answer import MergeSkillsAnswer
from workers.phases.merge_skills.offline import decide_skill_merges
from workers.phases.repair_skills.answer import RepairSkillsAnswer
from workers.phases.repair_skills.offline import decide_skill_repairs


def ask(phase: str, *documents: Document) -> Question:
    return Question(phase=phase, key="k", documents=documents, answer_type=SkillsAnswer)


def skill(path: str, text: str, *facts: str) -> Document:
    return Document(path=path, text=text, role="skill", facts=facts)


def test_nothing_to_compare_gives_an_empty_answer() -> None:
    assert decide_skill_merges(ask("merge_skills")) == MergeSkillsAnswer()
    assert decide_skill_repairs(ask("repair_skills")) == RepairSkillsAnswer()


def test_names_of_a_namespace_in_the_same_words_are_linked_and_guided_but_not_merged() -> None:
    text = "Call the server with the token of the user and wait for its answer before the next one."
    answer = decide_skill_merges(ask("merge_skills", skill("mcp/a", text), skill("mcp/b", text)))
    assert answer.to_delete == ()
    assert [draft.name for draft in answer.to_save] == ["mcp/guide", "mcp/a", "mcp/b"]


def test_a_correction_is_added_once_word_for_word() -> None:
    fact = "2026-03-04 correction: answer invoices first"
    (draft,) = decide_skill_repairs(ask("repair_skills", skill("mail", "Sort it.", fact))).to_save
    assert draft.content.endswith(f"- {fact}\n")
    assert decide_skill_repairs(ask("repair_skills", skill("mail", draft.content, fact))).to_save == ()


def test_skills_of_one_template_for_different_things_are_not_merged() -> None:
    text = "Bump the version in {0}. Tag the commit and push the tag. Wait for the pipeline, then announce it in #releases."
    pair = [
        skill(f"release-{name}", text.format(file)) for name, file in (("ios", "Info.plist"), ("web", "package.json"))
    ]
    answer = decide_skill_merges(ask("merge_skills", *pair))
    assert answer.to_delete == ()


def test_skills_of_which_rules_alone_do_not_know_whether_they_are_one_are_left_to_a_person() -> None:
    text = (
        "---\nname: {0}\n---\nCollect the open claims, group them by carrier and send the totals to finance at noon.\n"
    )
    pair = [skill(name, text.format(name)) for name in ("parcel-desk", "evening-round")]
    (draft,) = decide_skill_merges(ask("merge_skills", *pair)).to_save
    assert draft.source_names
    assert "parcel-desk and evening-round hold the same instructions" in draft.doubt
