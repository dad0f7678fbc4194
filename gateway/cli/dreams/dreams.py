"""`slowwave dreams list|show|cancel`: what dreams did.

`slowwave dreams redrive`: another try for dreams that failed.
"""

from typing import Annotated

import typer

from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.options import AsJson, Since, Tenant, Until, cli_actor, read_period
from gateway.cli.console.output import ago, out, print_json, print_list, print_table, say, warn
from gateway.cli.console.session import open_session
from gateway.cli.dreams import compare
from gateway.cli.dreams.as_json import calls_line, dream_json, dream_line, losing_lines, models_lines
from gateway.cli.dreams.diff import print_diff, shorten_reason
from gateway.cli.dreams.dream_id import find_dream_id
from gateway.cli.dreams.held_back import held_back_lines
from gateway.cli.dreams.progress import progress_json, progress_line
from gateway.cli.dreams.watch import describe_run
from gateway.dream_progress import find_worker
from shared.core.dream.model import Dream, DreamState, DreamSummary
from shared.core.dream.summary import prompts_of, render_summary
from shared.core.errors import BadInputError
from shared.program import COMMAND
from shared.services.dreams.cancel import cancel_dream, wake_dream
from shared.services.dreams.read import DreamView, find_dreams, get_dream_view
from shared.services.dreams.redrive import Redriven, find_failed, redrive_dream
from shared.services.dreams.send import send_dream
from shared.tracing import trace_id_of

app = typer.Typer(no_args_is_help=True)
app.command()(compare.diff)


@app.command("list")
def list_dreams(
    tenant: Tenant,
    store: Annotated[str | None, typer.Option("--store", "-s", help="Only this store.")] = None,
    state: Annotated[DreamState | None, typer.Option("--state", help="Only dreams in this state.")] = None,
    since: Since = None,
    until: Until = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="Maximum number of entries to list.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List dreams, newest first."""
    period = read_period(since, until)
    with open_session(tenant=tenant, store=store) as session:
        db = session.ports.db
        found = find_dreams(db, tenant, store=store, state=state, period=period, limit=limit + 1)
        is_new = not found and not find_dreams(db, tenant, limit=1)
    has_more, found = len(found) > limit, found[:limit]
    if as_json:
        print_json([dream_line(dream) for dream in found])
        return
    if is_new:
        say(f"No dreams yet. Start one: {COMMAND} dream {tenant} --force")
        return
    if not found:
        say(f"No dream matches. The newest: {COMMAND} dreams list {tenant}")
        return
    columns = ("dream", "store", "state", "when", "what")
    print_list(f"Dreams of {tenant}", columns, [_row(dream) for dream in found], has_more=has_more)
    if has_more:
        warn("There are more: --limit shows up to 500, --until shows older ones", "dim")


@app.command()
def show(
    tenant: Tenant,
    dream_id: Annotated[
        str | None, typer.Argument(help="The dream's id or its beginning. Default: the last dream.")
    ] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Also show what each operation changed.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="Do not cut long reasons and diffs.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show one dream: phases, operations, what was left alone, calls."""
    with open_session(tenant=tenant) as session:
        view = get_dream_view(session.ports.db, tenant, find_dream_id(session.ports, tenant, dream_id))
        worker = find_worker(session.settings, view.dream)
        held = held_back_lines(session.ports.db, view)
    if as_json:
        print_json(dream_json(view) | progress_json(view.dream, worker))
        return
    say("\n".join((render_summary(view.dream), *losing_lines(view))))
    if (line := progress_line(view.dream, worker)) is not None:
        say(line)
    _print_phases(view)
    _print_operations(view, diff=diff, whole=whole)
    _print_skips(view)
    out.print()
    for line in held:
        say(line)
    for line in (calls_line(view), *models_lines(view, compares_meaning=session.ports.meaning is not None)):
        say(line, "dim")
    if session.settings.traces_endpoint:
        say(f"Trace {trace_id_of(view.dream.id)}", "dim")


@app.command()
def cancel(
    tenant: Tenant, dream_id: Annotated[str, typer.Argument(help="The dream.")], as_json: AsJson = False
) -> None:
    """Stop a dream after its current step. Applied changes stay and can be undone. If its worker is gone, it ends now."""
    with open_session(tenant=tenant) as session:
        ports = session.ports
        found = find_dream_id(ports, tenant, dream_id)
        state = cancel_dream(ports.db, tenant, found, actor=cli_actor())
        wake_dream(ports.db, ports.dispatch, tenant, found)
        with ports.db.transaction(tenant) as uow:
            is_lost = uow.dreams.get(found).has_lost_worker(uow.now())
    if as_json:
        print_json({"state": state})
        return
    later = "Its worker is gone. Another worker checks what it changed, and ends it."
    say("Canceled." if state is DreamState.CANCELED else later if is_lost else "It stops at the next step.")


def _row(dream: Dream) -> tuple[object, ...]:
    summary = dream.summary or DreamSummary()
    counts = {
        "consolidated": summary.consolidated,
        "gathered": summary.gathered,
        "synthesized": summary.synthesized,
        "pruned": summary.pruned,
        "kept": summary.kept,
        "skills": summary.skills,
        "daily digest": summary.digested,
        "folded": summary.folded,
        "promoted": summary.promoted,
        "archived unused": summary.archived,
        "indexed": summary.indexed,
        "flagged": summary.flagged,
        "proposed": summary.proposed,
    }
    said = [f"{number} {name}" for name, number in counts.items() if number]
    if dream.is_dry_run:
        said.insert(0, "dry run")
    elif not said and dream.state is DreamState.COMPLETED:
        said.append("no changes")
    what = ", ".join([*said, dream.reason] if dream.reason else said)
    state = f"{dream.state} ({dream.trigger})" if dream.is_upkeep else str(dream.state)
    return dream.id, dream.store, state, ago(dream.created_at), what


def _print_phases(view: DreamView) -> None:
    out.print()
    rows = [(run.phase, run.state, describe_run(run).removeprefix(f"{run.state}: ")) for run in view.phases]
    print_table("Phases", ("phase", "state", "what"), rows)
    for named in (one for run in view.phases for one in prompts_of(run)):
        say(f"Prompt of {named}", "dim")


def _print_operations(view: DreamView, *, diff: bool, whole: bool) -> None:
    if not view.operations:
        return
    out.print()
    say("Operations", "bold")
    for recorded in view.operations:
        operation = recorded.operation
        flag = " · review pending" if recorded.review == "pending" else ""
        say(f"{recorded.id}  {operation.kind}  {recorded.state}{flag}", "cyan")
        reason = operation.reason if whole else shorten_reason(operation.reason)
        say(f"    {reason}" + (f" ({recorded.note})" if recorded.note else ""))
        if diff:
            print_diff(recorded, whole=whole)


def _print_skips(view: DreamView) -> None:
    skips = [skip for run in view.phases if isinstance(run.plan, dict) for skip in run.plan["plan"]["skips"]]
    if skips:
        out.print()
        print_table("Left alone", ("why", "what"), [(skip["code"], skip["detail"]) for skip in skips[:40]])


@app.command()
def redrive(
    tenant: Tenant,
    dream_id: Annotated[str | None, typer.Argument(help="The id of a failed dream or its beginning.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Redrive every store whose last dream failed.")] = False,
    as_json: AsJson = False,
) -> None:
    """Queue a new dream for each one that ended in error. Paused stores, and stores with an active dream, are skipped."""
    if everything == (dream_id is not None):
        raise BadInputError("Name a failed dream, or give --all")
    with open_session(tenant=tenant) as session:
        ports = session.ports
        wanted = find_failed(ports.db, tenant) if dream_id is None else [find_dream_id(ports, tenant, dream_id)]
        done = [redrive_dream(ports.db, tenant, failed, actor=cli_actor()) for failed in wanted]
        for one in done:
            if one.dream is not None and (problem := send_dream(ports.db, ports.dispatch, one.dream)) is not None:
                warn(f"{problem}. {one.dream.id} is queued and starts when the broker is back.")
    if as_json:
        print_json([_as_json(one) for one in done])
    else:
        _print(done)
    if any(one.dream is None for one in done):
        raise typer.Exit(ExitCode.REFUSED)


def _print(done: list[Redriven]) -> None:
    if not done:
        say("No store's last dream failed.")
    for one in done:
        said = f"queued as {one.dream.id}" if one.dream else f"not redriven: {one.refused}"
        say(f"{one.store}  {one.failed}  {said}")


def _as_json(one: Redriven) -> dict[str, object]:
    new_id = one.dream.id if one.dream else None
    return {"failed": one.failed, "store": one.store, "dream": new_id, "refused": one.refused}
