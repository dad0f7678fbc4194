"""Dreams whose model takes exams: a model that knows which pairs are the same, and one that joins all of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import ModuleType

import pytest
from pydantic import BaseModel

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.exam.draws import ExamDraw, ExamPair, draw_exam
from shared.core.exam.model import ExamResult
from shared.core.questions.escalation import is_exam
from shared.core.questions.question import Question
from shared.core.tenants.store import Tenant
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest
from tests.support.builders import texts, write
from workers.phases.consolidate.answer import ConsolidateAnswer

NOTES = {
    "api/limits.md": "# Limits\n\nThe API allows 600 calls a minute per key. Above it answers 429.\n",
    "api/throttle.md": "# Throttle\n\nA key may call the API 600 times a minute. Above it the answer is 429.\n",
}


@dataclass
class Examinee(ScriptedLlm):
    """A model that joins the pairs of an exam that it takes for the same; of other questions it says nothing."""

    drawn: list[ExamDraw]  # what has been drawn so far
    name: str = "sensible"
    takes_for_same: Callable[[ExamPair], bool] = lambda pair: pair.is_joined
    before: Callable[[Question], None] = lambda _: None
    fails: LlmOutcome | None = None
    heard: list[str] = field(default_factory=list)  # the keys of the questions

    def __post_init__(self) -> None:
        super().__init__(self._answer)

    @property
    def model(self) -> str:
        return self.name

    @property
    def exams(self) -> list[str]:
        """The keys of the questions of exams."""
        return [key for key in self.heard if is_exam(key)]

    def decide(self, request: LlmRequest) -> LlmReply:
        self.before(request.question)
        self.heard.append(request.question.key)
        return super().decide(request)

    def _answer(self, question: Question) -> BaseModel | LlmOutcome | None:
        if self.fails is not None or not is_exam(question.key):
            return self.fails
        paths = {document.path for document in question.documents}
        draw = next(one for one in reversed(self.drawn) if {path for path, _ in one.notes} == paths)
        joined = [pair.paths for pair in draw.pairs if self.takes_for_same(pair)]
        return ConsolidateAnswer.model_validate(
            {"actions": [{"type": "MERGE", "files": both, "outputFile": both[0], "edits": []} for both in joined]}
        )


def record_draws(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> list[ExamDraw]:
    """Everything that a module draws from now on, for models that know the answers."""
    found: list[ExamDraw] = []

    def draw(seed: str) -> tuple[ExamDraw, ...]:
        found.extend(draws := draw_exam(seed))
        return draws

    monkeypatch.setattr(module, "draw_exam", draw)
    return found


def joins_all(drawn: list[ExamDraw], name: str = "careless") -> Examinee:
    return Examinee(drawn, name, lambda _: True)


def with_exams(ports: Ports, models: Mapping[str, Examinee] | None = None, **changes: object) -> Ports:
    """The same ports, whose dreams take exams; with models by name, the settings choose among them."""
    settings = ports.settings.model_copy(update={"llm_exam": "on", **changes})
    if models is None:
        return replace(ports, settings=settings)

    def choose(tenant: Tenant) -> Examinee:
        return models[tenant.llm.get("model", settings.llm_model)]

    return replace(ports, settings=settings, choose_llm=choose)


def change_something(ports: Ports, tenant: str, number: int) -> None:
    """Write notes of which a dream asks its model."""
    write(ports, tenant, texts({path: f"{text}\nRead {number} times.\n" for path, text in NOTES.items()}))


def exams_of(ports: Ports, tenant: str, model: str) -> list[ExamResult]:
    with ports.db.transaction(tenant) as uow:
        return [one for one in uow.exams.find_all() if one.examined.model == model]
