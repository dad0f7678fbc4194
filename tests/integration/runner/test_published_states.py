"""A dream in the profile of ByteRover applies, flags or only proposes the answers of its model."""

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.questions.question import Question
from tests.support.builders import a_store, get_operations, run_dream, texts, write
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.synthesize.answer import SynthesisDraft, SynthesizeAnswer

APPLIED = (OperationState.APPLIED, ReviewState.NONE)
FLAGGED = (OperationState.APPLIED, ReviewState.PENDING)
PROPOSED = (OperationState.PROPOSED, ReviewState.PENDING)

OUTAGE = "# 2026-11-10\n\nMalmo lost power yesterday. The fair is on 18 December.\n"
NOTES = {
    "ops/outage.md": OUTAGE,
    "shop/fonts.md": "# Fonts\n\nThe shop loads its fonts from the content network.\n",
    "shop/images.md": "# Images\n\nPictures of the shop are resized by a worker at night.\n",
}


def get_end(ports: Ports, tenant: str, kind: OperationKind, answer: BaseModel) -> tuple[OperationState, ReviewState]:
    """The state and the review of the operation of a kind, after a dream whose model gave this answer."""

    def say(question: Question) -> BaseModel | None:
        return answer if question.answer_type is type(answer) else None

    a_store(ports, tenant, profile="byterover")
    write(ports, tenant, texts(NOTES))
    dream = run_dream(ports, tenant, ScriptedLlm(say))
    (found,) = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is kind]
    return found.state, found.review


@pytest.mark.parametrize(
    ("said", "instead", "confidence", "end"),
    [
        ("yesterday", "yesterday (2026-11-09)", 0.9, APPLIED),
        ("yesterday", "yesterday (2026-11-09)", None, FLAGGED),
        ("yesterday", "yesterday (2026-11-09)", 0.6, PROPOSED),
        ("18 December", "18 December 2026", 0.9, APPLIED),
        ("lost power", "lost and regained power", 0.9, PROPOSED),
    ],
)
def test_a_temporal_update_is_applied_if_it_only_adds_dates_that_the_host_can_check_and_else_proposed(
    ports: Ports,
    tenant: str,
    said: str,
    instead: str,
    confidence: float | None,
    end: tuple[OperationState, ReviewState],
) -> None:
    action = ConsolidateAction(
        type="TEMPORAL_UPDATE",
        files=("ops/outage.md",),
        updated_content=OUTAGE.replace(said, instead),
        confidence=confidence,
    )
    answer = ConsolidateAnswer(actions=(action,))
    assert get_end(ports, tenant, OperationKind.TEMPORAL_UPDATE, answer) == end


@pytest.mark.parametrize(("confidence", "end"), [(0.9, APPLIED), (None, FLAGGED), (0.6, PROPOSED)])
def test_a_synthesis_of_which_its_model_is_unsure_is_only_proposed(
    ports: Ports, tenant: str, confidence: float | None, end: tuple[OperationState, ReviewState]
) -> None:
    draft = SynthesisDraft(
        title="The shop and its fonts",
        content="The shop loads its fonts from the content network.",
        summary="The shop loads its fonts from the content network.",
        sources=("shop/_index.md", "ops/_index.md"),
        confidence=confidence,
    )
    answer = SynthesizeAnswer(syntheses=(draft,))
    assert get_end(ports, tenant, OperationKind.CREATE, answer) == end
