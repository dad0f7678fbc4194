"""`slowwave review assign|comment|decided`: who is asked to decide what, what people wrote about it, and who decided."""

from collections.abc import Mapping
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, Tenant, cli_actor
from gateway.cli.console.output import ago, print_json, safe, say, warn
from gateway.cli.console.session import open_session
from gateway.cli.dreams.as_json import operation_json
from gateway.cli.dreams.review_choice import find_operation
from shared.core.dream.model import ReviewState
from shared.ports.dreams import RecordedOperation
from shared.program import COMMAND
from shared.services.members import name_members, say_member
from shared.services.operations.review import assign_review, comment_review, find_decided

Operation = Annotated[str, typer.Argument(help="The operation's id or its beginning.")]


def assign(
    tenant: Tenant,
    operation: Operation,
    to: Annotated[str, typer.Argument(help="me, the id or name of a key that may review, or none.")],
    as_json: AsJson = False,
) -> None:
    """Ask a member of the tenant to decide a change that waits. Others still may."""
    with open_session(tenant=tenant) as session:
        found = find_operation(session.ports, tenant, operation)
        member = "" if to == "none" else to
        done = assign_review(session.ports.db, tenant, found.id, member, actor=cli_actor())
        names = name_members(session.ports.db, tenant)
    if as_json:
        print_json(operation_json(done))
    else:
        say(
            f"{done.id} is assigned to {say_member(done.assigned_to, names) if done.assigned_to else 'none in particular'}"
        )


def comment(
    tenant: Tenant,
    operation: Operation,
    text: Annotated[str, typer.Argument(help="What to say about it.")],
    as_json: AsJson = False,
) -> None:
    """Comment on a change. Secrets are masked, and nothing is decided."""
    with open_session(tenant=tenant) as session:
        found = find_operation(session.ports, tenant, operation)
        done = comment_review(session.ports.db, tenant, found.id, text, actor=cli_actor())
    if as_json:
        print_json(operation_json(done))
    else:
        say(f"Noted on {done.id}: {done.comments[-1].text}")


def decided(
    tenant: Tenant,
    by: Annotated[str | None, typer.Option("--by", help="Only by me, or by an actor as the audit log has it.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="Maximum number of entries to list.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List changes that were approved or rejected, the newest verdict first: by whom, when, through what, and why."""
    with open_session(tenant=tenant) as session:
        wanted = cli_actor() if by == "me" else by
        found = find_decided(session.ports.db, tenant, by=wanted, limit=limit + 1)
        names = name_members(session.ports.db, tenant)
    if as_json:
        print_json([operation_json(one) for one in found[:limit]])
        return
    if not found:
        say(f"No change {f'was decided by {wanted}' if wanted else 'was decided'}.")
    for one in found[:limit]:
        say(safe(one.id, "cyan").append_text(safe(f"  {one.operation.kind} · {one.store} · {one.review}", "dim")))
        for line in note_lines(one, names):
            say(f"  {line}")
    if len(found) > limit:
        warn(f"There are more: --limit shows up to 500; `{COMMAND} audit {tenant}` has all")


def note_lines(one: RecordedOperation, names: Mapping[str, str]) -> list[str]:
    """Return who is asked to decide an operation, what people wrote about it, and who decided it."""
    lines = [f"assigned to {say_member(one.assigned_to, names)}"] if one.assigned_to else []
    lines += [f"{say_member(note.by, names)}, {ago(note.at)}: {note.text}" for note in one.comments]
    # A redo and a reopening are recorded as decisions, too, and are no verdict.
    if one.decided_at is not None and one.review in {ReviewState.APPROVED, ReviewState.REJECTED}:
        why = f": {one.decided_why}" if one.decided_why else ""
        lines.append(f"{one.review} by {say_member(one.decided_by, names)}, {ago(one.decided_at)}{why}")
    return lines
