"""Different subjects never become one memory, not even when a model asks; where rules alone cannot tell, a person is asked."""

import string
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shared.core.dream.operations import OperationKind, Plan
from shared.core.questions.question import Document, Question
from tests.support.families import DUPLICATES, SIBLINGS, UNSURE, Family
from tests.unit.builders import group, memory
from tests.unit.phases.consolidate.consolidating import merge, only, plan
from workers.offline.join_texts import merge_bodies
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.consolidate.offline import decide_consolidation


def without_model(family: Family, *hints: str) -> tuple[ConsolidateAction, ...]:
    shown = tuple(Document(path=path, text=text, role="changed", at="2026-03-05") for path, text in family.items())
    return decide_consolidation(
        Question(
            phase="consolidate",
            key="k",
            documents=shown,
            answer_type=ConsolidateAnswer,
            without_model=decide_consolidation,
            hints=hints,
        )
    ).actions


def when_a_model_merges(family: Family, confidence: float) -> Plan:
    """Return the plan for a model's merge of two memories into a text that holds both."""
    left, right = (memory(path, text) for path, text in family.items())
    text = merge_bodies(left.content, [right.content])
    return plan(merge(left, right, text=text, confidence=confidence), of=group(left, right))


@pytest.mark.parametrize("name", SIBLINGS)
def test_a_model_that_merges_all_it_may_merges_no_two_siblings(name: str) -> None:
    for pair in combinations(SIBLINGS[name].items(), 2):
        planned = when_a_model_merges(dict(pair), 0.99)
        assert planned.operations == ()
        assert [skip.code for skip in planned.skips] == ["different_subjects"]


@pytest.mark.parametrize("name", SIBLINGS)
def test_the_rules_without_a_model_merge_no_siblings_not_even_where_a_merge_was_suggested(name: str) -> None:
    family = SIBLINGS[name]
    first, second, *_ = family
    assert not [action for action in without_model(family) if action.type == "MERGE"]
    assert not [action for action in without_model(family, f"{first} -> {second}: alike") if action.type == "MERGE"]


@pytest.mark.parametrize("name", ["a copy", "the same steps"])
def test_the_rules_without_a_model_merge_what_says_the_same_of_one_subject(name: str) -> None:
    (action,) = without_model(DUPLICATES[name])
    assert (action.type, action.doubt) == ("MERGE", "")


def test_the_rules_without_a_model_propose_a_merge_of_what_may_be_two_subjects() -> None:
    family = UNSURE["equal bodies under other titles"]
    (action,) = without_model(family)
    assert action.type == "MERGE"
    left, right = (memory(path, text) for path, text in family.items())
    operation = only(action, of=group(left, right))
    assert operation.kind is OperationKind.MERGE
    assert operation.propose_only is not None
    assert "their titles are Undo a commit and Oops" in operation.propose_only
    assert "not known whether" in action.doubt


SAME_TITLE = {
    "chess/bishop.md": "# Bishop\n\nIt moves along diagonals. Each side begins with two of them.\n",
    "contacts/bishop.md": "# Bishop\n\nIda Bishop keeps the keys of the archive. She works from Tuesday to Thursday.\n",
}


def test_one_title_in_two_folders_is_merged_by_a_person_where_neither_text_says_what_the_other_does() -> None:
    (operation,) = when_a_model_merges(SAME_TITLE, 0.99).operations
    assert operation.propose_only is not None
    assert "two folders" in operation.propose_only


def test_one_title_in_two_folders_waits_for_a_person_although_the_texts_say_the_same() -> None:
    said = SAME_TITLE["chess/bishop.md"]
    family = {"chess/bishop.md": said, "games/bishop.md": f"{said}It is worth three pawns.\n"}
    (operation,) = when_a_model_merges(family, 0.99).operations
    assert "they stand in two folders: chess and games" in (operation.propose_only or "")


WATERING = "Once a week, less in winter.\n"
#: Paths and titles of two things each.
TWO_THINGS = {
    "fern and palm": (("plants/fern/watering.md", "Watering"), ("plants/palm/watering.md", "Watering")),
    "fern and palm in files": (("plants/fern.md", "Watering"), ("plants/palm.md", "Watering")),
    "sites": (("sites/north.md", "Site north"), ("sites/south.md", "Site south")),
    "sites in notes": (("notes/a.md", "Site north"), ("notes/b.md", "Site south")),
    "customers": (("customers/acme/contact.md", "Contact"), ("customers/globex/contact.md", "Contact")),
    "projects": (("projects/a/README.md", "Project"), ("projects/b/README.md", "Project")),
    "languages": (("en/setup.md", "Setup"), ("de/setup.md", "Setup")),
    "languages in files": (("docs/es.md", "Setup"), ("docs/is.md", "Setup")),
    "environments": (("ops/deploy-staging.md", "Deploy"), ("ops/deploy-production.md", "Deploy")),
    "versions": (("api/v1.md", "API v1"), ("api/v2.md", "API v2")),
    "names with an ending": (("customers/jon.md", "Customer Jon"), ("customers/jones.md", "Customer Jones")),
    "names with an ending in files": (("customers/jon.md", "Customer"), ("customers/jones.md", "Customer")),
    "days": (("log/2026-03-01.md", "Log"), ("log/2026-03-02.md", "Log")),
}


@pytest.mark.parametrize("more", ["", "Mist it at noon.\n"], ids=["equal", "nearly equal"])
@pytest.mark.parametrize("name", TWO_THINGS)
def test_what_is_called_two_things_stays_two_whatever_it_says(name: str, more: str) -> None:
    (left, one), (right, other) = TWO_THINGS[name]
    family = {left: f"# {one}\n\n{WATERING}", right: f"# {other}\n\n{WATERING}{more}"}
    plans = [
        when_a_model_merges(family, 0.99),
        plan(*without_model(family), of=group(*(memory(*one) for one in family.items()))),
    ]
    operations = [operation for planned in plans for operation in planned.operations]
    assert all(operation.propose_only for operation in operations if operation.kind is OperationKind.MERGE)


NAMES = st.text(string.ascii_lowercase, min_size=2, max_size=8)


@given(
    left=NAMES,
    right=NAMES,
    pattern=st.sampled_from(["a/{}/b.md", "{}/b.md", "a/{}.md", "a/b-{}.md"]),
    body=st.text(max_size=120),
)
def test_no_equal_texts_make_one_of_two_names(left: str, right: str, pattern: str, body: str) -> None:
    assume(left != right)
    family = {pattern.format(name): f"# Watering\n\n{left} and {right}: {body}" for name in (left, right)}
    plans = [
        when_a_model_merges(family, 0.99),
        plan(*without_model(family), of=group(*(memory(*one) for one in family.items()))),
    ]
    operations = [operation for planned in plans for operation in planned.operations]
    assert all(operation.propose_only for operation in operations if operation.kind is OperationKind.MERGE)


#: Two notes on one concert whose titles share no word for it, as those of two subjects do not.
LIKELY_TWO = {
    "choir/concert-day.md": "# Concert day, St. Anne's\n- warm-up 17:00 in the vestry\n- black clothes, blue folder\n- Margot holds the spare scores\n- stack chairs afterwards\n",
    "choir/summer concert plan.md": "# Plan for the concert at St. Anne's\nThey warm up at five in the vestry. All wear black, the folder is blue. Margot has extra scores. The chairs are stacked before we leave.\n",
}


def test_a_person_decides_where_two_subjects_are_only_likely_and_a_model_is_sure_of_one() -> None:
    (operation,) = when_a_model_merges(LIKELY_TWO, 0.99).operations
    assert operation.propose_only is not None
    assert "may be about two subjects: one is about day, the other about Plan" in operation.propose_only


def test_two_subjects_that_are_likely_stay_apart_where_the_model_is_unsure() -> None:
    planned = when_a_model_merges(LIKELY_TWO, 0.5)
    assert planned.operations == ()
    assert [skip.code for skip in planned.skips] == ["likely_different"]


def test_the_rules_without_a_model_do_not_propose_what_is_likely_two_subjects() -> None:
    assert not [action for action in without_model(LIKELY_TWO) if action.type == "MERGE"]
