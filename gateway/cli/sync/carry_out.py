"""Carry out the plan of a sync: first the store, then the folder, then the record of both.

Every step checks that its side is still as it was read, and leaves it alone otherwise. The record is written last: if the sync
ends in between, the next one finds equal texts on both sides and only records them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gateway.cli.sync.plan import PlannedStep, SyncPlan, SyncRequest
from shared.adapters.files.found import Refusal, RefusedFile, refuse
from shared.adapters.files.read_folder import TextFile, read_hints
from shared.adapters.files.sync_folder import remove_synced, write_synced
from shared.adapters.files.sync_state import SyncedRow, SyncState, write_state
from shared.all_ports import Ports
from shared.core.memory.model import ExportFile
from shared.core.sync.decide import Step
from shared.core.sync.names import name_conflict
from shared.core.text.duplicates import content_hash
from shared.services.memories.write import NewText, ensure_store
from shared.services.sync.store_side import Taken, take_deletion, take_texts

_DELETIONS = (Step.DELETE_IN_STORE, Step.DELETE_IN_FOLDER)


@dataclass(slots=True, kw_only=True)
class SyncReport:
    """The steps that were done, by path; the files that keep a side of a conflict; deletions that wait for a yes; refusals."""

    done: dict[str, Step] = field(default_factory=dict)
    aside: dict[str, str] = field(default_factory=dict)
    waiting: dict[str, Step] = field(default_factory=dict)
    held: list[str] = field(default_factory=list)
    refused: list[RefusedFile] = field(default_factory=list)
    alike: list[tuple[str, str]] = field(default_factory=list)
    same: int = 0
    log_entries: int = 0
    written: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    store_id: str = ""
    reviewed: bool = True
    since: dict[str, int] = field(default_factory=dict)  # the version that the folder had of each memory it was given

    @property
    def waits(self) -> bool:
        """Tell whether a person has something to settle."""
        return bool(self.aside or self.held)


def carry_out(
    ports: Ports,
    request: SyncRequest,
    plan: SyncPlan,
    folder: int,
    *,
    deletes: bool,
    import_log: Callable[[TextFile], int],
) -> SyncReport:
    """Carry out a plan; deletions only if `deletes`.

    Args:
        ports: the ports.
        request: what is synced.
        plan: what is to be done; its rows are brought up to date.
        folder: the open folder.
        deletes: whether deletions may be carried out.
        import_log: takes a daily log and returns how many entries of it were new.
    """
    report = SyncReport(refused=list(plan.refused), held=[one.path for one in plan.find(Step.HELD)])
    report.same, report.alike, report.reviewed = plan.same, plan.alike, plan.reviewed
    before = dict(plan.rows)
    ensure_store(ports.db, request.tenant, request.store, actor=request.actor)
    steps = [one for one in plan.steps if one.decision.step not in {Step.HELD, *(() if deletes else _DELETIONS)}]
    report.waiting = {} if deletes else {one.path: one.decision.step for one in plan.find(*_DELETIONS)}
    taken = _take(ports, request, steps, report)
    for step in steps:
        if step.path not in taken.left and _place(ports, request, step, folder, plan, report):
            _record(plan, step, taken)
    for log in plan.logs:
        report.log_entries += _take_log(plan, log, import_log)
    report.since = _find_versions(report, before, steps)
    _finish(ports, request, plan, report, folder, is_changed=plan.rows != before)
    return report


def _find_versions(report: SyncReport, before: Mapping[str, SyncedRow], steps: Sequence[PlannedStep]) -> dict[str, int]:
    """Return, by memory, the version that the folder had of what it was given; 0 for none."""
    given = {*report.written, *report.removed}
    known = {row.memory: row.version for path in given if (row := before.get(path)) and row.memory}
    return known | {one.side.memory_id: 0 for one in steps if one.path in given - before.keys() and one.side}


def _finish(
    ports: Ports, request: SyncRequest, plan: SyncPlan, report: SyncReport, folder: int, *, is_changed: bool
) -> None:
    """Write the record, unless nothing has changed in it."""
    with ports.db.transaction(request.tenant) as uow:
        report.store_id = uow.stores.get(request.store).id
    if is_changed or not plan.is_recorded:
        state = SyncState(
            tenant=request.tenant, store=request.store, store_id=report.store_id, reviewed=plan.reviewed, rows=plan.rows
        )
        write_state(folder, state)


def _take(ports: Ports, request: SyncRequest, steps: Sequence[PlannedStep], report: SyncReport) -> Taken:
    """Write what the folder has into the store."""
    texts = [_new_text(one) for one in steps if one.decision.step in {Step.TO_STORE, Step.MERGED} and _is_news(one)]
    taken = take_texts(ports.db, ports.ids, request.tenant, request.store, texts, actor=request.actor)
    report.refused += [refuse(path, Refusal.VANISHED, "Its memory changed while it was synced; the next sync takes it.") for path in sorted(taken.left)]  # fmt: skip
    return taken


def _is_news(step: PlannedStep) -> bool:
    return step.decision.live != (step.side.texts.live if step.side is not None else None)


def _new_text(step: PlannedStep) -> NewText:
    live = step.side.texts.live if step.side is not None else None
    found = read_hints(step.file) if step.file is not None and live is None else None
    written_at = _moment(step.file.mtime_ns) if step.file is not None else None
    return NewText(
        path=step.path,
        content=step.decision.live or "",
        signals=found.signals if found is not None else None,
        created_at=found.created_at if found is not None else None,
        written_at=found.updated_at if found is not None else written_at,
        overwrites=True,
        expected_sha256="" if live is None else content_hash(live),
    )


def _moment(mtime_ns: int) -> datetime:
    return datetime.fromtimestamp(mtime_ns / 1e9, UTC)


def _place(
    ports: Ports, request: SyncRequest, step: PlannedStep, folder: int, plan: SyncPlan, report: SyncReport
) -> bool:
    """Do a step's part in the folder, or the deletion of a memory; return whether the step is complete."""
    kind, was = step.decision.step, step.file.content if step.file is not None else None
    if kind is Step.DELETE_IN_STORE:
        if step.side is None or not take_deletion(
            ports.db, request.tenant, request.store, step.side, actor=request.actor
        ):
            return _fail(report, refuse(step.path, Refusal.VANISHED, "Its memory changed meanwhile; it stays."))
    elif kind is Step.DELETE_IN_FOLDER:
        if (refusal := remove_synced(request.root, step.path, was or "")) is not None:
            return _fail(report, refusal)
        report.removed.append(step.path)
    elif step.decision.folder != was and not _write(step, folder, plan, report):
        return False
    if kind is not Step.SAME:
        report.done[step.path] = kind
    return True


def _write(step: PlannedStep, folder: int, plan: SyncPlan, report: SyncReport) -> bool:
    was = step.file.content if step.file is not None else None
    if step.decision.aside is not None:
        kept = name_conflict(step.path, [*plan.folder.conflicts, *report.aside.values()])
        aside = ExportFile(path=kept, content=step.decision.aside)
        if (refusal := write_synced(folder, aside, was=None)) is not None:
            return _fail(report, refusal)
        report.aside[step.path] = kept
    side, mine = step.side, step.decision.folder or ""
    dated = side.updated_at if side is not None and mine == side.texts.shown else None
    file = ExportFile(path=step.path, content=mine, updated_at=dated)
    if (refusal := write_synced(folder, file, was=was)) is not None:
        return _fail(report, refusal)
    report.written.append(step.path)
    return True


def _fail(report: SyncReport, refusal: RefusedFile) -> bool:
    report.refused.append(refusal)
    return False


def _record(plan: SyncPlan, step: PlannedStep, taken: Taken) -> None:
    """Bring the row of a path up to date; a path that both sides left alone keeps its own."""
    after, row = step.decision, plan.rows.get(step.path)
    if after.folder is None or after.shown is None:
        plan.rows.pop(step.path, None)
        return
    if after.step is Step.SAME and after.folder != after.shown:
        return
    shown = plan.store.mask(after.shown) if step.path in taken.written else after.shown
    side = step.side
    memory, version = taken.written.get(step.path) or ((side.memory_id, side.version) if side is not None else ("", 0))
    if row is not None and after.shown != after.live:
        version = row.version  # what waits for a review is still to come, and its dream to be named then
    new = SyncedRow(
        file=content_hash(after.folder),
        store=content_hash(shown),
        memory=memory,
        version=version,
        text=shown if after.shown != after.live else None,
    )
    if row != new:
        plan.rows[step.path] = new


def _take_log(plan: SyncPlan, log: TextFile, import_log: Callable[[TextFile], int]) -> int:
    row, sha = plan.rows.get(log.path), content_hash(log.content)
    if row is not None and row.file == sha:
        return 0
    added = import_log(log)
    plan.rows[log.path] = SyncedRow(file=sha, store="")
    return added
