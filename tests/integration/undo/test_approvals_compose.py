"""Proposals of one night do not kill each other: each is planned again on what is there when it is approved."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, OperationState, ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.dream.replan import needs_look
from shared.core.errors import ChangedProposalError, MootError
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import MemoryState
from shared.core.policy.policy import Autonomy
from shared.core.questions.question import Question
from shared.core.sessions.statement_text import SUPERSEDED_HEADING
from shared.ports.dreams import RecordedOperation
from shared.services.operations.review import approve_operation, get_operation, reopen_operation
from tests.integration.undo.undo_support import Dreamt, at, find_operation
from tests.support.builders import a_store, get_operations, run_dream, take_picture, texts, write
from tests.support.session_builders import tell
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.gather.answer import GatherAnswer, GatheredMemory

CORRECT, MERGE = OperationKind.CORRECT, OperationKind.MERGE
OWNER = "The owner of the refund policy is Payments."
NOTES = {
    "shop/refunds.md": f"# Refunds\n\n{OWNER}\n\nRefunds take five days.\n",
    "shop/refund-policy.md": f"# Refunds\n\n{OWNER}\n\nA refund needs a receipt.\n",
}
SAID = "No, the owner of the refund policy is Support."
NOW_OWNER = "The owner of the refund policy is Support."


def _want(keeper: str, question: Question) -> BaseModel | None:
    offered = {document.path for document in question.documents}
    if question.phase == "gather":
        return GatherAnswer(memories=tuple(_gathered(question)))
    if question.phase == "consolidate" and set(NOTES) <= offered:
        merged = f"# Refunds\n\n{OWNER}\n\nRefunds take five days.\n\nA refund needs a receipt.\n"
        action = ConsolidateAction(type="MERGE", files=tuple(NOTES), output_file=keeper, merged_content=merged)
        return ConsolidateAnswer(actions=(action,))
    return None


def _gathered(question: Question) -> Iterator[GatheredMemory]:
    for piece in (document for document in question.documents if document.role == "session"):
        yield GatheredMemory(
            kind="correction", window=piece.path, quote=SAID, statement=NOW_OWNER, target="shop/refunds.md",
            replaces=OWNER, confidence=0.9,
        )  # fmt: skip


def a_night(ports: Ports, tenant: str, keeper: str) -> Dream:
    """A dream that proposes a correction of a note, and a merge of it with another one."""
    write(ports, tenant, texts(NOTES, at=datetime.now(UTC) - timedelta(days=1)))
    a_store(ports, tenant, autonomy=Autonomy.PROPOSE)
    tell(ports, tenant, "s0", SAID, at=datetime.now(UTC))
    return run_dream(ports, tenant, ScriptedLlm(lambda question: _want(keeper, question)))


def _proposal(ports: Ports, tenant: str, dream: Dream, kind: OperationKind) -> str:
    """The merge, or the correction of the note that was spoken of; the one that repeats it is corrected, too."""
    return next(one.id for one in get_operations(ports, tenant, dream.id) if one.operation.kind is kind)


def approve(ports: Ports, tenant: str, operation_id: str, *, accepts: bool = False) -> RecordedOperation:
    return approve_operation(ports.db, ports.ids, tenant, operation_id, actor="a test", accepts_change=accepts)


def _live(ports: Ports, tenant: str) -> list[str]:
    found = take_picture(ports, tenant).memories.values()
    return [one.content for one in found if one.state is MemoryState.LIVE and one.path.startswith("shop/refund")]


@pytest.mark.parametrize("keeper", sorted(NOTES))
@pytest.mark.parametrize("order", [(CORRECT, MERGE), (MERGE, CORRECT)])
def test_a_correction_and_a_merge_of_one_night_are_approved_in_either_order(
    ports: Ports, tenant: str, order: tuple[OperationKind, OperationKind], keeper: str
) -> None:
    dream = a_night(ports, tenant, keeper)
    first, second = (_proposal(ports, tenant, dream, kind) for kind in order)
    approve(ports, tenant, first)
    # A correction of the note that was merged into makes the change that was shown; all else has another outcome.
    if second == _proposal(ports, tenant, dream, MERGE) or keeper != "shop/refunds.md":
        with pytest.raises(ChangedProposalError, match="look at it again"):
            approve(ports, tenant, second)
    waiting = get_operation(ports.db, tenant, second)
    assert (waiting.state, waiting.review) == (OperationState.PROPOSED, ReviewState.PENDING)
    done = approve(ports, tenant, second)
    assert not needs_look(done.operation, waiting.effects, done.effects)
    (content,) = _live(ports, tenant)
    current, _, superseded = body_of(content).partition(SUPERSEDED_HEADING)
    assert OWNER not in current
    assert OWNER.rstrip(".") in superseded
    assert all(said in current for said in (NOW_OWNER, "Refunds take five days.", "A refund needs a receipt."))
    reopen_operation(ports.db, tenant, second, actor="a test")
    reopen_operation(ports.db, tenant, first, actor="a test")
    assert sorted(map(body_of, _live(ports, tenant))) == sorted(NOTES.values())


def test_a_correction_of_a_sentence_that_two_notes_hold_is_proposed_for_both_and_one_merged_note_gets_it_once(
    ports: Ports, tenant: str
) -> None:
    dream = a_night(ports, tenant, "shop/refunds.md")
    corrections = [one for one in get_operations(ports, tenant, dream.id) if one.operation.kind is CORRECT]
    assert {one.effects[0].after.path for one in corrections} == set(NOTES)
    approve(ports, tenant, _proposal(ports, tenant, dream, MERGE))
    approve(ports, tenant, corrections[0].id, accepts=True)
    with pytest.raises(MootError):
        approve(ports, tenant, corrections[1].id, accepts=True)
    (content,) = _live(ports, tenant)
    assert body_of(content).count(NOW_OWNER) == 1


def test_who_accepts_a_changed_outcome_needs_no_second_look(ports: Ports, tenant: str) -> None:
    dream = a_night(ports, tenant, "shop/refund-policy.md")
    for kind in (MERGE, CORRECT):
        assert approve(ports, tenant, _proposal(ports, tenant, dream, kind), accepts=True).state == "applied"
    (content,) = _live(ports, tenant)
    assert NOW_OWNER in content


def test_a_proposal_whose_memory_is_gone_is_closed_with_the_reason(ports: Ports, proposed: Dreamt) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    operation_id = find_operation(ports, tenant, dream, OperationKind.TEMPORAL_UPDATE, OperationState.PROPOSED)
    write(ports, tenant, {"api/rollout.md": "# Rollout\n\nNothing is left of it.\n"})
    with pytest.raises(MootError, match=r"api/rollout\.md"):
        approve(ports, tenant, operation_id)
    closed = get_operation(ports.db, tenant, operation_id)
    assert (closed.state, closed.review) == (OperationState.SKIPPED, ReviewState.NONE)
    assert "does not stand in api/rollout.md any more" in closed.note
    found = at(ports, tenant, "api/rollout.md")
    assert found is not None
    assert found.content == "# Rollout\n\nNothing is left of it.\n"


def test_no_proposal_of_a_night_is_stuck(ports: Ports, proposed: Dreamt) -> None:
    tenant, dream = proposed.tenant, proposed.dream
    for _ in range(2):
        for one in get_operations(ports, tenant, dream.id):
            if one.review is ReviewState.PENDING:
                try:
                    approve(ports, tenant, one.id)
                except (ChangedProposalError, MootError):
                    continue
    left = [one for one in get_operations(ports, tenant, dream.id) if one.review is ReviewState.PENDING]
    assert left == []
