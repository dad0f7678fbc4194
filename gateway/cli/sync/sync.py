"""`slowwave sync`: keep a folder and a store alike, in both directions."""

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.options import AsJson, StoreOption, TenantOption, cli_actor
from gateway.cli.console.session import open_session, warn_of_new
from gateway.cli.sync.commit import check_working_tree
from gateway.cli.sync.once import show_plan, sync_once
from gateway.cli.sync.plan import SyncRequest
from gateway.cli.sync.watch import keep_syncing
from shared.adapters.files.sync_folder import find_sync_root
from shared.core.errors import BadInputError
from shared.core.tenants.store import DEFAULT_STORE, check_name


class Written(StrEnum):
    """The texts of a store that a folder is given."""

    REVIEWED = "reviewed"
    ALL = "all"


_Write = Annotated[
    Written | None,
    typer.Option(
        help="Write back a dream's changes once they wait for no review, or all; by default as last time, at first `reviewed`."
    ),
]


def sync(
    folder: Annotated[Path, typer.Argument(help="A folder of memories, as for import; it is made if it is missing.")],
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    write: _Write = None,
    delete: Annotated[bool, typer.Option("--delete", help="Carry out deletions of either side unasked.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and change nothing.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Go on until Ctrl-C: sync at each change of a file.")] = False,
    every: Annotated[float, typer.Option(min=1, help="With --watch: seconds between looks at the store.")] = 30,
    commit: Annotated[
        bool, typer.Option("--commit", help="Commit what was written to git, with the summaries of the dreams.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Sync a folder and a store in both directions; creates the tenant if needed.

    What one side changed since the last sync goes to the other. What both changed is merged line by line; if they changed the
    same lines, the store's text stays and the folder's is kept in NAME.conflict.md beside it, with exit code 5.
    """
    check_name("tenant", tenant)
    check_name("store", store)
    if watch and (as_json or dry_run):
        raise BadInputError("--watch goes on; give --json or --dry-run without it")
    root = find_sync_root(folder)
    if commit:
        check_working_tree(root)
    with open_session() as session:
        reviewed = None if write is None else write is Written.REVIEWED
        request = make_request(root, tenant, store, reviewed=reviewed)
        if dry_run:
            show_plan(session, request, as_json=as_json)
            return
        warn_of_new(session.ports.db, tenant)
        once = partial(sync_once, session, request, delete=delete, commit=commit, as_json=as_json)
        if watch:
            root.mkdir(parents=True, exist_ok=True)
            keep_syncing(root, partial(once, quiet=True), every_seconds=every)
        elif once().waits:
            raise typer.Exit(ExitCode.CONFLICT)


def make_request(root: Path, tenant: str, store: str, *, reviewed: bool | None = None) -> SyncRequest:
    """Return what is to be synced, on behalf of the command line."""
    return SyncRequest(root=root, tenant=tenant, store=store, actor=cli_actor(), reviewed=reviewed)
