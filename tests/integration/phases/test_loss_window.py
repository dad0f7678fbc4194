"""The loss cap over several dreams: what waits for a review counts, so that a store is not emptied step by step."""

from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, OperationState
from shared.core.dream.operations import OperationKind
from shared.core.memory.model import Signals
from shared.core.questions.question import Question
from shared.services.operations.review import approve_operation
from tests.support.builders import LONG_AGO, get_operations, run_dream, texts, write
from tests.support.model.over import OVER, archive
from workers.phases.prune.answer import PruneAnswer

TRIVIA = ("radio plays jazz", "kettle boils water", "window faces north", "carpet feels soft")


def archive_all(question: Question) -> BaseModel | None:
    if question.phase != "prune":
        return None
    found = [document.path for document in question.documents if document.role == "candidate"]
    return PruneAnswer(decisions=tuple(archive(path, confidence=0.99) for path in found))


def dream(ports: Ports, tenant: str) -> Dream:
    return run_dream(ports, tenant, ScriptedLlm(archive_all))


def archived(ports: Ports, tenant: str, one: Dream) -> list[str]:
    return [
        op.id
        for op in get_operations(ports, tenant, one.id)
        if op.operation.kind is OperationKind.ARCHIVE and op.state is OperationState.APPLIED
    ]


def test_of_four_memories_one_may_go_and_no_other_until_a_person_has_looked(ports: Ports, tenant: str) -> None:
    faded = {f"old/{n}.md": f"# Trivia {said}\n\nthe {said}. {OVER}\n" for n, said in enumerate(TRIVIA)}
    write(ports, tenant, texts(faded, signals=Signals(importance=10), at=LONG_AGO))
    (first,) = archived(ports, tenant, dream(ports, tenant))
    assert archived(ports, tenant, dream(ports, tenant)) == []
    approve_operation(ports.db, ports.ids, tenant, first, actor="a test")
    write(
        ports,
        tenant,
        texts({"old/0.md": "# Trivia\n\nthe lamp glows. " + OVER}, signals=Signals(importance=10), at=LONG_AGO),
    )
    assert len(archived(ports, tenant, dream(ports, tenant))) == 1
