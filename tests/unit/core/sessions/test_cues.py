"""Cues: what in a person's words is worth looking at, what is not, and that hostile text costs no more than its length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.sessions.cue_rules import ASSISTANT_HINTS, ASSISTANT_RULES, CueKind, CueRule
from shared.core.sessions.cue_terms import find_terms
from shared.core.sessions.cues import find_cues, is_question, is_transient
from tests.support.laws import some_quick

CORRECTION, SAVE, DECISION, PREFERENCE = CueKind.CORRECTION, CueKind.SAVE, CueKind.DECISION, CueKind.PREFERENCE


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("No, the retries belong into the client.", CORRECTION),
        ("you are not correct: the hook gets the prompt", CORRECTION),
        ("not as a comment, but as a document of its own", CORRECTION),
        ("I meant the staging database", CORRECTION),
        ("that flag is no longer there", CORRECTION),
        ("You got the berth wrong, it is number nine.", CORRECTION),
        ("Her name is spelled Aoife, with an f.", CORRECTION),
        ("It's not the north pier anymore, the council changed it.", CORRECTION),
        ("Remember that releases are cut on Thursdays.", SAVE),
        ("Just so you know, the crane is out until May.", SAVE),
        ("Note for later: the winch only takes coins.", SAVE),
        ("let's update CLAUDE.md with this", SAVE),
        ("add that to your memory", SAVE),
        ("from now on run the linter before you push", PREFERENCE),
        ("we decided to go with Postgres", DECISION),
        ("let's use uv for this", DECISION),
        ("I've made up my mind: we keep the old ferry.", DECISION),
        ("It's settled, Amira runs the harbour.", DECISION),
        ("We've chosen the oak planks.", DECISION),
        ("always write table tests", PREFERENCE),
        ("Nothing fancy, please.", PREFERENCE),
        ("I hate it when you answer with tables.", PREFERENCE),
        ("I'm really into synthwave while I code", PREFERENCE),
        ("I'm looking for a library without native parts", PREFERENCE),
        ("When I'm on call, I read the runbook first", PREFERENCE),
    ],
)
def test_a_correction_a_save_a_decision_and_a_preference_are_found(text: str, kind: CueKind) -> None:
    assert kind in {cue.kind for cue in find_cues(text)}


@pytest.mark.parametrize(
    "text",
    [
        "let me run the tests",
        "ok, now commit and push",
        "can you look at the last commit?",
        "what does the status command do?",
        "hmm but couldn't we read it from the lock file?",
        "could we rename this to match the other command?",
        "I want to replace the user id with a machine id",
        "the page no longer loads, it throws an error",
        "Don't commit yet.",
        'She said "we always deploy on Fridays and never look back".',
        "The reviewer wrote:\n\nnever use global state, we decided that",
        "According to the docs you should always call close().",
        "Implement the following plan:\n\n# Plan\n\nwe must never do this",
        "is this a constant or should we make it one?",
        "yes please",
        "lol, I'd rather wrestle a bear than read that",
        "haha no way, that's so wrong",
        "Did you get the berth wrong?",
        "I've chosen the new berth but the page still crashes.",
        "no problem",
        "mise run lint fails",
        "do you remember what we did?",
        "Sounds like what I said was helpful.",
        "Hmm, that makes it fun!",
        "Don't forget, you can do it!",
        "```\nno, never use this\n```",
        "> we decided to go with Postgres",
        (
            "The error from loadSettings() is wrapped with a prefix at line 239 and then wrapped again at line 84, which is "
            "wrong. This produces duplicate error messages and should be avoided, so instead return it as it is."
        ),
    ],
)
def test_passing_intents_questions_and_pasted_text_give_no_cue(text: str) -> None:
    assert find_cues(text) == ()


@pytest.mark.parametrize(
    "text", ["let me run the tests", "Now rerun it.", "I'll check the logs first", "please continue"]
)
def test_a_plan_for_the_next_minutes_is_transient(text: str) -> None:
    assert is_transient(text)


@pytest.mark.parametrize(
    "text",
    [
        "We use pnpm.",
        "let's use tabs",
        "Run it. The port is always 8080.",
        "`run-turn.ts` advances the game by one turn.",
        "Test results are kept in `reports/`.",
        "Review is done by Mira.",
        "",
    ],
)
def test_a_fact_that_stays_true_after_the_work_is_not_transient(text: str) -> None:
    assert not is_transient(text)


def test_a_statement_or_order_with_a_question_mark_is_no_question() -> None:
    assert is_question("what kind of fallbacks does it have?")
    assert is_question("I wonder how I should set the key")
    assert is_question("hmm but couldn't we cache it?")
    assert is_question("Warum liegt das auf web-01?")
    assert not is_question("No, we use tabs, ok?")
    assert not is_question("Can you remember that releases are cut on Thursdays?")
    assert not is_question("We use pnpm.")


def test_a_cue_covers_its_sentence() -> None:
    text = "I looked at it. No, we use tabs here! Thanks."
    assert [text[cue.start : cue.end] for cue in find_cues(text)] == ["No, we use tabs here!"]


def test_an_assistant_that_admits_a_mistake_is_a_sign_of_a_correction() -> None:
    assert [cue.kind for cue in find_cues("You're absolutely right, the hook exists.", is_assistant=True)] == [
        CORRECTION
    ]
    assert find_cues("I'll run the tests instead.", is_assistant=True) == ()


@given(st.data(), st.sampled_from(ASSISTANT_RULES))
def test_no_rule_for_assistants_finds_what_a_glance_takes_for_nothing(data: st.DataObject, rule: CueRule) -> None:
    said = data.draw(st.from_regex(rule.pattern, fullmatch=True, alphabet=st.characters(codec="ascii")))
    assert any(hint in said.lower() for hint in ASSISTANT_HINTS)


def test_terms_are_identifiers_and_content_words_in_one_spelling() -> None:
    terms = find_terms("Could you please replace getUserID in api/auth.md with machine identifiers?")
    assert {"getuserid", "api/auth.md", "machine identifier", "identifier"} <= set(terms)
    assert not {"please", "could", "with", "you"} & set(terms)


@pytest.mark.parametrize(
    "unit",
    some_quick(
        [
            "no ",
            "a",
            "not as ",
            "\n",
            "`",
            "(((",
            " ",
            "ok, ",
            '"""\n',
            "a.b:",
            "don't we ",
            "is there a ",
            "add x ",
            "?",
            "\u2019",
            "1, ",
        ],
        one_in=3,
    ),
)
def test_a_line_of_a_megabyte_is_no_more_work_than_its_length(unit: str) -> None:
    """Would run for hours with nested quantifiers; the test's time limit is the only clock."""
    text = unit * (1_000_000 // len(unit))
    assert len(find_cues(text)) <= 50
    assert len(find_cues(text, is_assistant=True)) <= 50
    assert len(find_terms(text)) <= 60
    assert is_transient(text) in {True, False}
    assert is_question(text) in {True, False}


@given(st.text(max_size=400))
def test_every_cue_lies_inside_its_text_and_they_are_in_order(text: str) -> None:
    cues = find_cues(text)
    assert all(0 <= cue.start < cue.end <= len(text) and 0 < cue.strength <= 1 for cue in cues)
    assert [cue.start for cue in cues] == sorted(cue.start for cue in cues)


@pytest.mark.parametrize("place", ["before", "behind"])
def test_words_typed_around_a_long_pasted_text_are_found(place: str) -> None:
    pasted, typed = (
        "The cache was warm and the pages came from it.\n" * 800,
        "From now on run the linter before you push.\n",
    )
    text = typed + pasted if place == "before" else pasted + typed
    assert [text[cue.start : cue.end] for cue in find_cues(text)] == [typed.strip()]


def test_the_middle_of_a_long_text_was_not_typed_and_holds_no_cue() -> None:
    pasted = "The cache was warm and the pages came from it.\n" * 400
    assert find_cues(f"{pasted}From now on run the linter before you push.\n{pasted}") == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Strike that, the boat leaves from pier nine.", CueKind.CORRECTION),
        ("You're confusing the two harbours, ours is the northern one.", CueKind.CORRECTION),
        ("We haven't rented bikes in years.", CueKind.CORRECTION),
        ("uh, no. the ferry is run by the island", CueKind.CORRECTION),
        ("The mast light is green and not red.", CueKind.CORRECTION),
        ("Final answer: two cabins, no sauna.", CueKind.DECISION),
        ("The captain signed off on the new route, that's final.", CueKind.DECISION),
        ("after all these talks, oak it is", CueKind.DECISION),
        ("Call me Jo, Josephine is on the papers only.", CueKind.PREFERENCE),
        ("I'm vegan, mind that with the provisions.", CueKind.SAVE),
        ("Charts over tables, please.", CueKind.PREFERENCE),
        ("keep log lines under 80 characters", CueKind.PREFERENCE),
        ("No jokes in commit messages.", CueKind.PREFERENCE),
        ("You don't have to apologise all the time.", CueKind.PREFERENCE),
        ("I'd rather walk than wait for yet another bus.", CueKind.PREFERENCE),
        ("Right, we're not renewing the berth in spring.", CueKind.DECISION),
        ("We won't fix the old winch.", CueKind.DECISION),
        ("No night watches for me.", CueKind.PREFERENCE),
        ("It's Marit who signs the log now.", CueKind.CORRECTION),
        ("Jot this down: the anchor chain is forty metres.", CueKind.SAVE),
    ],
)
def test_what_is_taken_back_settled_called_or_kept_to_is_found(text: str, kind: CueKind) -> None:
    assert kind in {cue.kind for cue in find_cues(text)}


@pytest.mark.parametrize(
    "text",
    [
        "I don't remember what we decided about the sails.",
        "In the film he decides never to sail again.",
        "Warning: never open the valve under pressure.",
        "Summarise this: the crew decided to always reef early.",
        "Call me back when the tide is in.",
        "No errors in the tests.",
        "Never mind, only joking.",
        "No milk for me today.",
        "No news for me?",
        "It's the rudder that rattles now.",
        "We won't build it until the tests pass.",
        "Oh, my bad.",
        "Go over the list again.",
        "It isn't there yet.",
    ],
)
def test_doubt_fiction_warnings_and_texts_to_work_on_give_no_cue(text: str) -> None:
    assert find_cues(text) == ()
