"""Cut excerpts of sessions into calls of bounded size, each with the memories that its excerpts are closest to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from shared.core.filing.belonging import is_named
from shared.core.memory.model import Memory
from shared.core.policy.policy import BYTES_A_TOKEN, Policy
from shared.core.sessions.excerpts import PEOPLE, Excerpt, render_excerpt
from workers.phases.gather.entries import path_of_day


@dataclass(frozen=True, slots=True, kw_only=True)
class GatherGroup:
    """The documents of one call: excerpts, and the memories that they may belong to."""

    key: str
    excerpts: tuple[Excerpt, ...]
    existing: tuple[Memory, ...]


def group_excerpts(
    excerpts: Sequence[Excerpt],
    topics: Sequence[Memory],
    find_near: Callable[[str], Sequence[str]],
    policy: Policy,
    about: Mapping[str, str],
) -> list[GatherGroup]:
    """Cut the excerpts into calls of bounded size, each with the memories that its excerpts are closest to.

    Of the memories that only excerpts without a hit bring, as many are shown as the budget of such excerpts allows.
    """
    known = {memory.path: memory for memory in topics}
    room = int(policy.show.session_tokens * BYTES_A_TOKEN)
    groups: list[GatherGroup] = []
    shown: list[Excerpt] = []
    near: dict[str, None] = {}
    size = 0
    for excerpt in excerpts:
        named = [about[excerpt.path]] if excerpt.path in about else _notes_of_days(excerpt, known)
        wanted = list(dict.fromkeys([*named, *find_related(excerpt, find_near, known)]))
        bound = None if excerpt.reasons else room
        fresh = _fit([path for path in wanted if path not in near], known, bound)
        cost = len(text := render_excerpt(excerpt)) + sum(len(known[path].content) for path in fresh)
        if shown and size + cost > policy.gather.payload_cap_chars:
            groups.append(_close(groups, shown, near, known))
            shown, near, size = [], {}, 0
            fresh = _fit(wanted, known, bound)
            cost = len(text) + sum(len(known[path].content) for path in fresh)
        if not excerpt.reasons:
            room -= sum(_bytes_of(known[path]) for path in fresh)
        shown.append(excerpt)
        size += cost
        near |= dict.fromkeys(fresh)
    return [*groups, _close(groups, shown, near, known)] if shown else groups


def _fit(paths: Sequence[str], known: Mapping[str, Memory], room: int | None) -> list[str]:
    """Return the memories that fit into the room, the closest first; all of them where it is unbounded."""
    fitting: list[str] = []
    for path in paths:
        size = 0 if room is None else _bytes_of(known[path])
        if room is None or size <= room:
            fitting.append(path)
            room = None if room is None else room - size
    return fitting


def _bytes_of(memory: Memory) -> int:
    return len(memory.content.encode())


def _notes_of_days(excerpt: Excerpt, known: Mapping[str, Memory]) -> list[str]:
    """Return the notes that earlier entries of these days of a log went into."""
    days = dict.fromkeys(line.at.date().isoformat() for line in excerpt.lines if line.role == "log")
    return [path for path in map(path_of_day, days) if path in known]


def find_related(excerpt: Excerpt, find_near: Callable[[str], Sequence[str]], known: Mapping[str, Memory]) -> list[str]:
    """Return the paths of the memories that what was found in an excerpt may belong to.

    They are those that it is closest to, and those that the lines around it name: "remember to rinse it" says nothing of the
    machine that was spoken of before.
    """
    around = " ".join(line.text for line in excerpt.lines if not (line.is_hit or line.role == "log"))
    named = (path for path in find_near(around) if is_named(path, known[path].content, around)) if around else ()
    return list(dict.fromkeys([*find_near(find_spoken(excerpt)), *named]))


def find_spoken(excerpt: Excerpt) -> str:
    """Return what was found in an excerpt or, where there is no hit, what people said in it."""
    found = [line for line in excerpt.lines if line.is_hit] or [one for one in excerpt.lines if one.role in PEOPLE]
    return " ".join(line.text for line in found)


def _close(
    groups: Sequence[GatherGroup], shown: list[Excerpt], near: dict[str, None], known: dict[str, Memory]
) -> GatherGroup:
    existing = tuple(known[path] for path in near)
    return GatherGroup(key=f"sessions#{len(groups) + 1}", excerpts=tuple(shown), existing=existing)
