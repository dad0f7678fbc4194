"""`slowwave evaluate`: measure whether dreams help a store. With `--replay`: ask other models past dreams' questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.options import AsJson, StoreOption, Tenant, cli_actor
from gateway.cli.console.output import print_json, say, warn
from gateway.cli.console.session import open_session
from gateway.cli.dreams.dream import temporary_worker
from gateway.cli.evaluate.follow import follow_evaluation
from gateway.cli.evaluate.page import (
    Format,
    FormatOption,
    HtmlOption,
    PushOption,
    Target,
    check_push,
    choose_format,
    code_of,
    push_evaluation,
    show_evaluation,
)
from gateway.cli.evaluate.replay import REPLAYED_DREAMS, REPLAYED_QUESTIONS, Replay, replay
from gateway.evaluation.probe_rows import read_probes
from gateway.phases import get_phases
from shared.core.errors import BadInputError
from shared.core.evaluation.model import EvaluationOrder, check_order
from shared.core.tenants.store import DEFAULT_STORE
from shared.program import COMMAND
from shared.services.evaluation.evaluations import start_evaluation

_MAX_USD = 1.0
#: The parameters that order an evaluation, and those that show its end.
_ORDERING, _SHOWING = ("profile", "without", "ablate", "probes", "detach"), ("html", "form", "push")
Profile = Annotated[str | None, typer.Option("--profile", help="The profile to dream with. Default: the store's own.")]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="The model to dream with, or `offline` for the rules. Default: the store's own. With --replay: a model to ask; may be repeated.",
    ),
]
Without = Annotated[list[str] | None, typer.Option("--without", help="Leave this phase out; may be repeated.")]
Ablate = Annotated[bool, typer.Option("--ablate", help="Also dream once without each optional phase.")]
Dreams = Annotated[
    int | None,
    typer.Option(
        "--dreams",
        min=1,
        max=100,
        help=f"Dream so many times in a row, at most 10. Default: 1. With --replay: the latest dreams to use. Default: {REPLAYED_DREAMS}.",
    ),
]
Probes = Annotated[
    Path | None,
    typer.Option(
        "--probes",
        help='Your own questions, a JSON list or JSON Lines of {"question", "evidence": a quote or a list of them, "group"?}. Default: those that the store keeps.',
    ),
]
MaxUsd = Annotated[
    float,
    typer.Option("--max-usd", min=0.0, help="Maximum cost of all its dreams, in dollars. With --replay: per model."),
]
Detach = Annotated[bool, typer.Option("--detach", help="Queue the evaluation and return.")]
IsReplay = Annotated[
    bool, typer.Option("--replay", help="Ask other models the questions of the last dreams, and compare the answers.")
]
FamilyFolder = Annotated[
    Path | None,
    typer.Option(
        "--families",
        help="With --replay: ask about your own documents in this folder instead, grouped into families (docs/models.md).",
    ),
]
Questions = Annotated[
    int | None,
    typer.Option(
        "--questions",
        min=1,
        max=5_000,
        help=f"With --replay: maximum number of questions per model. Default: {REPLAYED_QUESTIONS}.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Output:
    form: Format
    html: Path | None
    push: Target | None
    is_detached: bool


def evaluate(
    context: typer.Context,
    tenant: Tenant,
    store: StoreOption = DEFAULT_STORE,
    profile: Profile = None,
    model: Models = None,
    without: Without = None,
    ablate: Ablate = False,
    dreams: Dreams = None,
    probes: Probes = None,
    max_usd: MaxUsd = _MAX_USD,
    html: HtmlOption = None,
    form: FormatOption = None,
    push: PushOption = None,
    detach: Detach = False,
    is_replay: IsReplay = False,
    families: FamilyFolder = None,
    questions: Questions = None,
    as_json: AsJson = False,
) -> None:
    """Measure whether dreams help a store, on copies of it. With --replay: ask other models past dreams' questions."""
    _check_options(context.params)
    if is_replay:
        asked = _check_replay(model, dreams, families)
        wanted = Replay(models=asked, dreams=dreams, families=families, questions=questions, max_usd=max_usd)
        replay(tenant, store, wanted, as_json=as_json)
        return
    order = EvaluationOrder(
        store=store,
        actor=cli_actor(),
        profile=profile,
        model=_only_one(model),
        without=tuple(dict.fromkeys(without or ())),
        ablate=ablate,
        dreams=dreams or 1,
        max_usd=max_usd,
        own=() if probes is None else read_probes(probes),
    )
    shown = _Output(form=choose_format(form, as_json=as_json), html=html, push=push, is_detached=detach)
    _evaluate(tenant, check_order(order, get_phases()), shown)


def _check_options(given: Mapping[str, Any]) -> None:
    """Raise BadInputError for an option that would be ignored, or that cannot be followed at the end."""
    if given["is_replay"]:
        _refuse(given, (*_ORDERING, *_SHOWING), "says how a store is evaluated; it cannot be combined with --replay")
    else:
        _refuse(given, ("families", "questions"), "is for asking models past questions: add --replay")
    if given["detach"]:
        _refuse(given, _SHOWING, f"needs the end, and --detach does not wait: {COMMAND} evaluations show has it")
    check_push(given["push"])


def _refuse(given: Mapping[str, object], names: Sequence[str], why: str) -> None:
    ignored = [name for name in names if given[name] not in (None, False, [], ())]
    if ignored:
        raise BadInputError(f"--{ignored[0].replace('form', 'format')} {why}")


def _only_one(models: list[str] | None) -> str | None:
    if models is not None and len(models) > 1:
        raise BadInputError("An evaluation dreams with one --model; to compare the answers of several, add --replay")
    return models[0] if models else None


def _check_replay(models: list[str] | None, dreams: int | None, families: Path | None) -> list[str]:
    if not models:
        raise BadInputError("--replay asks models: name each with --model")
    if families is not None and dreams is not None:
        raise BadInputError("--families asks about a folder and --dreams about past dreams: give only one of them")
    return models


def _evaluate(tenant: str, order: EvaluationOrder, shown: _Output) -> None:
    with open_session(tenant=tenant, store=order.store) as session:
        started = start_evaluation(session.ports, tenant, order, get_phases())
        is_quiet = shown.form is Format.JSON
        own = len(started.order.own)
        if own > len(order.own) and not is_quiet:
            warn(f"It also asks {own} question{'' if own == 1 else 's'} of the store's own.", "dim")
        if shown.is_detached:
            if is_quiet:
                print_json({"id": started.id, "state": started.state})
            else:
                say(f"Queued {started.id}")
                say(f"Its progress and its page: {COMMAND} evaluations show {tenant} {started.id}", "dim")
            return
        with temporary_worker(session, quiet=is_quiet):
            ended = follow_evaluation(session.ports.db, tenant, started.id, quiet=is_quiet)
    show_evaluation(tenant, ended, shown.form, shown.html if ended.report is not None else None)
    if ended.report is not None:
        push_evaluation(tenant, ended, shown.push)
    if (code := code_of(ended)) is not ExitCode.OK:
        raise typer.Exit(code)
