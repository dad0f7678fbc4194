"""`slowwave review`: list, show and decide the changes that wait for a person."""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import Annotated, Any

import typer

from gateway.cli.console.exit_codes import ExitCode, exit_code_of
from gateway.cli.console.options import AsJson, OverwriteEdits, Tenant, cli_actor
from gateway.cli.console.output import ago, print_json, safe, say, warn
from gateway.cli.console.session import open_session
from gateway.cli.dreams import review_notes
from gateway.cli.dreams.as_json import operation_json
from gateway.cli.dreams.diff import diff_text, print_diff
from gateway.cli.dreams.dream_id import find_dream_id
from gateway.cli.dreams.review_choice import (
    Choice,
    Everything,
    Filters,
    MaybeTenant,
    Mine,
    OfConfidence,
    OfDream,
    OfKind,
    OfPhase,
    OfStore,
    TenantFilter,
    Yes,
    find_operation,
    tenant_of,
)
from gateway.cli.dreams.review_notes import note_lines
from shared.all_ports import Ports
from shared.core.dream.operation_filter import ALL_OPERATIONS
from shared.core.dream.operations import OperationKind
from shared.core.errors import ChangedProposalError
from shared.core.listings.one_change import Place, keep_together
from shared.ports.dreams import RecordedOperation
from shared.program import COMMAND
from shared.services.approval import approve as approve_it
from shared.services.members import name_members
from shared.services.operations.bulk_review import Decided, decide_all
from shared.services.operations.review import (
    find_places,
    find_reviews,
    reject_operation,
    reopen_operation,
)

app = typer.Typer(no_args_is_help=True)
for _command in (review_notes.assign, review_notes.comment, review_notes.decided):
    app.command()(_command)
EveryChange = Annotated[
    bool, typer.Option("--all", help="List every change of a dream (--dream, or the last), also what needs no review.")
]
Operations = Annotated[list[str] | None, typer.Argument(help="Ids of operations or their beginnings; or --all.")]


class _Verb(StrEnum):
    APPROVED = "Approved"
    REJECTED = "Rejected"
    REOPENED = "Reopened"


_DO = {_Verb.APPROVED: "approve", _Verb.REJECTED: "reject", _Verb.REOPENED: "reopen"}


@app.command()
def pending(
    tenant: MaybeTenant = None,
    tenant_option: TenantFilter = None,
    store: OfStore = None,
    kind: OfKind = None,
    dream_id: OfDream = None,
    phase: OfPhase = None,
    confidence: OfConfidence = None,
    mine: Mine = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Maximum number of entries to list. Default: all.")] = None,
    everything: EveryChange = False,
    as_json: AsJson = False,
) -> None:
    """List changes that wait for a review, oldest first; with --all, every change of a dream. Each can be rejected."""
    tenant = tenant_of(tenant, tenant_option)
    wanted = Filters.of(store, kind, dream_id, phase, confidence, cli_actor() if mine else None)
    with open_session(tenant=tenant, store=store) as session:
        if everything:
            chosen = find_dream_id(session.ports, tenant, dream_id)
            found = _find_changes(session.ports, tenant, chosen, wanted)
            about, nothing = f"of {chosen}", f"{chosen} changed nothing{'' if wanted.is_empty else ' that matches'}."
        else:
            of_dream = wanted.find_dream(session.ports, tenant)
            found = find_reviews(session.ports.db, tenant, limit=None, store=store, dream_id=of_dream, only=wanted.only)
            about = f"of {tenant} to review"
            nothing = f"Nothing {'' if wanted.is_empty else 'that matches '}is waiting for review."
        places = find_places(session.ports.db, tenant, found)
    shown = [one for change in keep_together(found, [one.id for one in found], places) for one in change][:limit]
    if as_json:
        print_json([operation_json(recorded, places.get(recorded.id)) for recorded in shown])
    else:
        say(f"{len(found):,} {'change' if len(found) == 1 else 'changes'} {about}" if found else nothing, "bold")
    for recorded in () if as_json else shown:
        print_line(recorded, places.get(recorded.id))
    if len(shown) < len(found):
        warn(f"{len(found) - len(shown):,} more of {len(found):,} were left out by --limit {limit}")
    if shown and not as_json:
        say(f"\nLook at one: {COMMAND} review show {tenant} {shown[0].id}", "dim")


def _find_changes(ports: Ports, tenant: str, dream_id: str, wanted: Filters) -> list[RecordedOperation]:
    with ports.db.transaction(tenant) as uow:
        found = uow.operations.find_all(dream_id, wanted.only)
    return [one for one in found if wanted.store in {None, one.store}]


@app.command()
def show(
    tenant: Tenant,
    operation: Annotated[str, typer.Argument(help="The operation's id or its beginning.")],
    whole: Annotated[bool, typer.Option("--whole", help="Do not cut long diffs.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the diff of an operation that was applied or proposed."""
    with open_session(tenant=tenant) as session:
        recorded = find_operation(session.ports, tenant, operation)
        place = find_places(session.ports.db, tenant, [recorded]).get(recorded.id)
        names = name_members(session.ports.db, tenant)
    if as_json:
        print_json(operation_json(recorded, place) | {"diff": diff_text(recorded)})
        return
    print_line(recorded, place)
    for line in note_lines(recorded, names):
        say(f"  {line}", "cyan")
    print_diff(recorded, whole=whole)
    if recorded.operation.kind is OperationKind.FLAG:
        say(
            "\nIt changes no memory. Mend the memory that is wrong, and the question ends; a verdict ends it, too.",
            "dim",
        )
        return
    what = "would not be applied" if recorded.state == "proposed" else "would be as on the `-` side again"
    say(f"\nRejected, these memories {what}.", "dim")
    if place:
        named = " ".join(one.id for one in place.members)
        say(f"Approve its whole change, in order: {COMMAND} review approve {tenant} {named}", "dim")


@app.command()
def approve(
    tenant: Tenant,
    operations: Operations = None,
    everything: Everything = False,
    store: OfStore = None,
    kind: OfKind = None,
    dream_id: OfDream = None,
    phase: OfPhase = None,
    confidence: OfConfidence = None,
    accept_changed: Annotated[
        bool, typer.Option("--accept-changed", help="Apply proposals without a second look if their memories changed.")
    ] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Approve changes: keep applied ones and apply proposed ones. A refused one does not stop the others."""
    filters = Filters.of(store, kind, dream_id, phase, confidence)
    choice = Choice(named=operations or (), everything=everything, filters=filters, yes=yes)

    def decide(ports: Ports, operation_id: str) -> RecordedOperation:
        try:
            return approve_it(
                ports.db, ports.ids, tenant, operation_id, actor=cli_actor(), accepts_change=accept_changed
            )
        except ChangedProposalError:
            if not as_json:
                print_diff(find_operation(ports, tenant, operation_id), whole=False)
            raise

    _decide(_Verb.APPROVED, tenant, choice, decide, as_json=as_json)


@app.command()
def reject(
    tenant: Tenant,
    operations: Operations = None,
    everything: Everything = False,
    store: OfStore = None,
    kind: OfKind = None,
    dream_id: OfDream = None,
    phase: OfPhase = None,
    confidence: OfConfidence = None,
    why: Annotated[str, typer.Option(help="The reason; shown when a later dream wants the same change.")] = "",
    force: OverwriteEdits = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Reject changes: undo applied ones and drop proposed ones. A refused one does not stop the others."""
    filters = Filters.of(store, kind, dream_id, phase, confidence)
    choice = Choice(named=operations or (), everything=everything, filters=filters, yes=yes)

    def decide(ports: Ports, operation_id: str) -> RecordedOperation:
        return reject_operation(ports.db, tenant, operation_id, actor=cli_actor(), force=force, why=why)

    _decide(_Verb.REJECTED, tenant, choice, decide, as_json=as_json)


@app.command()
def reopen(
    tenant: Tenant,
    operations: Annotated[list[str], typer.Argument(help="Ids of operations or their beginnings.")],
    force: OverwriteEdits = False,
    as_json: AsJson = False,
) -> None:
    """Take a verdict back: a rejected change is applied again, and a proposal waits again, without what its approval changed."""
    choice = Choice(named=operations, everything=False, filters=Filters(only=ALL_OPERATIONS), yes=False)

    def decide(ports: Ports, operation_id: str) -> RecordedOperation:
        return reopen_operation(ports.db, tenant, operation_id, actor=cli_actor(), force=force)

    _decide(_Verb.REOPENED, tenant, choice, decide, as_json=as_json)


def _decide(
    verb: _Verb,
    tenant: str,
    choice: Choice,
    decide: Callable[[Ports, str], RecordedOperation],
    *,
    as_json: bool,
) -> None:
    """Decide the chosen operations, say what came of each, and exit with a conflict if one was refused."""
    choice.check()
    told: list[dict[str, Any]] = []
    refused: list[ExitCode] = []
    done = ""
    with open_session(tenant=tenant, store=choice.filters.store) as session:
        ports = session.ports
        ids, unknown = choice.find(ports, tenant, _DO[verb])
        outcomes = decide_all(ports.db, tenant, ids, partial(decide, ports), newest_first=verb is _Verb.REOPENED)
        for one in chain((Decided(id=name, refusal=error) for name, error in unknown.items()), outcomes):
            told.append(_tell(verb, one, as_json=as_json))
            if one.refusal is not None:
                refused.append(exit_code_of(one.refusal))
            else:
                done = one.id
    if as_json:
        print_json(told)
    elif not told:
        say("Nothing that matches is waiting for review.")
    elif verb is _Verb.REJECTED and done:
        say(f"Take it back: {COMMAND} review reopen {tenant} {done}", "dim")
    if refused:
        warn(f"{len(refused):,} of {len(told):,} refused")
        raise typer.Exit(refused[0] if len({*refused}) == 1 else ExitCode.CONFLICT)


def _tell(verb: _Verb, one: Decided, *, as_json: bool) -> dict[str, Any]:
    """Return an outcome as JSON; for a person, print it at once."""
    if one.recorded is not None:
        if not as_json:
            say(f"{verb} {one.id}: {one.recorded.operation.kind}")
        return operation_json(one.recorded) | {"refused": None}
    if not as_json:
        warn(f"Not {verb.lower()}: {one.id}: {one.refusal}")
    return {"id": one.id, "refused": str(one.refusal)}


def print_line(recorded: RecordedOperation, place: Place | None = None) -> None:
    """Print what an operation does, why, and why it waits."""
    operation = recorded.operation
    details = f"  {operation.kind} · {recorded.store} · {recorded.state} · {ago(recorded.created_at)}"
    say(safe(recorded.id, "cyan").append_text(safe(details, "dim")))
    sure = "" if operation.confidence is None else f" (confidence {operation.confidence:.2f})"
    say(f"  [dream/{operation.phase}] {operation.reason}{sure}")
    if place:
        say(f"  {place} (one change: they share memories)", "cyan")
    if recorded.note:
        say(f"  {recorded.note}", "yellow")
