"""`slowwave models`: show which models have passed their exam, examine one now, or set a result by hand."""

import sys
from dataclasses import asdict
from typing import Annotated, Any

import typer

from gateway.cli.console.options import AsJson, StoreOption, Tenant, cli_actor
from gateway.cli.console.output import ago, print_json, print_list, say
from gateway.cli.console.session import open_session
from gateway.phases import estimate_exam, find_exam_standings, take_exam
from shared.core.errors import BadInputError
from shared.core.exam.model import ExamPrice, ExamResult, ExamStanding
from shared.core.questions.prices import say_cost, say_usd
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.exams.results import find_exams, set_exam

app = typer.Typer(no_args_is_help=True)
Model = Annotated[
    str | None, typer.Option("--model", help="The model, if dreams over the store ask several. Default: the first one.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Examine without asking, after the price is printed.")]
#: The words of `models set`, and whether the model has passed.
_RESULTS = {"passed": True, "failed": False}


@app.command("list")
def list_models(tenant: Tenant, as_json: AsJson = False) -> None:
    """List the models that a tenant's dreams ask for merges, and whether each has passed its exam."""
    with open_session(tenant=tenant) as session:
        found = find_exam_standings(session.settings, session.ports.db, tenant)
    if as_json:
        print_json([standing_json(one) for one in found])
        return
    if not found:
        say("The dreams of this tenant ask no model: rules without a model take no exam.", "dim")
        return
    print_list("Models", ("model", "endpoint", "stores", "exam", "taken", "expires"), [_row(one) for one in found])


@app.command()
def exam(
    tenant: Tenant, store: StoreOption = DEFAULT_STORE, model: Model = None, yes: Yes = False, as_json: AsJson = False
) -> None:
    """Examine a model now. The price is said first, and you are asked before it is spent."""
    with open_session(tenant=tenant, store=store) as session:
        price = estimate_exam(session.ports, tenant, store, model)
        if not as_json:
            say(_say_price(price))
        _confirm(yes=yes)
        result = take_exam(session.ports, tenant, store, model, actor=cli_actor())
    if as_json:
        print_json(result_json(result))
        return
    say(f"{price.model} has {'passed' if result.passed else f'not passed: {result.reason}'}")
    say(f"{result.tokens:,} tokens, {say_cost(result.cost_usd, result.tokens, price.model)}", "dim")


@app.command()
def history(tenant: Tenant, as_json: AsJson = False) -> None:
    """List the exams at the endpoints that a tenant uses, newest first, and who set a result by hand."""
    with open_session(tenant=tenant) as session:
        found = find_exams(session.ports.db, tenant)
    if as_json:
        print_json([result_json(one) for one in found])
        return
    columns = ("taken", "model", "endpoint", "result", "duplicates", "joined", "cost", "set by")
    print_list("Exams", columns, [_history_row(one) for one in found])


@app.command("set")
def set_result(
    tenant: Tenant,
    model: Annotated[str, typer.Argument(help="The model's name.", metavar="MODEL")],
    result: Annotated[str, typer.Argument(help="passed or failed.", metavar="passed|failed")],
    why: Annotated[str, typer.Option("--why", help="Your reason, which is shown with the result.")],
    as_json: AsJson = False,
) -> None:
    """Set whether a model has passed. It holds until you set it again or examine the model, and your name is shown."""
    if result not in _RESULTS:
        raise BadInputError(f"The result is passed or failed, not {result[:40]!r}")
    with open_session(tenant=tenant) as session:
        standings = find_exam_standings(session.settings, session.ports.db, tenant)
        examined = list(dict.fromkeys(one.examined for one in standings if one.examined.model == model))
        if not examined:
            names = ", ".join(sorted({one.examined.model for one in standings})) or "no model"
            raise BadInputError(f"No dream of {tenant} asks {model!r}, but {names}")
        ports, passed = session.ports, _RESULTS[result]
        made = [set_exam(ports, tenant, one, passed=passed, why=why, actor=cli_actor()) for one in examined]
    if as_json:
        print_json([result_json(one) for one in made])
        return
    for one in made:
        say(f"{model} at {_endpoint(one)}: {result}, set by {one.set_by}")


def standing_json(standing: ExamStanding) -> dict[str, Any]:
    """Return where a model stands, with the result that holds."""
    return {
        **asdict(standing.examined),
        "stores": standing.stores,
        "has_passed": standing.has_passed,
        "standing": standing.say(),
        "result": result_json(standing.holding) if standing.holding is not None else None,
    }


def result_json(result: ExamResult) -> dict[str, Any]:
    """Return one result, with what was counted."""
    return {**asdict(result.examined), **{k: v for k, v in asdict(result).items() if k != "examined"}}


def _confirm(*, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise BadInputError("An exam costs tokens: confirm with --yes")
    if not typer.confirm("Examine it now?", err=True):
        raise BadInputError("No exam was taken")


def _say_price(price: ExamPrice) -> str:
    usd = "price unknown" if price.usd is None else f"about {say_usd(price.usd)}"
    tokens = f"{price.prompt_tokens:,} tokens of questions and about {price.answer_tokens:,} of answers"
    return f"An exam of {price.model} takes {tokens}: {usd}."


def _row(one: ExamStanding) -> tuple[object, ...]:
    result = one.holding
    taken, expires = ("", "") if result is None else (ago(result.taken_at), _day(result))
    return one.examined.model, one.examined.server, ", ".join(one.stores), one.say(), taken, expires


def _history_row(one: ExamResult) -> tuple[object, ...]:
    result = "passed" if one.passed else f"failed: {one.reason}"
    cost = "" if one.set_by else say_cost(one.cost_usd, one.tokens, one.examined.model)
    found = "" if one.set_by else f"{one.grade.duplicates_found} of {one.grade.duplicates_asked}"
    joined = "" if one.set_by else one.grade.apart_joined
    return ago(one.taken_at), one.examined.model, _endpoint(one), result, found, joined, cost, one.set_by


def _endpoint(one: ExamResult) -> str:
    return f"{one.examined.server} ({one.examined.owner})"


def _day(result: ExamResult) -> str:
    return "never" if result.expires_at is None else f"{result.expires_at:%Y-%m-%d}"
