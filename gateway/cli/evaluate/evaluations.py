"""`slowwave evaluations list|show|cancel`: what evaluations found."""

from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, Tenant, cli_actor
from gateway.cli.console.output import ago, print_json, print_table, say, warn
from gateway.cli.console.session import open_session
from gateway.cli.evaluate.page import (
    FormatOption,
    HtmlOption,
    PushOption,
    check_push,
    choose_format,
    push_evaluation,
    show_evaluation,
)
from gateway.evaluation.formats import evaluation_json, word_of
from shared.core.errors import ConflictError, NotFoundError
from shared.core.evaluation.model import Evaluation
from shared.ports.database import Database
from shared.program import COMMAND
from shared.services.evaluation.evaluations import cancel_evaluation, find_evaluations, get_evaluation

app = typer.Typer(no_args_is_help=True)
_SEARCHED = 500


@app.command("list")
def list_evaluations(
    tenant: Tenant,
    store: Annotated[str | None, typer.Option("--store", "-s", help="Only this store.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="Maximum number of entries to list.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List evaluations, newest first."""
    with open_session(tenant=tenant, store=store) as session:
        found = find_evaluations(session.ports.db, tenant, store_name=store, limit=limit + 1)
    has_more, found = len(found) > limit, found[:limit]
    if as_json:
        print_json([{**evaluation_json(one), "report": None} for one in found])
        return
    if not found:
        say(f"No evaluation yet. Start one: {COMMAND} evaluate {tenant}{f'/{store}' if store else ''}")
        return
    columns = ("evaluation", "store", "state", "when", "verdict")
    rows = [(one.id, one.store, one.state, ago(one.created_at), _say(one)) for one in found]
    print_table(f"Evaluations of {tenant}", columns, rows)
    if has_more:
        warn("There are more: --limit shows up to 500", "dim")


@app.command()
def show(
    tenant: Tenant,
    evaluation_id: Annotated[
        str | None, typer.Argument(help="The evaluation's id or its beginning. Default: the last one.")
    ] = None,
    html: HtmlOption = None,
    form: FormatOption = None,
    push: PushOption = None,
    as_json: AsJson = False,
) -> None:
    """Show the page of an evaluation, or how far it has come."""
    wanted = choose_format(form, as_json=as_json)
    check_push(push)
    with open_session(tenant=tenant) as session:
        found = _find(session.ports.db, tenant, evaluation_id)
    show_evaluation(tenant, found, wanted, html)
    push_evaluation(tenant, found, push)


@app.command()
def cancel(
    tenant: Tenant, evaluation_id: Annotated[str, typer.Argument(help="The evaluation.")], as_json: AsJson = False
) -> None:
    """Cancel an evaluation and delete its copies of the store. The store itself is as it was."""
    with open_session(tenant=tenant) as session:
        found = _find(session.ports.db, tenant, evaluation_id)
        canceled = cancel_evaluation(session.ports, tenant, found.id, actor=cli_actor())
    if as_json:
        print_json({"id": canceled.id, "state": canceled.state})
    else:
        say("Canceled.")


def _find(db: Database, tenant: str, wanted: str | None) -> Evaluation:
    """Return the evaluation with an id or the beginning of one; without an id, the last one."""
    recent = find_evaluations(db, tenant, limit=1 if wanted is None else _SEARCHED)
    matches = [one.id for one in recent if wanted is None or one.id.startswith(wanted)]
    if len(matches) > 1 and wanted not in matches:
        raise ConflictError(f"{wanted} matches {len(matches)} evaluations; give more characters of the id")
    if wanted is None and not matches:
        raise NotFoundError(f"Tenant {tenant!r} has no evaluation; start one: {COMMAND} evaluate {tenant}")
    return get_evaluation(db, tenant, matches[0] if len(matches) == 1 else wanted or matches[0])


def _say(one: Evaluation) -> str:
    return str(word_of(one) or one.reason or one.progress)
