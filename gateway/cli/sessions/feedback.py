"""`slowwave feedback add|list`: feedback of people and tools on an agent's work."""

from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, StoreOption, TenantOption, cli_actor
from gateway.cli.console.output import ago
from gateway.cli.console.session import open_session
from gateway.cli.sessions.recorded import (
    At,
    ExternalId,
    SessionId,
    in_one_line,
    moment_of,
    print_recorded,
    say_recorded,
)
from shared.core.errors import BadInputError
from shared.core.learning.feedback import Feedback, FeedbackKind, NewFeedback, Rating
from shared.core.memory.writers import Rank
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.sessions.feedback import find_feedback, record_feedback

_SHOWN_CHARS = 60

app = typer.Typer(no_args_is_help=True)


@app.command()
def add(
    tenant: TenantOption,
    text: Annotated[str, typer.Argument(help="The feedback in words; optional for thumbs and ratings.")] = "",
    kind: Annotated[FeedbackKind, typer.Option("--kind", "-k", help="The kind of feedback.")] = FeedbackKind.CORRECTION,
    rating: Annotated[str, typer.Option("--rating", help="poor, fair or good; only with --kind session_summary.")] = "",
    about: Annotated[
        str,
        typer.Option(
            "--about", help="The subject: path or id of the memory that is wrong, a domain, or a tool's name."
        ),
    ] = "",
    skill: Annotated[str, typer.Option("--skill", help="The skill that the feedback is about.")] = "",
    session_id: SessionId = "",
    external_id: ExternalId = "",
    at: At = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Record feedback on an agent's work, for the next dream to learn from."""
    if rating not in set(Rating):
        raise BadInputError("--rating takes poor, fair or good")
    feedback = NewFeedback(
        kind=kind, text=text, rating=Rating(rating), subject=about, skill=skill, session=session_id,
        external_id=external_id, occurred_at=moment_of(at), rank=Rank.OWNER,
    )  # fmt: skip
    with open_session(tenant=tenant, store=store) as session:
        done = record_feedback(session.ports.db, tenant, store, [feedback], actor=cli_actor())
    say_recorded(done, kind, f"{tenant}/{store}", external_id, as_json=as_json)


@app.command("list")
def list_feedback(
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of entries to list.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List feedback, newest first, with the dream that used it."""
    with open_session(tenant=tenant, store=store) as session:
        found = find_feedback(session.ports.db, tenant, store, limit=limit + 1)
    empty = f"{tenant}/{store} has no feedback. `slowwave feedback add TEXT --tenant {tenant}` adds some."
    columns = ("kind", "rating", "about", "text", "when", "used by")
    print_recorded(found, f"Feedback of {tenant}/{store}", columns, _row, empty=empty, limit=limit, as_json=as_json)


def _row(one: Feedback) -> tuple[str, ...]:
    short = in_one_line(one.text, _SHOWN_CHARS)
    return (one.kind, one.rating, one.skill or one.subject, short, ago(one.occurred_at), one.consumed_by or "")
