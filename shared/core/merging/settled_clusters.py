"""Settled clusters: memories that a model saw together and left alone, to be shown once more later."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from shared.core.memory.model import Memory
from shared.core.merging.calls import Group
from shared.core.questions.change_gate import Asked
from shared.core.questions.fingerprint import cluster_fingerprint

#: The key of the one call that looks again at what was settled.
REOPENED = "settled"
#: At most this many characters are shown again: it is a second look, in a call of moderate size.
_REOPENED_CHARS = 40_000
#: More clusters of one dream than these would not be looked at again before their time comes once more.
_MAX_KEPT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """A changed memory and its relatives, by id, the changed one first."""

    fingerprint: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reopened:
    """The group to ask about, if any, and the fingerprints of clusters that are no longer what they were."""

    group: Group | None = None
    obsolete: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The clusters that a phase leaves for a later dream, and fingerprints that are out of use."""

    clusters: tuple[Cluster, ...] = ()
    obsolete: tuple[str, ...] = ()


def find_settled(groups: Iterable[Group], touched: Collection[str]) -> tuple[Cluster, ...]:
    """Return the clusters of answered groups whose texts stay as they are.

    One that lies within another is not named, unless it was looked at again: its time goes on.

    Args:
        groups: those that a model has answered for.
        touched: ids of memories that the dream has changed, or proposes to change.
    """
    found: dict[str, Cluster] = {}
    seen: list[frozenset[str]] = []
    for group in groups:
        shown = {memory.path: memory for memory in (*group.changed, *group.related)}
        for path, relatives in group.links:
            memories = [shown[one] for one in (path, *relatives) if one in shown]
            ids = frozenset(memory.id for memory in memories)
            is_whole = path in shown and len(ids) > 1
            is_within = group.key != REOPENED and any(ids <= other for other in seen)
            if not is_whole or ids & set(touched) or is_within:
                continue
            seen.append(ids)
            fingerprint = cluster_fingerprint(memories)
            found[fingerprint] = Cluster(fingerprint=fingerprint, members=tuple(memory.id for memory in memories))
    return tuple(found.values())[:_MAX_KEPT]


def reopen(due: Sequence[Asked], live: Mapping[str, Memory], changed: Collection[str], *, limit: int) -> Reopened:
    """Return what is looked at again of the clusters whose time has come.

    Args:
        due: clusters, longest due first.
        live: live memories by id that may be shown.
        changed: ids of what this dream looks at in any case; their clusters wait for what becomes of it.
        limit: the most clusters to return.
    """
    taken: list[tuple[Memory, ...]] = []
    obsolete: list[str] = []
    left = _REOPENED_CHARS
    for asked in due:
        memories = tuple(live[one] for one in asked.members if one in live)
        if len(memories) < len(asked.members) or cluster_fingerprint(memories) != asked.fingerprint:
            obsolete.append(asked.fingerprint)
            continue
        size = sum(len(memory.content) for memory in memories)
        if len(taken) < limit and not set(asked.members) & set(changed) and (size <= left or not taken):
            left -= size
            taken.append(memories)
    return Reopened(group=_group(taken), obsolete=tuple(obsolete))


def _group(clusters: Sequence[tuple[Memory, ...]]) -> Group | None:
    if not clusters:
        return None
    first = {memories[0].id: memories[0] for memories in clusters}
    others = {memory.id: memory for memories in clusters for memory in memories[1:] if memory.id not in first}
    return Group(
        key=REOPENED,
        domain="",
        changed=tuple(first.values()),
        related=tuple(others.values()),
        links=tuple((one[0].path, tuple(memory.path for memory in one[1:])) for one in clusters),
    )
