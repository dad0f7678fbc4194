"""Watch a dream: a live table on a terminal, plain lines elsewhere."""

import time
from collections.abc import Callable
from datetime import datetime

from rich.live import Live
from rich.table import Table

from gateway.cli.console.output import out, safe, say, warn
from shared.all_ports import Ports
from shared.core.dream.model import ACTIVE_STATES, Dream, DreamState, PhaseRun, PhaseState
from shared.core.dream.recall import ABOUT, read_recall
from shared.core.gates.snooze import describe_wake
from shared.program import COMMAND
from shared.services.dreams.send import send_dream

_POLL_SECONDS = 0.2
_UNCLAIMED_SECONDS = 10.0
_MARKS = {
    PhaseState.RUNNING: ("●", "cyan"),
    PhaseState.DONE: ("✔", "green"),
    PhaseState.SKIPPED: ("-", "dim"),
    PhaseState.PARTIAL: ("◐", "yellow"),
    PhaseState.FAILED: ("✘", "red"),
}
#: Counts that are said in other words, or not worth a word while one watches.
_OTHER_COUNTS = (
    "skip_",
    "missing_",
    "not_applied_",
    "proposed_",
    "put_back_",
    "flagged",
    "escalated_",
    "recall_",
)


def watch_dream(ports: Ports, tenant_id: str, dream_id: str, *, quiet: bool) -> Dream:
    """Show the phases of a dream until it has ended; return the ended dream.

    A snoozed dream is sent again when its time has come: without `up`, no beat runs that would do so.
    """
    if quiet:
        return _wait(ports, tenant_id, dream_id, lambda _dream, _runs: None)
    if out.is_terminal:
        with Live(console=out, refresh_per_second=8, transient=False) as live:
            return _wait(ports, tenant_id, dream_id, lambda dream, runs: live.update(_table(dream, runs)))
    seen: set[str] = set()
    return _wait(ports, tenant_id, dream_id, lambda _dream, runs: _print_new(runs, seen))


def _wait(ports: Ports, tenant_id: str, dream_id: str, show: Callable[[Dream, list[PhaseRun]], None]) -> Dream:
    begun = time.monotonic()
    is_told = False
    told_of: datetime | None = None
    woken_at: datetime | None = None
    while True:
        with ports.db.transaction(tenant_id) as uow:
            dream, now = uow.dreams.get(dream_id), uow.now()
            runs = uow.phases.find_all(dream_id)
        show(dream, runs)
        if dream.state not in ACTIVE_STATES:
            return dream
        if dream.snoozed_at is not None and dream.next_attempt_at != told_of:
            told_of = dream.next_attempt_at
            warn(explain_sleep(dream, now))
        if told_of is not None and told_of <= now and woken_at != told_of:
            woken_at = told_of
            send_dream(ports.db, ports.dispatch, dream)
        if dream.state is DreamState.QUEUED and not is_told and time.monotonic() - begun > _UNCLAIMED_SECONDS:
            is_told = True
            warn(
                "No worker has begun it yet: one is still starting, none runs, or all slots are taken (slowwave doctor tells). It stays queued and starts by itself."
            )
        time.sleep(_POLL_SECONDS)


def explain_sleep(dream: Dream, now: datetime) -> str:
    """Explain why a dream is snoozed, until when, and how to end it."""
    seconds = max(0.0, (dream.next_attempt_at - now).total_seconds()) if dream.next_attempt_at else 0.0
    why = f"for {seconds:.0f} s: the model's server or a limit rejects calls, or the agent is busy"
    if (batched := describe_wake(dream)) is not None:
        why = f"and wakes {batched}"
    return (
        f"The dream sleeps {why}. It goes on by itself; to end it: {COMMAND} dreams cancel {dream.tenant_id} {dream.id}"
    )


def _table(dream: Dream, runs: list[PhaseRun]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for run in runs:
        mark, style = _MARKS[run.state]
        table.add_row(safe(mark, style), safe(run.phase), safe(_seconds(run), "dim"), safe(describe_run(run), "dim"))
    if not runs:
        table.add_row(safe("…", "dim"), safe("queued" if dream.state is DreamState.QUEUED else "starting"))
    return table


def _print_new(runs: list[PhaseRun], seen: set[str]) -> None:
    for run in runs:
        if run.phase not in seen and run.state is not PhaseState.RUNNING:
            seen.add(run.phase)
            mark, _ = _MARKS[run.state]
            say(f"{mark} {run.phase:<20} {_seconds(run):>7}  {describe_run(run)}".rstrip())


def describe_run(run: PhaseRun) -> str:
    """Return a phase's counts and reason in a few words."""
    if run.state is PhaseState.SKIPPED:
        return f"skipped: {run.reason}"
    counts = run.counts.items()
    parts = [f"{number} {name.replace('_', ' ')}" for name, number in counts if not name.startswith(_OTHER_COUNTS)]
    parts += [f"{ABOUT[kind]}: {one.after} of {one.asked} found" for kind, one in read_recall(run.counts).items()]
    parts += [f"{n} {name.removeprefix('proposed_')} proposed" for name, n in counts if name.startswith("proposed_")]
    parts += [f"{n} {name.removeprefix('not_applied_')} not applied" for name, n in counts if name.startswith("not_")]
    if run.counts.get("flagged"):
        parts.append(f"{run.counts['flagged']} flagged")
    doubts = {name.removeprefix("escalated_"): n for name, n in counts if name.startswith("escalated_")}
    if doubts:
        why = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in doubts.items())
        parts.append(f"{sum(doubts.values())} asked again of the better model ({why})")
    spared = run.counts.get("skip_same_inputs", 0)
    parts += [f"{spared} not asked again"] if spared else []
    left = sum(number for name, number in counts if name.startswith("skip_")) - spared
    if run.counts.get("skip_nothing_changed") == left == 1:
        parts.append("no memory changed since the last dream")
    elif left:
        parts.append(f"{left} left alone")
    return ", ".join([*parts, run.reason] if run.reason else parts)


def _seconds(run: PhaseRun) -> str:
    if run.started_at is None:
        return ""
    end = run.finished_at or datetime.now(run.started_at.tzinfo)
    return f"{max(0.0, (end - run.started_at).total_seconds()):.1f} s"
