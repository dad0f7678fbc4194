"""`slowwave memory links|dead-links`: the links from and to a memory, and a store's dead links."""

from itertools import groupby
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson, StoreOption, Tenant
from gateway.cli.console.output import print_json, safe, say
from gateway.cli.console.session import open_session
from shared.core.memory.links import LinkPlace
from shared.core.tenants.store import DEFAULT_STORE
from shared.services.memories.links import LinkOut, Neighbours, find_dead_links, get_neighbours


def links(
    tenant: Tenant,
    path: Annotated[str, typer.Argument(help="The memory's path or id.")],
    store: StoreOption = DEFAULT_STORE,
    limit: Annotated[
        int, typer.Option(min=1, max=1_000, help="Maximum number of memories to list that link to it.")
    ] = 50,
    after: Annotated[str, typer.Option(metavar="ID", help="Continue after this id.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show the links of a memory, which of them are dead, and which memories link to it."""
    with open_session(tenant=tenant, store=store) as session:
        found = get_neighbours(session.ports.db, tenant, store, path, after_id=after, limit=limit)
    if as_json:
        print_json(_json(found))
        return
    say(f"{found.memory.path} ({found.memory.state}, version {found.memory.version})", "bold")
    say("  links to" if found.links else "  links to nothing")
    for link in found.links:
        say(safe("    ").append_text(safe(link.path or link.target, "cyan")).append_text(safe(_note(link), "dim")))
    if found.left_out:
        say(f"    and {found.left_out:,} more")
    say("  linked from" if found.linked_from else "  linked from nowhere" if not after else "  no memory links to it")
    for one in found.linked_from:
        say(safe("    ").append_text(safe(one.path, "cyan")).append_text(safe(f"  {one.title}", "dim")))
    if found.following:
        say(f"    and more: --after {found.following}")


def dead_links(
    tenant: Tenant,
    store: StoreOption = DEFAULT_STORE,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="Maximum number of dead links to list.")] = 50,
    after: Annotated[str, typer.Option(metavar="PLACE", help="Continue after this position.")] = "",
    as_json: AsJson = False,
) -> None:
    """List a store's dead links: links in memories that lead to no memory."""
    start_after = LinkPlace.read(after) if after else None
    with open_session(tenant=tenant, store=store) as session:
        found = find_dead_links(session.ports.db, tenant, store, after=start_after, limit=limit)
    if as_json:
        dead = [
            {"id": one.at.memory_id, "path": one.path, "title": one.title, "target": one.target} for one in found.found
        ]
        print_json({"dead_links": dead, "following": str(found.following) if found.following else None})
        return
    if not found.found:
        say("No dead links." if found.following else f"{tenant}/{store} has no {'more ' if after else ''}dead links.")
    for path, links_of_it in groupby(found.found, key=lambda one: one.path):
        say(safe(path, "cyan"))
        for one in links_of_it:
            say(safe("    ").append_text(safe(one.target)).append_text(safe("  no memory is there", "dim")))
    if found.following:
        say(f"and perhaps more: --after {found.following}")


def _note(link: LinkOut) -> str:
    """Return a note on a link besides its target: its spelling, or that it is dead."""
    if link.path is None:
        return "  dead: no memory is there"
    return "" if link.target == link.path else f"  as {link.target}"


def _json(found: Neighbours) -> dict[str, object]:
    return {
        "id": found.memory.id,
        "path": found.memory.path,
        "state": found.memory.state,
        "links": [{"target": one.target, "path": one.path, "id": one.memory_id} for one in found.links],
        "more_links": found.left_out,
        "linked_from": [{"id": one.id, "path": one.path, "title": one.title} for one in found.linked_from],
        "following": found.following,
    }
