"""`slowwave workflows record|import|list`: record the outcomes of an agent's workflows.

Reads a file of workflow runs, one per line. Lines that cannot be read are reported with the reason.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.options import AsJson, StoreOption, TenantOption, cli_actor
from gateway.cli.console.output import ago, print_json, print_table, say
from gateway.cli.console.session import open_session, warn_of_new
from gateway.cli.sessions.recorded import (
    At,
    ExternalId,
    SessionId,
    in_one_line,
    moment_of,
    print_recorded,
    say_recorded,
)
from gateway.masking import tell_kinds
from shared.core.errors import BadInputError
from shared.core.learning.feedback import MAX_STEPS, NewRun, RunOutcome, WorkflowRun, check_run
from shared.core.sessions.transcript import parse_moment
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.memories.write import ensure_store
from shared.services.sessions.feedback import find_workflow_runs, record_workflow_runs

_MAX_LINE_CHARS = 8_000_000
_SUCCESS = frozenset({"success", "succeeded", "ok", "completed", "passed", "true"})
_FAILURE = frozenset({"failure", "failed", "error", "timeout", "canceled", "false"})


def read_runs(path: Path) -> Iterator[tuple[int, NewRun | str]]:
    """Yield each line's number with its run, or the reason why it is not one. Raises BadInputError if the file cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, _read(line)
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}"
        raise BadInputError(msg) from error


def _read(line: str) -> NewRun | str:
    if len(line) > _MAX_LINE_CHARS:
        return "the line is longer than 8 MB"
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return "no JSON"
    if not isinstance(found, dict):
        return "no JSON object"
    try:
        return check_run(_run_of(found))
    except BadInputError as error:
        return str(error)


def _run_of(found: Mapping[str, Any]) -> NewRun:
    steps, skills = found.get("steps"), found.get("skills")
    return NewRun(
        description=_text(found.get("description")),
        steps=tuple(map(_step, steps[:MAX_STEPS])) if isinstance(steps, list) else (),
        outcome=_outcome(found.get("outcome", found.get("status"))),
        classification=_text(found.get("classification")),
        error=_text(found.get("error")),
        skills=tuple(map(_text, skills[:MAX_STEPS])) if isinstance(skills, list) else (),
        session=_text(found.get("session")),
        external_id=_text(found.get("id", found.get("external_id"))),
        occurred_at=parse_moment(found.get("occurred_at", found.get("at"))),
    )


def _outcome(value: object) -> RunOutcome:
    word = str(value).strip().lower()
    if word in _SUCCESS or word in _FAILURE:
        return RunOutcome.SUCCESS if word in _SUCCESS else RunOutcome.FAILURE
    raise BadInputError(f"`outcome` is success or failure, not {word[:40]!r}")


def _step(value: object) -> str:
    """Return the text of a step: a string, or an object with the text under a usual key."""
    if isinstance(value, dict):
        named = next((value[key] for key in ("description", "step", "name", "tool") if value.get(key)), None)
        return _text(named) if named is not None else json.dumps(value)[:1_000]
    return _text(value)


def _text(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)[:1_000]


_BATCH = 500
_SHOWN_LINES = 20
_SHOWN_CHARS = 48

app = typer.Typer(no_args_is_help=True)


@app.command()
def record(
    description: Annotated[str, typer.Argument(help="The task, in a sentence.")],
    tenant: TenantOption,
    outcome: Annotated[RunOutcome, typer.Option("--outcome", "-o", help="Whether the run succeeded or failed.")],
    step: Annotated[list[str] | None, typer.Option("--step", help="A step of the run; may be repeated.")] = None,
    skill: Annotated[list[str] | None, typer.Option("--skill", help="A skill that was used; may be repeated.")] = None,
    classification: Annotated[str, typer.Option("--classification", help="The kind of failure.")] = "",
    error: Annotated[str, typer.Option("--error", help="The error message of a failed run.")] = "",
    session_id: SessionId = "",
    external_id: ExternalId = "",
    at: At = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Record one workflow run and its outcome."""
    run = NewRun(
        description=description, steps=tuple(step or ()), outcome=outcome, classification=classification, error=error,
        skills=tuple(skill or ()), session=session_id, external_id=external_id, occurred_at=moment_of(at),
    )  # fmt: skip
    with open_session(tenant=tenant, store=store) as session:
        done = record_workflow_runs(session.ports.db, tenant, store, [run], actor=cli_actor())
    say_recorded(done, outcome, f"{tenant}/{store}", external_id, as_json=as_json)


@app.command("import")
def import_runs(
    file: Annotated[
        Path, typer.Argument(help="A file of JSON lines: description, steps, outcome, classification, error, skills.")
    ],
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Import runs; creates the tenant if needed. A run with an `id` is added only once."""
    bad: list[tuple[int, str]] = []
    added = offered = 0
    masked: Counter[str] = Counter()
    with open_session() as session:
        lines = read_runs(file)
        batch = list(islice(lines, _BATCH))  # a file that cannot be read makes no tenant
        warn_of_new(session.ports.db, tenant)
        ensure_store(session.ports.db, tenant, store, actor=cli_actor())
        while batch:
            runs = [one for _, one in batch if isinstance(one, NewRun)]
            bad += [(line, one) for line, one in batch if isinstance(one, str)]
            offered += len(runs)
            done = record_workflow_runs(session.ports.db, tenant, store, runs, actor=cli_actor())
            added, masked = added + done.added, masked + Counter(done.masked)
            batch = list(islice(lines, _BATCH))
    if as_json:
        listed = [{"line": line, "reason": reason} for line, reason in bad]
        print_json(
            {"added": added, "known": offered - added, "malformed": len(bad), "masked": masked, "lines": listed[:100]}
        )
    else:
        say(
            f"{tenant}/{store}: {added:,} runs added, {offered - added:,} known, {len(bad):,} malformed{tell_kinds(sorted(masked.elements()))}"
        )
        if bad:
            print_table(f"{len(bad):,} lines not read", ("line", "why"), bad[:_SHOWN_LINES])
    if bad and not offered:
        raise typer.Exit(ExitCode.BAD_INPUT)


@app.command("list")
def list_runs(
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of entries to list.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List runs, newest first, with the dream that learned from each."""
    with open_session(tenant=tenant, store=store) as session:
        found = find_workflow_runs(session.ports.db, tenant, store, limit=limit + 1)
    empty = f"{tenant}/{store} has no workflow runs. `slowwave workflows import FILE.jsonl` imports some."
    columns = ("outcome", "what", "steps", "kind of failure", "skills", "when", "learnt by")
    print_recorded(found, f"Runs of {tenant}/{store}", columns, _row, empty=empty, limit=limit, as_json=as_json)


def _row(one: WorkflowRun) -> tuple[object, ...]:
    short = in_one_line(one.description, _SHOWN_CHARS)
    skills = ", ".join(one.skills)
    return (
        one.outcome, short, len(one.steps), one.classification, skills, ago(one.occurred_at), one.consumed_by or ""
    )  # fmt: skip
