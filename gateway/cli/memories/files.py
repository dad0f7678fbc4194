"""`slowwave import` and `slowwave export`: folders of memories in and out."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, NoReturn

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from gateway.cli.console.exit_codes import ExitCode
from gateway.cli.console.options import AsJson, Overwrite, StoreOption, TenantOption, cli_actor
from gateway.cli.console.output import err, out, print_json, print_table, say, warn
from gateway.cli.console.session import Session, open_session, warn_of_new
from gateway.cli.memories.import_counts import counts_json, exit_if_changed_here, say_counts
from shared.adapters.files.found import FoundFile, Refusal, RefusedFile, refuse, shown_path
from shared.adapters.files.layout import MemoryRoot, find_memory_root
from shared.adapters.files.read_folder import TextFile, count_files, read_beside, read_folder
from shared.adapters.files.stale_files import find_stale, remove_stale
from shared.adapters.files.transcripts.formats import find_files, find_format
from shared.adapters.files.write_folder import WriteReport, write_folder
from shared.all_ports import Ports
from shared.core.errors import BadInputError
from shared.core.memory.model import Author, ExportFile
from shared.core.memory.paths import check_memory_path
from shared.core.sessions.daily_log import SOURCE, find_place, read_text
from shared.core.tenants.store import DEFAULT_STORE, check_name
from shared.core.trust.sidecar import WRITERS_FILE, Known, read_writers
from shared.services.memories.export import (
    QUESTIONS_FILE,
    find_all_files,
    find_retired_files,
    find_reviewed_files,
    render_questions,
    render_writers_file,
)
from shared.services.memories.write import NewText, WriteCounts, ensure_store, in_batches, write_memories
from shared.services.operations.waiting import OpenQuestion, find_open_questions
from shared.services.sessions.ingest import ImportTarget, import_session_items

_SHOWN_REFUSALS, _LOOKED_AT = 20, 20


_ByPerson = Annotated[
    bool, typer.Option("--by-person", help="A person wrote these files: dreams change them only with a review.")
]
_AnyText = Annotated[
    bool, typer.Option("--any-ending", help="Also take .txt, .json and .xml, as Anthropic's memory tool writes them.")
]
_KeepWriters = Annotated[
    bool,
    typer.Option(
        "--keep-writers",
        help="The folder is an export that you trust: its .slowwave/writers.json says who wrote each statement.",
    ),
]
_Folder = Annotated[
    Path,
    typer.Argument(
        help="A folder of markdown, a ByteRover tree, a Claude memory directory, or a JSON file of memories."
    ),
]


def import_folder(
    folder: _Folder,
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    overwrite: Overwrite = False,
    by_person: _ByPerson = False,
    any_ending: _AnyText = False,
    keep_writers: _KeepWriters = False,
    as_json: AsJson = False,
) -> None:
    """Import a folder of memories; creates the tenant if needed. Importing the same folder again changes nothing.

    What was changed here since the last import stays; if its file changed, too, it is named, with exit code 5.
    """
    check_name("tenant", tenant)
    check_name("store", store)
    root = find_memory_root(folder)
    known = _read_known(root) if keep_writers else {}
    with open_session() as session:
        warn_of_new(session.ports.db, tenant)
        how = partial(as_text, overwrite=overwrite, by_person=by_person, any_ending=any_ending, known=known)
        doubtful: list[FoundFile] = []
        counts, refused, logs = read_into_store(
            session.ports, root, tenant, store, quiet=as_json, how=how, doubtful=doubtful, any_ending=any_ending
        )
        entries = import_logs(session, logs, tenant, store)
    doubts = [(shown_path(file.path), file.doubt) for file in doubtful]
    if as_json:
        found = {"layout": root.layout, "root": str(root.root), **counts_json(counts), "refused": refused}
        told = [{"path": path, "doubt": doubt} for path, doubt in doubts]
        print_json(found | {"doubtful": told, "daily_logs": len(logs), "log_entries_added": entries})
    else:
        say_counts(f"{tenant}/{store}", counts)
        if logs:
            say(f"Daily logs imported as sessions, for dreams to gather from: {len(logs)}, {entries:,} entries added")
        _print_files("taken as they are, but", doubts)
        _print_refused(refused)
    _check_taken(folder, tenant, counts, logs)


def _check_taken(folder: Path, tenant: str, counts: WriteCounts, logs: list[FoundFile]) -> None:
    exit_if_changed_here(counts)
    if not logs and not any(counts_json(counts).values()):
        _end_empty(folder, tenant)


def _end_empty(folder: Path, tenant: str) -> NoReturn:
    """Exit because nothing was taken, and say what to do with transcripts, which may be meant."""
    is_one = any(find_format(path) is not None for path in find_files(folder, lambda _: None)[:_LOOKED_AT])
    advice = f" It has transcripts: slowwave sessions import {folder} --tenant {tenant}" if is_one else ""
    warn(f"Nothing was taken: no file of {folder} is a memory.{advice}")
    raise typer.Exit(ExitCode.BAD_INPUT)


def _read_known(root: MemoryRoot) -> Known:
    text = read_beside(root, WRITERS_FILE)
    if text is None:
        raise BadInputError(f"{root.root} has no {WRITERS_FILE}, which an export writes; leave out --keep-writers")
    return read_writers(text)


def as_text(
    file: FoundFile,
    *,
    overwrite: bool = False,
    by_person: bool = False,
    any_ending: bool = False,
    known: Known = MappingProxyType({}),
) -> NewText:
    """Return what is written of a file; with `by_person` as a page that a person wrote, else with the known writers."""
    return NewText(
        path=file.path,
        content=file.content,
        signals=replace(file.signals, by_person=by_person),
        created_at=file.created_at,
        written_at=file.updated_at,
        overwrites=overwrite,
        any_ending=any_ending,
        known=known.get(file.path),
    )


def read_into_store(
    ports: Ports,
    root: MemoryRoot,
    tenant: str,
    store: str,
    *,
    quiet: bool,
    how: Callable[[FoundFile], NewText] = as_text,
    doubtful: list[FoundFile] | None = None,
    any_ending: bool = False,
) -> tuple[WriteCounts, list[RefusedFile], list[FoundFile]]:
    """Read a folder into a store with a progress bar; return what was written, refused, and left as daily logs.

    Files that were taken and have something to be told are added to `doubtful`.
    """
    refused: list[RefusedFile] = []
    logs: list[FoundFile] = []
    counts = WriteCounts()
    ensure_store(ports.db, tenant, store, actor=cli_actor())
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=err, disable=quiet or not err.is_terminal, transient=True) as progress:
        bar = progress.add_task("Importing", total=count_files(root))

        def texts() -> list[NewText]:
            found = []
            for file in read_folder(root, any_ending=any_ending):
                progress.advance(bar)
                if isinstance(file, RefusedFile):
                    refused.append(file)
                elif find_place(file.path) == file.path:
                    logs.append(file)
                else:
                    found.append(how(file))
                    if doubtful is not None and file.doubt:
                        doubtful.append(replace(file, content=""))
            return found

        for batch in in_batches(texts()):
            counts += write_memories(ports.db, ports.ids, tenant, store, batch, Author.IMPORT, actor=cli_actor())
    return counts, refused, logs


def import_logs(session: Session, logs: Sequence[FoundFile | TextFile], tenant: str, store: str) -> int:
    """Import daily logs as sessions, for dreams to gather from; return how many entries were new."""
    target = ImportTarget(tenant_id=tenant, store=store, source=SOURCE, actor=cli_actor())
    db = session.ports.db
    return sum(import_session_items(db, target, read_text(log.path, log.content)).added for log in logs)


_OverwriteFiles = Annotated[
    bool,
    typer.Option(
        "--force",
        help="Write into a folder that is not empty: overwrite its files, and ask before removing stale ones.",
    ),
]


def export_store(
    folder: Annotated[Path, typer.Argument(help="The target: a folder that is empty or does not exist yet.")],
    tenant: TenantOption,
    store: StoreOption = DEFAULT_STORE,
    force: _OverwriteFiles = False,
    yes: Annotated[bool, typer.Option("--yes", help="Remove stale files without asking.")] = False,
    archived: Annotated[bool, typer.Option("--archived", help="Also write archived memories and stubs.")] = False,
    reviewed: Annotated[
        bool,
        typer.Option(
            "--reviewed", help="Leave out changes of dreams that no person approved: write the text from before."
        ),
    ] = False,
    any_ending: Annotated[
        bool, typer.Option("--any-ending", help="Also write memories whose path does not end in .md; check them first.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Export a store's live memories, byte for byte.

    With --force into the folder of an earlier export, files that still hold a memory that was merged or archived since are
    named and, after a question, removed. What was changed on disk stays. Questions about memories that wait for a person are
    listed in .slowwave/open-questions.md, which no import reads. Who wrote each statement stands in .slowwave/writers.json, which
    `slowwave import --keep-writers` reads.
    """
    if yes and not force:
        raise BadInputError("--yes answers the question that --force asks; give both or neither")
    with open_session(tenant=tenant, store=store) as session, session.ports.db.transaction(tenant) as uow:
        find = find_reviewed_files if reviewed else find_all_files
        files, left_out = find(uow, uow.stores.get(store).id, archived=archived)
        questions = find_open_questions(uow, uow.stores.get(store).id)
        retired = find_retired_files(uow, uow.stores.get(store).id, files, left_out) if force else []
    files = _with_notes(folder, files, questions)
    report = write_folder(folder, files, force=force, check_path=partial(_check_path, any_ending=any_ending))
    stale = find_stale(folder, retired)
    removed = remove_stale(folder, stale) if stale and _wants_removed(stale, yes=yes, quiet=as_json) else ()
    refused = [*report.refused, *(refuse(path, Refusal.UNREVIEWED, why) for path, why in left_out.items())]
    _tell_export(folder, report, stale, removed, refused, len(questions), as_json=as_json)
    if refused:
        raise typer.Exit(ExitCode.CONFLICT)


def _with_notes(folder: Path, files: list[ExportFile], questions: tuple[OpenQuestion, ...]) -> list[ExportFile]:
    """Return the files with those that say who wrote what and what is asked; the first one, so that no memory takes its place."""
    asked = [render_questions(questions)] if questions or (folder / QUESTIONS_FILE).exists() else []
    return [render_writers_file(files), *files, *asked]


def _check_path(path: str, *, any_ending: bool) -> None:
    if path != WRITERS_FILE:
        check_memory_path(path, any_ending=any_ending)


def _tell_export(
    folder: Path,
    report: WriteReport,
    stale: Sequence[ExportFile],
    removed: Sequence[str],
    refused: list[RefusedFile],
    questions: int,
    *,
    as_json: bool,
) -> None:
    both = {"written": report.written, "unchanged": report.unchanged}
    counts = {name: sum(path != WRITERS_FILE for path in paths) for name, paths in both.items()}
    if as_json:
        told = [{"path": r.path, "reason": r.reason, "code": r.code} for r in refused]
        left = [file.path for file in stale if file.path not in removed]
        print_json(counts | {"removed": list(removed), "stale": left, "refused": told, "open_questions": questions})
        return
    gone = f", {len(removed)} removed" if removed else ""
    say(f"{folder}: {counts['written']} written, {counts['unchanged']} unchanged{gone}")
    if questions:
        say(f"{questions} questions about these memories are open: {QUESTIONS_FILE}")
    _print_refused(refused)


def _wants_removed(stale: Sequence[ExportFile], *, yes: bool, quiet: bool) -> bool:
    """List the stale files and ask whether to remove them. Without a terminal and without --yes they stay."""
    if not quiet:
        say("Files whose memories were merged or archived since:")
        for file in stale[:_SHOWN_REFUSALS]:
            say(f"  {file.path}")
        if len(stale) > _SHOWN_REFUSALS:
            say(f"  … and {len(stale) - _SHOWN_REFUSALS} more; --json lists them all", "dim")
    if yes or quiet or not sys.stdin.isatty():
        if not yes and not quiet:
            say("They stay: give --yes to remove them.")
        return yes
    return typer.confirm("Remove them?", err=True)


def _print_refused(refused: list[RefusedFile]) -> None:
    _print_files("not taken", [(file.path, file.reason) for file in refused])


def _print_files(what: str, rows: list[tuple[str, str]]) -> None:
    if not rows:
        return
    out.print()
    print_table(f"{len(rows)} {what}", ("file", "why"), rows[:_SHOWN_REFUSALS])
    if len(rows) > _SHOWN_REFUSALS:
        say(f"… and {len(rows) - _SHOWN_REFUSALS} more; --json lists them all", "dim")
