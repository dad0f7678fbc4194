"""`slowwave evaluate --replay`: compare how other models answer the questions of a store's last dreams, and at what cost."""

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from gateway.cli.console.options import cli_actor
from gateway.cli.console.output import print_json, print_table, say
from gateway.cli.console.session import open_session
from gateway.cli.evaluate.families import read_families
from gateway.phases import replay_dreams
from shared.core.evaluation.replay import Agreement, EvaluationTerms, ModelScore, PairCount
from shared.core.questions.prices import say_cost

REPLAYED_DREAMS, REPLAYED_QUESTIONS = 5, 100
_SHOWN_REASONS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The models to ask, the questions, and the most that each model may cost."""

    models: list[str]
    dreams: int | None
    families: Path | None
    questions: int | None
    max_usd: float


def replay(tenant: str, store: str, wanted: Replay, *, as_json: bool) -> None:
    """Ask other models the questions of a store's last dreams and compare the answers. Costs tokens, changes no memory."""
    families = wanted.families
    with open_session(tenant=tenant, store=store) as session:
        terms = EvaluationTerms(
            models=tuple(dict.fromkeys(wanted.models)),
            actor=cli_actor(),
            dreams=wanted.dreams or REPLAYED_DREAMS,
            questions=wanted.questions or REPLAYED_QUESTIONS,
            max_usd=wanted.max_usd,
            families=() if families is None else read_families(families),
        )
        found = replay_dreams(session.ports, tenant, store, terms)
    if as_json:
        print_json([asdict(one) for one in found])
    elif families is not None:
        _print_families(found, families)
    else:
        _print(found, f"{tenant}/{store}")


def _print_families(found: list[ModelScore], folder: Path) -> None:
    print_table(
        f"The families of {folder.name}",
        ("model", "questions", "answered", "the same: merged", "proposed", "of", "distinct: merged", "proposed", "of", "prompt tokens", "answers", "cost", "s a call"),
        [(*_asked_row(one), *_pairs_row(one.same), *_pairs_row(one.distinct), *_cost_row(one)) for one in found],
    )  # fmt: skip
    _say_rest(found)
    say("Pairs of documents: those that say the same should be merged or proposed, distinct ones stay apart.", "dim")
    say("Nothing was applied.", "dim")


def _print(found: list[ModelScore], where: str) -> None:
    print_table(
        f"The questions of the last dreams over {where}, asked again",
        ("model", "questions", "answered", "operations", "as the dreams", "approved", "rejected", "prompt tokens", "answers", "cost", "s a call"),
        [_row(one) for one in found],
    )  # fmt: skip
    _say_rest(found)
    say(
        "As the dreams: how much of what they did or proposed it wants again; of that, what people approved, and what they",
        "dim",
    )
    say("rejected or took back (less is better). Nothing was applied.", "dim")


def _say_rest(found: list[ModelScore]) -> None:
    """Print why questions have no answer, what the rules left out, and why a model was not asked everything."""
    for one in found:
        for said, reasons in (("no answer", one.unanswered), ("left out", one.left_out)):
            if reasons:
                say(f"{one.model}, {said}: {_say_reasons(reasons)}", "dim")
        if one.stopped:
            say(f"{one.model} was not asked everything: {one.stopped}", "yellow")


def _row(one: ModelScore) -> tuple[object, ...]:
    ofs = (_of(one.done), _of(one.approved), _of(one.rejected))
    return (*_asked_row(one), one.operations, *ofs, *_cost_row(one))


def _asked_row(one: ModelScore) -> tuple[object, ...]:
    return one.model, one.questions, one.answered


def _pairs_row(count: PairCount) -> tuple[object, ...]:
    return count.merged, count.proposed, count.of


def _cost_row(one: ModelScore) -> tuple[object, ...]:
    cost = say_cost(one.cost_usd, one.prompt_tokens, one.model)
    seconds = f"{one.seconds / one.questions:.1f}" if one.questions else ""
    return one.prompt_tokens, one.output_tokens, cost, seconds


def _of(agreement: Agreement) -> str:
    return f"{agreement.wanted} of {agreement.of}" if agreement.of else "none"


def _say_reasons(reasons: Counter[str]) -> str:
    listed = ", ".join(f"{reason} {number}" for reason, number in reasons.most_common(_SHOWN_REASONS))
    return f"{listed}, …" if len(reasons) > _SHOWN_REASONS else listed
