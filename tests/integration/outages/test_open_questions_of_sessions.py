"""A dream leaves one of several questions about a session open: the next one asks about the rest, and writes nothing twice."""

from collections.abc import Callable

import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState
from shared.core.dream.operations import Create
from shared.core.questions.question import Question
from shared.ports.llm import LlmOutcome
from shared.services.memories.edit import Expected, archive_memory
from shared.services.operations.review import reject_operation
from shared.services.operations.undo import undo_dream
from shared.services.tenants.configure import StoreChanges, configure_store
from tests.integration.sessions.test_gather import live
from tests.support.builders import get_operations, run_dream, take_picture
from tests.support.session_builders import get_session, tell
from workers.phases import CATALOG
from workers.phases.gather.answer import GatherAnswer, GatheredMemory

CLUSTER, INVOICES, ROTA = (
    "Remember that the staging cluster runs in eu-north-1.",
    "Remember that invoices are numbered per country and year.",
    "Remember that the rota changes on Mondays at nine.",
)
#: What the second dream's model makes of the last piece: other words, another kind, another title.
RESTATED = GatheredMemory(
    kind="fact", window="", quote="the rota changes on Mondays at nine", statement="Every Monday at nine the rota changes.",
    title="Mondays", confidence=0.9,
)  # fmt: skip


class Reader:
    """A model that writes down each statement, gives no answer about some, and says one in other words from the second dream on."""

    def __init__(self, *unanswered: str) -> None:
        self.unanswered = unanswered
        self.asked: set[str] = set()
        self.restates = False

    def __call__(self, question: Question) -> GatherAnswer | LlmOutcome | None:
        if question.phase != "gather":
            return None
        [piece] = [one for one in question.documents if one.role == "session"]
        starred = "".join(line for line in piece.text.splitlines() if "]* user" in line)
        [said] = [one for one in (CLUSTER, INVOICES, ROTA) if one in starred]
        self.asked.add(said)
        if said in self.unanswered:
            return LlmOutcome.REFUSED
        if said == ROTA and self.restates:
            return GatherAnswer(memories=(RESTATED.model_copy(update={"window": piece.path}),))
        told = said.removeprefix("Remember that ")
        found = GatheredMemory(
            kind="save",
            window=piece.path,
            quote=said,
            statement=f"{told[:1].upper()}{told[1:]}",
            title=told,
            confidence=0.9,
        )
        return GatherAnswer(memories=(found,))


def dream_twice(ports: Ports, tenant: str, between: Callable[[Dream], object] = lambda _: None) -> tuple[Reader, Dream]:
    """Let one dream leave the second of three questions open; return the model as the next one asked it, and that dream."""
    overrides = {"gather.payload_cap_chars": 1, "show.session_tokens": 0}
    tell(ports, tenant, "s1", CLUSTER, *["Go on."] * 4, INVOICES, *["Go on."] * 4, ROTA)
    configure_store(
        ports.db, tenant, "default", changes=StoreChanges(overrides=overrides), phases=CATALOG, actor="a test"
    )
    model = Reader(INVOICES)
    first = run_dream(ports, tenant, ScriptedLlm(model))
    assert (first.state, model.asked) == (DreamState.PARTIAL, {CLUSTER, INVOICES, ROTA})
    assert len(live(ports, tenant)) == 2
    between(first)
    model.unanswered, model.asked, model.restates = (), set(), True
    return model, run_dream(ports, tenant, ScriptedLlm(model))


def test_the_next_dream_asks_from_the_open_question_on_and_writes_nothing_twice(ports: Ports, tenant: str) -> None:
    kept: dict[str, str] = {}
    model, second = dream_twice(ports, tenant, lambda _: kept.update(live(ports, tenant)))
    assert model.asked == {INVOICES, ROTA}
    [added] = live(ports, tenant).keys() - kept.keys()
    assert "numbered per country" in live(ports, tenant)[added]
    assert live(ports, tenant) == kept | {added: live(ports, tenant)[added]}
    session = get_session(ports, tenant, "s1")
    assert session.gathered_position == session.last_position
    assert second.state is DreamState.COMPLETED


def find_rota(ports: Ports, tenant: str) -> str:
    [path] = [path for path, text in live(ports, tenant).items() if "rota" in text]
    return path


def reject(ports: Ports, tenant: str, dream: Dream) -> None:
    path = find_rota(ports, tenant)
    [wrote] = [
        one.id
        for one in get_operations(ports, tenant, dream.id)
        if any(isinstance(change, Create) and change.path == path for change in one.operation.changes)
    ]
    reject_operation(ports.db, tenant, wrote, actor="Ada")


def archive(ports: Ports, tenant: str, _dream: Dream) -> None:
    path = find_rota(ports, tenant)
    [memory] = [one for one in take_picture(ports, tenant).memories.values() if (one.path, one.state) == (path, "live")]
    archive_memory(ports.db, tenant, "default", memory.id, expected=Expected(), actor="Ada")


@pytest.mark.parametrize("take_away", [reject, archive])
def test_what_a_person_took_away_in_between_does_not_come_back_in_other_words(
    ports: Ports, tenant: str, take_away: Callable[[Ports, str, Dream], None]
) -> None:
    model, _ = dream_twice(ports, tenant, lambda first: take_away(ports, tenant, first))
    assert model.asked == {INVOICES, ROTA}
    assert not [path for path, text in live(ports, tenant).items() if "rota" in text]


def test_an_undone_dream_leaves_everything_to_be_gathered_again(ports: Ports, tenant: str) -> None:
    model, _ = dream_twice(ports, tenant, lambda first: undo_dream(ports.db, tenant, first.id, actor="Ada"))
    assert model.asked == {CLUSTER, INVOICES, ROTA}
    assert "Every Monday at nine" in "".join(live(ports, tenant).values())
