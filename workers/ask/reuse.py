"""Take the answers that copies of the store have bought: an evaluation asks what the dream asks that follows it.

An answer is kept for a day under a hash of the whole question: the model, what it is told, and what it is shown. Copies that are
to differ by chance alone have hashes of their own, and so has each further dream over a copy, which would else take its own answers and
not drift; a dream over the store takes the answers of the first dream of the first copy.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shared.core.questions.question import Question, offered_paths, render_question
from shared.core.tenants.shadow import find_ending, find_evaluation_id, find_repeat, original_name
from shared.ports.database import Database, UnitOfWork
from shared.ports.llm import KeptAnswer, LlmReply, LlmRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepAs:
    """The place in which the answer to a copy's question is kept."""

    evaluation_id: str
    question_hash: str
    ending: str

    def keep(self, uow: UnitOfWork, reply: LlmReply) -> None:
        """Keep an answer, in the transaction that stores its call."""
        if reply.answer is not None:
            answer = json.loads(reply.answer.model_dump_json(by_alias=True).replace(self.ending, ""))
            kept = KeptAnswer(answer=answer, cost_usd=reply.usage.cost_usd)
            uow.calls.bought.keep(self.evaluation_id, self.question_hash, kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """The answers that copies of a store have bought.

    Attributes:
        store: its name, or that of the copy that dreams.
        earlier: the dreams over that copy before this one; 0 for a store.
    """

    db: Database
    tenant_id: str
    store: str
    adapter: str
    survey: str
    earlier: int

    def find(self, model: str, requests: Sequence[LlmRequest]) -> Iterator[tuple[LlmRequest, KeptAnswer]]:
        """Yield the questions that a copy has asked, each with its answer."""
        by_hash = {self._hash(model, request): request for request in requests}
        with self.db.transaction(self.tenant_id) as uow:
            found = uow.calls.bought.find(original_name(self.store), by_hash)
        for question_hash, kept in found.items():
            request = by_hash[question_hash]
            yield request, replace(kept, answer=self._as_here(request.question, kept.answer))

    def keep_as(self, model: str, request: LlmRequest) -> KeepAs | None:
        """Return where the answer to a question is kept; None for a question of a dream that is no copy's."""
        evaluation_id = find_evaluation_id(self.store)
        if not evaluation_id:
            return None
        ending = find_ending(self.store)
        return KeepAs(evaluation_id=evaluation_id, question_hash=self._hash(model, request), ending=ending)

    def _hash(self, model: str, request: LlmRequest) -> str:
        """Return the hash of a question, the same whatever other questions it is asked with, and in whichever copy."""
        ending = find_ending(self.store)
        documents = tuple(replace(one, path=one.path.replace(ending, "")) for one in request.question.documents)
        question = replace(request.question, documents=documents, beginning=None)
        parts = [
            *(self.adapter, model, request.effort, request.max_output_tokens, request.prefix, request.instructions),
            *(question.phase, question.answer_type.__name__, self.survey),
            *(render_question(question), find_repeat(self.store), self.earlier),
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _as_here(self, question: Question, answer: dict[str, Any]) -> dict[str, Any]:
        """Return an answer with the ids that sessions have here."""
        said = json.dumps(answer)
        for path in offered_paths(question) if (ending := find_ending(self.store)) else ():
            if ending in path:
                said = said.replace(path.replace(ending, ""), path)
        found: dict[str, Any] = json.loads(said)
        return found
