"""Folders that are synced with a store of the tests' database."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from gateway.cli.console.session import Session
from gateway.cli.sync.carry_out import SyncReport
from gateway.cli.sync.once import sync_folder
from gateway.cli.sync.plan import SyncRequest
from shared.adapters.files.sync_state import STATE_FILE
from shared.all_ports import Ports
from shared.core.questions.question import Question
from shared.core.sync.names import is_conflict
from shared.core.tenants.store import DEFAULT_STORE
from workers.phases.consolidate.answer import ConsolidateAction, ConsolidateAnswer


def sync(
    ports: Ports,
    tenant: str,
    root: Path,
    *,
    reviewed: bool | None = None,
    deletes: bool = False,
    store: str = DEFAULT_STORE,
) -> SyncReport:
    """Sync a folder once."""
    session = Session(settings=ports.settings, ports=ports, is_embedded=False)
    request = SyncRequest(root=root, tenant=tenant, store=store, actor="a test", reviewed=reviewed)
    return sync_folder(session, request, deletes=lambda _plan: deletes)


def files_of(root: Path) -> dict[str, str]:
    """Return the texts of a folder, without the record and what keeps sides of conflicts."""
    found = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*")) if path.is_file()}
    return {name: path.read_text() for name, path in found.items() if name != STATE_FILE and not is_conflict(name)}


def kept_in(root: Path) -> list[str]:
    """Return the texts that conflicts left beside their files."""
    found = (path for path in sorted(root.rglob("*")) if path.is_file())
    return [path.read_text() for path in found if is_conflict(path.relative_to(root).as_posix())]


def live(ports: Ports, tenant: str) -> dict[str, str]:
    with ports.db.transaction(tenant) as uow:
        return {one.path: one.content for one in uow.memories(uow.stores.get(DEFAULT_STORE).id).find_live()}


def lay(root: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def merge_first_two(question: Question) -> BaseModel | None:
    """Merge the first two texts that are offered."""
    found: Sequence[object] = question.documents
    if question.phase != "consolidate" or len(found) < 2:
        return None
    first, second = question.documents[:2]
    merged = f"{first.text}\n{second.text}"
    action = ConsolidateAction(
        type="MERGE", files=(first.path, second.path), output_file=first.path, merged_content=merged
    )
    return ConsolidateAnswer(actions=(action,))
