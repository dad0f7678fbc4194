"""Compare a folder with a store, and decide for each path what a sync does."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from shared.adapters.files.found import Refusal, RefusedFile, refuse
from shared.adapters.files.read_folder import TextFile
from shared.adapters.files.sync_folder import SyncFolder
from shared.adapters.files.sync_state import STATE_FILE, SyncedRow, SyncState
from shared.core.errors import BadInputError, UnsafePathError
from shared.core.memory.model import GENERATED, kind_of
from shared.core.memory.paths import check_memory_path
from shared.core.sessions.daily_log import find_place
from shared.core.sync.decide import Decision, Step, Stored, Synced, decide
from shared.core.sync.names import find_alike, find_confused, is_conflict
from shared.core.text.duplicates import content_hash
from shared.ports.database import Database
from shared.services.sync.store_side import StoreSide, SyncedStore, find_text, read_store

_NOTHING = Stored(None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncRequest:
    """The folder and the store to sync, and how.

    `reviewed` None: the folder is given the texts that it was given last time; at first what waits for no review.
    """

    root: Path
    tenant: str
    store: str
    actor: str
    reviewed: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStep:
    """One path, what stands there on both sides, and the decision."""

    path: str
    decision: Decision
    file: TextFile | None
    side: StoreSide | None


@dataclass(slots=True, kw_only=True)
class SyncPlan:
    """The steps of a sync. `refused` are paths that stay as they are, each with the reason; `is_recorded`: the record names the store and `reviewed`."""

    store: SyncedStore
    folder: SyncFolder
    reviewed: bool
    is_recorded: bool = False
    rows: dict[str, SyncedRow] = field(default_factory=dict)
    steps: list[PlannedStep] = field(default_factory=list)
    refused: list[RefusedFile] = field(default_factory=list)
    logs: list[TextFile] = field(default_factory=list)

    @property
    def alike(self) -> list[tuple[str, str]]:
        """Return the pairs of files whose names differ only in case or Unicode form."""
        return find_alike(self.folder.files)

    @property
    def same(self) -> int:
        """Return how many files need nothing."""
        return sum(one.file is not None for one in self.find(Step.SAME))

    def find(self, *wanted: Step) -> list[PlannedStep]:
        """Return the planned steps of these kinds, by path."""
        return [one for one in self.steps if one.decision.step in wanted]


def plan_sync(db: Database, request: SyncRequest, state: SyncState | None, folder: SyncFolder) -> SyncPlan:
    """Return what a sync would do.

    Raises:
        BadInputError: the folder is synced with another store.
        ArchivedError: the store is archived.
    """
    last = state.reviewed if state is not None else True
    reviewed = last if request.reviewed is None else request.reviewed
    store = read_store(db, request.tenant, request.store, reviewed=reviewed)
    _check_same_store(request, state, store)
    rows = dict(state.rows) if state is not None else {}
    plan = SyncPlan(
        store=store, folder=folder, reviewed=reviewed, is_recorded=state is not None and state.reviewed == reviewed, rows=rows,
        refused=list(folder.refused),
    )  # fmt: skip
    there = {path for path, side in store.sides.items() if side.texts.shown is not None}
    confused = find_confused({*folder.files, *there}, folder.files)
    for path in sorted({*folder.files, *store.sides, *rows}):
        if path in folder.files and find_place(path) == path:
            plan.logs.append(folder.files[path])
        elif (refusal := _refuse(path, plan, confused)) is not None:
            plan.refused.append(refusal)
        elif not folder.is_unknown(path):
            plan.steps.append(_plan_step(db, request, plan, path))
    return plan


def _check_same_store(request: SyncRequest, state: SyncState | None, store: SyncedStore) -> None:
    """Refuse to compare a folder with a store that it was not synced with: everything would look deleted."""
    if state is None or state.store_id == store.store_id:
        return
    wanted, synced = f"{request.tenant}/{request.store}", f"{state.tenant}/{state.store}"
    what = "is another store now, of this name" if wanted == synced else f"is synced with {synced}, not with {wanted}"
    where = wanted if wanted == synced else str(request.root)
    msg = f"{where} {what}. To sync the folder with it anyway, remove {request.root / STATE_FILE}: nothing is deleted then"
    raise BadInputError(msg)


def _refuse(path: str, plan: SyncPlan, confused: dict[str, str]) -> RefusedFile | None:
    if path in plan.store.left_out:
        return None if _is_settled(path, plan) else refuse(path, Refusal.UNREVIEWED, plan.store.left_out[path])
    if path in confused:
        reason = (
            f"It differs from {confused[path]!a} only in case or Unicode form; many file systems would keep only one."
        )
        return refuse(path, Refusal.CASE_COLLISION, reason)
    if is_conflict(path):
        return refuse(path, Refusal.ODD_NAME, "Its name is that of a file that keeps one side of a conflict.")
    if plan.store.mask(path) != path:
        return refuse(path, Refusal.ODD_NAME, "Its name holds something like a secret or personal data.")
    try:
        check_memory_path(path)
    except UnsafePathError as error:
        return refuse(path, Refusal.ODD_NAME, str(error))
    return None


def _is_settled(path: str, plan: SyncPlan) -> bool:
    """Tell whether nothing is missed while the reviewed text cannot be told: the file is as it was, or an index that is not there yet."""
    row, file = plan.rows.get(path), plan.folder.files.get(path)
    if file is None:
        return kind_of(path) in GENERATED
    return row is not None and row.file == content_hash(file.content)


def _plan_step(db: Database, request: SyncRequest, plan: SyncPlan, path: str) -> PlannedStep:
    file, side, row = plan.folder.files.get(path), plan.store.sides.get(path), plan.rows.get(path)
    stored, text = side.texts if side is not None else _NOTHING, file.content if file is not None else None
    if path in plan.store.left_out:
        kept = Decision(Step.SAME, text, stored.shown, stored.live)
        return PlannedStep(path=path, decision=kept, file=file, side=side)
    last = Synced(row.file, row.store) if row is not None else None
    find_base = partial(_find_base, db, request, plan, row)
    return PlannedStep(path=path, decision=decide(last, text, stored, find_base), file=file, side=side)


def _find_base(db: Database, request: SyncRequest, plan: SyncPlan, row: SyncedRow | None) -> str | None:
    if row is None or row.text is not None:
        return row.text if row is not None else None
    return find_text(db, request.tenant, plan.store.store_id, row.memory, row.store) if row.memory else None


def list_notable(refused: list[RefusedFile]) -> Iterator[RefusedFile]:
    """Yield the refusals that a person should see: not those of pictures and of a tool's own folders."""
    plain = {Refusal.NOT_MARKDOWN, Refusal.TOOL_FOLDER}
    return (one for one in refused if one.code not in plain)
