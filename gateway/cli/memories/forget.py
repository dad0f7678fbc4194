"""`slowwave memory forget|known-of`: forget a text, a memory, a session or a person; export all that is known of a person."""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter

from gateway.cli.console.confirm import Yes
from gateway.cli.console.options import AsJson, StoreOption, Tenant, cli_actor
from gateway.cli.console.output import print_json, safe, say
from gateway.cli.console.session import open_session
from shared.adapters.files.write_folder import write_folder
from shared.core.errors import BadInputError
from shared.core.memory.model import ExportFile
from shared.core.memory.paths import check_memory_path
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.forgetting.forget import OUT_OF_REACH, Forgotten, forget
from shared.services.forgetting.known_of import Known, find_known
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


def known_of(
    tenant: Tenant,
    person: Annotated[str, typer.Option(help="A speaker's name, or the actor of writes.")],
    store: StoreOption = DEFAULT_STORE,
    folder: Annotated[Path | None, typer.Option("--out", help="A new or empty folder for the files.")] = None,
    as_json: AsJson = False,
) -> None:
    """Export all that a store knows of a person: memories, versions, statements with their sources, events and other rows."""
    with open_session(tenant=tenant, store=store) as opened:
        known = find_known(opened.ports.db, tenant, store, person)
    if folder is not None:
        write_folder(folder, _files(known), check_path=partial(check_memory_path, any_ending=True))
    if as_json or folder is None:
        print_json(known)
        return
    counts = f"{len(known.memories)} memories, {len(known.events)} events and {len(known.elsewhere)} other rows"
    say(f"{tenant}/{store} knows {safe(person)} from {counts}; {folder} has them.")


def _files(known: Known) -> Iterator[ExportFile]:
    yield ExportFile(path="known.json", content=TypeAdapter(Known).dump_json(known, indent=2).decode())
    said = "".join(f"{one.keys['session_id']}#{one.keys['event_id']}: {one.values['text']}\n\n" for one in known.events)
    yield ExportFile(path="events.txt", content=said)
    for memory in known.memories:
        for version in memory.versions:
            yield ExportFile(path=f"memories/{memory.id}/{version.version}.md", content=version.content)
