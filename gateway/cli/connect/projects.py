"""Find the projects that a tool keeps memories and sessions of, and the store of each.

A project is a git repository; its worktrees share a store. A folder in none is a project of its own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from gateway.cli.connect.tools import Tool
from shared.adapters.files.transcripts.formats import find_files
from shared.core.memory.paths import ascii_slug_of
from shared.core.tenants.store import MAX_NAME_CHARS

_HEAD_BYTES = 1 << 18
_CWD = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.){1,1000}")')
_BRANCH = re.compile(rb'"gitBranch"\s*:\s*("(?:[^"\\]|\\.){1,200}")')
_WORKTREE = re.compile(r"^gitdir:\s*(.+?)/\.git/worktrees/[^/]+\s*$")


@dataclass(slots=True, kw_only=True)
class Project:
    """A store with the folders and transcripts that go into it. `root` is the repository or folder; empty for the tool's own."""

    store: str
    root: str = ""
    memories: list[Path] = field(default_factory=list)
    sessions: list[Path] = field(default_factory=list)


@dataclass(slots=True)
class StoreNames:
    """The store of each root. Two repositories of one name get two stores; what was named once keeps its name."""

    known: dict[str, str]

    def name(self, root: str, wanted: str) -> str:
        """Return the store of a root, named after it."""
        if root not in self.known:
            slug = ascii_slug_of(wanted)[: MAX_NAME_CHARS - 4].strip("-") or "default"
            taken, number, found = {*self.known.values()}, 1, slug
            while found in taken:
                number += 1
                found = f"{slug}-{number}"
            self.known[root] = found
        return self.known[root]

    def name_folder(self, folder: Path) -> tuple[str, str]:
        """Return the root of a folder and its store."""
        root = find_root(folder)
        return str(root), self.name(str(root), root.name)


def find_root(folder: Path) -> Path:
    """Return the main working tree of the repository that a folder is in, or the folder itself."""
    for place in (folder, *folder.parents):
        git = place / ".git"
        if git.is_dir():
            return place
        if git.is_file():
            found = _WORKTREE.match(git.read_text(encoding="utf-8", errors="replace"))
            return Path(found[1]) if found else place
    return folder


def find_projects(tool: Tool, home: Path, names: StoreNames) -> list[Project]:
    """Return what a tool keeps under a home folder, by store."""
    found: dict[str, Project] = {}
    own = _Own(tool, names, found)
    memories = {folder: "*" in pattern for pattern in tool.memories for folder in _folders(home, pattern)}
    cwds: dict[Path, Path] = {}
    of_projects = find_session_folders(tool, home)
    for folder in sorted({folder for pattern in tool.sessions for folder in _folders(home, pattern)}):
        paths = [path for path in find_files(folder, lambda _: None) if memories.keys().isdisjoint(path.parents)]
        places = {path: find_place(path)[0] for path in paths}
        first = next((cwd for cwd in places.values() if cwd is not None), None) if folder in of_projects else None
        if first is not None:
            cwds[folder] = first
        is_known = folder in of_projects and str(folder) in names.known
        for path, cwd in places.items():
            own.of(cwd or first, folder if is_known else None).sessions.append(path)
    for folder, is_of_project in memories.items():
        own.of(cwds.get(folder.parent), folder.parent if is_of_project else None).memories.append(folder)
    return sorted(found.values(), key=lambda one: one.store)


def find_session_folders(tool: Tool, home: Path) -> set[Path]:
    """Return the folders under a home folder that hold the sessions of one project each."""
    return {folder for pattern in tool.sessions if "*" in pattern for folder in _folders(home, pattern)}


@dataclass(slots=True)
class _Own:
    """The projects of one tool, made when they are first needed."""

    tool: Tool
    names: StoreNames
    found: dict[str, Project]

    def of(self, cwd: Path | None, folder: Path | None = None) -> Project:
        """Return the project of a working folder; else of a folder that the tool named after one; else of the tool itself."""
        if cwd is not None:
            root, store = self.names.name_folder(cwd)
        elif folder is not None:
            root, store = str(folder), self.names.name(str(folder), folder.name)
        else:
            root, store = "", self.names.name(self.tool.name, self.tool.name)
        return self.found.setdefault(store, Project(store=store, root=root))


def _folders(home: Path, pattern: str) -> Iterator[Path]:
    return (path for path in sorted(home.glob(pattern)) if path.is_dir() and not path.is_symlink())


def find_place(transcript: Path) -> tuple[Path | None, str]:
    """Return the working folder and the branch that a transcript names near its beginning; None and an empty text if it does not."""
    try:
        with transcript.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return None, ""
    cwd, branch = _text(_CWD.search(head)), _text(_BRANCH.search(head))
    return (Path(cwd) if cwd.startswith("/") else None), branch


def _text(found: re.Match[bytes] | None) -> str:
    try:
        return str(orjson.loads(found[1])) if found else ""
    except orjson.JSONDecodeError:
        return ""
