"""Prepare a folder of memories for a page: small ones with all that is below them, large ones a level at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gateway.api.http.paging import encode_cursor
from shared.core.memory.model import MemoryHead
from shared.ports.database import Database
from shared.services.memories.read import find_memory_page
from shared.services.memories.tree import find_folder_page

#: A cursor names the folder or memory after which a page begins.
_FOLDER, _FILE = "folder:", "file:"


@dataclass(kw_only=True)
class Branch:
    """A folder of the tree. One that is not unfolded has no parts yet; `memories` counts all that are below it."""

    path: str
    memories: int = 0
    is_open: bool = False
    folders: list["Branch"] = field(default_factory=list)
    files: list[MemoryHead] = field(default_factory=list)
    following: str | None = None

    @property
    def name(self) -> str:
        """Return the last step of its path."""
        return self.path[:-1].rpartition("/")[2]

    @property
    def trail(self) -> list[tuple[str, str]]:
        """Return the name and the path of each folder from the outermost one to this one."""
        steps = self.path.split("/")[:-1]
        return [(step, "/".join(steps[: place + 1]) + "/") for place, step in enumerate(steps)]


def read_branch(db: Database, tenant_id: str, store: str, folder: str, after: str, limit: int) -> Branch:
    """Return a folder, unfolded: as a whole if it has at most `limit` memories, else one page of what is right inside.

    Raises NotFoundError for the store.
    """
    path = f"{folder.strip('/')}/" if folder.strip("/") else ""
    if not after:
        heads = find_memory_page(db, tenant_id, store, prefix=path, after_path="", limit=limit + 1)
        if len(heads) <= limit:
            return _grow(path, heads)
    found = find_folder_page(
        db,
        tenant_id,
        store,
        path,
        after_folder=after.removeprefix(_FOLDER) if after.startswith(_FOLDER) else "",
        after_file=after.removeprefix(_FILE) if after.startswith(_FILE) else "",
        limit=limit,
    )
    place = f"{_FOLDER}{found.more_folders}" if found.more_folders else f"{_FILE}{found.more_files}"
    has_more = found.more_folders is not None or found.more_files is not None
    return Branch(
        path=path,
        is_open=True,
        folders=[Branch(path=one.path, memories=one.memories) for one in found.folders],
        files=found.files,
        following=encode_cursor(place) if has_more else None,
    )


def _grow(path: str, heads: Sequence[MemoryHead]) -> Branch:
    """Return a folder with all that is below it, unfolded."""
    root = Branch(path=path, is_open=True)
    known = {path: root}
    for head in heads:
        steps = head.path[len(path) :].split("/")[:-1]
        here = root
        here.memories += 1
        for place in range(len(steps)):
            below = path + "/".join(steps[: place + 1]) + "/"
            if below not in known:
                known[below] = Branch(path=below, is_open=True)
                here.folders.append(known[below])
            here = known[below]
            here.memories += 1
        here.files.append(head)
    return root
