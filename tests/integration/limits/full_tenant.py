"""A tenant that has stored about as much as it may, so that each list of the API has megabytes to show."""

from datetime import UTC, datetime

from gateway.phases import get_phases
from shared.all_ports import Ports
from shared.core.dream.effects import Effect
from shared.core.dream.model import OperationState, ReviewState
from shared.core.dream.operations import Create, Operation, OperationKind
from shared.core.learning.feedback import (
    MAX_NAME_CHARS,
    MAX_STEPS,
    MAX_TEXT_CHARS,
    FeedbackKind,
    NewFeedback,
    NewRun,
    RunOutcome,
)
from shared.core.listings.records import MAX_DESCRIPTION_CHARS, MAX_TITLE_CHARS
from shared.core.questions.directives import MAX_CHARS
from shared.core.sessions.model import EventKind
from shared.core.tenants.labels import MAX_LABEL_CHARS, MAX_LABELS
from shared.ports.dreams import RecordedOperation
from shared.services.sessions.api import begin_session
from shared.services.sessions.feedback import record_feedback, record_workflow_runs
from shared.services.tenants.directives import set_directive
from shared.services.tenants.stores import create_described_store
from tests.integration.api.api_support import Everything
from tests.support.builders import a_memory, get_operations, write
from tests.support.session_builders import tell

#: Takes four bytes in an answer, as much as a character that is not escaped can.
SIGN = "\N{ALCHEMICAL SYMBOL FOR FIRE}"
#: The longest text that still fits into a body of 4 MB.
LONGEST = SIGN * 990_000
_LABELS = {f"label-{number}": SIGN * MAX_LABEL_CHARS for number in range(MAX_LABELS)}


def fill(ports: Ports, known: Everything) -> dict[str, str]:
    """Store much of everything for a tenant; return the ids of what was made, by the name of a route's parameter."""
    fill_skill(ports, known.tenant, known.skill)
    record_much_feedback(ports, known.tenant, 200)
    record_long_runs(ports, known.tenant, 60)
    set_directive_often(ports, known.tenant, 40)
    _describe_many(ports, known.tenant)
    record_operations(ports, known)
    for number in range(3):
        write(ports, known.tenant, {"long.md": f"# {number}\n{LONGEST}"})
    session = tell(ports, known.tenant, "long", *[(EventKind.ASSISTANT, SIGN * 400_000)] * 5)
    with ports.db.transaction(known.tenant) as uow:
        [memory] = uow.memories(known.memory_store_id).find_by_paths(["long.md"]).values()
    return {"memory_id": memory.id, "session_id": session.id}


def fill_skill(ports: Ports, tenant: str, skill: str, chars: int = 990_000, count: int = 3) -> None:
    """Put long files beside a skill."""
    for number in range(count):
        write(ports, tenant, {f"skills/{skill}/{number:02}.md": SIGN * chars})


def record_much_feedback(ports: Ports, tenant: str, count: int) -> None:
    """Record feedback with the longest texts."""
    one = NewFeedback(kind=FeedbackKind.CORRECTION, text=SIGN * MAX_TEXT_CHARS)
    record_feedback(ports.db, tenant, "default", [one] * count)


def record_long_runs(ports: Ports, tenant: str, count: int) -> None:
    """Record workflow runs with the most and the longest steps."""
    steps = tuple(f"{number} {SIGN * (MAX_NAME_CHARS - 4)}" for number in range(MAX_STEPS))
    text = SIGN * MAX_TEXT_CHARS
    run = NewRun(description=text, outcome=RunOutcome.FAILURE, error=text, steps=steps, skills=steps)
    record_workflow_runs(ports.db, tenant, "default", [run] * count)


def set_directive_often(ports: Ports, tenant: str, count: int, name: str = "dream.md") -> None:
    """Give a directive the given number of versions of the longest text."""
    for number in range(count):
        text = f"{number:02}" + SIGN * (MAX_CHARS - 2)
        set_directive(ports.db, tenant, name, text, phases=get_phases(), actor="a test")


def _describe_many(ports: Ports, tenant: str) -> None:
    resource = {"type": "memory_store", "memory_store_id": "", "access": None, "instructions": SIGN * 4_096}
    details = {"agent": {"type": "agent", "id": "a", "version": 1}, "metadata": _LABELS, "resources": [resource]}
    for number in range(100):
        title, text = SIGN * MAX_TITLE_CHARS, SIGN * MAX_DESCRIPTION_CHARS
        create_described_store(
            ports.db, ports.ids, tenant, title=title, description=text, labels=_LABELS, actor="a test"
        )
        begin_session(ports.db, tenant, f"chat-{number}", store_id=None, title=SIGN * 1_000, details=details)


def record_operations(ports: Ports, known: Everything) -> None:
    """Record operations that wait for a review: each creates memories with long texts, all but two of one line."""
    made = [a_memory(f"made/{number}.md", content=SIGN * 400_000) for number in range(2)]
    made += [a_memory(f"lines/{number}.md", content=f"{SIGN * 100}\n" * 1_500) for number in range(3)]
    changes = tuple(Create(path=one.path, content=one.content) for one in made)
    for number in range(4):
        recorded = RecordedOperation(
            id=ports.ids.new("op"),
            dream_id=known.dream_id,
            store_id=known.memory_store_id,
            position=1_000 + number,
            operation=Operation(kind=OperationKind.CREATE, phase="synthesize", reason="long", changes=changes),
            state=OperationState.PROPOSED,
            review=ReviewState.PENDING,
            effects=tuple(Effect(before=None, after=one) for one in made),
            created_at=datetime.now(UTC),
        )
        with ports.db.transaction(known.tenant) as uow:
            uow.operations.record(recorded)
    assert len(get_operations(ports, known.tenant, known.dream_id)) > 4
