"""`slowwave hook`: a tool runs it when a session begins or ends. It waits for no dream."""

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from gateway.cli.connect.options import Home, ToolName
from gateway.cli.connect.program import find_program
from gateway.cli.connect.projects import Project, StoreNames, find_session_folders
from gateway.cli.connect.record import read_record
from gateway.cli.connect.take import take_project
from gateway.cli.connect.tools import Hooks, Tool, find_tool
from gateway.cli.console.options import TenantOption
from gateway.cli.console.output import print_json
from gateway.cli.console.session import open_session
from shared.core.errors import BadInputError, NotFoundError
from shared.core.tenants.store import check_name
from shared.services.dreams.notice import get_notice


def hook(
    tool: ToolName,
    tenant: TenantOption,
    home: Home = None,
    message: Annotated[Path | None, typer.Option("--message", help="Read the message here, not from stdin.")] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Import now, not in the background.")] = False,
) -> None:
    """Answer a tool's hook: import a session that ends, and say what dreams did when one begins.

    `connect` writes it into the tool's settings. The tool sends a message of JSON to standard input.
    """
    check_name("tenant", tenant)
    found = find_tool(tool)
    if found is None or found.hooks is None:
        raise BadInputError(f"{tool} has no hooks")
    raw = message.read_bytes() if message is not None else sys.stdin.buffer.read()
    told = _read(raw)
    where = (home or Path.home()).resolve()
    if told.get("hook_event_name") == found.hooks.starts:
        _tell(tenant, where, _find_folder(told), found.hooks)
    elif wait:
        _import(tenant, where, told, found)
    else:
        words = ["hook", tool, "--tenant", tenant, "--home", str(where), "--wait"]
        _start(words, raw)


def _read(raw: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise BadInputError(f"The message of the hook is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise BadInputError("The message of the hook is no object of JSON")
    _find_folder(found)
    return found


def _find_folder(told: dict[str, Any]) -> Path:
    """Return the working folder that a message names; of the folders that an editor has open, the first."""
    opened = told.get("workspace_roots")
    folder = str(told.get("cwd") or (opened[0] if isinstance(opened, list) and opened else ""))
    if not folder.startswith("/"):
        raise BadInputError("The message of the hook names no working folder (cwd or workspace_roots)")
    return Path(folder)


def _tell(tenant: str, home: Path, folder: Path, hooks: Hooks) -> None:
    """Print the notice of a project's store, once for each dream; nothing if the project has no store yet."""
    record = read_record(home)
    _, store = StoreNames(record.stores).name_folder(folder)
    with open_session() as session:
        try:
            notice = get_notice(session.ports.db, tenant, store, since=record.told.get(store))
        except NotFoundError:
            return
    if notice.text:
        text = f"slowwave: {notice.text}"
        nested = {"hookSpecificOutput": {"hookEventName": hooks.starts, "additionalContext": text}}
        print_json({"additional_context": text} if hooks.is_flat else nested)
    if notice.until is not None:
        record.told[store] = notice.until
        record.save()


def _import(tenant: str, home: Path, told: dict[str, Any], tool: Tool) -> None:
    """Import the transcript of a session, and sync the memories that lie beside it."""
    transcript = Path(str(told.get("transcript_path") or ""))
    if not transcript.is_file():
        raise BadInputError(f"There is no transcript {told.get('transcript_path') or '(the message names none)'}")
    record = read_record(home)
    root, store = StoreNames(record.stores).name_folder(_find_folder(told))
    # A transcript may not name its project as this message does: `connect` has to find the same store for it.
    folders = find_session_folders(tool, home).intersection(transcript.parents)
    record.stores |= {str(folder): store for folder in folders}
    record.save()
    memories = [folder] if (folder := transcript.parent / "memory").is_dir() else []
    project = Project(store=store, root=root, memories=memories, sessions=[transcript])
    with open_session() as session:
        take_project(session, tenant, project)


def _start(words: list[str], message: bytes) -> None:
    """Start this command again in the background, so that the tool may end: a tool may wait for a hook for a second only."""
    started = subprocess.Popen(  # noqa: S603 - our own command; the message goes to its standard input
        [find_program(), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    if started.stdin is not None:
        started.stdin.write(message)
        started.stdin.close()
