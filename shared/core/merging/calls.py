"""Lay out the calls about changed memories: what each one shows whole, what in part, and which domains share one.

What may be merged or dated is shown whole, and so is what else there is as far as a dream's budget goes. Beyond it a relation
can be told from how a text begins. Small domains share a call, because every call pays for its instructions again.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from shared.core.memory.model import Memory, domain_of
from shared.core.policy.policy import ConsolidatePolicy
from shared.core.tenants.store import PendingMerge

#: So many memories that are shown in part take the place of one that is shown whole: what is said of them is short.
_IN_PART_FOR_ONE = 3
#: A text is cut only where that leaves out at least half as much as it shows.
_WORTH_CUTTING = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The paths of one domain in a call that several share: the rules without a model look at each by itself."""

    changed: tuple[str, ...]
    related: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The documents of one consolidate call: changed memories and their relatives, wherever they are."""

    key: str
    domain: str  # of several that share a call, the first
    changed: tuple[Memory, ...]
    related: tuple[Memory, ...]
    hints: tuple[PendingMerge, ...] = ()
    links: tuple[tuple[str, tuple[str, ...]], ...] = ()  # path of a changed memory, paths of its relatives
    beside: tuple[Memory, ...] = ()  # the others of small folders, which no search has found
    in_part: tuple[str, ...] = ()  # paths of the memories of which a model sees the beginning
    parts: tuple[Part, ...] = ()  # of a call that several domains share


@dataclass(frozen=True, slots=True, kw_only=True)
class ToShow:
    """The findings about the changed memories that are worth asking about.

    Attributes:
        asked: their paths.
        relatives: the paths of the relatives of each.
        beside: the paths of the rest of small folders, by folder.
        to_change: paths of memories that an answer may rewrite: a model has to see all of these.
        hints: merges that were suggested earlier.
    """

    asked: tuple[str, ...]
    relatives: Mapping[str, Sequence[str]]
    beside: Mapping[str, Sequence[str]]
    to_change: Collection[str]
    hints: tuple[PendingMerge, ...] = ()


def folder_of(path: str) -> str:
    """Return the folder that a file lies in."""
    return path.rpartition("/")[0]


def lay_out(found: ToShow, memories: Mapping[str, Memory], policy: ConsolidatePolicy) -> tuple[Group, ...]:
    """Return the calls, each within the limits of a call."""
    layout = _Layout(found, memories, policy)
    groups = [layout.with_neighbours(group) for group in layout.group()]
    return tuple(layout.join(shared) for shared in layout.share(groups))


class _Layout:
    """Knows how much of each memory is shown, and what one call has room for."""

    def __init__(self, found: ToShow, memories: Mapping[str, Memory], policy: ConsolidatePolicy) -> None:
        self._found, self._memories, self._policy = found, memories, policy
        self._in_part = self._find_in_part()
        self._most = policy.max_changed_per_call * _IN_PART_FOR_ONE

    def _find_in_part(self) -> frozenset[str]:
        """Return what is shown in part: beyond the budget, those that no answer may rewrite; the changed ones come first."""
        excerpt, left = self._policy.excerpt_chars, self._policy.whole_chars
        cut: set[str] = set()
        for path in dict.fromkeys(self._find_shown()):
            size = len(self._memories[path].content)
            if not excerpt or path in self._found.to_change or size <= excerpt * _WORTH_CUTTING:
                continue
            if size <= left:
                left -= size
            else:
                cut.add(path)
        return frozenset(cut)

    def _find_shown(self) -> list[str]:
        asked, relatives = self._found.asked, self._found.relatives
        related = [path for one in asked for path in relatives[one]]
        folders = dict.fromkeys(map(folder_of, asked))
        return [*asked, *related, *(path for folder in folders for path in self._found.beside.get(folder, ()))]

    def _chars(self, path: str) -> int:
        return self._policy.excerpt_chars if path in self._in_part else len(self._memories[path].content)

    def _weight(self, path: str) -> int:
        return 1 if path in self._in_part else _IN_PART_FOR_ONE

    def group(self) -> list[Group]:
        """Return the groups of each domain, without what lies beside them."""
        groups: list[Group] = []
        asked = self._found.asked
        for domain in sorted({domain_of(path) for path in asked}):
            mine = [path for path in asked if domain_of(path) == domain]
            for number, part in enumerate(self._split(mine)):
                groups.append(self._make(f"{domain or '(root)'}#{number + 1}", domain, part))
        return groups

    def _make(self, key: str, domain: str, part: Sequence[str]) -> Group:
        shown, relatives = set(part), self._found.relatives
        others = dict.fromkeys(other for path in part for other in relatives[path] if other not in shown)
        related = self._within_cap(part, list(others))
        return Group(
            key=key,
            domain=domain,
            changed=tuple(self._memories[path] for path in part),
            related=related,
            hints=tuple(hint for hint in self._found.hints if hint.source_path in shown),
            links=tuple((path, tuple(relatives[path])) for path in part if relatives[path]),
            in_part=self._list_in_part([*part, *(memory.path for memory in related)]),
        )

    def _list_in_part(self, paths: Sequence[str]) -> tuple[str, ...]:
        return tuple(path for path in paths if path in self._in_part)

    def _split(self, paths: Sequence[str]) -> list[list[str]]:
        """Cut a domain into calls of bounded size. Relatives stay neighbours, so that a pair meets in one call."""
        parts: list[list[str]] = [[]]
        size, weight = 0, 0
        for path in _relatives_together(paths, self._found.relatives):
            its_size, its_weight = self._chars(path), self._weight(path)
            has_room = weight + its_weight <= self._most and size + its_size <= self._policy.payload_cap_chars
            if parts[-1] and not has_room:
                parts.append([])
                size, weight = 0, 0
            parts[-1].append(path)
            size, weight = size + its_size, weight + its_weight
        return [part for part in parts if part]

    def _within_cap(self, part: Sequence[str], others: Sequence[str]) -> tuple[Memory, ...]:
        """Return related memories while they fit; changed ones are always kept."""
        left = self._policy.payload_cap_chars - sum(map(self._chars, part))
        kept = []
        for path in others:
            left -= self._chars(path)
            if left < 0:
                break
            kept.append(self._memories[path])
        return tuple(kept)

    def with_neighbours(self, group: Group) -> Group:
        """Return a group with the rest of its small folders, as far as one call has room."""
        shown = [memory.path for memory in (*group.changed, *group.related)]
        folders = dict.fromkeys(folder_of(memory.path) for memory in group.changed)
        small = self._found.beside
        others = [path for folder in folders for path in small.get(folder, ()) if path not in shown]
        if not others:
            return group
        beside = self._within_cap(shown, others)
        in_part = (*group.in_part, *self._list_in_part([memory.path for memory in beside]))
        return replace(group, beside=beside, in_part=in_part)

    def share(self, groups: Sequence[Group]) -> list[list[Group]]:
        """Return which groups share a call, in their order: small ones, as many as fit."""
        shared: list[list[Group]] = []
        size, weight = 0, 0
        for group in groups:
            its_size = sum(self._chars(memory.path) for memory in (*group.changed, *group.related, *group.beside))
            its_weight = sum(self._weight(memory.path) for memory in group.changed)
            fits = size + its_size <= self._policy.shared_call_chars
            if shared and fits and weight + its_weight <= self._most:
                shared[-1].append(group)
                size, weight = size + its_size, weight + its_weight
            else:
                shared.append([group])
                size, weight = its_size, its_weight
        return shared

    def join(self, groups: Sequence[Group]) -> Group:
        """Return one group in place of several; what has changed anywhere counts as changed."""
        if len(groups) == 1:
            return groups[0]
        changed = _by_path(memory for group in groups for memory in group.changed)
        related = _by_path(memory for group in groups for memory in group.related if memory.path not in changed)
        beside = _by_path(memory for group in groups for memory in group.beside)
        return Group(
            key=f"{groups[0].key}+{len(groups) - 1}",
            domain=groups[0].domain,
            changed=tuple(changed.values()),
            related=tuple(related.values()),
            hints=tuple(hint for group in groups for hint in group.hints),
            links=tuple(link for group in groups for link in group.links),
            beside=tuple(memory for path, memory in beside.items() if path not in changed and path not in related),
            in_part=tuple(dict.fromkeys(path for group in groups for path in group.in_part)),
            parts=tuple(
                Part(
                    changed=tuple(memory.path for memory in group.changed),
                    related=tuple(memory.path for memory in group.related),
                )
                for group in groups
            ),
        )


def _by_path(memories: Iterable[Memory]) -> dict[str, Memory]:
    return {memory.path: memory for memory in memories}


def _relatives_together(paths: Sequence[str], relatives: Mapping[str, Sequence[str]]) -> list[str]:
    here = set(paths)
    ordered: dict[str, None] = {}
    for path in paths:
        stack = [path]
        while stack:
            current = stack.pop()
            if current in ordered:
                continue
            ordered[current] = None
            stack.extend(other for other in reversed(relatives[current]) if other in here)
    return list(ordered)
