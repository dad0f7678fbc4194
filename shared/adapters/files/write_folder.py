"""Write memories into a folder: exact bytes, one atomic rename per file, and never outside of the folder."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from shared.adapters.files.found import Refusal, RefusedFile, refuse, why_failed
from shared.adapters.files.open_safely import open_folder
from shared.adapters.files.place_file import nanoseconds_of, place_file
from shared.core.errors import BadInputError, UnsafePathError
from shared.core.memory.model import ExportFile
from shared.core.memory.paths import check_memory_path, fold_path


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteReport:
    """The paths that were written, those that already had the same bytes, and those that were refused, with the reason."""

    written: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    refused: tuple[RefusedFile, ...] = ()


@dataclass(slots=True)
class _Names:
    """The names that this export has used, folded like in the file systems of macOS and Windows."""

    files: dict[str, str] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)

    def take(self, path: str) -> None:
        folded = fold_path(path)
        self.files[folded] = path
        self.folders.update(_folders_of(folded))

    def refuse_taken(self, path: str) -> RefusedFile | None:
        folded = fold_path(path)
        twin = self.files.get(folded)
        if twin == path:
            return refuse(path, Refusal.PATH_COLLISION, "A file of this name was written already.")
        if twin is not None:
            reason = (
                f"It differs from {twin!a} only in case or Unicode form; many file systems would keep only one of them."
            )
            return refuse(path, Refusal.CASE_COLLISION, reason)
        if folded in self.folders:
            return refuse(path, Refusal.PATH_COLLISION, "There is a folder of this name.")
        file = next((self.files[folder] for folder in _folders_of(folded) if folder in self.files), None)
        if file is None:
            return None
        return refuse(path, Refusal.PATH_COLLISION, f"There is a file {file!a} where this one needs a folder.")


def write_folder(
    target: Path,
    files: Iterable[ExportFile],
    *,
    force: bool = False,
    check_path: Callable[[str], object] = check_memory_path,
) -> WriteReport:
    """Write the files into the target folder, which is created if missing; other files in it are not changed.

    Args:
        target: the folder; it must be missing or empty unless `force` is given.
        files: consumed once, so a generator that reads a database row by row is fine.
        force: write into a folder that already has files, over those of the same name.
        check_path: raises UnsafePathError for a path that must not be written.

    Raises:
        BadInputError: the target is a file, has files and `force` is not given, cannot be made, or is full.
    """
    fd = _open_target(target, force=force)
    try:
        return _write_all(fd, files, check_path)
    finally:
        os.close(fd)


def _write_all(fd: int, files: Iterable[ExportFile], check_path: Callable[[str], object]) -> WriteReport:
    names = _Names()
    written: list[str] = []
    unchanged: list[str] = []
    refused: list[RefusedFile] = []
    for file in files:
        outcome = _refuse_unplaceable(file, names, check_path) or _place(fd, file)
        if isinstance(outcome, RefusedFile):
            refused.append(outcome)
            continue
        names.take(file.path)
        (written if outcome else unchanged).append(file.path)
    return WriteReport(written=tuple(written), unchanged=tuple(unchanged), refused=tuple(refused))


def _open_target(target: Path, *, force: bool) -> int:
    """Create the folder if it is missing, check that it is writable, and open it."""
    try:
        folder = target.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        if not force and any(folder.iterdir()):
            raise BadInputError(f"The folder {target} is not empty; name an empty one, or overwrite it with --force.")
        return open_folder(folder)
    except (FileExistsError, NotADirectoryError):
        raise BadInputError(f"{target} is a file or inside one; name a folder to write to.") from None
    except (OSError, RuntimeError) as error:  # RuntimeError: how Python 3.11 reports a loop of links
        why = why_failed(error) if isinstance(error, OSError) else "its links form a loop"
        raise BadInputError(f"The folder {target} cannot be written to: {why}.") from error


def _refuse_unplaceable(file: ExportFile, names: _Names, check_path: Callable[[str], object]) -> RefusedFile | None:
    """Refuse a path that is unsafe, or that conflicts with a written one on some file systems."""
    try:
        check_path(file.path)
    except UnsafePathError as error:
        return refuse(file.path, Refusal.ODD_NAME, str(error))
    return names.refuse_taken(file.path)


def _folders_of(path: str) -> list[str]:
    """List the folders that contain a file, outermost first."""
    segments = path.split("/")[:-1]
    return ["/".join(segments[:depth]) for depth in range(1, len(segments) + 1)]


def _place(fd: int, file: ExportFile) -> bool | RefusedFile:
    try:
        data = file.content.encode("utf-8")
    except UnicodeEncodeError as error:
        return refuse(file.path, Refusal.NOT_UTF8, f"Character {error.start:,} is half of a pair and has no UTF-8.")
    return place_file(fd, file.path, data, mtime_ns=nanoseconds_of(file.updated_at))
