"""One sync of a folder and a store, with what is asked, shown and committed."""

import sys
from collections.abc import Callable

import typer

from gateway.cli.console.output import print_json
from gateway.cli.console.session import Session
from gateway.cli.memories.files import import_logs
from gateway.cli.sync.carry_out import SyncReport, carry_out
from gateway.cli.sync.commit import commit_files, write_message
from gateway.cli.sync.plan import SyncPlan, SyncRequest, plan_sync
from gateway.cli.sync.report import plan_json, report_json, say_deletions, say_plan, say_report
from shared.adapters.files.read_folder import TextFile
from shared.adapters.files.sync_folder import SyncFolder, open_sync_folder, read_sync_folder
from shared.adapters.files.sync_state import read_state
from shared.core.errors import BadInputError
from shared.core.sync.decide import Step
from shared.services.sync.store_side import find_dreams

_DELETIONS = (Step.DELETE_IN_STORE, Step.DELETE_IN_FOLDER)


def sync_folder(session: Session, request: SyncRequest, *, deletes: Callable[[SyncPlan], bool]) -> SyncReport:
    """Sync once; `deletes` is asked only if there is something to delete.

    Raises:
        BadInputError: the folder or its record cannot be used, or it is synced with another store.
        ArchivedError: the store is archived.
    """
    with open_sync_folder(request.root, create=True) as folder:
        if folder is None:
            raise BadInputError(f"The folder {request.root} is gone")
        plan = plan_sync(session.ports.db, request, read_state(folder), read_sync_folder(request.root))
        is_allowed = bool(plan.find(*_DELETIONS)) and deletes(plan)

        def take_log(log: TextFile) -> int:
            return import_logs(session, [log], request.tenant, request.store)

        return carry_out(session.ports, request, plan, folder, deletes=is_allowed, import_log=take_log)


def sync_once(
    session: Session, request: SyncRequest, *, delete: bool, commit: bool, as_json: bool, quiet: bool = False
) -> SyncReport:
    """Sync once, and tell what was done; `quiet` asks nothing, and tells nothing of a sync that does nothing. Raises as `sync_folder` does."""

    def allow(plan: SyncPlan) -> bool:
        return delete or (not quiet and not as_json and _confirm(plan))

    report = sync_folder(session, request, deletes=allow)
    done = _commit(session, request, report) if commit else ""
    if as_json:
        print_json(report_json(request.root, report, done))
    elif not quiet or report.done:
        say_report(request.root, f"{request.tenant}/{request.store}", report, done)
    return report


def show_plan(session: Session, request: SyncRequest, *, as_json: bool) -> None:
    """Show what a sync would do. Raises as `sync_folder` does."""
    with open_sync_folder(request.root, create=False) as folder:
        state = read_state(folder) if folder is not None else None
        found = read_sync_folder(request.root) if folder is not None else SyncFolder()
        plan = plan_sync(session.ports.db, request, state, found)
    if as_json:
        print_json(plan_json(request.root, plan))
    else:
        say_plan(request.root, f"{request.tenant}/{request.store}", plan)


def _confirm(plan: SyncPlan) -> bool:
    if not sys.stdin.isatty():
        return False
    say_deletions(plan)
    return typer.confirm("Carry out these deletions?", err=True)


def _commit(session: Session, request: SyncRequest, report: SyncReport) -> str:
    if not (report.written or report.removed):
        return ""
    dreams = find_dreams(session.ports.db, request.tenant, report.store_id, report.since, reviewed=report.reviewed)
    message = write_message(f"{request.tenant}/{request.store}", len(report.written) + len(report.removed), dreams)
    return commit_files(request.root, report.written, report.removed, message)
