"""`slowwave sessions import|list|show|search|delete`: the conversations that dreams gather from."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.console.confirm import Yes, confirm_deletion
from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.options import AsJson, StoreOption, TenantOption, cli_actor
from gateway.cli.console.output import ago, print_json, print_list, print_table, safe, say, warn
from gateway.cli.console.session import open_session
from gateway.cli.console.sources import tell_database
from gateway.cli.sessions.transcripts import (
    AUTO,
    ImportRequest,
    ReadFile,
    UnreadFile,
    as_json,
    import_transcripts,
    is_nothing_taken,
    total,
)
from shared.adapters.files.transcripts.formats import name_formats
from shared.core.errors import BadInputError
from shared.core.policy.choice import Choice
from shared.core.sessions.model import Session
from shared.core.tenants.labels import check_labels
from shared.core.tenants.store import DEFAULT_STORE, check_name
from shared.services.sessions.delete import delete_session
from shared.settings import load_settings

_SHOWN_LINES = 20
_EXCERPT_CHARS = 240

app = typer.Typer(no_args_is_help=True)


_ByProject = Annotated[
    bool, typer.Option("--by-project", help="Import the sessions of each project into a store named after it.")
]
_FormatName = Annotated[str, typer.Option("--format", help=f"auto, {name_formats()}.")]
_Include = Annotated[
    list[str] | None, typer.Option("--include", metavar="PATTERN", help="Take only what a pattern matches.")
]
_Exclude = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        metavar="PATTERN",
        help="Leave out what a pattern such as '*cron*' matches: a file, a session's id, title, project or label.",
    ),
]
_Labels = Annotated[
    list[str] | None,
    typer.Option("--label", metavar="KEY=VALUE", help="Give all these sessions a label, such as kind=cron."),
]
_Current = Annotated[
    bool,
    typer.Option(
        "--current", help="The sessions are still running: do not count them as activity or gather from them yet."
    ),
]


@app.command("import")
def import_sessions(
    place: Annotated[Path, typer.Argument(help="A transcript, or a folder of transcripts and daily logs.")],
    tenant: TenantOption,
    store: Annotated[str | None, typer.Option("--store", "-s", help="The store, for all sessions.")] = None,
    by_project: _ByProject = False,
    format_name: _FormatName = AUTO,
    include: _Include = None,
    exclude: _Exclude = None,
    label: _Labels = None,
    current: _Current = False,
    keep_secrets: Annotated[
        bool, typer.Option("--keep-secrets", help="Do not mask text that looks like a secret.")
    ] = False,
    json_wanted: AsJson = False,
) -> None:
    """Import transcripts; creates the tenant if needed. Importing a file again adds only its new events."""
    check_name("tenant", tenant)
    if store is not None and by_project:
        raise BadInputError("--by-project names the stores itself; give it or --store")
    check_name("store", store or DEFAULT_STORE)
    with open_session() as session:
        masks = session.settings.mask_secrets and not keep_secrets
        request = ImportRequest(
            place=place, tenant=tenant, store=store, by_project=by_project, format=format_name, is_current=current, masks=masks,
            quiet=json_wanted, labels=_read_labels(label or ()), choice=Choice(include=tuple(include or ()), exclude=tuple(exclude or ())),
        )  # fmt: skip
        files = import_transcripts(session.ports.db, request)
    if json_wanted:
        print_json(as_json(files))
    else:
        _print_report(files, tenant)
    if is_nothing_taken(files):
        raise typer.Exit(ExitCode.BAD_INPUT)


@app.command("list")
def list_sessions(
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of entries to list.")] = 50,
    json_wanted: AsJson = False,
) -> None:
    """List sessions, the one with the newest event first."""
    with open_session(tenant=tenant, store=store) as session, session.ports.db.transaction(tenant) as uow:
        found = uow.sessions(uow.stores.get(store).id).find_recent(limit + 1)
    has_more, found = len(found) > limit, found[:limit]
    if json_wanted:
        print_json([_json(one) for one in found])
        return
    if not found:
        say(f"{tenant}/{store} has no sessions. `slowwave sessions import FILE --tenant {tenant}` imports some.")
        return
    rows = [(one.id, one.title[:48], one.source, one.event_count, _state(one), ago(one.last_event_at)) for one in found]
    columns = ("session", "title", "format", "events", "gathered", "last event")
    print_list(f"Sessions of {tenant}/{store}", columns, rows, has_more=has_more)


@app.command()
def show(
    session_id: Annotated[str, typer.Argument(metavar="ID", help="The session's id, or the id from its source.")],
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    json_wanted: AsJson = False,
) -> None:
    """Show a session: counts of kept, skipped and malformed events, and how far dreams have gathered."""
    with open_session(tenant=tenant, store=store) as session, session.ports.db.transaction(tenant) as uow:
        repository = uow.sessions(uow.stores.get(store).id)
        found = repository.get(session_id)
        kinds = repository.count_kinds(found.id)
    if json_wanted:
        print_json(_json(found) | {"kinds": kinds})
        return
    say(safe(found.id, "bold").append_text(safe(f"  {found.title}")))
    rows = (
        ("source id", f"{found.external_id} ({found.source})"),
        ("project", found.project or "none"),
        ("labels", ", ".join(f"{key}={value}" for key, value in found.labels.items()) or "none"),
        ("from", _time(found.started_at)),
        ("to", _time(found.last_event_at)),
        ("kept", f"{_many(found.event_count, 'event')}: " + ", ".join(f"{n:,} {kind}" for kind, n in kinds.items())),
        ("skipped", _many(found.skipped_count, "line")),
        ("malformed", _many(found.malformed_count, "line")),
        ("masked", f"{_many(found.masked_count, 'event')} contained something like a secret or personal data"),
        ("gathered", f"{_state(found)}, up to event {found.gathered_position:,} of {found.last_position:,}"),
    )
    for name, value in rows:
        say(f"  {name:<14}{value}", hang=16)


@app.command()
def search(
    query: Annotated[str, typer.Argument(help='Words that must all occur; also "a phrase", or, -not.')],
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    limit: Annotated[int, typer.Option(min=1, max=100, help="Maximum number of entries to list.")] = 10,
    json_wanted: AsJson = False,
) -> None:
    """Search the messages of people and agents in sessions, but not tool results."""
    with open_session(tenant=tenant, store=store) as session, session.ports.db.transaction(tenant) as uow:
        matches = uow.gathering(uow.stores.get(store).id).search(query, limit)
    if json_wanted:
        print_json(matches)
        return
    if not matches:
        say("Nothing found.")
    for match in matches:
        event = match.event
        say(safe(f"{event.session_id} #{event.position}", "cyan").append_text(safe(f"  {event.role}, {ago(event.at)}")))
        excerpt = " ".join(event.text.split())
        say("      " + (excerpt if len(excerpt) <= _EXCERPT_CHARS else f"{excerpt[:_EXCERPT_CHARS]}…"))


@app.command()
def delete(
    session_id: Annotated[str, typer.Argument(metavar="ID", help="The session's id, or the id from its source.")],
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    yes: Yes = False,
    json_wanted: AsJson = False,
) -> None:
    """Delete a session with its events for good. Memories that dreams gathered from it stay."""
    settings = load_settings()
    tell_database(settings)
    confirm_deletion(f"Session {session_id} of {tenant}/{store}", session_id, yes=yes)
    with open_session(settings, tenant=tenant, store=store) as session:
        events = delete_session(session.ports.db, tenant, session_id, store_name=store, actor=cli_actor())
    if json_wanted:
        print_json({"id": session_id, "events": events})
    else:
        say(f"{session_id} is deleted, with {_many(events, 'event')}. Memories gathered from it stay.")


def _read_labels(given: Iterable[str]) -> dict[str, str]:
    wrong = next((one for one in given if "=" not in one.lstrip("=")), None)
    if wrong is not None:
        raise BadInputError(f"--label takes KEY=VALUE, such as kind=cron; {wrong!r} is none")
    return check_labels(dict(one.split("=", 1) for one in given))


def _print_report(files: list[ReadFile | UnreadFile], tenant: str) -> None:
    if not files:
        warn(f"There is no transcript in this folder. Known formats: {name_formats()}")
        return
    sums = total(files)
    if sums["files"]:
        where = ", ".join(sorted({f"{tenant}/{file.store}" for file in files if isinstance(file, ReadFile)}))
        say(
            f"{where}: {_many(sums['added'], 'event')} added in {_many(sums['sessions'], 'session')} "
            f"({sums['new_sessions']:,} new), "
            f"{sums['known']:,} known, {sums['skipped']:,} skipped, {sums['malformed']:,} malformed; "
            f"{_many(sums['lines'], 'line')} in {_many(sums['files'], 'file')}"
        )
    if sums["masked"]:
        say(f"{_many(sums['masked'], 'event')} contained something like a secret or personal data, which was masked")
    if sums["replaced"]:
        say(
            f"{_many(sums['replaced'], 'event')} contained bytes that are not UTF-8, shown as \ufffd: is the file in another encoding?"
        )
    bad = [
        (f"{file.path}:{line.line}", line.reason)
        for file in files
        if isinstance(file, ReadFile)
        for line in file.counts.first_malformed
    ]
    if bad:
        print_table(f"{_many(sums['malformed'], 'line')} not read", ("where", "why"), bad[:_SHOWN_LINES])
    _print_refused([file for file in files if isinstance(file, UnreadFile)])


def _print_refused(files: list[UnreadFile]) -> None:
    for file in files:
        warn(file.reason if str(file.path) in file.reason else f"{file.path}: {file.reason}")
    if any(file.is_unknown for file in files):
        warn(f"Known formats: {name_formats()}; --format names one")


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def _time(moment: datetime | None) -> str:
    return moment.astimezone().strftime("%Y-%m-%d %H:%M") if moment else "unknown"


def _state(session: Session) -> str:
    if session.is_current:
        return "current"
    return "all" if not session.waiting else f"{session.waiting:,} wait"


def _json(session: Session) -> dict[str, object]:
    return {name: getattr(session, name) for name in Session.__dataclass_fields__} | {"waiting": session.waiting}
