"""Fill stores from folders of files: the real memory trees, and the tenant of the demo with its sessions."""

from pathlib import Path

from benchmarks.support.stores import data_folder
from gateway.cli.memories.files import read_into_store
from gateway.cli.sessions.transcripts import ImportRequest, import_transcripts
from shared.adapters.files.layout import find_memory_root
from shared.all_ports import Ports

_GATEWAY = Path(__file__).parents[2] / "gateway"
DEMO = "demo"


def find_trees() -> dict[str, Path]:
    """Return the folders of the memory trees by name; none where they are absent."""
    folder = data_folder()
    trees = folder / "memory-trees" if folder else None
    return {one.name: one for one in sorted(trees.iterdir()) if one.is_dir()} if trees and trees.is_dir() else {}


def import_folder(ports: Ports, tenant: str, folder: Path) -> None:
    """Import a folder as `slowwave import` does."""
    read_into_store(ports, find_memory_root(folder), tenant, "default", quiet=True)


def import_demo(ports: Ports, tenant: str) -> None:
    """Import the memories and the sessions of the demo."""
    import_folder(ports, tenant, _GATEWAY / "demo_tenant")
    import_transcripts(
        ports.db, ImportRequest(place=_GATEWAY / "demo_sessions", tenant=tenant, store="default", quiet=True)
    )
