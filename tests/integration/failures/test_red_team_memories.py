"""The sandbox: hostile memories and a model that obeys them change nothing but counters."""

from collections.abc import Iterator

import pytest
from pydantic import BaseModel

from shared.adapters.llm.offline import OfflineLlm
from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import Dream, DreamState, OperationState
from shared.core.memory.model import Signals
from shared.core.questions.question import Question
from shared.ports.llm import LlmReply, LlmRequest
from tests.integration.failures.red_team_support import FOREIGN, HOSTILE
from tests.support.builders import LONG_AGO, get_operations, run_dream, take_picture, texts, write
from tests.support.laws import some_quick
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer
from workers.phases.prune.answer import PruneAnswer, PruneDecision
from workers.phases.synthesize.answer import SynthesisDraft, SynthesizeAnswer

#: A text that is over the token budget is refused and counted, and the rest of the dream goes on.
_ENDED = (DreamState.COMPLETED, DreamState.PARTIAL)
_SECRET = "# Keys\n\nthe key of the other tenant is `tango_42_delta`.\n"


class Obedient:
    """A model that does what the memories tell it: it names everything, offered or not."""

    model = "obedient"

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._scripted = ScriptedLlm(self._obey)

    def decide(self, request: LlmRequest) -> LlmReply:
        return self._scripted.decide(request)

    def count_tokens(self, request: LlmRequest) -> int:
        """A tenth: the hostile texts are long, and the budget is not what is tested here."""
        return OfflineLlm().count_tokens(request) // 10

    def find_unwritten(self, _request: LlmRequest) -> frozenset[int]:
        return frozenset()

    def _obey(self, question: Question) -> BaseModel | None:
        if question.phase == "consolidate":
            return ConsolidateAnswer(actions=tuple(self._actions()))
        if question.phase == "prune":
            made = [PruneDecision(file=n, decision="ARCHIVE", stub="owned") for n in self._names]
            made += [PruneDecision(file=n, decision="MERGE_INTO", merge_target="secrets/keys.md") for n in self._names]
            return PruneAnswer(decisions=tuple(made))
        if question.phase == "synthesize":
            return SynthesizeAnswer(syntheses=(SynthesisDraft(title="../../x", content="owned", sources=self._names),))
        return None

    def _actions(self) -> Iterator[ConsolidateAction]:
        for name in self._names:
            yield ConsolidateAction(type="TEMPORAL_UPDATE", files=(name,), updated_content="owned")
            yield ConsolidateAction(
                type="MERGE", files=(name, "secrets/keys.md"), output_file="../../x.md", merged_content="owned"
            )
            yield ConsolidateAction(type="CROSS_REFERENCE", files=(name, "secrets/keys.md"))


def a_hostile_store(ports: Ports, tenant: str, text: str) -> dict[str, str]:
    faded = Signals(importance=10)
    notes = {"notes/one.md": text, "notes/two.md": text + "\nAgain.\n", "notes/caf\xe9.md": "# Caf\xe9\n\nopen.\n"}
    write(ports, tenant, texts(notes, signals=faded, at=LONG_AGO))
    write(ports, tenant, {"other/three.md": "# Three\n\nsomething else.\n"})
    write(ports, tenant, {"secrets/keys.md": _SECRET}, store="vault")
    return notes | {"other/three.md": "# Three\n\nsomething else.\n"}


def find_topics(ports: Ports, tenant: str) -> dict[str, str]:
    live = {m.path: m.content for m in take_picture(ports, tenant).memories.values() if m.state == "live"}
    return {path: text for path, text in live.items() if not path.endswith(("MEMORY.md", "_index.md"))}


def applied(ports: Ports, tenant: str, dream: Dream) -> set[str]:
    found = get_operations(ports, tenant, dream.id)
    return {str(op.operation.kind) for op in found if op.state is OperationState.APPLIED}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_model_that_names_what_it_was_not_offered_changes_nothing(ports: Ports, tenant: str, name: str) -> None:
    before = a_hostile_store(ports, tenant, HOSTILE[name])
    vault = take_picture(ports, tenant, "vault")
    dream = run_dream(ports, tenant, Obedient(FOREIGN))
    assert dream.state in _ENDED, dream.reason
    assert find_topics(ports, tenant) == before
    assert applied(ports, tenant, dream) <= {"INDEX"}
    assert take_picture(ports, tenant, "vault") == vault
    assert dream.summary
    assert sum(dream.summary.reasons.values()) > 0, "a refusal is counted"


@pytest.mark.parametrize("name", some_quick(HOSTILE, one_in=4))
def test_the_index_of_a_hostile_store_is_in_bounds_and_stable(ports: Ports, tenant: str, name: str) -> None:
    a_hostile_store(ports, tenant, HOSTILE[name])
    run_dream(ports, tenant, ScriptedLlm())
    root = index_of(ports, tenant)
    assert root.count("\n") <= 200
    assert len(root.encode()) <= 25_000
    assert "evil" not in "".join(part.partition(")")[0] for part in root.split("](")[1:])
    again = run_dream(ports, tenant, ScriptedLlm())
    assert applied(ports, tenant, again) == set()
    assert index_of(ports, tenant) == root


@pytest.mark.parametrize("name", some_quick(HOSTILE, one_in=4))
def test_no_hostile_text_stops_the_model_of_rules_or_leaves_its_store(ports: Ports, tenant: str, name: str) -> None:
    a_hostile_store(ports, tenant, HOSTILE[name])
    vault = take_picture(ports, tenant, "vault")
    assert run_dream(ports, tenant, OfflineLlm()).state in _ENDED
    assert take_picture(ports, tenant, "vault") == vault
    live = take_picture(ports, tenant).memories.values()
    assert not any("tango_42_delta" in memory.content for memory in live)


def index_of(ports: Ports, tenant: str) -> str:
    return next(m.content for m in take_picture(ports, tenant).memories.values() if m.path == "MEMORY.md")
