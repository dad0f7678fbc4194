"""Compute the effects of an operation on memories, and how to revert them, as before and after images.

Applying, proposing, previewing and undoing all use these pure functions, so undo after apply is the identity by
construction.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.core.dream.operations import (
    KINDS,
    Absorb,
    Create,
    Edit,
    Extent,
    Operation,
    OperationKind,
    Promote,
    Retire,
    Rewrite,
    Touch,
)
from shared.core.errors import ConflictError
from shared.core.memory.frontmatter import opening_of
from shared.core.memory.importance import IMPORTANCE_CAP, merged
from shared.core.memory.model import Author, Memory, MemoryState, Signals, Tier
from shared.core.memory.writers import Said, Writers
from shared.core.text.duplicates import is_same_text
from shared.core.text.three_way import merge_three_ways
from shared.core.trust.inherit import Written, inherit, statements_by_key, writers_by_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The effect of one change on one memory: the memory before (None: it did not exist) and after."""

    before: Memory | None
    after: Memory
    is_before_redacted: bool = False  # its text was removed for good later, so it cannot come back
    is_after_redacted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """A reverted effect, and the memory before and after the undo."""

    effect: Effect
    undo: Effect


def touched_ids(operation: Operation) -> frozenset[str]:
    """Return the ids of the existing memories that an operation changes or relies on."""
    changed = {c.memory_id for c in operation.changes if isinstance(c, Edit)}
    return frozenset(changed | {c.successor_id for c in operation.changes if isinstance(c, Retire) and c.successor_id})


def without_moved(operation: Operation, current: Mapping[str, Memory]) -> Operation:
    """Return a bulk operation without the changes that no longer apply; duplicates and their keeper are dropped together.

    Any other operation stays as it is: it applies as a whole or not at all.
    """
    if not KINDS[operation.kind].is_bulk:
        return operation
    moved = {_group_of(c) for c in operation.changes if isinstance(c, Edit) and _why_moved(c, current)}
    kept = tuple(c for c in operation.changes if not (isinstance(c, Edit) and _group_of(c) in moved))
    return operation if len(kept) == len(operation.changes) else replace(operation, changes=kept)


def _group_of(change: Edit) -> str:
    """Return the path that a change depends on: its duplicates' keeper, or itself. A path is live at most once."""
    return (change.superseded_by if isinstance(change, Retire) else None) or change.path


def plan_effects(
    operation: Operation,
    current: Mapping[str, Memory],
    now: datetime,
    new_id: Callable[[], str],
) -> tuple[Effect, ...]:
    """Return the effects of an operation on the memories as they are now.

    Raises:
        ConflictError: a memory is gone or was written since the plan was made.
    """
    _check_tentative(operation, current)
    created = {c.path: new_id() for c in operation.changes if isinstance(c, Create)}
    ids = created | {c.path: c.memory_id for c in operation.changes if isinstance(c, Rewrite | Absorb)}
    effects = [
        Effect(before=None, after=_created(change, ids[change.path], now))
        if isinstance(change, Create)
        else _plan_edit(change, current, now, ids)
        for change in operation.changes
        if isinstance(change, Create | Edit)
    ]
    return _with_writers(operation, effects)


def _with_writers(operation: Operation, effects: Sequence[Effect]) -> tuple[Effect, ...]:
    """Return the effects with the writers of the written texts: what is carried over stays its writer's."""
    carries_over = KINDS[operation.kind].extent in {Extent.JOINS, Extent.SPLITS}
    every = [_written(effect.before) for effect in effects if effect.before is not None]

    def attribute(effect: Effect) -> Effect:
        before, after = effect.before, effect.after
        if before is not None and before.content == after.content:
            return effect
        sources = every if carries_over else [] if before is None else [_written(before)]
        return replace(effect, after=replace(after, writers=inherit(after.content, sources, operation.said)))

    return tuple(map(attribute, effects))


def find_said(effects: Sequence[Effect]) -> tuple[Said, ...]:
    """Return what effects write that stood in none of their memories, with who said it: a stored operation tells its changes only."""
    stood = {key for one in effects if one.before is not None for key in statements_by_key(one.before.content)}
    said: list[Said] = []
    for one in effects:
        told = statements_by_key(one.after.content)
        writers = writers_by_key(_written(one.after), told)
        said += [Said(told[key], writer) for key, writer in writers.items() if key not in stood]
    return tuple(said)


def _written(memory: Memory) -> Written:
    return Written(memory.content, memory.writers)


def _check_tentative(operation: Operation, current: Mapping[str, Memory]) -> None:
    """Raise ConflictError when a preference was recalled, and so ratified, while the dream was thinking."""
    for change in operation.changes if operation.kind is OperationKind.UNRATIFY else ():
        if (
            isinstance(change, Retire)
            and change.memory_id in current
            and current[change.memory_id].signals.access_count
        ):
            msg = f"{change.path} was recalled in the meantime"
            raise ConflictError(msg)


def _plan_edit(change: Edit, current: Mapping[str, Memory], now: datetime, ids: Mapping[str, str]) -> Effect:
    before = _as_planned(change, current)
    match change:
        case Rewrite():
            after = replace(
                before, content=change.content, signals=_with_accesses(change.signals, before.signals), author=Author.DREAM,
                updated_at=now, touched_at=now if change.resets_clock else before.touched_at,
                is_dirty=before.is_dirty and change.stays_dirty, created_at=change.created_at or before.created_at,
            )  # fmt: skip
        case Retire():
            successor = ids.get(change.superseded_by) if change.superseded_by else _live_successor(change, current)
            stub = change.stub or (opening_of(before.content, change.stub_chars) if change.stub_chars else None)
            after = replace(before, state=change.state, superseded_by=successor, stub=stub)
        case Absorb():
            after = _absorbed(before, [_as_planned(change, current, one) for one in change.folded])
        case Promote():
            after = replace(before, signals=replace(before.signals, tier=Tier.DURABLE))
        case Touch():
            after = replace(before, touched_at=now)
    return Effect(before=before, after=replace(after, version=before.version + 1))


def _absorbed(keeper: Memory, others: Sequence[Memory]) -> Memory:
    """Return a memory that takes over its exact duplicates: the earliest creation, the latest clock, all counts."""
    for other in others:
        if not is_same_text(keeper.content, other.content):
            msg = f"{other.path} does not say the same as {keeper.path}"
            raise ConflictError(msg)
    all_of_them = [keeper, *others]
    return replace(
        keeper,
        signals=merged([one.signals for one in all_of_them]),
        writers=_most_trusted(keeper, others),
        created_at=min(one.created_at for one in all_of_them),
        touched_at=max(one.touched_at for one in all_of_them),
    )


def _most_trusted(keeper: Memory, others: Sequence[Memory]) -> Writers:
    """Return the writers of a text that was said more than once: the most trusted of each statement's."""
    if all(one.writers.by == keeper.writers.by for one in others):
        return keeper.writers
    best = max((keeper, *others), key=lambda one: one.writers.lowest.rank)
    return keeper.writers if best.writers.lowest.rank <= keeper.writers.lowest.rank else best.writers


def _with_accesses(planned: Signals, current: Signals) -> Signals:
    """Return the planned signals plus the accesses during the dream, and the mark of a person, which no dream removes."""
    planned = replace(planned, by_person=planned.by_person or current.by_person)
    if current.access_count <= planned.access_count:
        return planned
    seen = [at for at in (planned.last_seen_at, current.last_seen_at) if at is not None]
    return replace(planned, access_count=current.access_count, last_seen_at=max(seen, default=None))


def _live_successor(change: Retire, current: Mapping[str, Memory]) -> str | None:
    """Return the memory outside of the operation that takes this one's place. Raises ConflictError when it is gone."""
    if change.successor_id is None:
        return None
    successor = current.get(change.successor_id)
    if successor is None or successor.state is not MemoryState.LIVE:
        msg = f"the memory that should replace {change.path} is no longer live"
        raise ConflictError(msg)
    return successor.id


def _created(change: Create, memory_id: str, now: datetime) -> Memory:
    return Memory(
        id=memory_id, path=change.path, content=change.content, signals=change.signals, author=Author.DREAM,
        created_at=change.created_at or now, updated_at=now, touched_at=change.touched_at or now, is_dirty=False,
    )  # fmt: skip


def _as_planned(change: Edit, current: Mapping[str, Memory], memory_id: str | None = None) -> Memory:
    """Return the memory of a change, in the planned version. Raises ConflictError."""
    if memory_id is None:
        why = _why_moved(change, current)
        if why is not None:
            raise ConflictError(why)
    memory = current.get(memory_id or change.memory_id)
    if memory is None or memory.state is not MemoryState.LIVE:
        msg = f"A duplicate of {change.path} is no longer live"
        raise ConflictError(msg)
    return memory


def _why_moved(change: Edit, current: Mapping[str, Memory]) -> str | None:
    memory = current.get(change.memory_id)
    if memory is None or memory.state is not MemoryState.LIVE:
        return f"{change.path} is no longer live"
    if memory.version != change.version:
        return f"{change.path} was edited in the meantime (version {memory.version}, planned on {change.version})"
    return None


def decide_undo_conflict(effect: Effect, current: Memory | None, *, since: str = "the dream") -> str | None:
    """Return why an effect cannot be taken back without losing a later edit, or None.

    A later edit of other lines is not a conflict: both changes are merged. An effect on clocks and signals never
    conflicts. `since` names the cause of the effect: a dream, or an undo, which a redo takes back.
    """
    after = effect.after
    if _keeps_text(effect):
        return None
    if effect.is_after_redacted:
        return f"what {since} wrote to {after.path} was redacted"
    if current is None:
        return f"{after.path} is gone"
    if (current.path, current.state) != (after.path, after.state):
        return f"{after.path} was {current.state} in the meantime"
    if find_restored_text(effect, current) is None:
        return f"{after.path} was edited after {since}"
    return None


def decide_undo_impossible(effect: Effect, *, since: str = "the dream") -> str | None:
    """Return why an effect can never be taken back, or None. It cannot when the text to restore was redacted."""
    is_impossible = effect.is_before_redacted and not _keeps_text(effect)
    return f"{effect.after.path} as it was before {since} was redacted" if is_impossible else None


def _keeps_text(effect: Effect) -> bool:
    """Tell whether an effect changes only clocks and signals."""
    before, after = effect.before, effect.after
    return before is not None and (before.content, before.state) == (after.content, after.state)


def find_restored_text(effect: Effect, current: Memory) -> str | None:
    """Return the text that a memory has once an effect is taken back; empty when nothing is left, None in a conflict.

    A dream's later change is not an edit to merge with: that dream is undone first. Nor is an edit hidden with a memory
    that is to be hidden again.
    """
    if _keeps_text(effect):
        return current.content
    wanted = effect.before.content if effect.before is not None else ""
    if current.content == effect.after.content:
        return wanted
    states = {effect.after.state, effect.before.state if effect.before is not None else MemoryState.LIVE}
    if current.author is Author.DREAM or states != {MemoryState.LIVE}:
        return None
    return merge_three_ways(effect.after.content, current.content, wanted)


def loses_text(effect: Effect) -> bool:
    """Tell whether reverting an effect leaves no live memory with the text that it wrote."""
    before, after = effect.before, effect.after
    is_live = before is not None and before.state is MemoryState.LIVE
    return after.state is MemoryState.LIVE and not (is_live and before is not None and before.content == after.content)


def plan_restore(effect: Effect, current: Memory) -> Memory:
    """Return the memory as it was before, as a new version; accesses, pins and edits of other lines since then are kept.

    A conflicting edit is overwritten: the caller has decided to do so, and stores the edit elsewhere.
    """
    before, version = effect.before, current.version + 1
    edited = find_restored_text(effect, current) if current.content != effect.after.content else None
    if before is None:
        if edited is not None and edited.strip():
            text = edited.lstrip("\n")
            return replace(current, content=text, writers=_writers_of(text, current), version=version, is_dirty=True)
        return replace(current, state=MemoryState.REMOVED, version=version, is_dirty=False)
    signals = rebase_signals(before.signals, effect.after.signals, current.signals)
    is_touched = current.touched_at != effect.after.touched_at
    touched_at = current.touched_at if is_touched else before.touched_at
    if edited is not None or (_keeps_text(effect) and current.state is not effect.after.state):
        text = current.content if edited is None else edited
        writers = _writers_of(text, current, before)
        return replace(current, content=text, writers=writers, signals=signals, touched_at=touched_at, version=version)
    return replace(before, signals=signals, touched_at=touched_at, version=version)


def _writers_of(text: str, *sources: Memory) -> Writers:
    return inherit(text, [_written(one) for one in sources])


def rebase_signals(before: Signals, after: Signals, current: Signals) -> Signals:
    """Return the signals `before` with what has changed from `after` to `current`."""
    by_person = before.by_person or current.by_person
    if current == after:
        return replace(before, by_person=by_person)
    return Signals(
        importance=min(IMPORTANCE_CAP, max(0.0, before.importance + (current.importance - after.importance))),
        maturity=before.maturity if current.maturity is after.maturity else current.maturity,
        tier=before.tier if current.tier is after.tier else current.tier,
        access_count=max(0, before.access_count + current.access_count - after.access_count),
        reinforcement_count=max(
            0, before.reinforcement_count + current.reinforcement_count - after.reinforcement_count
        ),
        pinned=before.pinned if current.pinned == after.pinned else current.pinned,
        last_seen_at=before.last_seen_at if current.last_seen_at == after.last_seen_at else current.last_seen_at,
        by_person=by_person,
    )
