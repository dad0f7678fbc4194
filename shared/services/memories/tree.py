"""Memories as files in folders: a folder at a time, and where the links of a text lead."""

from collections.abc import Collection
from dataclasses import dataclass

from shared.core.memory.links import Link, find_paths
from shared.core.memory.model import MemoryHead
from shared.ports.database import Database
from shared.ports.memories import Folder, MemoryTreeRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderPage:
    """The folders and the memories right inside a folder; `more_…` is the name after which the next page begins, or None."""

    folder: str
    folders: list[Folder]
    files: list[MemoryHead]
    more_folders: str | None
    more_files: str | None


def find_folder_page(
    db: Database,
    tenant_id: str,
    store_name: str,
    folder: str,
    *,
    after_folder: str = "",
    after_file: str = "",
    limit: int,
) -> FolderPage:
    """Return at most `limit` folders and as many memories right inside a folder. Raises NotFoundError for the store.

    All folders come before the first memory: a page that does not hold the last of them holds no memory.
    """
    with db.transaction(tenant_id) as uow:
        tree = uow.tree(uow.stores.get(store_name).id)
        folders = [] if after_file else tree.find_folders(folder, after=after_folder, limit=limit + 1)
        has_more = len(folders) > limit
        files = [] if has_more else tree.find_files(folder, after_path=after_file, limit=limit + 1)
    return FolderPage(
        folder=folder,
        folders=folders[:limit],
        files=files[:limit],
        more_folders=folders[limit - 1].name if has_more else None,
        more_files=files[limit - 1].path if len(files) > limit else None,
    )


def find_linked(db: Database, tenant_id: str, store_name: str, path: str, links: Collection[Link]) -> dict[Link, str]:
    """Return the id of the live memory that each link in the memory at `path` leads to; dead links are left out."""
    with db.transaction(tenant_id) as uow:
        reached = follow_links(uow.tree(uow.stores.get(store_name).id), path, links)
    return {link: memory_id for link, (_, memory_id) in reached.items()}


def follow_links(tree: MemoryTreeRepository, path: str, links: Collection[Link]) -> dict[Link, tuple[str, str]]:
    """Return path and id of the live memory that each link in the memory at `path` leads to; dead links are left out."""
    places = {link: find_paths(path, link) for link in links}
    ids = tree.find_ids({one for paths in places.values() for one in paths})
    is_open = (link for link in links if not any(one in ids for one in places[link]))
    named = tree.find_named({link.name for link in is_open if link.name is not None})
    ids |= tree.find_ids(set(named.values()))
    found = {}
    for link, paths in places.items():
        reached = next((one for one in paths if one in ids), named.get(link.name or ""))
        if reached is not None and reached in ids:
            found[link] = (reached, ids[reached])
    return found
