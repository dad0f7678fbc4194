"""Plan an operation again on the memories as they are now, under the rules by which it was planned.

A change of other lines is kept, a memory that was merged into another one is followed there, and nothing may be lost that the
plan kept. What has no place any more is moot, and so is a question whose statements do not all stand any more.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from shared.core.dream.allowed_changes import find_excess, find_guarded
from shared.core.dream.effects import Effect, rebase_signals
from shared.core.dream.operations import KINDS, Change, Create, Edit, Extent, Flag, Operation, Retire, Rewrite
from shared.core.errors import MootError, UneditableFrontmatterError
from shared.core.memory.frontmatter import body_of, read_fields, set_fields, split_frontmatter, with_body
from shared.core.memory.model import Memory, MemoryState
from shared.core.merging.statements import Statement, find_unsaid, read_statements
from shared.core.questions.fingerprint import known_fields, text_fingerprint, wording_fingerprint
from shared.core.reading.carried import carry_replaced, count_parts, find_missing
from shared.core.reading.placed import read_placed
from shared.core.sessions.statement_text import SUPERSEDED_HEADING, superseded_of
from shared.core.text.clip import clip
from shared.core.text.three_way import merge_three_ways

_BREAK = "\n"
#: What these kinds replace was judged statement by statement, so that each has to stand there still.
_OF_STATEMENTS = frozenset({Extent.CORRECTS, Extent.UPDATES})
_SUPERSEDED = re.compile(rf"^{SUPERSEDED_HEADING}[ \t]*$", re.MULTILINE)


def keep_up(operation: Operation, planned: Mapping[str, Memory], current: Mapping[str, Memory]) -> Operation:
    """Return an operation for the versions of now of those memories whose texts have not changed.

    A clock, a signal or a mark that was written meanwhile makes no plan stale, and stays as it is now.

    Args:
        operation: the operation.
        planned: the memories that it was planned on, by id.
        current: the same memories as they are now, by id.
    """
    changes = tuple(
        _at_version(one, planned[one.memory_id], current[one.memory_id])
        if isinstance(one, Edit)
        and one.memory_id in planned
        and one.memory_id in current
        and _says_the_same(planned[one.memory_id], current[one.memory_id])
        else one
        for one in operation.changes
    )
    return replace(operation, changes=changes)


def _says_the_same(was: Memory, now: Memory) -> bool:
    return (was.path, was.content, was.state) == (now.path, now.content, now.state)


def _at_version(change: Edit, was: Memory, now: Memory) -> Edit:
    moved = replace(change, memory_id=now.id, version=now.version, path=now.path)
    if not isinstance(moved, Rewrite):
        return moved
    return replace(moved, signals=rebase_signals(moved.signals, was.signals, now.signals))


def find_live(memory_id: str | None, current: Mapping[str, Memory]) -> Memory | None:
    """Return a memory, or the live one that holds its knowledge by now; None if there is none."""
    seen: set[str] = set()
    memory = current.get(memory_id or "")
    while memory is not None and memory.state is MemoryState.SUPERSEDED and memory.id not in seen:
        seen.add(memory.id)
        memory = current.get(memory.superseded_by or "")
    return memory if memory is not None and memory.state is MemoryState.LIVE else None


def find_settled(flag: Flag, current: Mapping[str, Memory]) -> str | None:
    """Return which statement of a question stands as current no more, and what became of it; None while all of them do.

    Args:
        flag: the question.
        current: the memories of its statements, and the successors of those that were superseded, by id.
    """
    for number, one in enumerate(flag.statements, 1):
        was, now = current.get(one.memory_id), find_live(one.memory_id, current)
        if now is None:
            return f"{one.path} was {'removed' if was is None else was.state}"
        if all(wording_fingerprint(placed.text) != one.fingerprint for placed in read_placed(now.content)):
            replaced = map(wording_fingerprint, superseded_of(body_of(now.content)))
            return (
                f"statement {number}, of {now.path}, was {'superseded' if one.fingerprint in replaced else 'changed'}"
            )
    return None


def replan(operation: Operation, planned: Mapping[str, Memory], current: Mapping[str, Memory]) -> Operation:
    """Return an operation as it applies to the memories of now.

    Args:
        operation: a proposal.
        planned: the memories that it was planned on, by id.
        current: the same memories as they are now, and the successors of those that were superseded, by id.

    Raises:
        MootError: the operation has no place any more; the message says why.
    """
    if KINDS[operation.kind].is_bulk:
        return keep_up(operation, planned, current)
    written = _Written(planned, current, KINDS[operation.kind].extent)
    written.add([one for one in operation.changes if not isinstance(one, Retire)])
    retires = [one for one in operation.changes if isinstance(one, Retire)]
    written.retire(retires)
    if retires and not written.hidden:
        raise MootError(f"{retires[0].path} is no longer live: what this would do to it is done already")
    return replace(operation, changes=(*written.changes.values(), *written.hidden))


class _Written:
    """The changes of an operation as they are planned again, by the path that they had in the plan."""

    def __init__(self, planned: Mapping[str, Memory], current: Mapping[str, Memory], extent: Extent) -> None:
        self.planned, self.current = planned, current
        self.is_of_statements = extent in _OF_STATEMENTS
        self.changes: dict[str, Change] = {}
        self.hidden: list[Retire] = []
        self.kept_in: dict[str, str] = {}  # by path of the plan, the key of its change

    def add(self, changes: Sequence[Change]) -> None:
        """Plan what is written; two memories that became one are written once."""
        by_memory: dict[str, str] = {}
        for number, change in enumerate(changes):
            if not isinstance(change, Edit):
                key = change.path if isinstance(change, Create) else f"{number}"
                self.changes[key], self.kept_in[key] = change, key
                continue
            was, now = self.planned.get(change.memory_id), find_live(change.memory_id, self.current)
            if was is None or now is None:
                raise MootError(f"{change.path} is no longer live, and nothing took its place")
            key = by_memory.setdefault(now.id, change.path)
            self.kept_in[change.path] = key
            before = self.changes.get(key)
            text = before.content if isinstance(before, Rewrite) else now.content
            self.changes[key] = _onto(change, was, now, text, is_of_statements=self.is_of_statements)

    def retire(self, changes: Sequence[Retire]) -> None:
        """Plan what is hidden; what is hidden already, or is written itself by now, is left out."""
        written = {one.memory_id for one in self.changes.values() if isinstance(one, Edit)}
        for change in changes:
            was, now = self.planned.get(change.memory_id), self.current.get(change.memory_id)
            if was is None or now is None or now.state is not MemoryState.LIVE or now.id in written:
                continue
            moved = replace(change, version=now.version, path=now.path)
            if change.successor_id is not None:
                successor = find_live(change.successor_id, self.current)
                if successor is None or successor.id == now.id:
                    raise MootError(f"the memory that should replace {now.path} is no longer live")
                moved = replace(moved, successor_id=successor.id)
            if change.superseded_by is not None:
                moved = replace(moved, superseded_by=self._take_along(change.superseded_by, was, now))
            self.hidden.append(moved)

    def _take_along(self, path: str, was: Memory, now: Memory) -> str:
        """Bring the edits of a memory that is hidden into the text that replaces it; return that one's path now."""
        key = self.kept_in[path]
        keeper = self.changes[key]
        if isinstance(keeper, Create | Rewrite):
            text = rebase_text(was.content, now.content, keeper.content)
            if text is None:
                raise MootError(f"{now.path} was edited in the meantime, and the edit has no place in the new text")
            self.changes[key] = replace(keeper, content=text)
        return keeper.path if isinstance(keeper, Create | Edit) else path


def _onto(change: Edit, was: Memory, now: Memory, text: str, *, is_of_statements: bool) -> Edit:
    """Return a change for the memory of now, whose text is `text` by the changes before it."""
    moved = _at_version(change, was, now)
    if not isinstance(moved, Rewrite):
        return moved
    content = rebase_text(was.content, moved.content, text)
    if content == text and was.content != moved.content:
        raise MootError(f"{now.path} says already what this would write")
    missing = find_missing(was.content, moved.content, text) if is_of_statements or content is None else None
    if missing is not None:
        raise MootError(f"“{clip(missing.text)}” does not stand in {now.path} any more, or not only once")
    if content is None:
        raise MootError(f"what this would change in {change.path} does not stand in {now.path} any more")
    return replace(moved, content=content)


def rebase_text(base: str, planned: str, current: str) -> str | None:
    """Return `current` with the changes from `base` to `planned`, frontmatter, text and superseded part; None in a conflict."""
    if base in {current, planned}:
        return planned if current == base else current
    olds, news, nows = (_halves(body_of(text)) for text in (base, planned, current))
    text = merge_three_ways(olds[0], nows[0], news[0])
    if text is None:
        carried = carry_replaced(base, planned, current)
        if carried is None:
            return None
        text = _halves(carried)[0]
    known = {*olds[1].splitlines(), *nows[1].splitlines()}
    added = [line for line in news[1].splitlines() if line not in known]
    superseded = "\n".join([nows[1].strip("\n"), *added]).strip("\n")
    body = f"{text.rstrip(_BREAK)}\n\n{SUPERSEDED_HEADING}\n\n{superseded}\n" if superseded else text
    try:
        return with_body(_with_fields(base, planned, current), body)
    except UneditableFrontmatterError:
        return None


def _halves(body: str) -> tuple[str, str]:
    """Return a body's current part, and what stands under the heading of the superseded one."""
    current, *superseded = _SUPERSEDED.split(body, maxsplit=1)
    return f"{current.rstrip(_BREAK)}\n", "".join(superseded)


def _with_fields(base: str, planned: str, current: str) -> str:
    """Return the current text with the fields that the plan changed; a field that both changed keeps its value, or all items."""
    olds, news, nows = (read_fields(text) for text in (base, planned, current))
    if split_frontmatter(base).raw == split_frontmatter(current).raw:
        return planned
    changed: dict[str, object] = {}
    for name, value in news.items():
        mine = nows.get(name)
        if value == olds.get(name) or value == mine:
            continue
        if mine == olds.get(name):
            changed[name] = value
        elif isinstance(mine, list) and isinstance(value, list):
            changed[name] = [*mine, *(one for one in value if one not in mine)]
    return set_fields(current, changed)


def find_unfit(operation: Operation, before: Sequence[Effect], effects: Sequence[Effect]) -> str | None:
    """Return why an operation that was planned again may not be applied although it might have been, or None.

    Args:
        operation: the operation.
        before: its effects as planned first.
        effects: its effects on the memories of now.
    """
    excess = find_excess(operation.kind, effects)
    if excess is not None and find_excess(operation.kind, before) is None:
        return excess
    lost = _find_lost(effects)
    known = {one.wording for one in _find_lost(before)} | _find_withdrawn(before, effects)
    new = next((one for one in lost if one.wording not in known), None)
    return None if new is None else f'no memory would say "{clip(new.text)}" any more'


def _find_lost(effects: Sequence[Effect]) -> list[Statement]:
    """Return the statements of hidden memories, and of those that replace them, which the replacement does not say."""
    lost: list[Statement] = []
    for keeper in (one for one in effects if one.after.state is MemoryState.LIVE):
        hidden = [one.after.content for one in effects if one.after.superseded_by == keeper.after.id]
        mine = [keeper.before.content] if keeper.before is not None else []
        lost += find_unsaid(keeper.after.content, [*mine, *hidden]) if hidden else ()
    return lost


def _find_withdrawn(before: Sequence[Effect], effects: Sequence[Effect]) -> set[str]:
    """Return the wordings that a memory said when the operation was planned and that were taken out of it since."""
    was, now = ({one.before.id: one.before for one in many if one.before is not None} for many in (before, effects))
    withdrawn = (_wordings_of(was[one]) - _wordings_of(now[one]) for one in was.keys() & now.keys())
    return set().union(*withdrawn)


def _wordings_of(memory: Memory) -> set[str]:
    return {statement.wording for statement in read_statements(memory.content).statements}


def needs_look(operation: Operation, shown: Sequence[Effect], effects: Sequence[Effect]) -> bool:
    """Tell whether a person was shown another change than an operation makes now, clocks, signals and links aside.

    What only changes texts is known by what it takes out and puts in: the rest of a text, which others wrote, is none of its
    doing. What hides or creates memories is known by their whole texts, because these take the place of others.
    """
    if find_guarded(operation.kind, effects) != find_guarded(operation.kind, shown):
        return True
    if _only_edits(shown) and _only_edits(effects):
        return _differences(shown) != _differences(effects)
    return _outcome(shown) != _outcome(effects)


def _only_edits(effects: Sequence[Effect]) -> bool:
    return all(one.before is not None and one.after.state is MemoryState.LIVE for one in effects)


def _differences(effects: Sequence[Effect]) -> list[tuple[str, list[tuple[str, ...]], list[tuple[str, ...]]]]:
    """Return for each memory that is edited its path, what is taken out of its text, and what is put in."""
    found = []
    for effect in effects:
        before, after = (_parts_of(one) if one is not None else Counter() for one in (effect.before, effect.after))
        found.append((effect.after.path, sorted((before - after).elements()), sorted((after - before).elements())))
    return sorted(found)


def _parts_of(memory: Memory) -> Counter[tuple[str, ...]]:
    parts = count_parts(memory.content)
    parts.update(known_fields(memory.content).items())
    return parts


def _outcome(effects: Sequence[Effect]) -> list[tuple[str, str]]:
    return sorted((text_fingerprint(effect.after), effect.after.state) for effect in effects)
