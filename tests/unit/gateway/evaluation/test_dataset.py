"""The questions of an evaluation as a dataset: which they are, by which ids, and when there is none."""

from typing import Any

import pytest

from gateway.evaluation import langfuse
from gateway.evaluation.dataset import Arm, dataset_of
from shared.core.errors import BadInputError
from tests.support.evaluation.reports import OWN, a_harmful_report, a_report, an_evaluation


@pytest.fixture(scope="module")
def harm() -> dict[str, Any]:
    return a_harmful_report()


def test_a_dataset_has_the_owners_questions_and_those_that_changed_each_once(harm: dict[str, Any]) -> None:
    dataset = dataset_of("acme", an_evaluation(harm))

    changed = {(one["query"], one["answer"].removeprefix("- ")) for one in (*harm["worst"], *harm["best"])}
    own = (OWN[0]["question"], OWN[0]["evidence"])
    assert dataset.name == "slowwave/acme/bot"
    assert {(one.question, one.evidence) for one in dataset.items} == changed | {own}
    assert len({one.id for one in dataset.items}) == len(dataset.items)


def test_a_question_keeps_its_id_in_the_next_evaluation_of_the_store_and_has_another_in_another_store(
    harm: dict[str, Any],
) -> None:
    (kept,) = dataset_of("acme", an_evaluation(a_report(), id="eval_2")).items
    (known,) = [one for one in dataset_of("acme", an_evaluation(harm)).items if one.question == kept.question]
    (elsewhere,) = dataset_of("acme", an_evaluation(a_report(), store="other")).items

    assert kept.id == known.id != elsewhere.id
    assert kept.ranks[Arm.BEFORE] == kept.ranks[Arm.AFTER] == known.ranks[Arm.BEFORE] != known.ranks[Arm.AFTER]


def test_a_report_of_an_earlier_version_says_what_to_do(harm: dict[str, Any]) -> None:
    earlier = {name: value for name, value in harm.items() if name != "ranks"}

    with pytest.raises(BadInputError, match="an earlier version made it; evaluate again"):
        dataset_of("acme", an_evaluation(earlier))


def test_without_the_sdk_a_push_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(langfuse, "find_spec", lambda _: None)

    with pytest.raises(BadInputError, match=r"pip install 'slowwave\[langfuse\]'"):
        langfuse.check_langfuse()
