"""`slowwave memory list|show|search`: what a store remembers."""

from typing import Annotated

import typer

from gateway.cli.exit_codes import EPILOG
from gateway.cli.options import AsJson, StoreOption, Tenant
from gateway.cli.output import ago, out, print_json, print_table, safe, say
from gateway.cli.session import open_session
from shared.core.store import DEFAULT_STORE
from shared.services.find_memories import get_memory_history, search_memories

app = typer.Typer(help="What a store remembers.", no_args_is_help=True, epilog=EPILOG)


@app.command("list")
def list_memories(tenant: Tenant, store: StoreOption = DEFAULT_STORE, as_json: AsJson = False) -> None:
    """List live memories."""
    with open_session() as session, session.ports.db.transaction(tenant) as uow:
        heads = uow.memories(uow.stores.get(store).id).find_heads()
    if as_json:
        print_json(heads)
        return
    rows = [(h.path, h.title, h.signals.maturity, round(h.signals.importance), ago(h.touched_at)) for h in heads]
    print_table(f"{tenant}/{store}", ("path", "title", "maturity", "importance", "touched"), rows)


@app.command()
def show(
    tenant: Tenant,
    path: Annotated[str, typer.Argument(help="The memory's path.")],
    store: StoreOption = DEFAULT_STORE,
    history: Annotated[bool, typer.Option("--history", help="Show who changed it, when.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print a memory as it is, byte for byte, or its history."""
    with open_session() as session:
        memory, versions = get_memory_history(session.ports.db, tenant, store, path)
    if as_json:
        print_json({"memory": memory, "versions": versions} if history else memory)
        return
    if not history:
        typer.echo(memory.content, nl=False)
        return
    rows = [(v.version, v.change, v.author, v.created_at, v.path, v.dream_id or "") for v in versions]
    print_table(path, ("version", "change", "author", "when", "path", "dream"), rows)


@app.command()
def search(
    tenant: Tenant,
    query: Annotated[str, typer.Argument(help="Words to look for.")],
    store: StoreOption = DEFAULT_STORE,
    limit: Annotated[int, typer.Option(min=1, max=100)] = 10,
    as_json: AsJson = False,
) -> None:
    """Search live memories, and the stubs of archived ones."""
    with open_session() as session:
        hits = search_memories(session.ports.db, tenant, store, query, limit)
    if as_json:
        print_json(hits)
        return
    if not hits:
        say("Nothing found.")
    for hit in hits:
        mark = " (archived)" if hit.is_archived else ""
        out.print(safe(f"{hit.score:.2f}", "dim"), safe(f"{hit.path}{mark}", "cyan"))
        out.print(safe(f"      {hit.excerpt}"))
