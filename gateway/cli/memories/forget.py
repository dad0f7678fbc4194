"""`slowwave memory forget`: forget a text, a memory, a session or a person, after a preview."""

import sys
from typing import Annotated

import typer

from gateway.cli.console.confirm import Yes
from gateway.cli.console.options import AsJson, StoreOption, Tenant, cli_actor
from gateway.cli.console.output import print_json, safe, say
from gateway.cli.console.session import open_session
from shared.core.errors import BadInputError
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.forgetting.forget import OUT_OF_REACH, Forgotten, forget
from shared.services.forgetting.wanted import Kind, Target

Preview = Annotated[bool, typer.Option("--dry-run", help="Only show what would be forgotten.")]


def forget_it(
    tenant: Tenant,
    store: StoreOption = DEFAULT_STORE,
    text: Annotated[str | None, typer.Option(help="Words, whatever stands between their letters.")] = None,
    memory: Annotated[str | None, typer.Option(help="A memory, by its path or id, with all that it says.")] = None,
    session: Annotated[str | None, typer.Option(help="A session, by its id, with all that came from it.")] = None,
    person: Annotated[str | None, typer.Option(help="A speaker's name, or the actor of writes.")] = None,
    dry_run: Preview = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Forget a text, a memory, a session or a person: every copy of it in a store, for good. It cannot be undone."""
    target = _read_target({Kind.TEXT: text, Kind.MEMORY: memory, Kind.SESSION: session, Kind.PERSON: person})
    with open_session(tenant=tenant, store=store) as opened:
        db = opened.ports.db
        if dry_run or not yes:
            preview = forget(db, tenant, store, target, actor=cli_actor(), dry_run=True)
            if dry_run or not preview.is_found:
                print_json(preview) if as_json else _show(preview)
                return
            _show(preview)
            _confirm()
        done = forget(db, tenant, store, target, actor=cli_actor())
    print_json(done) if as_json else _show(done)


def _read_target(given: dict[Kind, str | None]) -> Target:
    named = [Target(kind, value) for kind, value in given.items() if value is not None]
    if len(named) != 1:
        raise BadInputError("Name what is to be forgotten: one of --text, --memory, --session and --person")
    return named[0]


def _confirm() -> None:
    if not sys.stdin.isatty():
        raise BadInputError("This would be forgotten for good: confirm with --yes")
    if not typer.confirm("Forget this for good?", err=True):
        raise BadInputError("Nothing was forgotten")


def _show(found: Forgotten) -> None:
    if not found.is_found:
        say(
            f"It stands nowhere in {found.store}."
            if found.is_preview
            else f"It stood nowhere in {found.store}; it is left out from now on."
        )
        return
    say("This would be forgotten:" if found.is_preview else "This is forgotten:")
    for place in found.places:
        say(f"  {place.place}: {place.rows}, {place.treatment}")
    for what, paths in (("goes on without it", found.rewritten), ("is archived and emptied", found.archived)):
        for path in paths:
            say(f"  {safe(path)} {what}")
    if found.events:
        say(f"  a session with {found.events} events is deleted")
    for quote in found.quotes:
        say(f"  {quote.place}: … {safe(quote.said)} …")
    for column in found.told:
        say(f"  {column} holds it, too, and a person has to change it there")
    say(f"Texts that are left out from now on: {found.tombstones}.")
    say("Out of reach: " + "; ".join(OUT_OF_REACH) + ".")
