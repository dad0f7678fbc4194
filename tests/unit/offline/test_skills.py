"""Skills without a model: what recurs becomes a skill, twins become one, corrections are kept word for word."""

from shared.core.learning.skill_answers import SkillsAnswer
from shared.core.questions.question import Document, Question
from workers.phases.find_skill_gaps.answer import SkillGapAnswer
from workers.phases.find_skill_gaps.offline import decide_skill_gaps
from workers.phases.merge_skills.answer import MergeSkillsAnswer
from workers.phases.merge_skills.offline import decide_skill_merges
from workers.phases.repair_skills.answer import RepairSkillsAnswer
from workers.phases.repair_skills.offline import decide_skill_repairs


def ask(phase: str, *documents: Document) -> Question:
    answer = SkillGapAnswer if phase == "find_skill_gaps" else SkillsAnswer
    return Question(phase=phase, key="k", documents=documents, answer_type=answer)


def session(path: str, text: str) -> Document:
    return Document(path=path, text=text, role="session", at="2026-03-04")


def skill(path: str, text: str, *facts: str) -> Document:
    return Document(path=path, text=text, role="skill", facts=facts)


SAME = (session("s1", "Summarize the lost parcel claims"), session("s2", "summarize lost parcel claims with totals"))


def test_two_openings_in_nearly_the_same_words_become_one_skill_and_others_none() -> None:
    (found,) = decide_skill_gaps(ask("find_skill_gaps", *SAME, session("s3", "deploy the gateway"))).to_save
    assert (found.name, found.sessions) == ("summarize-lost-parcel-claims", ("s1", "s2"))


def test_a_task_that_a_skill_covers_is_no_gap() -> None:
    known = skill("summarize-lost-parcel-claims", "Use for requests such as: summarize lost parcel claims")
    assert decide_skill_gaps(ask("find_skill_gaps", *SAME, known)).to_save == ()


def test_the_same_subject_is_not_the_same_request() -> None:
    apart = (session("s1", "where is the parcel of Lyon"), session("s2", "who packs a parcel"))
    assert decide_skill_gaps(ask("find_skill_gaps", *apart)).to_save == ()


def test_nothing_to_compare_gives_an_empty_answer() -> None:
    assert decide_skill_gaps(ask("find_skill_gaps")) == SkillGapAnswer()
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


def test_two_requests_that_ask_for_different_things_of_the_same_depot_become_no_skill() -> None:
    apart = (
        session("s1", "Can you find last year's labels of the Lyon depot?"),
        session("s2", "Export last week's labels for the depot in Aarhus."),
    )
    assert decide_skill_gaps(ask("find_skill_gaps", *apart)).to_save == ()


def test_greetings_and_a_pasted_plan_become_no_skill() -> None:
    talk = (
        session("s1", "Hey Melanie! Long time no talk! A lot's been going on in my life!"),
        session("s2", "Hey Mel! Long time no talk. Lots has been going on since then!"),
        session("s3", "implement the printError helper, follow same pattern as printMissing"),
        session(
            "s4", "Implement the following plan: add unit tests for the version and its metadata, follow the pattern"
        ),
    )
    assert decide_skill_gaps(ask("find_skill_gaps", *talk)).to_save == ()


def test_a_found_skill_says_what_varied_and_invents_no_steps() -> None:
    (found,) = decide_skill_gaps(ask("find_skill_gaps", *SAME)).to_save
    assert "## What varies\n\n- totals\n" in found.content
    assert "do not say how it is done" in found.content


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
