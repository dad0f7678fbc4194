"""Inferred preferences: how often, whose words, what a person must allow, what may replace what."""

from typing import Any

import pytest

from shared.core.dream.operations import Operation, Plan
from shared.core.learning.feedback import Feedback, FeedbackKind, Rating
from shared.core.memory.frontmatter import read_fields
from shared.core.memory.model import Author, Memory, MemoryState, Signals
from shared.core.memory.provenance import read_sources
from shared.core.policy.policy import PreferencePolicy
from shared.core.sessions.excerpts import Excerpt, ExcerptLine
from tests.unit.builders import NOW, codes, created, memory, retired
from workers.phases.infer_preferences.answer import InferAnswer
from workers.phases.infer_preferences.plan import PreferenceView, plan_preferences

TABS = ("Please indent with tabs in Makefiles.", "Tabs in Makefiles, please.", "I like tabs in Makefiles better.")


def piece(*lines: str, session: str = "sesn_1", role: str = "user") -> Excerpt:
    made = [
        ExcerptLine(position=n, event_id=f"e{n}", role=role, at=NOW, text=text, is_hit=True)
        for n, text in enumerate(lines, 1)
    ]
    return Excerpt(session_id=session, lines=tuple(made), reasons=("preference at [1]",))


def correction(number: int, text: str, **values: Any) -> Feedback:
    known: dict[str, Any] = {"kind": FeedbackKind.CORRECTION, "rating": Rating.NONE, "subject": "", **values}
    return Feedback(
        id=f"fbk_{number}", external_id=f"x{number}", text=text, skill="", session="", occurred_at=NOW, **known
    )


def inferred(name: str, text: str, **values: Any) -> Memory:
    return memory(f"user-preferences/inferred/{name}.md", f"# {name}\n\n{text}\n", author=Author.DREAM, **values)


def plan(
    *items: dict[str, Any],
    excerpts: tuple[Excerpt, ...] = (),
    feedback: tuple[Feedback, ...] = (),
    existing: tuple[Memory, ...] = (),
    to_delete: tuple[str, ...] = (),
    filed: tuple[Memory, ...] = (),
    proposed: tuple[str, ...] = (),
) -> Plan:
    view = PreferenceView(
        excerpts=excerpts,
        feedback=feedback,
        existing=existing,
        live_paths=frozenset(one.path for one in existing),
        policy=PreferencePolicy(),
        now=NOW,
        filed=filed,
        proposed=proposed,
    )
    return plan_preferences(view, InferAnswer.model_validate({"toSave": items, "toDelete": to_delete}))


def wish(excerpt: Excerpt, *quotes: str, **values: Any) -> dict[str, Any]:
    return {
        "content": "The user wants tabs in Makefiles.",
        "title": "Tabs in Makefiles",
        "sourceIds": [excerpt.path],
        "quotes": quotes,
        "confidence": 0.9,
        **values,
    }


def only(found: Plan) -> Operation:
    (operation,) = found.operations
    return operation


@pytest.mark.parametrize(("sentiment", "needed"), [("very_irritated", 1), ("mild", 2), ("casual", 3)])
def test_very_irritated_once_mild_twice_casual_three_times(sentiment: str, needed: int) -> None:
    said = piece(*TABS)
    too_few = plan(wish(said, *TABS[: needed - 1], sentiment=sentiment), excerpts=(said,))
    assert too_few.operations == ()
    assert codes(too_few) == (["too_few_occurrences"] if needed > 1 else ["unfounded_quote"])
    enough = only(plan(wish(said, *TABS[:needed], sentiment=sentiment), excerpts=(said,)))
    assert read_fields(created(enough).content)["occurrences"] == needed


def test_one_place_counts_once_however_often_it_is_quoted() -> None:
    said = piece("Tabs in Makefiles, please, and tabs in Makefiles only.")
    quotes = ("Tabs in Makefiles", "tabs in Makefiles only", "Tabs in Makefiles, please")
    assert codes(plan(wish(said, *quotes), excerpts=(said,))) == ["too_few_occurrences"]


def test_an_unknown_tone_needs_the_most_occurrences() -> None:
    said = piece(*TABS)
    assert codes(plan(wish(said, TABS[0], sentiment="livid"), excerpts=(said,))) == ["too_few_occurrences"]


def test_an_inferred_preference_lies_in_its_category_with_its_tag_and_its_sources() -> None:
    said = piece(*TABS)
    made = created(only(plan(wish(said, *TABS, tags=["Make Files"]), excerpts=(said,))))
    fields = read_fields(made.content)
    assert made.path == "user-preferences/inferred/tabs-in-makefiles.md"
    assert (fields["category"], fields["tags"]) == ("user-preferences/inferred", ["inferred", "make-files"])
    assert [one.event_id for one in read_sources(made.content)] == ["e1", "e2", "e3"]
    assert (made.signals.reinforcement_count, made.signals.access_count) == (3, 0)


def test_a_tone_that_the_words_do_not_have_is_flagged() -> None:
    said = piece(*TABS)
    operation = only(plan(wish(said, TABS[2], sentiment="very_irritated"), excerpts=(said,)))
    assert operation.needs_review
    assert "taken for very irritated" in operation.reason


@pytest.mark.parametrize(
    "content",
    [
        "The user wants the API key read from the keychain.",
        "The user wants passwords of at least 20 characters.",
        "The user wants invoices paid on the last day.",
    ],
)
def test_security_credentials_and_finance_need_the_users_permission_and_are_proposals_only(content: str) -> None:
    said = piece(*TABS)
    operation = only(plan(wish(said, *TABS, content=content), excerpts=(said,)))
    assert operation.propose_only is not None
    assert read_fields(created(operation).content)["requires_user_permission"] is True


@pytest.mark.parametrize("flag", ["true", True, "True"])
def test_a_model_that_asks_for_permission_gets_a_proposal(flag: object) -> None:
    said = piece(*TABS)
    item = wish(said, *TABS, metadata={"requires_user_permission": flag})
    assert only(plan(item, excerpts=(said,))).propose_only is not None


def test_a_harmless_preference_is_applied() -> None:
    said = piece(*TABS)
    operation = only(plan(wish(said, *TABS), excerpts=(said,)))
    assert operation.propose_only is None
    assert "requires_user_permission" not in read_fields(created(operation).content)


def test_words_that_were_not_said_or_that_an_assistant_said_show_nothing() -> None:
    said, answered = piece(*TABS), piece(*TABS, session="sesn_2", role="assistant")
    found = plan(
        wish(said, "Spaces only!!", sentiment="very_irritated"), wish(answered, *TABS), excerpts=(said, answered)
    )
    assert (found.operations, codes(found)) == ((), ["unfounded_quote", "not_the_users_words"])


def test_foreign_ids_are_dropped() -> None:
    said = piece(*TABS)
    found = plan(wish(said, *TABS, sourceIds=["sesn_9#1-3", "fbk_9"]), excerpts=(said,))
    assert (found.operations, codes(found)) == ((), ["not_offered"])


def test_another_category_than_this_phases_is_refused() -> None:
    said = piece(*TABS)
    assert codes(plan(wish(said, *TABS, category="agent-identity/goals"), excerpts=(said,))) == ["wrong_category"]


def test_a_correction_becomes_an_anti_pattern_of_its_domain_and_is_used_once() -> None:
    told = correction(1, "Do not deploy on Fridays, we lost an afternoon.", subject="deploy")
    item = {"content": told.text, "title": "Friday deploys", "category": "anti-patterns/deploy", "sourceIds": ["fbk_1"]}
    found = plan(item, feedback=(told,))
    assert created(only(found)).path == "anti-patterns/deploy/friday-deploys.md"
    assert found.used == ("fbk_1",)


def test_only_a_correction_makes_an_anti_pattern() -> None:
    thumb = correction(1, "Bad.", kind=FeedbackKind.THUMBS_DOWN)
    item = {"content": "Never deploy.", "category": "anti-patterns/deploy", "sourceIds": ["fbk_1"]}
    assert plan(item, feedback=(thumb,)).operations == ()


def test_a_known_statement_is_not_written_twice() -> None:
    said = piece(*TABS)
    known = memory("preferences/tabs.md", "# Tabs\n\nThe user wants tabs in Makefiles.\n")
    assert codes(plan(wish(said, *TABS), excerpts=(said,), existing=(known,))) == ["known_already"]


def test_a_refined_preference_supersedes_the_old_one_and_keeps_its_counts() -> None:
    said = piece(*TABS)
    old = inferred("tabs", "The user wants tabs.", signals=Signals(reinforcement_count=4, access_count=2))
    item = wish(said, TABS[0], sourceIds=[said.path, old.path])
    operation = only(plan(item, excerpts=(said,), existing=(old,), to_delete=(old.path,)))
    assert retired(operation)[old.path].state is MemoryState.SUPERSEDED
    signals = created(operation).signals
    assert (signals.reinforcement_count >= 5, signals.access_count) == (True, 2)


def test_a_deletion_without_a_replacement_is_refused() -> None:
    old = inferred("tabs", "The user wants tabs.")
    found = plan(existing=(old,), to_delete=(old.path, "billing/tax.md"))
    assert (found.operations, codes(found)) == ((), ["deletion_without_replacement", "not_offered"])


def test_a_replacement_that_loses_a_number_is_refused() -> None:
    said = piece(*TABS)
    old = inferred("tabs", "The user wants lines of 120 columns.")
    found = plan(wish(said, *TABS, sourceIds=[said.path, old.path]), excerpts=(said,), existing=(old,))
    assert (found.operations, codes(found)) == ((), ["lost_specifics"])


def test_a_preference_that_a_person_wrote_is_never_replaced() -> None:
    said = piece(*TABS)
    theirs = memory("user-preferences/inferred/tabs.md", "# Tabs\n\nTabs everywhere.\n", author=Author.USER)
    found = plan(wish(said, *TABS, sourceIds=[said.path, theirs.path]), excerpts=(said,), existing=(theirs,))
    assert (found.operations, codes(found)) == ((), ["protected"])


def test_an_empty_answer_changes_nothing() -> None:
    assert plan() == Plan()


def gathered(path: str, statement: str, *sources: tuple[str, str]) -> Memory:
    listed = "".join(f'  - "{place} 2026-03-10: {text}"\n' for place, text in sources)
    return memory(
        path, f"---\ntitle: A note\ngathered_from:\n{listed}---\n# A note\n\n- {statement}\n", author=Author.DREAM
    )


@pytest.mark.parametrize("path", ["preferences/tabs.md", "notes/a-note.md", "ops/make.md"])
def test_what_was_gathered_from_the_same_words_is_not_inferred_wherever_it_is_filed(path: str) -> None:
    said = piece(*TABS)
    filed = gathered(path, "Makefiles are indented with tabs.", ("sesn_1#e2", TABS[1]))
    assert codes(plan(wish(said, *TABS), excerpts=(said,), filed=(filed,))) == ["known_already"]


def test_another_wish_of_the_same_message_is_still_inferred() -> None:
    text = "Tabs in Makefiles, please, and answer in German."
    said = (piece(text), piece(text, session="sesn_2"), piece(text, session="sesn_3"))
    filed = gathered("notes/german.md", "Answer in German.", ("sesn_1#e1", "answer in German."))
    item = wish(said[0], "Tabs in Makefiles, please", sourceIds=[one.path for one in said])
    assert len(plan(item, excerpts=said, filed=(filed,)).operations) == 1


@pytest.mark.parametrize(
    "known",
    [
        "Never push to main without asking.",
        "Do not push to main without asking me.",
        "NEVER EVER push to main without asking!",
    ],
)
def test_a_wish_that_a_hand_written_memory_states_in_its_own_way_is_not_inferred(known: str) -> None:
    shout = "NEVER push to main without asking me!!"
    said = piece(shout)
    rules = memory("team/rules.md", f"# Rules\n\n- Lunch is at noon.\n- {known}\n")
    item = wish(said, shout, content=f"The user wants: {shout}", title="Pushes", sentiment="very_irritated")
    assert codes(plan(item, excerpts=(said,), filed=(rules,))) == ["known_already"]


def test_a_wish_that_waits_for_a_review_is_not_proposed_again() -> None:
    said = piece(*TABS)
    waiting = gathered("preferences/tabs.md", "Makefiles use tabs.", ("sesn_1#e1", TABS[0])).content
    assert codes(plan(wish(said, *TABS), excerpts=(said,), proposed=(waiting,))) == ["known_already"]


def test_of_a_noted_correction_only_what_was_not_filed_becomes_an_anti_pattern() -> None:
    whole = correction(1, "The site is deployed on Tuesdays.", subject="deploy")
    more = correction(2, "It is Tuesdays. Never restart the queue before its workers are drained.", subject="deploy")
    filed = gathered(
        "ops/deploy.md", "It is Tuesdays.", ("fbk_1#feedback", whole.text), ("fbk_2#feedback", "It is Tuesdays.")
    )
    items = [{"content": one.text, "category": "anti-patterns/deploy", "sourceIds": [one.id]} for one in (whole, more)]
    found = plan(*items, feedback=(whole, more), filed=(filed,))
    assert codes(found) == ["known_already"]
    assert "workers are drained" in created(only(found)).content


def test_an_inferred_memory_is_a_plain_sentence_and_its_quote_is_what_was_said() -> None:
    shout = "NEVER push label exports over 3.99 € to main without asking me!!"
    said = piece(shout)
    item = wish(said, shout, content=f"The user wants: {shout}", title="NEVER push exports", sentiment="very_irritated")
    made = created(only(plan(item, excerpts=(said,)))).content
    assert made.endswith("# Never push exports\n\nNever push label exports over 3.99 € to main without asking me.\n")
    assert [one.quote for one in read_sources(made)] == [shout]


def test_a_preference_that_other_words_have_told_before_is_known() -> None:
    said = piece(*TABS)
    told = memory(
        "preferences/tabs.md",
        '---\ngathered_from:\n  - "sesn_0#e9 2026-01-10: Tabs!"\n---\nThe user wants tabs in Makefiles.\n',
        author=Author.DREAM,
    )
    assert codes(plan(wish(said, *TABS), excerpts=(said,), existing=(told,))) == ["known_already"]


def test_a_wish_that_does_not_say_what_it_is_about_is_not_inferred() -> None:
    said = piece("Keep it shorter, like that.", "Keep it shorter.", "Keep it shorter, please.")
    item = wish(said, *(line.text for line in said.lines), content="Keep it shorter.", title="Shorter")
    assert codes(plan(item, excerpts=(said,))) == ["no_subject"]
