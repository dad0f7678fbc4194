"""What a phase wants, and what it could not find out: stored as one value, so that a resumed phase applies the same."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Self

from pydantic import TypeAdapter

from shared.core.operation import Plan

_PLANS: TypeAdapter[Plan] = TypeAdapter(Plan)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A plan, the answers that were missing by reason, and whether there was any answer."""

    plan: Plan
    missing: Counter[str]
    has_answers: bool
    prompts: tuple[str, ...] = ()  # which were used, for the log

    def dump(self) -> dict[str, Any]:
        """Return what is stored."""
        plan = _PLANS.dump_python(self.plan, mode="json")
        kept = {"plan": plan, "missing": dict(self.missing), "has_answers": self.has_answers}
        return kept | {"prompts": list(self.prompts)}

    @classmethod
    def load(cls, kept: Any) -> Self:  # noqa: ANN401 - JSON from the database
        """Return what was stored."""
        plan = _PLANS.validate_python(kept["plan"])
        return cls(plan=plan, missing=Counter(kept["missing"]), has_answers=bool(kept["has_answers"]))
