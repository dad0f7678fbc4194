"""A stand-in for a model: fixed rules over the offered texts. No key, no network, no clock; the same answer every time.

The rules are conservative: what they are not sure of is skipped, kept or left empty.
"""

from collections.abc import Callable

from pydantic import BaseModel

from shared.adapters.llm.offline_consolidate import decide_consolidation, decide_repair
from shared.adapters.llm.offline_digest import decide_digest
from shared.adapters.llm.offline_gather import decide_gathering
from shared.adapters.llm.offline_preferences import decide_preferences
from shared.adapters.llm.offline_prune import decide_pruning
from shared.adapters.llm.offline_reflect import decide_reflection
from shared.adapters.llm.offline_skills import decide_skill_gaps, decide_skill_merges, decide_skill_repairs
from shared.adapters.llm.offline_synthesize import decide_synthesis
from shared.adapters.llm.offline_workflows import decide_workflows
from shared.adapters.llm.token_estimate import estimate_tokens
from shared.core.answers import (
    ConsolidateAnswer,
    DigestAnswer,
    GatherAnswer,
    InferAnswer,
    PruneAnswer,
    ReflectAnswer,
    RepairAnswer,
    SkillGapAnswer,
    SkillsAnswer,
    SynthesizeAnswer,
    WorkflowAnswer,
)
from shared.core.question import Question
from shared.ports.llm import LlmOutcome, LlmReply, LlmRequest, LlmUsage

_CHARS_PER_TOKEN = 4
_RULES: dict[tuple[str, type[BaseModel]], Callable[[Question], BaseModel]] = {
    ("gather", GatherAnswer): decide_gathering,
    ("consolidate", ConsolidateAnswer): decide_consolidation,
    ("consolidate", RepairAnswer): decide_repair,
    ("synthesize", SynthesizeAnswer): decide_synthesis,
    ("synthesize", ReflectAnswer): decide_reflection,
    ("digest", DigestAnswer): decide_digest,
    ("prune", PruneAnswer): decide_pruning,
    ("find_skill_gaps", SkillGapAnswer): decide_skill_gaps,
    ("merge_skills", SkillsAnswer): decide_skill_merges,
    ("merge_skills", RepairAnswer): decide_repair,
    ("repair_skills", SkillsAnswer): decide_skill_repairs,
    ("infer_preferences", InferAnswer): decide_preferences,
    ("learn_from_workflows", WorkflowAnswer): decide_workflows,
}


class OfflineLlm:
    """Answers the phases' questions by rules; a question without rules is refused, which changes nothing."""

    @property
    def model(self) -> str:
        """Return the name that the log shows."""
        return "offline"

    def decide(self, request: LlmRequest) -> LlmReply:
        """Answer one question; holds no state, so any number of threads may ask."""
        question = request.question
        rules = _RULES.get((question.phase, question.answer_type))
        if rules is None:
            detail = f"The offline model has no rules for {question.answer_type.__name__} in phase {question.phase!r}."
            return LlmReply(outcome=LlmOutcome.REFUSED, model=self.model, usage=LlmUsage(), detail=detail)
        answer = rules(question)
        usage = LlmUsage(
            input_tokens=self.count_tokens(request),
            output_tokens=-(-len(answer.model_dump_json(by_alias=True)) // _CHARS_PER_TOKEN),
        )
        return LlmReply(outcome=LlmOutcome.OK, model=self.model, usage=usage, answer=answer)

    def count_tokens(self, request: LlmRequest) -> int:
        """Estimate the prompt tokens of a request without sending it."""
        return estimate_tokens(request)
