"""Tell what a sync would do or has done, as text or JSON."""

from collections import Counter
from pathlib import Path
from typing import Any

from gateway.cli.console.output import print_table, say, warn
from gateway.cli.sync.carry_out import SyncReport
from gateway.cli.sync.plan import SyncPlan, list_notable
from shared.adapters.files.found import shown_path
from shared.core.sync.decide import Step

_SHOWN = 20
#: Each step in words: done, and as a plan.
_DONE = {
    Step.TO_STORE: "taken into the store", Step.TO_FOLDER: "written to the folder", Step.MERGED: "merged",
    Step.CONFLICT: "in conflict", Step.DELETE_IN_STORE: "archived in the store", Step.DELETE_IN_FOLDER: "removed from the folder",
}  # fmt: skip
_PLANNED = {
    Step.TO_STORE: "into the store", Step.TO_FOLDER: "into the folder", Step.MERGED: "merge the changes of both",
    Step.CONFLICT: "conflict: keep the folder's text beside it", Step.HELD: "wait: a change of a dream is not reviewed",
    Step.DELETE_IN_STORE: "archive in the store (with --delete)", Step.DELETE_IN_FOLDER: "remove from the folder (with --delete)",
}  # fmt: skip
_HELD = "stay as they are, since a dream's change of them waits for a review: `slowwave review pending`"


def plan_json(root: Path, plan: SyncPlan) -> dict[str, Any]:
    """Return a plan for `--dry-run --json`."""
    return {
        "root": str(root),
        "dry_run": True,
        "same": plan.same,
        "steps": [
            {"path": one.path, "step": one.decision.step} for one in plan.steps if one.decision.step != Step.SAME
        ],
        "refused": plan.refused,
    }


def say_plan(root: Path, where: str, plan: SyncPlan) -> None:
    """Print a plan as a table."""
    rows = [(one.path, _PLANNED[one.decision.step]) for one in plan.steps if one.decision.step is not Step.SAME]
    print_table(f"{root} and {where}: {len(rows)} to do, {plan.same} the same", ("file", "step"), rows)
    _say_refused(plan.refused)


def report_json(root: Path, report: SyncReport, commit: str) -> dict[str, Any]:
    """Return what was done for `--json`."""
    return {
        "root": str(root),
        "dry_run": False,
        "same": report.same,
        "steps": [{"path": path, "step": step} for path, step in report.done.items()],
        "conflicts": [{"path": path, "kept_as": kept} for path, kept in report.aside.items()],
        "waiting": [{"path": path, "step": step} for path, step in report.waiting.items()],
        "held": report.held,
        "refused": report.refused,
        "alike": report.alike,
        "log_entries_added": report.log_entries,
        "commit": commit,
    }


def say_report(root: Path, where: str, report: SyncReport, commit: str) -> None:
    """Say what was done, and what waits for a person."""
    counted = Counter(report.done.values())
    told = [f"{counted[step]} {words}" for step, words in _DONE.items() if counted[step]]
    say(f"{root} and {where}: " + ", ".join([*told, f"{report.same} the same"]))
    if report.log_entries:
        say(f"{report.log_entries:,} entries of daily logs added as sessions")
    for path, kept in report.aside.items():
        warn(f"{shown_path(path)}: both sides changed the same lines. The folder's text is kept in {shown_path(kept)}")
    if report.held:
        warn(f"{len(report.held)} {_HELD}")
        _say_paths(report.held)
    if report.waiting:
        warn(f"{len(report.waiting)} deleted on one side stay on the other; --delete carries that out")
        _say_paths([*report.waiting])
    for one, other in report.alike[:_SHOWN]:
        warn(f"{shown_path(one)} and {shown_path(other)} are one file on macOS and Windows; rename one of them")
    _say_refused(report.refused)
    if commit:
        say(f"Commit {commit}")


def say_deletions(plan: SyncPlan) -> None:
    """List what would be deleted, before the question."""
    for step, words in (
        (Step.DELETE_IN_STORE, "whose files are gone"),
        (Step.DELETE_IN_FOLDER, "that the store archived"),
    ):
        paths = [one.path for one in plan.find(step)]
        if paths:
            warn(f"{len(paths)} {words}: {_DONE[step].split()[0]} with a yes")
            _say_paths(paths)


def _say_paths(paths: list[str]) -> None:
    for path in paths[:_SHOWN]:
        warn(f"  {shown_path(path)}")
    if len(paths) > _SHOWN:
        warn(f"  … and {len(paths) - _SHOWN} more; --json lists them all", "dim")


def _say_refused(refused: list[Any]) -> None:
    rows = [(one.path, one.reason) for one in list_notable(refused)]
    if rows:
        print_table(f"{len(rows)} not synced", ("file", "why"), rows[:_SHOWN])
    if len(rows) > _SHOWN:
        say(f"… and {len(rows) - _SHOWN} more; --json lists them all", "dim")
