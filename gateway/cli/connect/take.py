"""Bring the memories and sessions of projects into their stores. What is there already is not taken twice."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gateway.cli.connect.projects import Project, find_place
from gateway.cli.console.options import cli_actor
from gateway.cli.console.session import Session
from gateway.cli.sessions.transcripts import ImportRequest, ReadFile, import_transcripts
from gateway.cli.sync.carry_out import SyncReport
from gateway.cli.sync.once import sync_folder
from gateway.cli.sync.sync import make_request
from shared.services.memories.write import ensure_store


@dataclass(slots=True, kw_only=True)
class TakenProject:
    """The reports of a project's memory folders, and how many events of its sessions were new."""

    store: str
    synced: dict[str, SyncReport] = field(default_factory=dict)
    events_added: int = 0
    sessions: int = 0


def take_project(session: Session, tenant: str, project: Project) -> TakenProject:
    """Sync a project's memory folders and import its sessions. Raises as syncs and imports do."""
    taken = TakenProject(store=project.store)
    ensure_store(session.ports.db, tenant, project.store, actor=cli_actor())
    for folder in project.memories:
        taken.synced[str(folder)] = take_memories(session, tenant, project.store, folder)
    taken.events_added, taken.sessions = take_sessions(session, tenant, project.store, project.sessions)
    return taken


def take_memories(session: Session, tenant: str, store: str, folder: Path) -> SyncReport:
    """Sync one memory folder; deletions are only told. Raises as `sync_folder` does."""
    return sync_folder(session, make_request(folder, tenant, store), deletes=lambda _plan: False)


def take_sessions(session: Session, tenant: str, store: str, paths: Sequence[Path]) -> tuple[int, int]:
    """Import transcripts; return how many events were new, and of how many sessions there were any."""
    added, names = 0, set[str]()
    for path in paths:
        cwd, branch = find_place(path)
        project = "" if cwd is None else f"{cwd} ({branch})" if branch else str(cwd)
        request = ImportRequest(
            place=path, tenant=tenant, store=store, project=project, masks=session.settings.mask_secrets, quiet=True
        )
        for file in import_transcripts(session.ports.db, request):
            if isinstance(file, ReadFile):
                added += file.counts.added
                names.update(file.counts.sessions)
    return added, len(names)
