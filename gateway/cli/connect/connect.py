"""`slowwave connect` and `slowwave disconnect`: the memory of a tool on this machine, its sessions, and its agents' way in."""

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from gateway.cli.connect.configs import Addition, Change, is_taken, plan_change, take_back, write_change
from gateway.cli.connect.options import Home, ToolName
from gateway.cli.connect.program import find_environment, find_program
from gateway.cli.connect.projects import Project, StoreNames, find_projects
from gateway.cli.connect.record import Connection, Record, read_record
from gateway.cli.connect.take import TakenProject, take_project
from gateway.cli.connect.tools import Format, Hooks, Tool, find_tool
from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.options import AsJson, TenantOption, cli_actor
from gateway.cli.console.output import print_json, print_table, say, warn
from gateway.cli.console.session import Session, open_session, warn_of_new
from gateway.cli.sync.report import say_report
from shared.adapters.files.sync_state import STATE_FILE
from shared.core.errors import ConflictError, NotFoundError
from shared.core.tenants.roles import Role
from shared.core.tenants.store import DEFAULT_STORE, check_name
from shared.services.memories.write import ensure_store
from shared.services.tenants.keys import NewKey, create_key, revoke_key
from shared.settings import Settings, load_settings

_SERVER = "slowwave"


def connect(
    tool: ToolName,
    tenant: TenantOption,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be taken and written.")] = False,
    home: Home = None,
    as_json: AsJson = False,
) -> None:
    """Connect a tool of this machine: its memories, its sessions and its agents; creates the tenant if needed.

    Each project gets a store. Memories are synced, sessions imported, and the tool gets an MCP server with a key of its own;
    a tool with hooks also two of them, for sessions that end and begin. Doing it again takes only what is new.
    """
    check_name("tenant", tenant)
    found, where = find_tool(tool), (home or Path.home()).resolve()
    record = read_record(where)
    projects = _find(found, Path(tool), where, record)
    changes = _name_changes(found, where, record, tenant)
    if dry_run:
        _tell_plan(projects, changes, as_json=as_json)
        return
    name = found.name if found is not None else str(Path(tool).resolve())
    one = record.tools.setdefault(name, Connection(tenant=tenant))
    if one.tenant != tenant:
        raise ConflictError(f"{name} is connected with {one.tenant}: `slowwave disconnect {name}` first")
    with open_session() as session:
        warn_of_new(session.ports.db, tenant)
        one.folders = sorted({*one.folders, *(str(folder) for project in projects for folder in project.memories)})
        record.save()
        taken = [take_project(session, tenant, project) for project in projects]
        if found is not None and changes:
            _configure(session, found, where, record, one)
    _tell(tenant, taken, changes, as_json=as_json)
    if found is not None and found.hooks is not None and found.hooks.todo and changes:
        warn(found.hooks.todo)
    if any(report.waits for each in taken for report in each.synced.values()):
        raise typer.Exit(ExitCode.CONFLICT)


def disconnect(tool: ToolName, home: Home = None, as_json: AsJson = False) -> None:
    """Take back all that `connect` wrote: the MCP server, the hooks, the key and the records of syncs. Memories stay."""
    where = (home or Path.home()).resolve()
    record = read_record(where)
    name = tool if tool in record.tools else str(Path(tool).resolve())
    if name not in record.tools:
        there = ", ".join(record.tools) or "nothing"
        raise NotFoundError(f"{tool} is not connected; connected: {there}")
    one = record.tools[name]
    with open_session() as session:
        while one.changes:
            take_back(one.changes[-1])
            one.changes.pop()
            record.save()
        if one.key_id:
            _revoke(session, one)
    for folder in one.folders:
        (Path(folder) / STATE_FILE).unlink(missing_ok=True)
    del record.tools[name]
    record.save()
    if as_json:
        print_json({"tool": name, "tenant": one.tenant, "key": one.key_id, "folders": one.folders})
    else:
        say(f"{name} is disconnected. Its memories stay where they are, and in {one.tenant}.")


def _find(tool: Tool | None, folder: Path, home: Path, record: Record) -> list[Project]:
    names = StoreNames(record.stores)
    if tool is not None:
        found = find_projects(tool, home, names)
        if not found and not (home / tool.config).exists():
            raise NotFoundError(f"There is no {tool.title} in {home}: neither memories nor sessions nor {tool.config}")
        return found
    root, store = names.name_folder(folder.resolve())
    return [Project(store=store, root=root, memories=[folder.resolve()])]


def _name_changes(tool: Tool | None, home: Path, record: Record, tenant: str) -> list[Change]:
    """Return what would be written: nothing if the tool has its entries already.

    Raises:
        BadInputError: a file cannot be added to.
    """
    if tool is None or (tool.name in record.tools and record.tools[tool.name].changes):
        return []
    if is_taken(home / tool.config, tool.format, (*tool.servers, _SERVER)):
        warn(f"{home / tool.config} has an MCP server {_SERVER} already; it stays as it is, and no key is made")
        return []
    additions = _find_additions(load_settings(), tool, home, tenant, token="")
    return [plan_change(*one)[0] for one in additions]


def _configure(session: Session, tool: Tool, home: Path, record: Record, one: Connection) -> None:
    """Make a key, and write the MCP server and the hooks; each change is recorded before it is made."""
    ensure_store(session.ports.db, one.tenant, DEFAULT_STORE, actor=cli_actor())
    if one.key_id:  # of a connection that was interrupted
        _revoke(session, one)
    wanted = NewKey(name=f"connect {tool.name}", role=Role.AGENT)
    ports = session.ports
    issued = create_key(ports.db, ports.ids, one.tenant, wanted, actor=cli_actor(), actor_role=Role.OPERATOR)
    one.key_id = issued.key.id
    record.save()
    for additions in _find_additions(session.settings, tool, home, one.tenant, issued.token):
        change, text = plan_change(*additions)
        one.changes.append(change)
        record.save()
        write_change(change, text)


def _find_additions(
    settings: Settings, tool: Tool, home: Path, tenant: str, token: str
) -> list[tuple[Path, Format, tuple[Addition, ...], str]]:
    """Return what a tool gets: for each file its format, the additions, and what a new one begins as."""
    server = _server(settings, tool, token)
    if tool.hooks is None:
        return [(home / tool.config, tool.format, (server,), "{}\n")]
    hooks = _hooks(settings, tool.name, tool.hooks, tenant)
    if tool.hooks.file == tool.config:
        return [(home / tool.config, tool.format, (server, *hooks), tool.hooks.empty)]
    return [
        (home / tool.config, tool.format, (server,), "{}\n"),
        (home / tool.hooks.file, Format.JSON, hooks, tool.hooks.empty),
    ]


def _server(settings: Settings, tool: Tool, token: str) -> Addition:
    env = {"SLOWWAVE_KEY": token, **find_environment(settings)}
    program = find_program()
    value: dict[str, Any] = {"command": program, "args": ["mcp"], "env": env}
    if tool.is_combined:
        value = {"type": "local", "command": [program, "mcp"], "environment": env, "enabled": True}
    return Addition(path=(*tool.servers, _SERVER), value=value)


def _hooks(settings: Settings, tool: str, hooks: Hooks, tenant: str) -> tuple[Addition, ...]:
    variables = (f"{name}={shlex.quote(value)}" for name, value in find_environment(settings).items())
    command = " ".join([*variables, shlex.join([find_program(), "hook", tool, "--tenant", tenant])])
    added = []
    for event, timeout in zip((hooks.starts, hooks.ends), hooks.timeouts, strict=True):
        hook = {"type": "command", "command": command, "timeout": timeout}
        value = hook if hooks.is_flat else {"hooks": [hook]}
        added.append(Addition(path=("hooks", event), value=value, is_element=True))
    return tuple(added)


def _revoke(session: Session, one: Connection) -> None:
    try:
        revoke_key(session.ports.db, one.tenant, one.key_id, actor=cli_actor(), actor_role=Role.OPERATOR)
    except (NotFoundError, ConflictError):  # its tenant is gone, or it was revoked by hand
        return


def _tell_plan(projects: list[Project], changes: list[Change], *, as_json: bool) -> None:
    if as_json:
        print_json({"dry_run": True, "projects": projects, "writes": [one.file for one in changes]})
        return
    rows = [(one.store, one.root, ", ".join(map(str, one.memories)), len(one.sessions)) for one in projects]
    print_table("To be taken", ("store", "project", "memories", "transcripts"), rows)
    for one in changes:
        entries = ", ".join(".".join(added.path) for added in one.additions)
        say(f"To be written to {one.file}: {entries}")


def _tell(tenant: str, taken: list[TakenProject], changes: list[Change], *, as_json: bool) -> None:
    if as_json:
        told = [
            {"store": one.store, "events_added": one.events_added, "sessions": one.sessions,
             "folders": {folder: dict(report.done) for folder, report in one.synced.items()}}
            for one in taken
        ]  # fmt: skip
        print_json({"dry_run": False, "projects": told, "writes": [one.file for one in changes]})
        return
    for one in taken:
        for folder, report in one.synced.items():
            say_report(Path(folder), f"{tenant}/{one.store}", report, "")
            say(f"  again: slowwave sync {folder} --tenant {tenant} --store {one.store}", "dim")
        if one.sessions:
            say(f"{tenant}/{one.store}: {one.events_added:,} events added in {one.sessions:,} sessions")
    for change in changes:
        say(f"Written to {change.file}; `slowwave disconnect` takes it back")
