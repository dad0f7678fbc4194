"""Read transcripts into a store with a progress bar; unreadable files and lines are reported one by one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from gateway.cli.console.options import cli_actor
from gateway.cli.console.output import err
from gateway.cli.console.session import warn_of_new
from shared.adapters.files.transcripts.formats import Format, find_files, find_format, get_format, name_session
from shared.core.errors import BadInputError
from shared.core.policy.choice import Choice, label_names
from shared.core.sessions.transcript import FoundEvent, Item, SkippedLine
from shared.core.tenants.store import DEFAULT_STORE, MAX_NAME_CHARS
from shared.ports.database import Database
from shared.services.memories.write import ensure_store
from shared.services.sessions.ingest import ImportCounts, ImportTarget, import_files

AUTO = "auto"
_NO_FORMAT = "its format is not known"
_EXCLUDED = "excluded"
_NAMED = 3
_EMPTY = "the file is empty"


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A transcript file that was imported, and its counts."""

    path: Path
    format: str
    store: str
    project: str
    counts: ImportCounts


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that could not be read, and why."""

    path: Path
    reason: str
    is_unknown: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    """The transcripts to import, their destination, and the options of the import."""

    place: Path
    tenant: str
    store: str | None  # None: the default store, unless there are several projects
    by_project: bool = False
    project: str = ""  # of all sessions; by default what the format finds in each
    labels: Mapping[str, str] = field(default_factory=dict)  # of all sessions, beside what the format finds
    format: str = AUTO
    is_current: bool = False
    masks: bool = True
    quiet: bool = False
    choice: Choice = field(default_factory=Choice)


def import_transcripts(db: Database, request: ImportRequest) -> list[ReadFile | UnreadFile]:
    """Import a file or all transcripts below a folder.

    Raises:
        BadInputError: there is nothing at that place, or nothing that the patterns leave, there is no such format, or it has
            sessions of several projects and nothing says which stores they are for.
    """
    refused: list[ReadFile | UnreadFile] = []
    paths = _find_files(request, refused)
    chosen = None if request.format == AUTO else get_format(request.format)
    formats = [chosen or _find_format(path) for path in paths]
    readable = [(path, one) for path, one in zip(paths, formats, strict=True) if isinstance(one, Format)]
    projects = {path: request.project or _find(one.find_project, path) for path, one in readable}
    stores = _choose_stores(request, projects)
    warn_of_new(db, request.tenant)
    for store in sorted({*stores.values()}) or [request.store or DEFAULT_STORE]:
        ensure_store(db, request.tenant, store, actor=cli_actor())
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=err, disable=request.quiet or not err.is_terminal, transient=True) as progress:
        bar = progress.add_task("Importing", total=sum(map(_size_of, paths)))

        def tell(size: int) -> None:
            progress.advance(bar, size)

        targets = {path: _target(request, one, path, stores[path], projects[path]) for path, one in readable}
        results = import_files(
            db, ((targets[path], _read(request, one, path, targets[path], tell)) for path, one in readable)
        )
        read = [
            _report(path, targets[path], next(results))
            if isinstance(one, Format)
            else UnreadFile(path, one or _NO_FORMAT, is_unknown=one is None)
            for path, one in zip(paths, formats, strict=True)
        ]
    return read + refused


def _find_files(request: ImportRequest, refused: list[ReadFile | UnreadFile]) -> list[Path]:
    """Return the files that no pattern excludes, and add those that cannot be looked at to `refused`."""
    found = find_files(
        request.place, lambda error: refused.append(UnreadFile(Path(error.filename), str(error.strerror)))
    )
    paths = [path for path in found if not request.choice.excludes(_names_of(path, request.place))]
    if found and not paths:
        raise BadInputError(f"--exclude leaves out every transcript of {request.place}")
    return paths


def _read(
    request: ImportRequest, found: Format, path: Path, target: ImportTarget, tell: Callable[[int], None]
) -> Iterator[Item]:
    """Yield the items of a file; lines of sessions that are not wanted are skipped."""
    titles, labels = dict[str, str](), dict[str, Mapping[str, str]]()
    of_file = (*_names_of(path, request.place), target.project)
    for item in found.read(path, tell, name_session(path, request.place)):
        if isinstance(item, SkippedLine) and item.session:
            titles[item.session], labels[item.session] = item.title, item.labels
        if isinstance(item, FoundEvent) or (isinstance(item, SkippedLine) and item.session):
            named = label_names(found.name, {**target.labels, **labels.get(item.session, {})})
            wanted = request.choice.takes((*of_file, item.session, titles.get(item.session, ""), *named))
            yield item if wanted else SkippedLine(line=item.line, what=_EXCLUDED)
        else:
            yield item


def _names_of(path: Path, place: Path) -> tuple[str, ...]:
    """Return what a pattern may match of a file: its name, and its path below the imported folder."""
    return (path.name, path.relative_to(place).as_posix()) if path != place else (path.name,)


def _size_of(path: Path) -> int:
    """Return a file's size for the progress bar; 0 if it is gone, which is reported when it is read."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _find_format(path: Path) -> Format | str | None:
    """Return a file's format, None if it has no known format, or why it cannot be read."""
    try:
        return find_format(path) or (None if path.stat().st_size else _EMPTY)
    except (BadInputError, OSError) as error:
        return str(error)


def _find(find: Callable[[Path], str], path: Path) -> str:
    try:
        return find(path)
    except OSError:  # which is reported when the file is read
        return ""


def _choose_stores(request: ImportRequest, projects: Mapping[Path, str]) -> dict[Path, str]:
    """Return the store of each file. Raises BadInputError if there are several projects and no store or rule is named."""
    if request.by_project:
        return {path: store_of(project) for path, project in projects.items()}
    several = sorted({project for project in projects.values() if project})
    if request.store is None and len(several) > 1:
        named = ", ".join(several[:_NAMED]) + (", …" if len(several) > _NAMED else "")
        msg = (
            f"{request.place} has sessions of {len(several)} projects ({named}), whose memories should not mix: "
            "--by-project imports each into a store of its own, --store NAME all of them into one"
        )
        raise BadInputError(msg)
    return dict.fromkeys(projects, request.store or DEFAULT_STORE)


def store_of(project: str) -> str:
    """Return the name of a project's store: the end of its path, as a name may be."""
    return project[-MAX_NAME_CHARS:].lstrip("-") or DEFAULT_STORE


def _target(request: ImportRequest, found: Format, path: Path, store: str, project: str) -> ImportTarget:
    branch = _find(found.find_branch, path)
    return ImportTarget(
        tenant_id=request.tenant,
        store=store,
        source=found.name,
        project=project,
        labels={**({"branch": branch} if branch else {}), **request.labels},
        keeps_secrets=not request.masks,
        is_current=request.is_current,
        actor=cli_actor(),
    )


def _report(path: Path, to: ImportTarget, result: ImportCounts | BadInputError | OSError) -> ReadFile | UnreadFile:
    if not isinstance(result, ImportCounts):
        return UnreadFile(path, str(result))
    return ReadFile(path, to.source, to.store, to.project, result)


def total(files: Sequence[ReadFile | UnreadFile]) -> dict[str, int]:
    """Return the counts of all files together."""
    counts = [file.counts for file in files if isinstance(file, ReadFile)]
    names = ("lines", "added", "known", "skipped", "malformed", "masked", "replaced", "new_sessions")
    sums: dict[str, int] = {name: sum(getattr(count, name) for count in counts) for name in names}
    sessions = {session for count in counts for session in count.sessions}
    return {"files": len(counts), **sums, "sessions": len(sessions)}


def as_json(files: Sequence[ReadFile | UnreadFile]) -> dict[str, Any]:
    """Return the whole report in the documented shape of `--json`."""
    return {
        **total(files),
        "read": [_file_json(file) for file in files if isinstance(file, ReadFile)],
        "refused": [{"path": str(f.path), "reason": f.reason} for f in files if isinstance(f, UnreadFile)],
    }


def is_nothing_taken(files: Sequence[ReadFile | UnreadFile]) -> bool:
    """Tell whether an import found no event that it wanted: neither a new one nor one that was known."""
    read = [file.counts for file in files if isinstance(file, ReadFile)]
    return not any(counts.added or counts.known for counts in read)


def _file_json(file: ReadFile) -> dict[str, Any]:
    return {
        "path": str(file.path),
        "format": file.format,
        "store": file.store,
        "project": file.project,
        **total([file]),
        "kinds": dict(file.counts.kinds.most_common()),
        "skipped_kinds": dict(file.counts.skipped_kinds.most_common()),
        "first_malformed": [{"line": bad.line, "reason": bad.reason} for bad in file.counts.first_malformed],
    }
