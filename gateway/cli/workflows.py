"""`slowwave workflows record|import|list`: what an agent's workflows came to."""

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.actor import cli_actor
from gateway.cli.exit_codes import EPILOG, ExitCode
from gateway.cli.known import warn_of_new
from gateway.cli.options import AsJson, StoreOption, TenantOption
from gateway.cli.output import ago, print_json, print_table, say
from gateway.cli.recorded import At, ExternalId, SessionId, in_one_line, moment_of, print_recorded, say_recorded
from gateway.cli.session import open_session
from gateway.cli.workflow_lines import read_runs
from gateway.masking import find_mask
from shared.core.feedback import NewRun, RunOutcome, WorkflowRun
from shared.core.store import DEFAULT_STORE
from shared.services.find_feedback import find_workflow_runs
from shared.services.record_feedback import record_workflow_runs
from shared.services.write_memories import ensure_store

_BATCH = 500
_SHOWN_LINES = 20
_SHOWN_CHARS = 48

app = typer.Typer(help="What an agent's workflows came to.", no_args_is_help=True, epilog=EPILOG)


@app.command()
def record(
    description: Annotated[str, typer.Argument(help="What was to be done.")],
    tenant: TenantOption,
    outcome: Annotated[RunOutcome, typer.Option("--outcome", "-o", help="How it ended.")],
    step: Annotated[list[str] | None, typer.Option("--step", help="A step that was done; once for each.")] = None,
    skill: Annotated[list[str] | None, typer.Option("--skill", help="A skill that was used.")] = None,
    classification: Annotated[str, typer.Option("--classification", help="The kind of failure.")] = "",
    error: Annotated[str, typer.Option("--error", help="The last words of a run that failed.")] = "",
    session_id: SessionId = "",
    external_id: ExternalId = "",
    at: At = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Record one run."""
    run = NewRun(
        description=description, steps=tuple(step or ()), outcome=outcome, classification=classification, error=error,
        skills=tuple(skill or ()), session=session_id, external_id=external_id, occurred_at=moment_of(at),
    )  # fmt: skip
    with open_session(tenant=tenant, store=store) as session:
        mask = find_mask(session.settings)
        added = record_workflow_runs(session.ports.db, tenant, store, [run], mask=mask, actor=cli_actor())
    say_recorded(added, outcome, f"{tenant}/{store}", external_id, as_json=as_json)


@app.command("import")
def import_runs(
    file: Annotated[
        Path, typer.Argument(help="JSON lines: description, steps, outcome, classification, error, skills.")
    ],
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Import runs; a tenant that is new is made. A run with an `id` is added once, however often it is imported."""
    bad: list[tuple[int, str]] = []
    added = offered = 0
    with open_session() as session:
        lines = read_runs(file)
        batch = list(islice(lines, _BATCH))  # a file that cannot be read makes no tenant
        warn_of_new(session.ports.db, tenant)
        ensure_store(session.ports.db, tenant, store, actor=cli_actor())
        mask = find_mask(session.settings)
        while batch:
            runs = [one for _, one in batch if isinstance(one, NewRun)]
            bad += [(line, one) for line, one in batch if isinstance(one, str)]
            offered += len(runs)
            added += record_workflow_runs(session.ports.db, tenant, store, runs, mask=mask, actor=cli_actor())
            batch = list(islice(lines, _BATCH))
    if as_json:
        listed = [{"line": line, "reason": reason} for line, reason in bad]
        print_json({"added": added, "known": offered - added, "malformed": len(bad), "lines": listed[:100]})
    else:
        say(f"{tenant}/{store}: {added:,} runs added, {offered - added:,} known, {len(bad):,} malformed")
        if bad:
            print_table(f"{len(bad):,} lines not read", ("line", "why"), bad[:_SHOWN_LINES])
    if bad and not offered:
        raise typer.Exit(ExitCode.BAD_INPUT)


@app.command("list")
def list_runs(
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most so many.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List runs, newest first, and which of them a dream has learnt from."""
    with open_session(tenant=tenant, store=store) as session:
        found = find_workflow_runs(session.ports.db, tenant, store, limit=limit)
    empty = f"{tenant}/{store} has no workflow runs. `slowwave workflows import FILE.jsonl` brings some."
    columns = ("outcome", "what", "steps", "kind of failure", "skills", "when", "learnt by")
    print_recorded(found, f"{tenant}/{store}", columns, _row, empty=empty, as_json=as_json)


def _row(one: WorkflowRun) -> tuple[object, ...]:
    short = in_one_line(one.description, _SHOWN_CHARS)
    skills = ", ".join(one.skills)
    return (
        one.outcome, short, len(one.steps), one.classification, skills, ago(one.occurred_at), one.consumed_by or ""
    )  # fmt: skip
