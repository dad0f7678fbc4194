"""`slowwave memory`: what a store remembers, where it came from, changes by hand, and SwarmClaw's commands."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated

import typer
from rich.text import Text

from gateway.cli.console.options import AsJson, StoreOption, Tenant
from gateway.cli.console.output import ago, out, print_json, print_table, safe, say, warn
from gateway.cli.console.session import Session, open_session
from gateway.cli.memories import ask, change, cycles, forget, links
from shared.core.errors import BadInputError
from shared.core.memory.expiry import read_expiry
from shared.core.memory.model import MemoryHead, MemoryKind, kind_of
from shared.core.tenants.store import DEFAULT_STORE
from shared.core.trust.hidden import Shown
from shared.core.trust.inherit import statements_by_key
from shared.core.trust.orders import is_line_order
from shared.services.memories.history import HistoryEntry, MemoryHistory, find_versions, get_history
from shared.services.memories.read import Hit, find_heads_as_of, get_memory, search_as_of, search_memories
from shared.services.memories.search import MemoryHit, SearchResult, search_together
from shared.services.operations.waiting import get_open_questions

#: What the other columns of a list take, and what a title gets at least.
_OTHER_COLUMNS, _EXPIRY_COLUMN, _SHORTEST_TITLE = 37, 13, 12
_ANY_LENGTH = 1_000
_INSTRUCTION = "  instruction"

_ALL = 10_000_000
AsOf = Annotated[
    datetime | None,
    typer.Option(
        formats=["%Y-%m-%d"],
        help="A day: answer from the versions that were current at its end, in the tenant's time zone. Of what was written or "
        "imported here later, only superseded statements that held until after that day are among them.",
    ),
]

app = typer.Typer(no_args_is_help=True)
for _command in (ask.ask, links.links, links.dead_links, change.edit, change.pin, change.redact):
    app.command()(_command)
app.command("forget")(forget.forget_it)
app.command("known-of")(forget.known_of)
app.command("dream")(cycles.list_cycles)
app.command("dream-trigger")(cycles.trigger_cycle)
app.command("dream-get")(cycles.get_cycle)


@app.command("list")
def list_memories(
    tenant: Tenant, store: StoreOption = DEFAULT_STORE, as_of: AsOf = None, as_json: AsJson = False
) -> None:
    """List live memories, or with --as-of those that were live at the end of a day."""
    with open_session(tenant=tenant, store=store) as session:
        heads = _find_heads(session, tenant, store, as_of)
    if as_json:
        print_json(heads)
        return
    if not heads and as_of:
        say(f"{tenant}/{store} had no memories at the end of {as_of:%Y-%m-%d}.")
        return
    if not heads:
        say(f"{tenant}/{store} has no memories yet. `slowwave import DIR --tenant {tenant}` imports some.")
        return
    room = _room_for_titles(heads)
    ends = any(head.expires for head in heads)
    columns = (
        "path",
        *(["title"] if room else []),
        "maturity",
        "importance",
        "touched",
        *(["expires"] if ends else []),
    )
    pages = sum(kind_of(head.path) is MemoryKind.INDEX for head in heads)
    number = f"{len(heads) - pages:,}" + (
        f", and {pages:,} {'page' if pages == 1 else 'pages'} of the index" if pages else ""
    )
    print_table(f"Memories of {tenant}/{store}: {number}", columns, [_row(head, room, ends=ends) for head in heads])


@app.command()
def show(
    tenant: Tenant,
    path: Annotated[str, typer.Argument(help="The memory's path.")],
    store: StoreOption = DEFAULT_STORE,
    history: Annotated[bool, typer.Option("--history", help="Show who changed it and when.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print a memory (byte for byte in a pipe) or its history."""
    with open_session(tenant=tenant, store=store) as session:
        memory = get_memory(session.ports.db, tenant, store, path, with_retired=True)
        versions = find_versions(session.ports.db, tenant, store, memory.id, limit=None) if history else []
        questions = get_open_questions(session.ports.db, tenant, store, memory)
        if not history:
            session.ports.recall.note(tenant, [memory.id])
    orders = [statement for statement in statements_by_key(memory.content).values() if is_line_order(statement)]
    if as_json:
        shown = asdict(memory) | {"expires": read_expiry(memory.content), "open_questions": questions}
        shown |= {"trust": memory.writers.lowest.rank.word, "instructions": orders}
        print_json({"memory": shown, "versions": versions} if history else shown)
        return
    for one in questions:
        warn(f"Open question {one.id}: {one.question}")
    for statement in orders:
        warn(f"An instruction, of no more weight than its writer has: {statement}")
    if not history:
        if out.is_terminal:
            say(memory.content.removesuffix("\n"))
        else:
            typer.echo(memory.content.encode(), nl=False)
        return
    rows = [(v.version, v.change, v.author, v.created_at, v.path, v.dream_id or "") for v in versions]
    print_table(path, ("version", "change", "author", "when", "path", "dream"), rows)


@app.command()
def search(
    tenant: Tenant,
    query: Annotated[str, typer.Argument(help="The words to search for.")],
    store: StoreOption = DEFAULT_STORE,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Maximum number of entries to list.")] = 10,
    sessions: Annotated[bool, typer.Option("--sessions", help="Also search messages of sessions.")] = False,
    as_of: AsOf = None,
    as_json: AsJson = False,
) -> None:
    """Search live memories and the stubs of archived ones; with --sessions, also messages of sessions.

    Beside each path stand the rank of its least trusted writer, and the day on which the newest of it was said or written.
    It also shows what the store hides from agents, and says how much of it that is.
    With --as-of, by words alone, what was live at the end of a day.
    """
    if sessions and as_of is not None:
        raise BadInputError("--as-of searches memories only: leave out --sessions")
    if sessions:
        _search_everything(tenant, query, store, limit, as_json=as_json)
        return
    with open_session(tenant=tenant, store=store) as session:
        hits = _find_hits(session, tenant, store, query, limit, as_of)
    if hits.note:
        warn(hits.note)
    if as_json:
        print_json(hits)
        return
    if not hits:
        then = f" of what was there at the end of {as_of:%Y-%m-%d}." if as_of else ""
        say(f"Nothing found{then}" if then else "Nothing found. `--sessions` also searches messages of sessions.")
    for hit in hits:
        say(safe(f"{hit.score:.2f}  ", "dim").append_text(_headline(hit)))
        say(f"      {hit.excerpt}")


@app.command()
def why(
    tenant: Tenant,
    path: Annotated[str, typer.Argument(help="The memory's path.")],
    store: StoreOption = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Show where a memory came from: the writers of its statements, dreams, operations, sessions, quotes."""
    with open_session(tenant=tenant, store=store) as session:
        found = get_history(session.ports.db, tenant, store, path, limit=None)
    if as_json:
        print_json(
            {
                "path": found.memory.path,
                "state": found.memory.state,
                "trust": found.memory.writers.lowest.rank.word,
                "said_by": [
                    {
                        "writer": asdict(one.writer) | {"rank": one.writer.rank.word},
                        "statements": one.statements,
                        "instructions": [statement for statement in one.statements if is_line_order(statement)],
                    }
                    for one in found.shares
                ],
                "steps": [_entry_json(one) for one in found.entries],
            }
            | {"provenance": found.provenance, "open_questions": found.questions}
        )
        return
    print_why(found)


def print_why(found: MemoryHistory) -> None:
    """Print where a memory came from: the steps that made it, and its sources."""
    say(f"{found.memory.path} ({found.memory.state}, version {found.memory.version})", "bold")
    _say_writers(found)
    for entry in found.entries:
        _say_entry(entry)
    for name, value in found.provenance.items():
        for one in value if isinstance(value, list) else [value]:
            said = ", ".join(f"{k} {v}" for k, v in one.items()) if isinstance(one, dict) else str(one)
            say(f"  {name}: {said}")
    for question in found.questions:
        say(f"  open question {question.id}: {question.question}")
    if found.decay:
        say(f"  fades: {found.decay}")


def _say_writers(found: MemoryHistory) -> None:
    """Print who wrote which statements: each with its writer, or that one writer wrote them all."""
    shares = found.shares
    if len(shares) == 1:
        say(f"  All of it: {shares[0].writer.in_full}")
        for statement in filter(is_line_order, shares[0].statements):
            say(safe(f"    - {statement}").append_text(_mark(statement)))
        return
    for share in shares:
        say(f"  {share.writer.in_full}:")
        for statement in share.statements:
            say(safe(f"    - {statement}").append_text(_mark(statement)))


def _search_everything(tenant: str, query: str, store: str, limit: int, *, as_json: bool) -> None:
    with open_session(tenant=tenant, store=store) as session:
        ports = session.ports
        places = search_together(ports.db, ports.search, tenant, store, query, limit, ports.meaning, with_hidden=True)
        session.ports.recall.note(tenant, [memory.id for place in places for memory in place.memories])
    if places.note:
        warn(places.note)
    if as_json:
        print_json(places)
        return
    if not places:
        say("Nothing found.")
    for place in places:
        print_place(place)


def print_place(place: SearchResult) -> None:
    """Print the hits of one place: memories, and messages of the sessions they came from."""
    score = f"{place.score:.2f}  "
    for memory in place.memories:
        say(safe(score, "dim").append_text(_headline(memory)))
        say(f"      {memory.excerpt}")
        score = "      "
    if place.said:
        said = place.said
        where = safe(f"{said.session_id} #{said.position}", "cyan").append_text(safe(f"  {said.role}, {ago(said.at)}"))
        say(safe(score, "dim").append_text(where))
        say(f"      {said.excerpt}")


def _headline(hit: Hit | MemoryHit) -> Text:
    """Return the path of a hit, its trust and its day, and the mark of one that gives an order."""
    mark = " (archived)" if hit.is_archived else ""
    order = safe(_INSTRUCTION, "yellow") if hit.is_order else safe("")
    return safe(f"{hit.path}{mark}", "cyan").append_text(safe(f"  {hit.trust}, {hit.day}", "dim")).append_text(order)


def _mark(statement: str) -> Text:
    """Return the mark of a statement that gives an order."""
    return safe(_INSTRUCTION, "yellow") if is_line_order(statement) else safe("")


def _say_entry(entry: HistoryEntry) -> None:
    version, recorded = entry.version, entry.operation
    say(f"  {version.version}  {version.created_at:%Y-%m-%d %H:%M}  {version.change} by {version.author}", "cyan")
    if recorded is not None:
        say(
            f"     {recorded.operation.kind} of {version.dream_id} ({recorded.id}, {recorded.state}): {recorded.operation.reason}"
        )
    elif version.dream_id:
        say(f"     {version.dream_id}")
    if entry.together_with:
        say(f"     together with {', '.join(entry.together_with)}")


def _entry_json(entry: HistoryEntry) -> dict[str, object]:
    version, operation = entry.version, entry.operation.operation if entry.operation is not None else None
    return {
        "version": version.version,
        "at": version.created_at,
        "change": version.change,
        "author": version.author,
        "dream_id": version.dream_id,
        "operation_id": version.operation_id,
        "kind": operation.kind if operation is not None else "",
        "phase": operation.phase if operation is not None else "",
        "state": entry.operation.state if entry.operation is not None else "",
        "reason": operation.reason if operation is not None else "",
        "together_with": entry.together_with,
    }


def _find_hits(session: Session, tenant: str, store: str, query: str, limit: int, as_of: datetime | None) -> Shown[Hit]:
    ports = session.ports
    if as_of is not None:
        return search_as_of(ports.db, tenant, store, as_of.date(), query, limit, with_hidden=True)
    hits = search_memories(ports.db, ports.search, tenant, store, query, limit, ports.meaning, with_hidden=True)
    ports.recall.note(tenant, [hit.id for hit in hits])
    return hits


def _find_heads(session: Session, tenant: str, store: str, as_of: datetime | None) -> Sequence[MemoryHead]:
    if as_of is not None:
        return find_heads_as_of(session.ports.db, tenant, store, as_of.date(), limit=_ALL)
    with session.ports.db.transaction(tenant) as uow:
        return uow.memories(uow.stores.get(store).id).find_heads()


def _row(head: MemoryHead, room: int, *, ends: bool) -> list[object]:
    title = head.title if len(head.title) <= room else f"{head.title[: room - 1]}…"
    titles = [f"{title}{_INSTRUCTION if is_line_order(head.title) else ''}"] if room else []
    last_day = [head.expires or ""] if ends else []
    return [head.path, *titles, head.signals.maturity, round(head.signals.importance), ago(head.touched_at), *last_day]


def _room_for_titles(heads: Sequence[MemoryHead]) -> int:
    """Return the width left for titles when paths are printed in full; 0 if too little is left to read."""
    if not out.is_terminal:
        return _ANY_LENGTH
    longest = max((len(head.path) for head in heads), default=0)
    ends = _EXPIRY_COLUMN if any(head.expires for head in heads) else 0
    room = out.width - longest - _OTHER_COLUMNS - ends
    return room if room >= _SHORTEST_TITLE else 0
