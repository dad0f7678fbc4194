"""Evidence for cues: what people say in their own words is heard by what it is about, and what passes is not."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.sessions.cue_rules import CueKind
from shared.core.sessions.cues import find_cues, find_own_words, find_reasons
from shared.core.sessions.evidence import has_verb
from shared.core.sessions.evidence.phrases import make_table, split_words
from shared.core.sessions.evidence.score import total_of
from shared.core.sessions.evidence.weights import BIAS, WEIGHTS
from shared.languages.language_file import read_language

CORRECTION, SAVE, DECISION, PREFERENCE = CueKind.CORRECTION, CueKind.SAVE, CueKind.DECISION, CueKind.PREFERENCE


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Our harbour office closes at noon on Saturdays.", SAVE),
        ("My daughter Runa is allergic to shellfish.", SAVE),
        ("The mooring server runs on port 7070 and restarts every night.", SAVE),
        ("I live on a houseboat near Delft.", SAVE),
        ("The crew voted and the red sails are out, so we are getting white ones.", DECISION),
        ("Dropping the paper log, it will be the tablet from May on.", DECISION),
        ("You used knots there, our charts are in kilometres per hour.", CORRECTION),
        ("You put the lighthouse on the wrong island, it belongs to Texel.", CORRECTION),
        ("Your answers are too long for a phone screen.", PREFERENCE),
        ("When you write log entries for me, short sentences without adjectives.", PREFERENCE),
        ("Unser Liegeplatz kostet im Winter nichts.", SAVE),
        ("Meine Schwester Hanne arbeitet montags im Hafenbüro.", SAVE),
        ("Wir nehmen den alten Kutter, der neue ist vom Tisch.", DECISION),
        ("Mir reichen zwei Sätze, lange Berichte nerven mich.", PREFERENCE),
        ("Tes réponses sont trop longues pour moi.", PREFERENCE),
        ("Nuestro muelle cierra los lunes.", SAVE),
        ("Mi hermana trabaja en el puerto de Vigo.", SAVE),
        ("O nosso cais fecha às segundas.", SAVE),
        ("A minha irmã trabalha no porto de Faro.", SAVE),
        ("我们的码头每周一关门。", SAVE),
        ("回答太长了，简短一点。", PREFERENCE),  # noqa: RUF001 - as it is written
        ("うちの桟橋は毎週月曜が定休です。", SAVE),
        ("回答が長すぎるので、短くしてほしい。", PREFERENCE),
    ],
)
def test_facts_of_ones_own_world_settled_plans_lessons_and_wishes_are_heard_without_a_textbook_phrase(
    text: str, kind: CueKind
) -> None:
    assert kind in {cue.kind for cue in find_cues(text)}


@pytest.mark.parametrize(
    "text",
    [
        "I pushed the branch, the pipeline is running now.",
        "Rename this function to mooring_fee.",
        "The page hangs when I press save.",
        "Maybe we should paint the boat one day.",
        "If we sold the boat, would the berth be free?",
        "My neighbour thinks tides are a hoax.",
        "Thanks, that was great fun!",
        "I'm on the ferry right now.",
        "Translate this for me: our pier closes at noon.",
        "The guest wrote: 'Our pier closes at noon and we always pay cash.' Answer her.",
        "From: Ole\nSubject: pier\n\nOur pier closes at noon.\n\nDraft a reply.",
        "FATAL: the mooring server is not reachable",
        "Always happy to help, what a lovely day!",
        "Ich sitze gerade auf der Fähre.",
        "Vielleicht verkaufen wir das Boot irgendwann.",
        "Je suis sur le bateau en ce moment.",
        "Estoy en el barco ahora mismo.",
        "Estou no barco agora mesmo.",
        "我现在在船上，待会再说。",  # noqa: RUF001 - as it is written
        "今船に乗っているので後で。",
    ],
)
def test_what_passes_what_is_doubted_what_others_said_and_talk_are_not_heard(text: str) -> None:
    assert find_cues(text) == ()


def test_a_cue_by_evidence_names_its_strongest_reason() -> None:
    [cue] = find_cues("Our harbour office closes at noon on Saturdays.")
    assert cue.rule in WEIGHTS
    assert WEIGHTS[cue.rule][0] > 0


def test_each_group_that_a_language_has_phrases_of_has_a_weight() -> None:
    evidence = read_language("en").evidence
    assert evidence is not None
    assert evidence.groups.keys() <= WEIGHTS.keys()


def test_a_name_in_code_is_a_word_of_its_sentence_and_a_sentence_in_quotes_is_not_the_authors() -> None:
    assert find_own_words("the branch is `main-2` here").split() == ["the", "branch", "is", "xxxxxxxx", "here"]
    assert find_own_words("he wrote 'we always sail at dawn' to me").split() == ["he", "wrote", "to", "me"]
    assert find_own_words("the crew's boat and the dogs' bowl").split()[-1] == "bowl"


def test_no_sentence_ends_behind_a_title_or_an_initial() -> None:
    text = "Our vet is Dr. Moen and our pilot is Mrs. Lie, not Mr. P. Dahl."
    assert [text[cue.start : cue.end] for cue in find_cues(text)] == [text]


def test_what_another_sentence_holds_is_a_reason() -> None:
    reasons = find_reasons("No, that is wrong. The pier is open. Why is the list empty?")
    assert "behind denies" in reasons[1]
    assert "elsewhere question" in reasons[1]
    assert "elsewhere question" not in reasons[2]


def test_short_forms_are_two_words_and_elided_ones_stand_apart() -> None:
    assert split_words("We're here, can't stay") == ["we", "are", "here", ",", "can", "not", "stay"]
    assert split_words("l'équipe n'a pas") == ["l'", "équipe", "n'", "a", "pas"]
    assert split_words("用Python写", is_spaced=False) == ["用", "python", "写"]


def test_phrases_hold_at_the_beginning_at_the_end_over_a_gap_and_by_parts_of_words() -> None:
    table = make_table({"a": "^stop", "b": "for now $", "c": "not .. but", "d": "sail*", "e": "you *ed"}, "please so")
    assert set(table.find_groups("So please, stop for now!")) == {"a", "b"}
    assert set(table.find_groups("we stop, not by day but for now and then")) == {"c"}
    assert set(table.find_groups("sailing as you asked")) == {"d", "e"}
    assert table.find_groups("not one two three four five but") == {}


def test_a_scrap_has_no_verb() -> None:
    assert has_verb("The winch belongs to the club", "en")
    assert not has_verb("two cabins plus a small galley", "en")


@given(reasons=st.frozensets(st.sampled_from(sorted(WEIGHTS)), max_size=12))
def test_the_sum_of_the_evidence_is_the_same_in_each_process_whatever_the_order(reasons: frozenset[str]) -> None:
    exact = Fraction(str(BIAS)) + sum(Fraction(str(WEIGHTS[name][0])) for name in reasons)
    assert total_of(reasons) == float(exact)
