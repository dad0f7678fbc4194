"""The names of a folder that is synced: files that keep the folder's side of a conflict, and names that file systems confuse."""

import re
from collections.abc import Collection, Iterable

from shared.core.memory.paths import fold_path

_CONFLICT = re.compile(r"\.conflict(?:-\d{1,4})?(?:\.[^./]*)?$")


def name_conflict(path: str, taken: Collection[str]) -> str:
    """Return the name of the file that keeps the folder's text of a path: `notes.conflict.md`, then `notes.conflict-2.md`."""
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    begin, end = (f"{folder}{slash}{stem}.conflict", f".{ending}") if dot else (f"{path}.conflict", "")
    number, found = 1, f"{begin}{end}"
    while found in taken:
        number += 1
        found = f"{begin}-{number}{end}"
    return found


def is_conflict(path: str) -> bool:
    """Tell whether a file keeps one side of a conflict."""
    return _CONFLICT.search(path) is not None


def find_confused(paths: Iterable[str], present: Collection[str]) -> dict[str, str]:
    """Return the paths that many file systems confuse with another one, and that one.

    Two paths are confused that differ only in case or in Unicode's form. The one that has a file already, or else the
    first, is not in the result, unless both have one.
    """
    first: dict[str, str] = {}
    confused: dict[str, str] = {}
    for path in sorted(paths, key=lambda one: (one not in present, one)):
        kept = first.setdefault(fold_path(path), path)
        if kept != path and path not in present:
            confused[path] = kept
    return confused


def find_alike(paths: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs of files that many file systems would confuse, so that a person may rename one."""
    first: dict[str, str] = {}
    return [(kept, path) for path in sorted(paths) if (kept := first.setdefault(fold_path(path), path)) != path]
