"""`slowwave dream`: start one and watch it, try one out, undo one or redo it."""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from gateway import programs
from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.options import AsJson, StoreOption, Tenant, cli_actor
from gateway.cli.console.output import out, print_json, say, warn
from gateway.cli.console.session import Session, open_session
from gateway.cli.console.unknown_models import warn_of_store
from gateway.cli.dreams.as_json import calls_line, dream_json, losing_lines, models_lines
from gateway.cli.dreams.diff import diff_text, print_diff, shorten_reason
from gateway.cli.dreams.estimate import estimate_json, print_estimate
from gateway.cli.dreams.held_back import held_back_lines
from gateway.cli.dreams.watch import watch_dream
from gateway.phases import estimate_dream, get_phases
from gateway.supervisor import Supervisor
from gateway.up_lock import is_up
from shared.bootstrap import environment_of
from shared.core.dream.model import Dream, DreamState, Trigger
from shared.core.dream.summary import render_summary
from shared.core.gates.gates import GateVerdict
from shared.core.tenants.store import DEFAULT_STORE
from shared.program import COMMAND
from shared.services.dreams.read import DreamView, get_dream_view
from shared.services.dreams.send import send_dream
from shared.services.dreams.start import StartResult, start_dream
from shared.services.dreams.start_upkeep import start_upkeep
from shared.services.operations.clear_verdicts import clear_verdicts
from shared.services.operations.redo import RedoReport, find_last_redoable, redo_dream
from shared.services.operations.undo import UndoReport, find_last_undoable, undo_dream

#: Gates that force does not skip; what opens them is not always a command.
_NEVER_SKIPPED = frozenset({"paused", "budget", "lock"})
#: Gates whose short reason says all that its sentence says.
_SAY_ALL = frozenset({"paused", "disabled", "defer"})


class Upkeep(StrEnum):
    """The small dreams that have sweeps of their own, by their triggers."""

    DIGEST = "digest"
    COMPACTION = "compaction"


Only = Annotated[Upkeep | None, typer.Option("--only", help="Run only the daily digest or only the compaction.")]
Again = Annotated[
    bool, typer.Option("--again", help="Allow operations that a person has rejected or undone in this store.")
]
Force = Annotated[
    bool,
    typer.Option(
        "--force",
        help="Skip the gates of time, activity and idleness. With --undo or --redo: overwrite later edits, which then wait for a review.",
    ),
]
Batch = Annotated[
    bool,
    typer.Option(
        "--batch", help="Queue the dream and send its questions in Message Batches: half the price, done within a day."
    ),
]

DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Run the dream but apply nothing; show the diff and the tokens used.")
]
Estimate = Annotated[
    bool,
    typer.Option(
        "--estimate", help="Start nothing; show what a dream would ask now and what it would cost with each model."
    ),
]


def dream(
    tenant: Tenant,
    dream_id: Annotated[
        str | None, typer.Argument(help="With --undo or --redo: the dream. Default: the last one.")
    ] = None,
    store: StoreOption = DEFAULT_STORE,
    force: Force = False,
    detach: Annotated[bool, typer.Option("--detach", help="Queue the dream and return.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Undo a dream.")] = False,
    redo: Annotated[bool, typer.Option("--redo", help="Redo a dream that was undone.")] = False,
    dry_run: DryRun = False,
    only: Only = None,
    again: Again = False,
    batch: Batch = False,
    estimate: Estimate = False,
    as_json: AsJson = False,
) -> None:
    """Dream over a tenant's store now, if the gates are open, and watch. Also estimates, undoes and redoes dreams."""
    others = {"--only": only is not None, "--detach": detach, "--again": again, "--batch": batch}
    if undo or redo:
        given = others | {"--dry-run": dry_run, "--estimate": estimate, "--redo": undo and redo}
        _refuse_beside("--undo" if undo else "--redo", given, tenant)
    else:
        _refuse_without_undo(tenant, dream_id, is_trial=dry_run and again)
        _refuse_beside_others({"--dry-run": dry_run} | others, batch=batch, estimate=estimate)
    with open_session(tenant=tenant, store=store) as session:
        if undo or redo:
            (_undo if undo else _redo)(session, tenant, store, dream_id, force=force, as_json=as_json)
            return
        if estimate:
            _say_estimate(session, tenant, store, force=force, as_json=as_json)
            return
        _prepare(session, tenant, store, again=again)
        started = _starter(only, batch=batch)(
            session.ports.db, tenant, store, force=force, dry_run=dry_run, actor=cli_actor()
        )
        if started.dream is None:
            refuse_dream(started.verdict, only, f"{tenant}/{store}", as_json=as_json)
        else:
            run_dream(session, started.dream, detach=detach or batch, as_json=as_json)


def _prepare(session: Session, tenant: str, store: str, *, again: bool) -> None:
    """Warn of unknown models, and allow what was rejected or undone, if that is wanted."""
    warn_of_store(session.settings, session.ports.db, tenant, store)
    if again:
        clear_verdicts(session.ports.db, tenant, store, actor=cli_actor())


def _starter(only: Upkeep | None, *, batch: bool) -> Callable[..., StartResult]:
    """Return what starts a whole dream, or an upkeep."""
    if only is not None:
        return partial(start_upkeep, trigger=Trigger(only))
    return partial(start_dream, trigger=Trigger.CLI, phases=get_phases, batch=batch)


def _refuse_beside(wanted: str, given: Mapping[str, bool], tenant: str) -> None:
    """Raise for an option that an undo or a redo would ignore: `--undo --dry-run` must not really undo."""
    ignored = [option for option, is_given in given.items() if is_given]
    if ignored:
        preview = f"the console previews it, and `dreams list {tenant}` lists the dreams"
        raise typer.BadParameter(
            f"It cannot be combined with {wanted}, which acts at once; {preview}", param_hint=ignored[0]
        )


def _refuse_beside_others(given: Mapping[str, bool], *, batch: bool, estimate: bool) -> None:
    """Raise for an option that cannot be combined with --batch or --estimate."""
    wrong = [option for option in ("--dry-run", "--only") if batch and given[option]]
    if wrong:
        raise typer.BadParameter(
            "It cannot be combined with --batch: its questions are asked at once", param_hint=wrong[0]
        )
    ignored = [option for option, is_given in given.items() if estimate and is_given and option != "--dry-run"]
    if ignored:
        raise typer.BadParameter("It cannot be combined with --estimate, which starts nothing", param_hint=ignored[0])


def _say_estimate(session: Session, tenant: str, store: str, *, force: bool, as_json: bool) -> None:
    found = estimate_dream(session.ports, tenant, store, force=force)
    if as_json:
        print_json(estimate_json(found))
    else:
        print_estimate(found, f"{tenant}/{store}")


def _refuse_without_undo(tenant: str, dream_id: str | None, *, is_trial: bool) -> None:
    """Raise for a dream's id, which a new dream would ignore, and for a dry run that would delete verdicts."""
    if dream_id is not None:
        raise typer.BadParameter(
            "A dream's id needs --undo, which undoes the dream, or --redo, which reverts its undo; to look at the dream: "
            f"{COMMAND} dreams show {tenant} {dream_id}",
            param_hint="DREAM_ID",
        )
    if is_trial:
        raise typer.BadParameter("It cannot be combined with --dry-run, which changes nothing", param_hint="--again")


def refuse_dream(verdict: GateVerdict, only: Upkeep | None, where: str, *, as_json: bool) -> None:
    """Say which gate is shut and what opens it, and exit."""
    if as_json:
        print_json({"state": "skipped", "gate": verdict.gate, "reason": verdict.reason})
    else:
        say(f"{only.title() if only else 'Dream'} skipped: {verdict.reason}")
        if verdict.plain and verdict.gate not in _SAY_ALL:
            say(verdict.plain, "dim")
        say(_way_out(verdict, only, where), "dim")
    raise typer.Exit(ExitCode.REFUSED)


def _way_out(verdict: GateVerdict, only: Upkeep | None, store: str) -> str:
    """Return the command that opens a shut gate, skips it, or shows more about it."""
    tenant, _, name = store.partition("/")
    own = "" if name == DEFAULT_STORE else f" --store {name}"
    if verdict.gate == "off":
        return (
            f"Run it once: --force. Run it whenever it is due: {COMMAND} stores set {store} --set {only}.enabled=true"
        )
    if verdict.gate == "disabled":
        return f"Switch it on: {COMMAND} stores set {store} --set gates.enabled=true"
    if verdict.gate == "quarantine":
        return f"Let it try again: {COMMAND} resume {store}"
    paused = {"(operator)": "--all", "(tenant)": tenant, "(store)": store}
    if verdict.gate == "paused" and (whose := paused.get(verdict.reason.split()[-1])):
        return f"Let it dream again: {COMMAND} resume {whose}"
    if verdict.gate in _NEVER_SKIPPED:
        return f"Why not, and when it may: {COMMAND} status {tenant}{own}"
    kind = f" --only {only}" if only else ""
    return f"To start it now: {COMMAND} dream {tenant}{own}{kind} --force"


def run_dream(session: Session, queued: Dream, *, detach: bool, as_json: bool) -> None:
    """Send a queued dream; unless it is detached, watch it and tell how it ended."""
    if queued.is_dry_run and not (queued.is_upkeep or detach or as_json):
        _say_estimate(session, queued.tenant_id, queued.store, force=queued.is_forced, as_json=False)
    problem = send_dream(session.ports.db, session.ports.dispatch, queued)
    if problem is not None:
        warn(f"{problem}. The dream is queued ({queued.id}) and starts when the broker is back.")
    if detach:
        print_json({"id": queued.id, "state": queued.state}) if as_json else say(f"Queued {queued.id}")
        if queued.is_batched and not as_json:
            say(
                f"A worker and beat (`{COMMAND} up`) send its questions in Message Batches; answers come within a day.",
                "dim",
            )
            say(f"Its progress: {COMMAND} dreams show {queued.tenant_id} {queued.id}", "dim")
        return
    with temporary_worker(session, quiet=as_json):
        try:
            ended = watch_dream(session.ports, queued.tenant_id, queued.id, quiet=as_json)
        except KeyboardInterrupt:
            warn(f"No longer watching {queued.id}; it goes on while a worker runs (`{COMMAND} up`).")
            raise
    show_end(session, ended, as_json=as_json)
    if ended.state is not DreamState.COMPLETED:
        raise typer.Exit(ExitCode.DREAM_NOT_COMPLETED)


def temporary_worker(session: Session, *, quiet: bool) -> AbstractContextManager[object]:
    """Return a worker for the duration of the dream, if the servers are embedded and no worker is running."""
    if not session.is_embedded or is_up(session.settings.data_dir):
        return nullcontext()
    if not quiet:
        warn(f"No worker is running here; starting one for this dream (`{COMMAND} up` keeps one).", "dim")
    logs = session.settings.data_dir / "logs"
    environment = environment_of(session.settings)
    return Supervisor((programs.worker(2),), environment, logs, warn)


def show_end(session: Session, ended: Dream, *, as_json: bool) -> None:
    """Print how a dream ended; for a dry run, also its diffs and tokens."""
    view = get_dream_view(session.ports.db, ended.tenant_id, ended.id)
    if as_json:
        body = dream_json(view)
        if ended.is_dry_run:
            body["diffs"] = [diff_text(operation) for operation in view.operations]
        print_json(body)
        return
    out.print()
    if ended.is_dry_run:
        for operation in view.operations:
            say(f"{operation.operation.kind} — {shorten_reason(operation.operation.reason)}", "bold")
            print_diff(operation)
        say(_would_have_done(view))
    else:
        say(render_summary(ended))
    for line in (*losing_lines(view), *held_back_lines(session.ports.db, view)):
        say(line)
    for line in (calls_line(view), *models_lines(view, compares_meaning=session.ports.meaning is not None)):
        say(line, "dim")
    if ended.summary is not None and ended.summary.flagged:
        say(f"Look at them: {COMMAND} review pending {ended.tenant_id}", "dim")


def _would_have_done(view: DreamView) -> str:
    dream = view.dream
    head = f"Dream {dream.state} ({dream.id})" + (f" — {dream.reason}" if dream.reason else "")
    kinds = Counter(str(recorded.operation.kind) for recorded in view.operations)
    would = ", ".join(f"{number} {kind}" for kind, number in kinds.items()) or "nothing"
    return f"{head}\nDry run: nothing was applied. It would have done: {would}"


def _undo(session: Session, tenant: str, store: str, dream_id: str | None, *, force: bool, as_json: bool) -> None:
    db = session.ports.db
    wanted = dream_id or find_last_undoable(db, tenant, store).id
    report = undo_dream(db, tenant, wanted, actor=cli_actor(), force=force)
    if as_json:
        print_json(report)
        return
    say(f"Dream undone: {report.dream_id} ({report.undone} {'operation' if report.undone == 1 else 'operations'})")
    _tell_rest(report, tenant, "--undo")


def _redo(session: Session, tenant: str, store: str, dream_id: str | None, *, force: bool, as_json: bool) -> None:
    db = session.ports.db
    wanted = dream_id or find_last_redoable(db, tenant, store).id
    report = redo_dream(db, tenant, wanted, actor=cli_actor(), force=force)
    if as_json:
        print_json(report)
        return
    say(f"Dream redone: {report.dream_id} ({report.redone} {'operation' if report.redone == 1 else 'operations'})")
    _tell_rest(report, tenant, "--redo")


def _tell_rest(report: UndoReport | RedoReport, tenant: str, wanted: str) -> None:
    """Say what was merged, what was left alone and why, and what waits for a review."""
    for path in report.merged:
        say(f"  merged with a later edit — {path}", "dim")
    for conflict in report.conflicts:
        say(f"  left alone — {conflict}", "yellow")
    if report.conflicts:
        again = f"{COMMAND} dream {tenant} {report.dream_id} {wanted} --force"
        say(f"To overwrite those edits, and review each of them afterwards: {again}", "dim")
    if report.proposals:
        say(f"Overwritten edits wait for a review: {COMMAND} review pending {tenant}", "dim")
