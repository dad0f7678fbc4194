"""Two notes that share more words with each other than with any third are put before a person as one, in whatever words."""

from collections.abc import Mapping

import pytest

from shared.core.merging.subject_words import list_stems
from shared.core.questions.question import Document, Question
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.consolidate.closest import Wording, find_closest, read_wording, share_marks
from workers.phases.consolidate.offline import decide_consolidation

_FERRY = {
    "trips/ferry.md": (
        "# Ferry to the island\n\nThe car has to be at quay 4 an hour before departure. Dogs travel on the upper deck, on a lead. "
        "The return ticket is cheaper on weekdays. Order the cabin by telephone; the website forgets it.\n"
    ),
    "notes/island-crossing.md": (
        "- arrive early with the car, 60 minutes ahead: quay 4\n- cabins are booked by telephone, since the website loses bookings\n"
        "- dogs: nowhere but the upper deck\n- coming back costs less on weekdays than on Sundays\n"
    ),
}
_OTHERS = {
    "trips/packing.md": "# Packing\n\nRain jackets, two torches, the blue cool box and the stove. Gas is bought on arrival.\n",
    "trips/cabin.md": "# The cabin\n\nThe key hangs at the neighbour's. Wood is stacked behind the shed, and the stove smokes at first.\n",
    "home/bins.md": "# Bins\n\nPaper goes out on the first Monday, glass never. The lid of the green one is broken.\n",
    "home/boiler.md": "# Boiler\n\nRefill to 1.4 bar when the display blinks. The plumber is called Ostrowski.\n",
    "garden/beds.md": "# Beds\n\nBeans at the fence, leeks by the water butt. Nothing is sown before the ice saints.\n",
    "garden/hens.md": "# Hens\n\nFive hens, one of them lame. The flap closes at dusk by itself.\n",
}


def _decide(documents: Mapping[str, str]) -> list[ConsolidateAction]:
    shown = tuple(Document(path=path, text=text, role="changed", at="") for path, text in documents.items())
    question = Question(
        phase="consolidate", key="k", documents=shown, answer_type=ConsolidateAnswer, without_model=decide_consolidation
    )
    return list(decide_consolidation(question).actions)


def _merges(documents: Mapping[str, str]) -> list[ConsolidateAction]:
    return [action for action in _decide(documents) if action.type == "MERGE"]


def test_two_notes_in_other_words_are_put_before_a_person() -> None:
    (action,) = _merges(_FERRY | _OTHERS)

    assert set(action.files) == set(_FERRY)
    assert action.doubt == (
        "without a model it is not known whether notes/island-crossing.md and trips/ferry.md say the same in other words"
    )


def test_a_person_is_told_what_may_be_a_contradiction() -> None:
    later = (
        "# Ferry and crossing\n\nThe return ticket costs less on weekdays, not on holidays. Cabins are ordered by telephone. "
        "Quay 4 an hour before departure, with the car. Dogs: upper deck, not the lower deck. Bring cash for the kiosk.\n"
    )
    (action,) = _merges(_FERRY | {"notes/island-crossing.md": later} | _OTHERS)

    assert "contradict each other" in action.doubt
    assert "differ in a negation" in action.doubt


def test_a_note_that_names_the_file_of_the_other_one_is_kept_apart() -> None:
    named = _FERRY | {
        "trips/ferry.md": f"{_FERRY['trips/ferry.md']}\nIn short: [crossing](../notes/island-crossing.md)\n"
    }

    assert _merges(named | _OTHERS) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("adr/0009-quay.md", "adr/0015-crossing.md"),
        ("trips/crossing-a.md", "trips/crossing-c.md"),
        ("trips/ferry.md", "diary/2026-03-04.md"),
        ("trips/ferry.md", "log/2026-03-04.md"),
        ("trips/ferry.md", "project_session_2026-03-04-s12.md"),
    ],
)
def test_entries_of_a_series_and_records_of_a_day_are_kept_apart(first: str, second: str) -> None:
    assert _merges(dict(zip((first, second), _FERRY.values(), strict=True)) | _OTHERS) == []


def test_an_edition_is_no_entry_of_a_series() -> None:
    editions = dict(zip(("trips/crossing-v1.md", "trips/crossing-v2.md"), _FERRY.values(), strict=True))
    (action,) = _merges(editions | _OTHERS)

    assert set(action.files) == set(editions)


def test_among_few_notes_a_large_share_is_enough() -> None:
    limits = {
        "api/limits.md": "# Public limits\n\nA key may ask 60 times a minute. Above that the gate answers 429 and names the seconds to wait. Uploads count five times.\n",
        "gate/throttle.md": "# Throttling\n\nThe gate answers 429 above 60 questions a minute and key, with the seconds to wait. An upload counts five times.\n",
    }
    (action,) = _merges(limits)

    assert set(action.files) == set(limits)


def test_cards_with_the_same_labels_and_other_values_are_kept_apart() -> None:
    card = "The room has a door to the yard, a sink and a shelf for the tools of the evening class.\n\n"
    rooms = {
        "rooms/weaving.md": f"# Weaving\n\n{card}- Area: 40 m2\n- Key: Ida\n- Heating: stove\n",
        "rooms/pottery.md": f"# Pottery\n\n{card}- Area: 62 m2\n- Key: Tom\n- Heating: none\n",
    }

    assert _merges(rooms | _OTHERS) == []


def test_files_of_one_folder_that_share_their_title_with_a_third_one_are_pages_of_a_template() -> None:
    ferries = {
        f"ferries/{name}.md": f"# Ferry\n\n{text.partition(chr(10) * 2)[2] or text}"
        for name, text in zip(("quay", "island"), _FERRY.values(), strict=True)
    }
    third = {
        "ferries/pilot.md": "# Ferry\n\nThe pilot boards at the lighthouse and speaks Danish. He wants his coffee black.\n"
    }

    assert _merges(ferries | _OTHERS)
    assert not _merges(ferries | third | _OTHERS)


def test_among_few_notes_of_one_folder_it_proves_nothing_to_be_closest() -> None:
    ports = {
        "ports/lund.md": "# Lund\n\nThe harbour master of Lund collects the fee in cash, opens the crane at six and closes the fuel pump on Sunday.\n",
        "ports/south.md": "# Ystad harbour\n\nIn Ystad fees are sent by mail. Six is when the crane begins, Sunday a day without the fuel pump. Ask for the master.\n",
    }

    assert _merges(ports) == []


def test_names_and_numbers_in_common_make_up_for_other_words_in_short_notes() -> None:
    adviser = {
        "clients/rossi.md": "# Rossi Impianti\n\nFabio Rossi wants one night to think, and pays after 60 days. Offers have one page for him, with the sum on top.\n",
        "office/talking to Fabio.md": "Never press Fabio of Rossi Impianti: he sleeps on it. Keep what we send to a single page and begin with the total. The bill is settled within 60 days.\n",
    }
    (action,) = _merges(adviser | _OTHERS)
    assert set(action.files) == set(adviser)

    without = {path: text.replace("Rossi", "Ross").replace("60", "many") for path, text in adviser.items()}
    unnamed = without | {
        "office/talking to Fabio.md": without["office/talking to Fabio.md"].replace("Fabio of Ross", "that man")
    }
    assert _merges(unnamed | _OTHERS) == []


def test_in_scripts_without_spaces_pairs_of_characters_are_words_and_a_person_decides() -> None:
    told = {
        "客户/远航.md": "# 远航科技的会议\n对方希望把许可证从50个增加到120个,预算今年只剩30万元。分两期付款,第一期8月。数据必须存放在上海机房。\n",
        "备忘/扩容.md": "远航科技:许可证从50个到120个,预算30万元,分两期付款,8月第一期。数据放上海机房。\n",
    }
    (action,) = _merges(told | _OTHERS)
    assert set(action.files) == set(told)
    assert action.doubt


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("小周是小吴的上级。", "小吴是小周的上级。"),
        ("先上线后端,再上线前端。", "先上线前端,后端最后上线。"),
        ("客户同意了延期。", "客户拒绝了延期。"),
    ],
)
def test_what_may_say_the_opposite_in_such_a_script_is_never_merged_without_a_person(left: str, right: str) -> None:
    assert all(action.doubt for action in _merges({"a/one.md": f"{left}\n", "a/two.md": f"{right}\n"}))


def test_a_copy_is_merged_in_any_script_whatever_its_stops_are() -> None:
    (action,) = _merges({"a/one.md": "客户同意了延期。\n", "a/one (1).md": "客户同意了延期\uff01\n"})
    assert not action.doubt
    (action,) = _merges({"a/one.md": "客户同意了延期。\n", "b/two.md": "客户同意了延期\uff01\n"})
    assert action.doubt == "a/one.md and b/two.md may be about two subjects: they stand in two folders: a and b"


def test_names_of_a_long_text_or_a_table_prove_nothing() -> None:
    text = "Berta and Karim met Olga in Leeds on 14 May about order 4471."
    words = frozenset(list_stems(text))
    assert share_marks(read_wording(words, text), read_wording(words, text))
    for other in (f"{text} |a|b|c|\n|d|e|f|\n|g|h|i|", text + " ".join(f" more{number}x" for number in range(60))):
        wording = read_wording(frozenset(list_stems(other)), other)
        assert wording.marks == frozenset()
        assert not share_marks(wording, read_wording(words, text))


def test_two_small_numbers_count_for_one_name() -> None:
    left, right = (read_wording(frozenset(list_stems(text)), text) for text in ("from 7 to 12", "12 after 7"))
    assert not share_marks(left, right)


def _words(first: int, end: int) -> Wording:
    return Wording(stems=frozenset(map(str, range(first, end))))


def test_a_note_belongs_to_the_one_that_it_shares_most_words_with() -> None:
    words = {
        "a.md": _words(1, 10),
        "b.md": _words(2, 11),
        "c.md": _words(3, 14),
    }
    pairs = [("a.md", "b.md"), ("a.md", "c.md"), ("b.md", "c.md")]

    assert set(find_closest(words, pairs)) == {("a.md", "b.md")}


def test_a_handful_of_shared_words_is_not_enough() -> None:
    words = {name: _words(1, 7) for name in ("a.md", "b.md")}

    assert find_closest(words, [("a.md", "b.md")]) == {}
