"""The rule of same subject: pages of one template are about different ones, whatever else they share."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.merging.same_subject import SubjectKind, SubjectVerdict, reason_different, same_subject
from tests.support.families import DUPLICATES, SIBLINGS, UNSURE, Family
from tests.unit.builders import memory

_TEXTS = [
    text for families in (SIBLINGS, DUPLICATES, UNSURE) for family in families.values() for text in family.items()
]


def test_a_note_with_a_last_day_is_kept_apart_from_one_that_lasts() -> None:
    text, over = "# Freeze\n\nNothing is deployed.\n", "---\nexpires: 2026-03-01\n---\n"
    assert same_subject("ops/freeze.md", text, "ops/freeze-2.md", text).is_same
    verdict = same_subject("ops/freeze.md", over + text, "ops/freeze-2.md", text)
    assert (verdict.kind, verdict.reason) == (SubjectKind.DIFFERENT, "they do not expire on the same day")


def verdicts(family: Family) -> list[SubjectVerdict]:
    pairs = combinations(family.items(), 2)
    return [same_subject(*left, *right) for left, right in pairs]


@pytest.mark.parametrize("name", SIBLINGS)
def test_pages_of_one_template_about_different_subjects_are_kept_apart(name: str) -> None:
    found = verdicts(SIBLINGS[name])
    assert {verdict.kind for verdict in found} == {SubjectKind.DIFFERENT}
    assert all(verdict.reason for verdict in found)


@pytest.mark.parametrize("name", DUPLICATES)
def test_other_words_for_the_same_are_one_subject(name: str) -> None:
    assert {verdict.kind for verdict in verdicts(DUPLICATES[name])} == {SubjectKind.SAME}


@pytest.mark.parametrize("name", UNSURE)
def test_a_subject_that_words_alone_do_not_tell_is_unknown(name: str) -> None:
    (verdict,) = verdicts(UNSURE[name])
    assert verdict.kind is SubjectKind.UNKNOWN
    assert verdict.reason


@given(left=st.sampled_from(_TEXTS), right=st.sampled_from(_TEXTS))
def test_the_verdict_does_not_depend_on_the_order(left: tuple[str, str], right: tuple[str, str]) -> None:
    assert same_subject(*left, *right).kind is same_subject(*right, *left).kind


@given(text=st.text(max_size=300), other=st.text(max_size=300))
def test_any_two_texts_have_a_verdict(text: str, other: str) -> None:
    assert same_subject("a/one.md", text, "b/two.md", other).kind in set(SubjectKind)


def test_a_generic_file_name_stands_for_its_folder() -> None:
    text = "# CLAUDE.md\n\n- `make {0}` builds it\n- `make test` runs the tests\n- Never commit secrets.\n"
    verdict = same_subject("atlas/CLAUDE.md", text.format("tiles"), "beacon/CLAUDE.md", text.format("gateway"))
    assert verdict.is_different
    assert "atlas and beacon" in verdict.reason


PAGE = """# pier crane{0}

## Name

pier crane{0} - {1}

## Synopsis

`pier crane{0} {2}`

{3}## Flags

- `--berth`: the berth; the default is the first.
- `--quiet`: prints nothing.

## Notes

The crane has to be manned.
"""


def test_a_page_stays_apart_from_the_page_of_its_part_which_it_lists() -> None:
    whole = PAGE.format("", "moves containers", "COMMAND [FLAGS]", "## Commands\n\n- list: lists the cranes\n\n")
    part = PAGE.format(" list", "list the cranes", "[FLAGS]", "")
    for verdict in (
        same_subject("cli/pier-crane.md", whole, "cli/pier-crane-list.md", part),
        same_subject("cli/pier/crane/list.md", part, "cli/pier/crane.md", whole),
    ):
        assert verdict.is_different
        assert "a part of it, by the same template" in verdict.reason


def test_a_copied_readme_belongs_to_its_folder() -> None:
    text = "# Tool\n\nRun it.\n"
    assert same_subject("a/README.md", text, "b/README.md", text).named_apart == "they stand in two folders: a and b"
    assert same_subject("tools/a/README.md", text, "tools/b/README.md", text).is_different


def test_the_reason_names_what_each_of_them_is_about() -> None:
    left, right = (
        memory(path, text) for path, text in SIBLINGS["servers without a title"].items() if "osprey" not in path
    )
    found = reason_different([left, right])
    assert found is not None
    assert "one is about kestrel, the other about merlin" in found


def test_two_notes_that_say_one_thing_in_other_words_are_no_template_of_two_files() -> None:
    left = "Boxes may be returned within 30 days. The money is sent when the parcel has arrived."
    right = "Boxes may be returned within 30 days. The money is sent on the parcel's arrival."
    assert not same_subject("support/refund-faq.md", left, "support/sending-back.md", right).is_different


def test_two_notes_without_a_title_in_two_folders_may_call_one_thing_by_two_names() -> None:
    left = "Fill the boiler at the red valve in the shed until the gauge shows 2.5 bar.\n"
    right = "Furnace shows F31: too little water. Let some in (shed, valve with the red grip), needle to two.\n"
    assert same_subject("house/boiler.md", left, "todo/furnace.md", right).kind is SubjectKind.UNKNOWN


_DAY = "# Concert day, St. Anne's\n- warm-up 17:00 in the vestry\n- black clothes, blue folder\n- Margot holds the spare scores\n- stack chairs afterwards\n"
_PLAN = "# Plan for the concert at St. Anne's\nThey warm up at five in the vestry. All wear black, the folder is blue. Margot has extra scores. The chairs are stacked before we leave.\n"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (("office/visits-2024.md", "# Visits 2024\nThe gate opens at 9:00. Ask Ms Quill for a pass. Lunch is at 12:15."),
         ("notes/how guests come in.md", "# Visits 2025\nThe gate opens at 8:00. Ask Mr Adey for a pass. Lunch is at 12:45.")),
        (("ops/rota-v1.md", "# Rota (January)\nShifts change on Monday at 9:00. Henrik is called after 20 minutes."),
         ("ops/rota-v2.md", "# Rota (June)\nShifts change on Monday at 10:00. Henrik is called after 15 minutes.")),
        (("choir/concert-day.md", _DAY), ("choir/summer concert plan.md", _PLAN)),
    ],
    ids=["in two folders under two names", "versions of one file", "little of a template"],
)  # fmt: skip
def test_two_subjects_are_only_likely_where_there_is_a_sign_of_one(
    left: tuple[str, str], right: tuple[str, str]
) -> None:
    verdict = same_subject(*left, *right)
    assert verdict.is_different
    assert verdict.is_likely
    memories = [memory(*left), memory(*right)]
    assert reason_different(memories, strict=True) is None
    assert reason_different(memories) is not None


@pytest.mark.parametrize("name", SIBLINGS)
def test_pages_that_are_filed_side_by_side_are_certainly_different(name: str) -> None:
    assert not any(verdict.is_likely for verdict in verdicts(SIBLINGS[name]))


def test_files_that_are_named_in_turn_are_pages_of_a_series() -> None:
    first, second = (
        "# Notes\nThe kitchen: paint Skimming Stone, two coats.\n",
        "# Notes\nThe study: paint Hague Blue, two coats.\n",
    )
    verdict = same_subject("rooms/room-1.md", first, "rooms/room-2.md", second)
    assert verdict.is_different
    assert not verdict.is_likely
    assert same_subject("releases/v3.1.md", first, "releases/v3.2.md", second).is_different
    assert same_subject("rooms/room-1.md", first, "rooms/room-2.md", first).is_different


def test_files_of_two_days_are_only_likely_to_be_about_two_subjects() -> None:
    first, second = "# Port\nThe port is 80. Ask Ida.\n", "# Port\nThe port is 81. Ask Olga.\n"
    verdict = same_subject("log/2026-03-01-port.md", first, "log/2026-03-09-port.md", second)
    assert verdict.is_different
    assert verdict.is_likely


def test_a_word_for_the_sort_of_text_names_no_subject() -> None:
    body = "Trunk ports are 47 and 48.\n- 10: laptops\n- 20: phones\n- 30: printers\n"
    assert not same_subject(
        "net/vlan-plan.md", f"# VLAN plan\n{body}", "net/vlans.md", f"# Overview of VLANs\n{body}"
    ).is_different


_SIREN = """---
title: Harbour {0}
---
# Harbour{1}

## What it means

{2}

## What to do

- Read the log of the gate for the last hour.
- Compare it with the plan of the day and correct the plan.
- Ask the harbour master for more room.
- Go on with the usual plan for busy weeks.
- See [the rules of berths](https://harbour.example/rules/berths).
"""


def test_a_file_that_is_named_in_one_word_with_capitals_is_named_by_the_words_in_it() -> None:
    left = _SIREN.format("Berths Scarce", "BerthsScarce", "The quay has few berths left.")
    right = _SIREN.format("Berths Taken", "BerthsTaken", "The quay is without a single free berth.")
    verdict = same_subject("sirens/HarbourBerthsScarce.md", left, "sirens/HarbourBerthsTaken.md", right)
    assert verdict.is_different
    assert verdict.reason == "one is about Scarce, the other about Taken, as their paths say"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            "# Rehab plan v1\n\nStep-downs, three sets. No jumping before May.\n",
            "# Rehab plan v2\n\nStep-downs, four sets. No jumping before June.\n",
        ),
        (
            "# Mooring\n\nTie up at pier 9, stern first.\n",
            "# Mooring (updated March 2026)\n\nTie up at pier 9, bow first.\n",
        ),
    ],
)
def test_another_edition_is_no_other_subject(left: str, right: str) -> None:
    assert not same_subject("plans/first.md", left, "plans/second.md", right).is_different


def test_small_words_of_other_languages_tell_no_pages_of_a_template_apart() -> None:
    left = "Les billets s'ach\u00e8tent au port, guichet 3. Un trajet annul\u00e9 avant neuf heures est rembours\u00e9. Le vendredi, plus de place.\n"
    right = "Les billets s'ach\u00e8tent au guichet 3 du port. Un trajet annul\u00e9 avant neuf heures est rembours\u00e9. Le vendredi il y a du monde, plus de place.\n"
    assert not same_subject("port/billets.md", left, "famille/billets.md", right).is_different


def test_a_letter_names_a_thing() -> None:
    text = "# Hive {0}\n\nHive {0} sits at the fence. The queen of hive {0} is marked {1}. Honey: {2} kg. Last look at hive {0} in May.\n"
    left, right = text.format("C", "green", 11), text.format("D", "blue", 8)
    assert same_subject("apiary/hive-c.md", left, "apiary/hive-d.md", right).is_different


@pytest.mark.parametrize("newer", ["port/berths-2025.md", "port/berths-new.md"])
def test_a_file_that_is_called_an_edition_of_another_one_is_about_its_subject(newer: str) -> None:
    text = "# Berths, valid from {0}\n\nA berth costs {1} euros a night. Dogs stay on board. Showers take a token of one euro. Quiet begins at ten.\n"
    left, right = text.format(2022, 18), text.format(2025, 22)
    assert not same_subject("port/berths.md", left, newer, right).is_different
    assert same_subject("port/berths-2022.md", left, "port/berths-2025.md", right).is_different
