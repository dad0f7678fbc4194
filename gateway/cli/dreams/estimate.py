"""Print the estimated questions and cost of a dream before it starts."""

from dataclasses import asdict
from typing import Any

from gateway.cli.console.output import print_table, say
from shared.core.questions.estimate import DreamEstimate, ModelCost, PhaseEstimate
from shared.core.questions.prices import say_cost


def estimate_json(found: DreamEstimate) -> dict[str, Any]:
    """Return an estimate as JSON; a price that is not known is null."""
    return {
        "phases": [_phase_json(one) for one in found.phases],
        "idle": dict(found.idle),
        "configured": asdict(found.configured),
        "models": [asdict(one) for one in found.models],
    }


def print_estimate(found: DreamEstimate, where: str) -> None:
    """Print what a dream would ask and what that would cost, by phase and by model."""
    if not found.phases:
        say(f"A dream over {where} would ask no model now.")
        _print_idle(found)
        return
    columns = ("phase", "model", "questions", "prompt tokens", "answers, expected", "by")
    rows = [_phase_row(one) for one in found.phases]
    totals = (sum(len(one.prompts) for one in found.phases), *_tokens(found))
    print_table(f"A dream over {where} would ask", columns, [*rows, ("all", "", *totals, "")])
    print_table("and cost", ("model", "at once", "in a batch"), [_cost_row(found.configured, "as it is set: ")])
    print_table("with one model for all", ("model", "at once", "in a batch"), map(_cost_row, found.models))
    _print_idle(found)
    _print_notes(found)


def _tokens(found: DreamEstimate) -> tuple[int, int]:
    return sum(one.prompt_tokens for one in found.phases), sum(one.answer_tokens for one in found.phases)


def _phase_row(one: PhaseEstimate) -> tuple[object, ...]:
    by = "earlier answers" if one.has_history else "usual share"
    return one.phase, one.model, len(one.prompts), one.prompt_tokens, one.answer_tokens, by


def _cost_row(one: ModelCost, before: str = "") -> tuple[str, str, str]:
    return before + one.model, _usd(one.cost_usd), _usd(one.batch_usd)


def _usd(cost: float | None) -> str:
    return "price unknown" if cost is None else say_cost(cost, 0)


def _print_idle(found: DreamEstimate) -> None:
    for phase, reason in found.idle.items():
        say(f"{phase} would ask no questions: {reason}", "dim")


def _print_notes(found: DreamEstimate) -> None:
    spared = sum(one.spared for one in found.phases)
    if spared:
        say(
            f"Not asked: {spared} that have not changed. A model that is new here would be asked these, too.",
            "dim",
        )
    repairs = sum(one.repairs.calls for one in found.phases)
    if repairs >= 1:
        say(
            f"Included: about {repairs:.0f} calls that repeat a merge whose text was refused, as in the last dreams.",
            "dim",
        )
    again = [one for one in found.phases if one.again.calls]
    if again:
        number = sum(one.again.calls for one in again)
        say(
            f"As configured, about {number:.1f} questions are asked again of {again[0].better_model}, as in the last dreams.",
            "dim",
        )
    say(
        "Tokens are counted as in budgets. Not included: texts that the dream itself writes and its later phases read.",
        "dim",
    )
    say("Savings of the prompt cache are not included. No model was called, and nothing was written.", "dim")


def _phase_json(one: PhaseEstimate) -> dict[str, Any]:
    return {
        "phase": one.phase,
        "model": one.model,
        "better_model": one.better_model or None,
        "questions": len(one.prompts),
        "spared": one.spared,
        "prompt_tokens": one.prompt_tokens,
        "output_tokens": one.answer_tokens,
        "has_history": one.has_history,
        "repairs": asdict(one.repairs),
        "again": asdict(one.again),
    }
