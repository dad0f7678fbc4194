"""A phase's plan and its missing answers, stored as one value, so that a resumed phase applies the same plan."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from pydantic import BaseModel, TypeAdapter

from shared.core.dream.model import PhaseRun
from shared.core.dream.operations import Plan

_PLANS: TypeAdapter[Plan] = TypeAdapter(Plan)


class _UsedSignals(BaseModel, frozen=True):
    used: tuple[str, ...] = ()  # ids of feedback and workflow runs


class PlanNotes(BaseModel, frozen=True):
    """The parts of a stored plan that the end of a dream needs, without its operations, of which there may be many."""

    plan: _UsedSignals = _UsedSignals()
    asked: Mapping[str, str] = {}
    spared: Mapping[str, str] = {}
    missing: Mapping[str, int] = {}
    has_answers: bool = False

    @classmethod
    def of(cls, run: PhaseRun) -> Self:
        """Return the notes of a phase's run; empty ones when it has no plan."""
        return cls() if run.plan is None else cls.model_validate(run.plan)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A plan, the answers that were missing by reason, and whether a model has answered anything."""

    plan: Plan
    missing: Counter[str]
    has_answers: bool
    prompts: tuple[str, ...] = ()  # which were used, for the log
    asked: Mapping[str, str] = field(default_factory=dict)  # fingerprints of questions answered for good, by key
    spared: Mapping[str, str] = field(default_factory=dict)  # the dreams that have asked the same, by key
    doubts: Mapping[str, int] = field(default_factory=dict)  # how many questions a better model was asked, by reason
    said: str = ""  # why answers are missing, in words

    def dump(self) -> dict[str, Any]:
        """Return the value that is stored as JSON."""
        plan = _PLANS.dump_python(self.plan, mode="json")
        kept = {"plan": plan, "missing": dict(self.missing), "has_answers": self.has_answers}
        return kept | {
            "prompts": list(self.prompts),
            "asked": dict(self.asked),
            "spared": dict(self.spared),
            "doubts": dict(self.doubts),
            "said": self.said,
        }

    @classmethod
    def load(cls, kept: Any) -> Self:  # noqa: ANN401 - JSON from the database
        """Return the value that `dump` stored."""
        plan = _PLANS.validate_python(kept["plan"])
        return cls(
            plan=plan,
            missing=Counter(kept["missing"]),
            has_answers=bool(kept["has_answers"]),
            spared=kept.get("spared", {}),
            doubts=kept.get("doubts", {}),
            said=kept.get("said", ""),
        )
