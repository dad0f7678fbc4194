"""`slowwave evaluate`: what other models would have made of a store's last dreams, and what they cost."""

from collections import Counter
from dataclasses import asdict
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, StoreOption, Tenant, cli_actor
from gateway.cli.console.output import print_json, print_table, say
from gateway.cli.console.session import open_session
from gateway.phases import replay_dreams
from shared.core.dream.evaluation import Again, EvaluationTerms, ModelScore
from shared.core.questions.prices import say_cost
from shared.core.tenants.store import DEFAULT_STORE

_SHOWN_REASONS = 6
Models = Annotated[list[str], typer.Option("--model", help="A model to ask, or `offline` for the rules; repeat it.")]
Dreams = Annotated[int, typer.Option("--dreams", min=1, max=100, help="So many of the last dreams.")]
Questions = Annotated[int, typer.Option("--questions", min=1, max=5_000, help="At most so many of each model.")]
MaxUsd = Annotated[float, typer.Option("--max-usd", min=0.0, help="At most so much for each model.")]


def evaluate(
    tenant: Tenant,
    model: Models,
    store: StoreOption = DEFAULT_STORE,
    dreams: Dreams = 5,
    questions: Questions = 100,
    max_usd: MaxUsd = 1.0,
    as_json: AsJson = False,
) -> None:
    """Ask models the questions of a store's last dreams again, and compare. It costs tokens and changes no memory."""
    with open_session(tenant=tenant, store=store) as session:
        terms = EvaluationTerms(
            models=tuple(dict.fromkeys(model)), actor=cli_actor(), dreams=dreams, questions=questions, max_usd=max_usd
        )
        found = replay_dreams(session.ports, tenant, store, terms)
    if as_json:
        print_json([asdict(one) for one in found])
    else:
        _print(found, f"{tenant}/{store}")


def _print(found: list[ModelScore], where: str) -> None:
    print_table(
        f"The questions of the last dreams over {where}, asked again",
        ("model", "questions", "answered", "operations", "as the dreams", "approved", "rejected", "prompt tokens", "answers", "cost", "s a call"),
        [_row(one) for one in found],
    )  # fmt: skip
    for one in found:
        for said, reasons in (("no answer", one.unanswered), ("left out", one.left_out)):
            if reasons:
                say(f"{one.model}, {said}: {_say_reasons(reasons)}", "dim")
        if one.stopped:
            say(f"{one.model} was not asked everything: {one.stopped}", "yellow")
    say(
        "As the dreams: how much of what they did or proposed it wants again; of that, what people approved, and what they",
        "dim",
    )
    say("rejected or took back (less is better). Nothing was applied.", "dim")


def _row(one: ModelScore) -> tuple[object, ...]:
    ofs = (_of(one.done), _of(one.approved), _of(one.rejected))
    cost = say_cost(one.cost_usd, one.prompt_tokens, one.model)
    seconds = f"{one.seconds / one.questions:.1f}" if one.questions else ""
    return (
        one.model, one.questions, one.answered, one.operations, *ofs, one.prompt_tokens, one.output_tokens, cost, seconds,
    )  # fmt: skip


def _of(again: Again) -> str:
    return f"{again.wanted} of {again.of}" if again.of else "none"


def _say_reasons(reasons: Counter[str]) -> str:
    listed = ", ".join(f"{reason} {number}" for reason, number in reasons.most_common(_SHOWN_REASONS))
    return f"{listed}, …" if len(reasons) > _SHOWN_REASONS else listed
