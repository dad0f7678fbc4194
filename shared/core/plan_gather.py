"""From what a model found in windows of sessions to operations: grounded in a quote, dated, merged into what is there.

A statement needs the words of a session that say it. A later one wins over an earlier one, a correction over whatever is
older than it; what it replaces stays in the file as superseded. At most one operation per memory.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.core.answers import GatheredMemory
from shared.core.confidence import confidence_of
from shared.core.episodes import find_episode
from shared.core.errors import BadInputError
from shared.core.gather_home import Home, Said, add_to_home, make_operation
from shared.core.gather_rules import GatherView, decide_grounded
from shared.core.memory import Author, Memory, MemoryKind, kind_of
from shared.core.operation import Operation, Plan, Skip
from shared.core.paths import check_memory_path, slug_of
from shared.core.similarity import NEAR_DUPLICATE, decide_near_duplicate
from shared.core.texts import body_of

#: Where a new memory goes when the model names no directory, by kind.
_PLACES = {"decision": "decisions", "preference": "preferences", "theme": "themes"}
_DEFAULT_PLACE = "notes"
#: A file named after a day was written bit by bit, nobody knows on which one.
_DATED_NAME = re.compile(r"\d{4}-\d{2}-\d{2}")
#: Apostrophes within words are dropped from file names: `we-dont`, not `we-don-t`.
_NO_LETTERS = re.compile(r"(?<=\w)['\u2019](?=\w)")


@dataclass
class _Draft:
    """What has been decided so far."""

    homes: dict[str, Home] = field(default_factory=dict)
    skips: list[Skip] = field(default_factory=list)


def plan_gathering(view: GatherView, found: Sequence[GatheredMemory]) -> Plan:
    """Return one operation per memory that the statements come to; every statement that is dropped says why."""
    draft = _Draft()
    cap = view.policy.max_memories
    grounded = [decide_grounded(view, item) for item in _surest(found, cap)]
    draft.skips += [skip for skip in grounded if isinstance(skip, Skip)]
    draft.skips += [Skip(code="cap", detail=f"more than {cap} statements")] * max(0, len(found) - cap)
    said = sorted((one for one in grounded if isinstance(one, Said)), key=lambda one: (one.at, one.position))
    for one in said:
        _place(draft, view, one)
    operations: list[Operation] = []
    for home in draft.homes.values():
        made = make_operation(home, view.policy.review_below_confidence)
        operations.append(made) if isinstance(made, Operation) else draft.skips.append(made)
    return Plan(operations=tuple(operations), skips=tuple(draft.skips))


def _surest(found: Sequence[GatheredMemory], cap: int) -> list[GatheredMemory]:
    """Return at most so many statements in their order, those that the model was least sure of left out."""
    ranked = sorted(range(len(found)), key=lambda number: -(confidence_of(found[number].confidence) or 0.0))
    return [found[number] for number in sorted(ranked[:cap])]


def _place(draft: _Draft, view: GatherView, one: Said) -> None:
    home = _find_home(draft, view, one)
    if isinstance(home, Skip):
        draft.skips.append(home)
        return
    problem = add_to_home(home, one)
    if problem is not None:
        draft.skips.append(problem)
    else:
        draft.homes[home.path] = home


def _find_home(draft: _Draft, view: GatherView, one: Said) -> Home | Skip:
    target = one.item.target
    if target is not None:
        memory = next((memory for memory in view.existing if memory.path == target), None)
        if memory is None:
            return Skip(code="not_offered", detail=f"{target[:200]!r} was not offered to the model")
        return draft.homes.get(target) or _open(view, memory)
    twin = _find_twin(draft, view, one)
    if twin is not None:
        return twin
    episode = find_episode(one.item.kind, one.item.statement) if view.policy.episodes else None
    path = _new_path(one, episode or _folder_of(one), view, draft)
    if isinstance(path, Skip):
        return path
    if path in draft.homes:
        return draft.homes[path]
    title = _title_of(one)
    return Home(path=path, memory=None, title=title, body=f"# {title}\n", category=episode or "")


def _find_twin(draft: _Draft, view: GatherView, one: Said) -> Home | None:
    """Return the memory that says nearly the same, drafted or offered: a second file would be a duplicate."""
    for home in draft.homes.values():
        if any(decide_near_duplicate(other.statement, one.statement) >= NEAR_DUPLICATE for other in home.said):
            return home
    for memory in view.existing:
        if decide_near_duplicate(body_of(memory.content), one.statement) >= NEAR_DUPLICATE:
            return draft.homes.get(memory.path) or _open(view, memory)
    return None


def _open(view: GatherView, memory: Memory) -> Home:
    """Return the home that a memory is.

    Its relative dates become absolute: once a dream has written it, nobody knows any more which day they refer to.
    """
    body = body_of(memory.content)
    if memory.author is Author.DREAM or _DATED_NAME.search(memory.path):
        return Home(path=memory.path, memory=memory, title=memory.path, body=body)

    def date(words: str) -> str:
        return view.resolve_dates(words, memory.updated_at)

    return Home(path=memory.path, memory=memory, title=memory.path, body=date(body), date=date)


def _title_of(one: Said) -> str:
    return " ".join((one.item.title or one.statement).split())[:120].rstrip(" .")


def _folder_of(one: Said) -> str:
    return (one.item.placement or _PLACES.get(one.item.kind, _DEFAULT_PLACE)).strip().rstrip("/")


def _new_path(one: Said, folder: str, view: GatherView, draft: _Draft) -> str | Skip:
    """Return where a new memory goes. The same title in the same place is the same new memory."""
    title = _title_of(one)
    stem = f"{folder}/{slug_of(_NO_LETTERS.sub('', title))}"
    for path in (f"{stem}.md", *(f"{stem}-{number}.md" for number in range(2, 10))):
        try:
            check_memory_path(path)
        except BadInputError as error:
            return Skip(code="unsafe_path", detail=f"{title}: {error}")
        if kind_of(path) is not MemoryKind.TOPIC or folder.startswith(("_", ".", "logs")):
            return Skip(code="unsafe_path", detail=f"{title}: {path[:200]!r} is no place for knowledge")
        is_mine = path in draft.homes and draft.homes[path].memory is None
        if is_mine or path not in view.live_paths:
            return path
    return Skip(code="name_taken", detail=f"{title}: {stem}.md and its neighbours exist already")
