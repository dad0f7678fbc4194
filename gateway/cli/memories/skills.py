"""`slowwave skills import|export|list|show|record-use`: an agent's skills."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.options import AsJson, Overwrite, StoreOption, TenantOption, cli_actor
from gateway.cli.console.output import ago, out, print_json, print_list, print_table, safe, say
from gateway.cli.console.session import open_session, warn_of_new
from gateway.cli.memories.import_counts import counts_json, exit_if_changed_here, say_counts
from shared.adapters.files.found import RefusedFile
from shared.adapters.files.read_skills import read_skills
from shared.adapters.files.write_folder import write_folder
from shared.core.errors import BadInputError
from shared.core.memory.model import SKILLS_FOLDER, Author
from shared.core.memory.paths import check_memory_path
from shared.core.tenants.store import DEFAULT_STORE, check_name
from shared.services.memories.skills import find_skill_files, find_skills, get_skill, record_skill_use
from shared.services.memories.write import NewText, WriteCounts, ensure_store, in_batches, write_memories

_SHOWN_REFUSALS = 20
_SUMMARY_CHARS = 60

Name = Annotated[str, typer.Argument(metavar="NAME", help="The skill's name, such as summarize-mail or mcp/mail.")]

app = typer.Typer(no_args_is_help=True)


@app.command("import")
def import_skills(
    folder: Annotated[Path, typer.Argument(help="A folder of skills: <name>/SKILL.md, each with its other files.")],
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Import a folder of skills; creates the tenant if needed. Importing the same folder again changes nothing."""
    check_name("tenant", tenant)
    check_name("store", store)
    refused: list[RefusedFile] = []
    counts = WriteCounts()
    with open_session() as session:
        ports = session.ports
        texts = list(_texts(folder, refused, overwrite=overwrite))
        if texts:
            warn_of_new(ports.db, tenant)
            ensure_store(ports.db, tenant, store, actor=cli_actor())
        for batch in in_batches(texts):
            counts += write_memories(ports.db, ports.ids, tenant, store, batch, Author.IMPORT, actor=cli_actor())
    if as_json:
        print_json(counts_json(counts) | _json(refused))
    else:
        say_counts(f"{tenant}/{store}", counts)
        _print_refused(refused)
    exit_if_changed_here(counts)
    if not texts:
        raise typer.Exit(ExitCode.BAD_INPUT)


def _texts(folder: Path, refused: list[RefusedFile], *, overwrite: bool) -> Iterator[NewText]:
    for file in read_skills(folder):
        if isinstance(file, RefusedFile):
            refused.append(file)
        else:
            yield NewText(
                path=file.path, content=file.content, created_at=file.created_at, written_at=file.updated_at,
                overwrites=overwrite,
            )  # fmt: skip


@app.command("export")
def export_skills(
    folder: Annotated[Path, typer.Argument(help="The target: a folder that is empty or does not exist yet.")],
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that is not empty.")] = False,
    as_json: AsJson = False,
) -> None:
    """Export skills with their files, byte for byte."""
    with open_session(tenant=tenant, store=store) as session, session.ports.db.transaction(tenant) as uow:
        files = find_skill_files(uow, uow.stores.get(store).id)
    report = write_folder(folder, files, force=force, check_path=_check_path)
    if as_json:
        print_json({"written": len(report.written), "unchanged": len(report.unchanged)} | _json(list(report.refused)))
    else:
        say(f"{folder}: {len(report.written)} written, {len(report.unchanged)} unchanged")
        _print_refused(list(report.refused))
    if report.refused:
        raise typer.Exit(ExitCode.CONFLICT)


@app.command("list")
def list_skills(tenant: TenantOption, store: StoreOption = DEFAULT_STORE, as_json: AsJson = False) -> None:
    """List skills and how often they were used in the last 30 days."""
    with open_session(tenant=tenant, store=store) as session:
        found = find_skills(session.ports.db, tenant, store)
    if as_json:
        print_json([asdict(one) for one in found])
        return
    if not found:
        say(
            f"{tenant}/{store} has no skills. `slowwave skills import DIR --tenant {tenant}` imports some; dreams find others."
        )
        return
    rows = [
        (one.name, one.uses, ago(one.last_used_at), "sparse" if one.is_sparse else "", one.summary[:_SUMMARY_CHARS])
        for one in found
    ]
    print_list(f"Skills of {tenant}/{store}", ("skill", "uses", "last used", "", "what for"), rows)


@app.command()
def show(
    name: Name,
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    history: Annotated[bool, typer.Option("--history", help="Show who changed it and when.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print a skill (byte for byte in a pipe) or its history."""
    with open_session(tenant=tenant, store=store) as session:
        memory, view, versions = get_skill(session.ports.db, tenant, store, name)
    if as_json:
        print_json({"skill": view, "memory": memory} | ({"versions": versions} if history else {}))
    elif history:
        rows = [(v.version, v.change, v.author, v.created_at, v.dream_id or "") for v in versions]
        print_table(view.name, ("version", "change", "author", "when", "dream"), rows)
    elif not out.is_terminal:
        typer.echo(memory.content.encode(), nl=False)
    else:
        say(memory.content.removesuffix("\n"))
        say(f"used {view.uses} times in 30 days, last {ago(view.last_used_at)}", "dim")
        for path in view.files:
            say(f"  {path}", "dim")


@app.command("record-use")
def record_use(
    name: Name,
    tenant: TenantOption,
    session_id: Annotated[str, typer.Option("--session", help="The host's id of the session that used it.")],
    at: Annotated[str | None, typer.Option(help="When it was used (ISO 8601). Default: now.")] = None,
    store: StoreOption = DEFAULT_STORE,
    as_json: AsJson = False,
) -> None:
    """Record that a session used a skill. Dreams use these records to improve skills."""
    moment = _moment(at) if at else None
    with open_session(tenant=tenant, store=store) as session:
        use = record_skill_use(session.ports.db, tenant, store, name, session_id, moment, actor=cli_actor())
    if as_json:
        print_json(use)
    else:
        say(safe(f"{use.skill} was used in {use.session}, {ago(use.used_at)}"))


def _moment(raw: str) -> datetime:
    try:
        moment = datetime.fromisoformat(raw)
    except ValueError:
        raise BadInputError(f"--at takes a moment such as 2026-03-04T10:00:00Z, not {raw[:60]!r}") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _check_path(path: str) -> None:
    check_memory_path(f"{SKILLS_FOLDER}/{path}")


def _json(refused: list[RefusedFile]) -> dict[str, object]:
    return {"refused": [{"path": one.path, "code": one.code, "reason": one.reason} for one in refused]}


def _print_refused(refused: list[RefusedFile]) -> None:
    if refused:
        rows = [(file.path, file.reason) for file in refused[:_SHOWN_REFUSALS]]
        print_table(f"{len(refused)} not taken", ("file", "why"), rows)
