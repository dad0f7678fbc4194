"""The cost of a month, as the cost benchmark makes it of counted tokens."""

from dataclasses import replace

import pytest

from benchmarks.cost.as_edits import as_edits
from benchmarks.cost.estimates import Case, Night, list_shares
from benchmarks.cost.kinds import KINDS, MODELS, Tokens, cost_of_month
from shared.core.questions.estimate import PastCall
from shared.core.questions.question import Document, Question
from shared.prices.price_list import find_prices
from workers.phase.text_edits import edit_body, join_by_edits
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer

A_DREAM = Tokens(calls=4, prompt=10_000, output=1_000)


def test_a_month_is_its_dreams_at_the_listed_price_and_half_of_it_in_batches() -> None:
    at_once = cost_of_month(A_DREAM, 30, "claude-haiku-4-5", find_prices(), is_batched=False)
    assert at_once == pytest.approx(30 * (10_000 * 1 + 1_000 * 5) / 1_000_000)
    assert cost_of_month(A_DREAM, 30, "claude-haiku-4-5", find_prices(), is_batched=True) == pytest.approx(at_once / 2)


def test_a_model_without_a_known_price_gets_no_figure() -> None:
    with pytest.raises(KeyError):
        cost_of_month(A_DREAM, 30, "another", find_prices(), is_batched=False)


def test_each_model_of_the_table_has_a_price_and_busier_tenants_dream_more() -> None:
    assert all(model in find_prices() for model in MODELS)
    assert [kind.dreams_a_month for kind in KINDS] == sorted(kind.dreams_a_month for kind in KINDS)


DATED = "The hall lost power yesterday (2026-03-09)."
TEXTS = {"a.md": "# Hall\n\nThe hall lost power yesterday.\n", "b.md": "# Hall\n\nThe doors stayed open.\n"}
SHOWN = tuple(Document(path=path, text=text, role="changed") for path, text in TEXTS.items())
QUESTION = Question(phase="consolidate", key="k", documents=SHOWN, answer_type=ConsolidateAnswer)


def shortened(kind: str, *files: str, **more: str) -> ConsolidateAction:
    action = ConsolidateAction.model_validate({"type": kind, "files": files, **more})
    answer = as_edits(ConsolidateAnswer(actions=(action,)), QUESTION)
    assert isinstance(answer, ConsolidateAnswer)
    return answer.actions[0]


def test_an_answer_is_measured_with_the_edits_that_come_to_the_text_of_the_rules() -> None:
    merge = shortened("MERGE", "a.md", "b.md", mergedContent=f"# Hall\n\n{DATED} The doors stayed open.\n")
    assert merge.merged_content is None
    assert join_by_edits(TEXTS["a.md"], [TEXTS["b.md"]], merge.edits or ()).body.endswith(
        f"{DATED} The doors stayed open."
    )
    dated = shortened("TEMPORAL_UPDATE", "a.md", updatedContent=f"# Hall\n\n{DATED}\n")
    assert dated.updated_content is None
    assert DATED in edit_body(TEXTS["a.md"], dated.edits or ()).body


def test_a_text_that_no_edits_come_to_is_measured_whole() -> None:
    twice = {"a.md": "- Open.\n- Shut.\n- Open.\n"}
    shown = (Document(path="a.md", text=twice["a.md"], role="changed"),)
    update = ConsolidateAction(type="TEMPORAL_UPDATE", files=("a.md",), updated_content="- Ajar.\n- Shut.\n- Open.\n")
    answer = ConsolidateAnswer(actions=(update,))
    assert as_edits(answer, replace(QUESTION, documents=shown)) == answer


def test_the_share_of_answers_is_that_of_first_questions_in_dreams_without_a_history() -> None:
    def night(output: int, *, is_first: bool = True) -> Night:
        asked = PastCall(phase="consolidate", key="api", prompt_tokens=100, output_tokens=output)
        again = replace(asked, key="api/look", output_tokens=900)
        return Night(case=Case(100, 20), is_first=is_first, prompt=0, output=0, calls=(asked, again))

    (row,) = list_shares([night(10), night(50), night(99, is_first=False)])
    assert row == {"phase": "consolidate", "dreams": 2, "all": 0.3, "least": 0.1, "most": 0.5}
