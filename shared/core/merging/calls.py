"""Lay out the calls about changed memories: what each one shows whole, what in part, and which domains share one.

What may be merged or dated is shown whole, and so is what else has changed or lies beside it, as far as a dream's budget goes.
Of the rest, and of relatives that are less alike, the part that shows the relation is given. Small domains share a call,
because every call pays for its instructions again.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from shared.core.memory.model import Memory, domain_of
from shared.core.policy.policy import ConsolidatePolicy
from shared.core.tenants.store import PendingMerge

#: This many excerpts take the place of one whole memory: the answers about them are short.
_IN_PART_FOR_ONE = 3
#: However many files lie beside the changed ones, so many characters of each are shown: its title.
_LEAST_BESIDE_CHARS = 60
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
    beside_chars: int = 0  # how much it sees of those that lie beside
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
        close: pairs of relatives that may be about the same thing.
    """

    asked: tuple[str, ...]
    relatives: Mapping[str, Sequence[str]]
    beside: Mapping[str, Sequence[str]]
    to_change: Collection[str]
    hints: tuple[PendingMerge, ...] = ()
    close: frozenset[frozenset[str]] = frozenset()


#: Reads memories by path.
Load = Callable[[Collection[str]], Mapping[str, Memory]]


def folder_of(path: str) -> str:
    """Return the folder that a file lies in."""
    return path.rpartition("/")[0]


def lay_out(found: ToShow, texts: Mapping[str, str], load: Load, policy: ConsolidatePolicy) -> tuple[Group, ...]:
    """Return the calls, each within the limits of a call.

    Args:
        found: what is worth asking about.
        texts: every memory's text by path, of which the length counts here.
        load: reads the memories that are shown.
        policy: the limits.
    """
    layout = _Layout(found, texts, policy)
    calls = [layout.with_neighbours(call) for call in layout.show_pairs_once(layout.split_domains())]
    shared = layout.share(calls)
    shown = load({path for parts in shared for part in parts for path in part.shown})
    groups = (_make_group(parts, layout, shown) for parts in shared)
    return tuple(group for group in groups if group.changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """The paths that a call about a domain, or a part of one, would show."""

    key: str
    domain: str
    changed: tuple[str, ...]
    related: tuple[str, ...]
    beside: tuple[str, ...] = ()

    @property
    def shown(self) -> tuple[str, ...]:
        return (*self.changed, *self.related, *self.beside)


class _Layout:
    """Knows how much of each memory is shown, and what one call has room for."""

    def __init__(self, found: ToShow, texts: Mapping[str, str], policy: ConsolidatePolicy) -> None:
        self.found = found
        self._texts, self._policy = texts, policy
        self.in_part, self.beside_chars = self._find_in_part()
        self._most = policy.max_changed_per_call * _IN_PART_FOR_ONE

    def _find_in_part(self) -> tuple[frozenset[str], int]:
        """Return what is shown in part of what no answer may rewrite, and the characters of each file that lies beside.

        That is relatives, and beyond the budget the rest.
        """
        left = self._policy.whole_chars
        cut: set[str] = set()
        asked = dict.fromkeys(self.found.asked)
        related = {path for one in asked for path in self.found.relatives[one]} - asked.keys()
        folders = dict.fromkeys(map(folder_of, asked))
        beside = dict.fromkeys(path for folder in folders for path in self.found.beside.get(folder, ()))
        for path in dict.fromkeys([*asked, *related, *beside]):
            size = len(self._texts[path])
            if not self._can_cut(path, size):
                continue
            if path not in related and size <= left:
                left -= size
            else:
                cut.add(path)
        share = max(
            _LEAST_BESIDE_CHARS, self._policy.beside_chars // max(1, len(beside.keys() & cut - asked.keys() - related))
        )
        return frozenset(cut), min(share, self._policy.excerpt_chars)

    def _can_cut(self, path: str, size: int) -> bool:
        excerpt = self._policy.excerpt_chars
        return excerpt > 0 and path not in self.found.to_change and size > excerpt * _WORTH_CUTTING

    def _chars(self, path: str) -> int:
        return self._policy.excerpt_chars if path in self.in_part else len(self._texts[path])

    def _weight(self, path: str) -> int:
        return 1 if path in self.in_part else _IN_PART_FOR_ONE

    def split_domains(self) -> list[_Call]:
        """Return the calls of each domain, without what lies beside the changed memories."""
        inside: dict[str, list[str]] = {}
        for path in self.found.asked:
            inside.setdefault(domain_of(path), []).append(path)
        return [
            self._make(f"{domain or '(root)'}#{number + 1}", domain, part)
            for domain in sorted(inside)
            for number, part in enumerate(self._split(inside[domain]))
        ]

    def show_pairs_once(self, calls: Sequence[_Call]) -> list[_Call]:
        """Return the calls, those about relatives one after the other, and each pair of changed memories in one call only.

        Of pairs in two calls that deserve a link at most, only those within the dream's budget are shown.
        """
        hinted = {frozenset((hint.source_path, hint.target_path)) for hint in self.found.hints}
        must = self.found.close | hinted
        left = self._policy.far_chars if self._policy.excerpt_chars else math.inf
        shown: set[frozenset[str]] = set()
        found = []
        for call in self._order(calls):
            pairs = {frozenset((path, other)) for path in call.changed for other in self.found.relatives[path]}
            fresh = pairs - shown | pairs & hinted
            needed = {path for pair in fresh & must for path in pair}
            linked = {path for pair in fresh - must for path in pair}
            kept = []
            for path in call.related:
                if path in linked - needed and (left := left - self._chars(path)) < 0:
                    continue
                if path in linked | needed:
                    kept.append(path)
            found.append(replace(call, related=tuple(kept)))
            shown |= {pair for pair in pairs if pair <= set(found[-1].shown)}
        return self._without_lonely(found, {path for pair in shown for path in pair})

    def _without_lonely(self, calls: Sequence[_Call], paired: set[str]) -> list[_Call]:
        """Leave out changed memories with nothing to decide: none of their relatives is shown with them."""
        found = self.found
        kept = paired | set(found.to_change) | {hint.source_path for hint in found.hints}

        def is_wanted(path: str) -> bool:
            return path in kept or not found.relatives[path] or folder_of(path) in found.beside

        left = [replace(call, changed=tuple(filter(is_wanted, call.changed))) for call in calls]
        return [call for call in left if call.changed]

    def _order(self, calls: Sequence[_Call]) -> list[_Call]:
        """Return the calls so that those whose memories are relatives can share one."""
        places = {path: call.key for call in calls for path in call.changed}
        by_key = {call.key: call for call in calls}
        leads = {call.key: [places[path] for path in call.related if path in places] for call in calls}
        return [by_key[key] for key in _relatives_together(list(by_key), leads)]

    def _make(self, key: str, domain: str, part: Sequence[str]) -> _Call:
        shown, relatives = set(part), self.found.relatives
        others = dict.fromkeys(other for path in part for other in relatives[path] if other not in shown)
        return _Call(key=key, domain=domain, changed=tuple(part), related=self._within_cap(part, list(others)))

    def _split(self, paths: Sequence[str]) -> list[list[str]]:
        """Cut a domain into calls of bounded size. Relatives stay neighbours, so that a pair meets in one call."""
        parts: list[list[str]] = [[]]
        size, weight = 0, 0
        for path in _relatives_together(paths, self.found.relatives):
            its_size, its_weight = self._chars(path), self._weight(path)
            has_room = weight + its_weight <= self._most and size + its_size <= self._policy.payload_cap_chars
            if parts[-1] and not has_room:
                parts.append([])
                size, weight = 0, 0
            parts[-1].append(path)
            size, weight = size + its_size, weight + its_weight
        return [part for part in parts if part]

    def _within_cap(self, part: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
        """Return others while they fit; changed ones are always kept."""
        left = self._policy.payload_cap_chars - sum(map(self._chars, part))
        kept = []
        for path in others:
            left -= self._chars(path)
            if left < 0:
                break
            kept.append(path)
        return tuple(kept)

    def with_neighbours(self, call: _Call) -> _Call:
        """Return a call with the rest of its small folders, as far as it has room."""
        shown = call.shown
        folders = dict.fromkeys(map(folder_of, call.changed))
        others = [path for folder in folders for path in self.found.beside.get(folder, ()) if path not in shown]
        return replace(call, beside=self._within_cap(shown, others)) if others else call

    def share(self, calls: Sequence[_Call]) -> list[list[_Call]]:
        """Return which of them become one call, in their order: small ones, as many as fit."""
        shared: list[list[_Call]] = []
        size, weight = 0, 0
        for call in calls:
            its_size, its_weight = sum(map(self._chars, call.shown)), sum(map(self._weight, call.changed))
            fits = size + its_size <= self._policy.shared_call_chars
            if shared and fits and weight + its_weight <= self._most:
                shared[-1].append(call)
                size, weight = size + its_size, weight + its_weight
            else:
                shared.append([call])
                size, weight = its_size, its_weight
        return shared


def _make_group(calls: Sequence[_Call], layout: _Layout, memories: Mapping[str, Memory]) -> Group:
    """Return one group for the calls that share one; what has changed anywhere counts as changed.

    What was written away between the search and the reading is left out.
    """
    left = {path: memories[path] for call in calls for path in call.shown if path in memories}
    changed = _take(left, (path for call in calls for path in call.changed))
    related = _take(left, (path for call in calls for path in call.related))
    beside = _take(left, (path for call in calls for path in call.beside))
    asked = {memory.path for memory in changed}
    relatives, hints = layout.found.relatives, layout.found.hints
    first, more = calls[0], len(calls) - 1
    return Group(
        key=f"{first.key}+{more}" if more else first.key,
        domain=first.domain,
        changed=changed,
        related=related,
        hints=tuple(hint for hint in hints if hint.source_path in asked),
        links=tuple((memory.path, tuple(relatives[memory.path])) for memory in changed if relatives[memory.path]),
        beside=beside,
        in_part=tuple(one.path for one in (*changed, *related, *beside) if one.path in layout.in_part),
        beside_chars=layout.beside_chars,
        parts=tuple(Part(changed=call.changed, related=call.related) for call in calls) if more else (),
    )


def _take(left: dict[str, Memory], paths: Iterable[str]) -> tuple[Memory, ...]:
    """Take these memories out of those that have no place yet."""
    return tuple(left.pop(path) for path in paths if path in left)


def _relatives_together(paths: Sequence[str], relatives: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the paths so that each is followed by its relatives among them, and these by theirs."""
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
