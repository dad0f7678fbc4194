"""A statement of a session goes into a memory only when it is about what the memory is about."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.filing.belonging import find_misplaced, read_candidate
from shared.core.sessions.statement_text import statements_of
from tests.support.families import DUPLICATES, SIBLINGS
from tests.support.laws import examples

NAMES = ("Kestrel", "Osprey", "Merlin", "Harrier", "Falcon", "Heron")
#: Templates of pages about one thing each; `{name}` is the thing, `{value}` differs from page to page.
SENTENCES = (
    "{name} is looked after by the {value} crew.",
    "The window opens at {value} in the evening.",
    "Keys hang beside the {value} door.",
    "Reports about {name} go to the {value} desk on Mondays.",
    "It takes {value} hours to warm up.",
    "Nothing is changed in winter without a second pair of eyes.",
)
VALUES = ("red", "northern", "7", "morning", "19", "upper", "spare", "42")


@st.composite
def pages(draw: st.DrawFn) -> dict[str, str]:
    """Pages of one template by the name that each is about."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True))
    template = draw(st.lists(st.sampled_from(SENTENCES), min_size=2, max_size=5, unique=True))
    filled = {}
    for name in names:
        lines = [one.format(name=name, value=draw(st.sampled_from(VALUES))) for one in template]
        filled[name] = f"# {name}\n\n{' '.join(lines)}\n"
    return filled


@examples(200)
@given(pages())
def test_a_statement_that_names_one_thing_never_goes_into_the_page_of_another(found: dict[str, str]) -> None:
    places = {name: read_candidate(f"machines/{name.lower()}.md", text) for name, text in found.items()}
    for name, other in permutations(found, 2):
        store = [place for known, place in places.items() if known != name]
        for statement in statements_of(found[name].partition("\n\n")[2]):
            said = f"This is about {name}. {statement}"
            assert find_misplaced(places[other], [*store, places[name]], statement, said) is not None
            if name in statement:
                assert find_misplaced(places[other], store, statement, statement) is not None


@examples(200)
@given(pages())
def test_a_statement_that_names_its_thing_goes_into_the_page_about_it(found: dict[str, str]) -> None:
    places = {name: read_candidate(f"machines/{name.lower()}.md", text) for name, text in found.items()}
    for name, place in places.items():
        statement = f"{name} gets a new filter on the third of May."
        assert find_misplaced(place, list(places.values()), statement, statement) is None
        said = f"We are at {name} now. Remember that the filter is new."
        assert find_misplaced(place, list(places.values()), "The filter is new.", said) is None


@pytest.mark.parametrize("kind", ["Restart the {} service", "{} orchestrator plugin", "Weekly notes of the team {}"])
def test_a_page_is_not_named_by_the_name_of_a_page_like_it_that_the_store_lacks(kind: str) -> None:
    statement = "The on-call person signs it off."
    for name, other in permutations(NAMES, 2):
        place = read_candidate(f"pages/{other.lower()}.md", f"# {kind.format(other)}\n\nIt is done at night.\n")
        assert find_misplaced(place, [place], statement, f"Look at {kind.format(name)}.\n{statement}") is not None
        assert find_misplaced(place, [place], statement, f"Look at {kind.format(other)}.\n{statement}") is None


def test_a_page_is_named_by_most_words_of_its_title_when_nothing_takes_the_place_of_the_others() -> None:
    place = read_candidate("pages/jira.md", "# Jira orchestrator plugin\n\nIt closes tickets.\n")
    said = "In the orchestrator plugin the retries are off."
    assert find_misplaced(place, [place], "The retries are off.", said) is None


@pytest.mark.parametrize("family", [name for name in SIBLINGS if len(SIBLINGS[name]) > 1])
def test_a_statement_about_one_sibling_is_not_filed_with_another(family: str) -> None:
    texts = SIBLINGS[family]
    places = {path: read_candidate(path, text) for path, text in texts.items()}
    for path, other in permutations(texts, 2):
        told = set(statements_of(texts[path])) - set(statements_of(texts[other]))
        store = [place for known, place in places.items() if known != path]
        wrong = [one for one in sorted(told) if find_misplaced(places[other], store, one, one) is None]
        assert wrong == []


def test_a_paraphrase_without_the_title_s_words_is_filed_with_the_memory_that_says_it() -> None:
    release = read_candidate(
        "ops/deploy.md",
        "# Deploying\n\nA rollout that fails its health checks is rolled back by the workflow itself.\n",
    )
    garden = read_candidate("home/garden.md", "# Garden\n\nThe hose is in the shed.\n")
    said = "If the health checks of a rollout fail, the workflow itself rolls back the rollout."
    assert find_misplaced(release, [garden], said, said) is None
    assert find_misplaced(garden, [release], said, said) is not None


@pytest.mark.parametrize("family", sorted(DUPLICATES))
def test_a_memory_takes_each_of_its_own_sentences(family: str) -> None:
    for path, text in DUPLICATES[family].items():
        place = read_candidate(path, text)
        said = [one for one in statements_of(text) if len(one.split()) > 3]
        assert [one for one in said if find_misplaced(place, [], one, f"{path} {one} {place.text}")] == []


def test_of_two_pages_that_are_both_named_around_a_statement_neither_takes_it() -> None:
    disk = read_candidate("alerts/disk.md", "# Disk alert\n\nThe disk alert fires at 85 percent. Page the owner.\n")
    memory = read_candidate("alerts/ram.md", "# Ram alert\n\nThe ram alert fires at 90 percent. Page the owner.\n")
    said = "We looked at the disk alert and at the ram alert. It pages no owner at night."
    places = [disk, memory]
    assert [find_misplaced(one, places, "It pages no owner at night.", said) is None for one in places] == [
        False,
        False,
    ]


def test_the_memory_that_a_model_named_which_passed_its_exam_takes_a_statement_unless_it_speaks_of_another_one() -> (
    None
):
    disk = read_candidate("alerts/disk.md", "# Disk alert\n\nThe disk alert fires at 85 percent. Page the owner.\n")
    memory = read_candidate("alerts/ram.md", "# Ram alert\n\nThe ram alert fires at 90 percent. Page the owner.\n")
    places = [disk, memory]
    said = "We looked at the disk alert and at the ram alert. It pages no owner at night."
    assert find_misplaced(disk, places, "It pages no owner at night.", said, is_trusted=True) is None
    assert find_misplaced(disk, places, "The ram alert pages no owner.", said, is_trusted=True) is not None


def test_of_two_notes_on_one_subject_the_one_takes_a_correction_that_holds_what_it_makes_untrue() -> None:
    tax = read_candidate("notes/estate-tax.md", "# Estate tax\n\nThe estate tax is 15 percent of the house.\n")
    rate = read_candidate("notes/estate-tax-rate.md", "# Estate tax rate\n\nThe rate is told in May.\n")
    said, old = "The estate tax rate is 12 percent now.", "The estate tax is 15 percent of the house."
    assert find_misplaced(tax, [tax, rate], said, said, is_trusted=True) is not None
    assert find_misplaced(tax, [tax, rate], said, said, replaces=old, is_trusted=True) is None
    assert find_misplaced(rate, [tax, rate], said, said, replaces="The rate is 15 percent.", is_trusted=True) is None
    assert find_misplaced(tax, [tax, rate], said, said, replaces=old) is not None, "of a model that was not examined"


def test_a_release_is_not_taken_for_another_one_by_its_number() -> None:
    old = read_candidate("releases/2.1.0.md", "# Release 2.1.0\n\nThanks to all who helped. Highlights: dark mode.\n")
    new = read_candidate("releases/2.2.0.md", "# Release 2.2.0\n\nThanks to all who helped. Highlights: search.\n")
    said = "Release 2.2.0 also brings a new font."
    assert find_misplaced(old, [old, new], said, said) is not None
    assert find_misplaced(new, [old, new], said, said) is None


def test_a_correction_goes_where_the_words_stand_that_it_corrects_unless_near_copies_say_them_too() -> None:
    hosts = read_candidate("ops/hosts.md", "# Machines\n\nStaging is pg-7.\n")
    statement = "Staging is pg-9."
    assert find_misplaced(hosts, [hosts], statement, statement) is not None
    assert find_misplaced(hosts, [hosts], statement, statement, replaces="Staging is pg-7.") is None
    twin = read_candidate("ops/old-hosts.md", "# Machines of old\n\nStaging is pg-7.\n")
    assert find_misplaced(hosts, [hosts, twin], statement, statement, replaces="Staging is pg-7.") is not None


RETRIES = "Clients retry with exponential backoff and jitter, at most 5 times."


def test_a_correction_of_a_number_goes_where_the_sentence_stands_and_not_to_pages_that_resemble_it() -> None:
    api = read_candidate("api/retry.md", f"# Retry\n\n{RETRIES}\n")
    beside = [
        read_candidate("billing/retry.md", "# Charges\n\nFailed charges retry with exponential backoff for 3 days.\n"),
        read_candidate(
            "ops/retry.md", "# Jobs\n\nJobs retry with exponential backoff; after 8 tries they are parked.\n"
        ),
    ]
    corrected = RETRIES.replace("5", "7")
    assert find_misplaced(api, beside, corrected, corrected, replaces=RETRIES) is None


def test_a_correction_that_two_pages_of_one_template_may_mean_goes_to_neither() -> None:
    pages = [read_candidate(f"{name}/retry.md", f"# {name}\n\n{RETRIES}\n") for name in ("Kestrel", "Osprey")]
    corrected = RETRIES.replace("5", "7")
    for target, other in permutations(pages):
        assert find_misplaced(target, [other], corrected, corrected, replaces=RETRIES) is not None


def test_a_line_of_a_record_that_leaves_out_whose_it_is_changes_no_record() -> None:
    text = "# Kestrel\n\nKestrel is a tug.\n\n- Fuel: diesel, 900 l in the tank\n- Winter berth: quay 3, pump running\n"
    boat = read_candidate("boats/kestrel.md", text)
    line, old = "Fuel: diesel, 400 l in the tank", "Fuel: diesel, 900 l in the tank"
    why = find_misplaced(boat, [boat], line, line, replaces=old)
    assert why == "it does not say whose Fuel it is"
    assert find_misplaced(boat, [boat], line, f"We looked at Kestrel today.\n{line}", replaces=old) is None
    named = f"Kestrel fuel: {line.removeprefix('Fuel: ')}"
    assert find_misplaced(boat, [boat], named, named, replaces=old) is None


def test_a_word_that_only_opens_a_sentence_is_no_label() -> None:
    hosts = read_candidate("ops/hosts.md", "# Machines\n\nStaging is pg-7.\n")
    statement = "Correction: staging is pg-9."
    assert find_misplaced(hosts, [hosts], statement, statement, replaces="Staging is pg-7.") is None


def test_a_page_is_not_named_by_the_path_of_another_page_of_its_kind() -> None:
    card = read_candidate("boats/kestrel/card.md", "# Boat card\n\nPaint is red.\nMoored at quay 3.\n")
    said = "The hull was cleaned in May."
    assert find_misplaced(card, [], said, f"Let us open boats/heron/card.md of the boat cards.\n{said}") is not None
    assert find_misplaced(card, [], said, f"Let us open boats/kestrel/card.md of the boat cards.\n{said}") is None
