"""Find the memories of a folder: in a ByteRover context tree, a Claude Code memory directory, or the whole folder."""

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from shared.adapters.files.found import why_failed
from shared.adapters.files.read_export import read_export
from shared.core.errors import BadInputError
from shared.core.memory.model import ROOT_INDEX

_CONTEXT_TREE = "context-tree"
_MANIFEST = "_manifest.json"


class Layout(StrEnum):
    """The kinds of folder that can be imported."""

    BYTEROVER = "byterover"
    CLAUDE_MEMORY = "claude_memory"
    MARKDOWN = "markdown"
    EXPORT = "export"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRoot:
    """The folder with the memories, inside the folder that the person named. Both are absolute, without links."""

    folder: Path
    root: Path
    layout: Layout
    note: str


#: The endings of files in which other programs keep memories, see `read_export.py`.
EXPORT_ENDINGS = (".json", ".jsonl", ".af")
#: Where a project keeps its memories, most specific first; the first that exists is imported, the others are noted.
_PLACES_IN_A_PROJECT = (
    (Path(".brv") / _CONTEXT_TREE, Layout.BYTEROVER),
    (Path(".claude") / "memory", Layout.CLAUDE_MEMORY),
)


def find_memory_root(folder: Path) -> MemoryRoot:
    """Find the memory folder of a folder, which may be the memory folder itself or a project that has one.

    A JSON file in which another program keeps its memories is taken for one, too.

    Raises:
        BadInputError: there is no such folder or file, it is empty or holds no memories, or its memory folder is a link that leads out of it.
    """
    if folder.suffix in EXPORT_ENDINGS and folder.is_file():
        file = folder.resolve()
        next(read_export(file))
        return MemoryRoot(folder=file, root=file, layout=Layout.EXPORT, note=f"Memories of another program: {file}")
    folder = _get_folder(folder)
    found = _find_candidates(folder)
    if not found:
        note = f"{folder} has no .brv/context-tree, no {ROOT_INDEX} and no .claude/memory: every markdown file counts."
        return MemoryRoot(folder=folder, root=folder, layout=Layout.MARKDOWN, note=note)
    root, layout = found[0]
    _check_not_empty(root)
    others = [other for other, _ in found[1:] if other not in (root, folder)]
    return MemoryRoot(folder=folder, root=root, layout=layout, note=_describe(root, layout, others))


def _find_candidates(folder: Path) -> list[tuple[Path, Layout]]:
    """List the memory folders of a folder, the one to import first."""
    found: list[tuple[Path, Layout]] = []
    for project_place, layout in _PLACES_IN_A_PROJECT:
        tool, inner = project_place.parts
        place = Path(inner) if folder.name == tool else project_place
        if _is_folder(folder / place):
            found.append((_get_inside(folder, place), layout))
    own = _own_layout(folder)
    if own is not None:
        found.insert(1 if found and found[0][1] is Layout.BYTEROVER else 0, (folder, own))
    return found


def _own_layout(folder: Path) -> Layout | None:
    """Tell whether the folder itself is a memory folder."""
    if folder.name == _CONTEXT_TREE or os.path.lexists(folder / _MANIFEST):
        return Layout.BYTEROVER
    return Layout.CLAUDE_MEMORY if os.path.lexists(folder / ROOT_INDEX) else None


def _get_folder(folder: Path) -> Path:
    """Return the folder without links, after a check that it is a folder and not empty."""
    try:
        resolved = folder.resolve(strict=True)
    except FileNotFoundError:
        raise BadInputError(f"There is no folder {folder}; name the folder that holds the memories.") from None
    except (OSError, RuntimeError) as error:  # RuntimeError: Python 3.11 reports a loop of links with this
        why = why_failed(error) if isinstance(error, OSError) else "its links form a loop"
        raise BadInputError(f"The folder {folder} cannot be read: {why}.") from error
    if not _is_folder(resolved):
        raise BadInputError(f"{folder} is a file; name the folder that holds it.")
    _check_not_empty(resolved)
    return resolved


def _is_folder(path: Path) -> bool:
    """Tell whether there is a folder; a folder without permission is an error, not an absence."""
    try:
        return path.is_dir()
    except OSError as error:
        raise BadInputError(f"The folder {path} cannot be read: {why_failed(error)}.") from error


def _check_not_empty(folder: Path) -> None:
    """Refuse an empty folder, whose name is more likely a mistake."""
    try:
        with os.scandir(folder) as entries:
            if next(entries, None) is not None:
                return
    except OSError as error:
        raise BadInputError(f"The folder {folder} cannot be read: {why_failed(error)}.") from error
    raise BadInputError(f"The folder {folder} is empty; there is nothing to import.")


def _get_inside(folder: Path, place: Path) -> Path:
    """Return the memory folder of a project, unless a link leads out of the project."""
    root = (folder / place).resolve()
    if not root.is_relative_to(folder):
        raise BadInputError(f"{folder / place} is a link to {root}, outside of {folder}; import {root} itself.")
    return root


def _describe(root: Path, layout: Layout, others: list[Path]) -> str:
    """Describe the folder that was found and the others that could be imported."""
    names = {Layout.BYTEROVER: "A ByteRover context tree", Layout.CLAUDE_MEMORY: "A Claude Code memory directory"}
    also = "".join(f" {other} is not imported with it; import it by itself." for other in others)
    return f"{names[layout]}: {root}.{also}"
