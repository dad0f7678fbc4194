"""`slowwave review`: list, show and decide the changes that wait for a person."""

from collections.abc import Callable
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, OverwriteEdits, Tenant, cli_actor
from gateway.cli.console.output import ago, print_json, safe, say
from gateway.cli.console.session import open_session
from gateway.cli.dreams.as_json import operation_json
from gateway.cli.dreams.diff import diff_text, print_diff
from gateway.cli.dreams.dreams import find_dream_id
from shared.all_ports import Ports
from shared.core.errors import ChangedProposalError, ConflictError, NotFoundError
from shared.ports.dreams import RecordedOperation
from shared.services.operations.review import approve_operation, reject_operation, reopen_operation

app = typer.Typer(no_args_is_help=True)
_SEARCHED = 1_000
Operations = Annotated[list[str], typer.Argument(help="Ids of operations or their beginnings.")]


@app.command()
def pending(
    tenant: Tenant,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="Maximum number of entries to list.")] = 50,
    everything: Annotated[
        bool, typer.Option("--all", help="List every change of a dream, including those that need no review.")
    ] = False,
    dream_id: Annotated[
        str | None, typer.Option("--dream", help="With --all: the dream. Default: the last one.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List changes that wait for a review, oldest first; with --all, every change of a dream. Each can be rejected."""
    if dream_id is not None and not everything:
        raise typer.BadParameter("Use it only with --all", param_hint="--dream")
    with open_session(tenant=tenant) as session:
        wanted = find_dream_id(session.ports, tenant, dream_id) if everything else None
        with session.ports.db.transaction(tenant) as uow:
            uow.stores.get_tenant()
            found = (
                uow.operations.find_pending(limit=limit) if wanted is None else uow.operations.find_all(wanted)[:limit]
            )
    if as_json:
        print_json([operation_json(recorded) for recorded in found])
        return
    if not found:
        say("Nothing is waiting for review." if wanted is None else f"{wanted} changed nothing.")
        return
    for recorded in found:
        _print_line(recorded)
    say(f"\nLook at one: ./slowwave review show {tenant} {found[0].id}", "dim")


@app.command()
def show(
    tenant: Tenant,
    operation: Annotated[str, typer.Argument(help="The operation's id or its beginning.")],
    whole: Annotated[bool, typer.Option("--whole", help="Do not cut long diffs.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the diff of an operation that was applied or proposed."""
    with open_session(tenant=tenant) as session:
        recorded = _find(session.ports, tenant, operation)
    if as_json:
        print_json(operation_json(recorded) | {"diff": diff_text(recorded)})
        return
    _print_line(recorded)
    print_diff(recorded, whole=whole)
    what = "would not be applied" if recorded.state == "proposed" else "would be as on the `-` side again"
    say(f"\nRejected, these memories {what}.", "dim")


@app.command()
def approve(
    tenant: Tenant,
    operations: Operations,
    accept_changed: Annotated[
        bool, typer.Option("--accept-changed", help="Apply proposals without a second look if their memories changed.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Approve changes: keep applied ones and apply proposed ones."""

    def decide(ports: Ports, operation_id: str) -> RecordedOperation:
        try:
            return approve_operation(
                ports.db, ports.ids, tenant, operation_id, actor=cli_actor(), accepts_change=accept_changed
            )
        except ChangedProposalError:
            if not as_json:
                print_diff(_find(ports, tenant, operation_id), whole=False)
            raise

    _decide("Approved", tenant, operations, decide, as_json=as_json)


@app.command()
def reject(
    tenant: Tenant,
    operations: Operations,
    why: Annotated[str, typer.Option(help="The reason; shown when a later dream wants the same change.")] = "",
    force: OverwriteEdits = False,
    as_json: AsJson = False,
) -> None:
    """Reject changes: undo applied ones and drop proposed ones."""

    def decide(ports: Ports, operation_id: str) -> RecordedOperation:
        return reject_operation(ports.db, tenant, operation_id, actor=cli_actor(), force=force, why=why)

    _decide("Rejected", tenant, operations, decide, as_json=as_json)


@app.command()
def reopen(tenant: Tenant, operations: Operations, force: OverwriteEdits = False, as_json: AsJson = False) -> None:
    """Take a verdict back: a rejected change is applied again, and a proposal waits again, without what its approval changed."""

    def decide(ports: Ports, operation_id: str) -> RecordedOperation:
        return reopen_operation(ports.db, tenant, operation_id, actor=cli_actor(), force=force)

    _decide("Reopened", tenant, operations, decide, as_json=as_json)


def _decide(
    verb: str,
    tenant: str,
    operations: list[str],
    decide: Callable[[Ports, str], RecordedOperation],
    *,
    as_json: bool,
) -> None:
    """Find every operation before the first one is decided, and say what was decided."""
    with open_session(tenant=tenant) as session:
        wanted = [_find(session.ports, tenant, operation).id for operation in operations]
        done = [decide(session.ports, one) for one in wanted]
    _print_decided(verb, done, as_json=as_json)


def _find(ports: Ports, tenant: str, wanted: str) -> RecordedOperation:
    with ports.db.transaction(tenant) as uow:
        try:
            return uow.operations.get(wanted)
        except NotFoundError:
            waiting = uow.operations.find_pending(limit=_SEARCHED)
    matches = [recorded for recorded in waiting if recorded.id.startswith(wanted) or recorded.id.endswith(wanted)]
    if len(matches) > 1:
        msg = f"{wanted} matches {len(matches)} operations; give more characters of the id"
        raise ConflictError(msg)
    if not matches:
        msg = f"Tenant {tenant!r} has no operation {wanted!r} that waits for a review"
        raise NotFoundError(msg)
    return matches[0]


def _print_line(recorded: RecordedOperation) -> None:
    operation = recorded.operation
    details = f"  {operation.kind} · {recorded.state} · {ago(recorded.created_at)}"
    say(safe(recorded.id, "cyan").append_text(safe(details, "dim")))
    sure = "" if operation.confidence is None else f" (confidence {operation.confidence:.2f})"
    say(f"  [dream/{operation.phase}] {operation.reason}{sure}")
    if recorded.note:
        say(f"  {recorded.note}", "yellow")


def _print_decided(verb: str, done: list[RecordedOperation], *, as_json: bool) -> None:
    if as_json:
        print_json([operation_json(recorded) for recorded in done])
        return
    for recorded in done:
        say(f"{verb} {recorded.id}: {recorded.operation.kind}")
    if verb == "Rejected" and done:
        say(f"Take it back: ./slowwave review reopen TENANT {done[-1].id}", "dim")
