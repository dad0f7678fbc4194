"""Find by search what a changed memory should be compared with, before any model is asked.

A model never sees a whole store. A changed memory is shown with its near-duplicates and its closest relatives, and beside
them the rest of its folder, where that is small: what is said in other words shares no words to search by. One without any of
these, without a hint and without a relative date has nothing to decide, so it is not shown.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from shared.core.dates.mentions import has_relative_date
from shared.core.memory.model import Memory, domain_of
from shared.core.memory.provenance import without_sources
from shared.core.policy.policy import ConsolidatePolicy
from shared.core.tenants.store import PendingMerge
from shared.core.text.bm25 import TextIndex, by_path
from shared.core.text.similarity import NEAR_DUPLICATE, ReadWords, compare_texts, read_words, significant_words

#: A query holds the words of the title and the first 100 words, as ByteRover's does, joined by OR instead of AND.
QUERY_WORDS = 100
_SEARCH_WIDTH = 3
#: A hit whose BM25 score is a smaller share of the memory's own score than this shares only common words with it.
_MIN_SHARE = 0.25
#: Notes worth linking are less alike than notes worth merging (RELATED); unrelated ones of a project rarely get here.
_LINKABLE = 0.45
#: In a folder of few files the files are siblings on one topic, and resemble each other less in their words.
_SIBLING_LINKABLE = 0.35
_MAX_SIBLINGS = 10
#: Texts whose words are kept while their neighbours are compared with them, some 10 kB each.
_KEPT_READ = 1_000
#: A folder with more text than this is not small, however few files it has.
_SMALL_FOLDER_CHARS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The documents of one consolidate call: changed memories of one domain and their relatives, wherever they are."""

    key: str
    domain: str
    changed: tuple[Memory, ...]
    related: tuple[Memory, ...]
    hints: tuple[PendingMerge, ...] = ()
    links: tuple[tuple[str, tuple[str, ...]], ...] = ()  # path of a changed memory, paths of its relatives
    beside: tuple[Memory, ...] = ()  # the others of small folders, which no search has found


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The groups to ask about, and how many changed memories had nothing to be compared with."""

    groups: tuple[Group, ...]
    settled: int


def index_entries(memories: Mapping[str, Memory]) -> Iterator[tuple[str, str]]:
    """Yield what the search among these memories by path looks at: as in every search, not the quotes of their sources."""
    return by_path((path, without_sources(memory.content)) for path, memory in memories.items())


def find_candidates(
    memories: Mapping[str, Memory],
    changed: Sequence[str],
    hints: Sequence[PendingMerge],
    policy: ConsolidatePolicy,
    index: TextIndex | None = None,
) -> Candidates:
    """Group changed memories by domain with their relatives.

    Args:
        memories: every live knowledge memory by path.
        changed: the paths of the changed set; sources of hints are added by the caller.
        hints: merge suggestions whose files still exist.
        policy: limits.
        index: what `index_entries` says of these memories, where that is indexed already.
    """
    if index is None:
        index = TextIndex(index_entries(memories))
    hinted = {hint.source_path for hint in hints}
    folders = Counter(_folder(path) for path in memories if "/" in path)
    read = lru_cache(_KEPT_READ)(lambda path: read_words(memories[path].content))
    relatives = {path: _find_relatives(memories[path], read, index, folders, policy) for path in changed}
    _add_hinted(relatives, hints)
    small = _find_small_folders(memories, changed, policy)
    linked_back = _find_linked_back(relatives)
    worth_asking = [
        path
        for path in changed
        if relatives[path]
        or path in linked_back
        or path in hinted
        or _folder(path) in small
        or has_relative_date(memories[path].content)
    ]
    groups = [
        _with_neighbours(group, small, memories, policy)
        for group in _group(worth_asking, relatives, memories, hints, policy)
    ]
    return Candidates(groups=tuple(groups), settled=len(changed) - len(worth_asking))


def _add_hinted(relatives: dict[str, tuple[str, ...]], hints: Sequence[PendingMerge]) -> None:
    """Put the targets of suggested merges first among the relatives."""
    for hint in hints:
        if hint.source_path in relatives and hint.target_path not in relatives[hint.source_path]:
            relatives[hint.source_path] = (hint.target_path, *relatives[hint.source_path])


def _find_linked_back(relatives: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the changed memories that another one found in its domain, and meets there.

    Across domains such a one would stand alone in its own call.
    """
    return {
        other
        for path, found in relatives.items()
        for other in found
        if other in relatives and domain_of(other) == domain_of(path)
    }


def _find_small_folders(
    memories: Mapping[str, Memory], changed: Sequence[str], policy: ConsolidatePolicy
) -> dict[str, list[str]]:
    """Return the paths in each folder of a changed memory that has more than one file and is small enough to be shown."""
    inside: dict[str, list[str]] = {folder: [] for folder in map(_folder, changed)}
    for path in sorted(memories):
        if (files := inside.get(_folder(path))) is not None and len(files) <= policy.small_folder_files:
            files.append(path)
    return {
        folder: files
        for folder, files in inside.items()
        if 1 < len(files) <= policy.small_folder_files
        and sum(len(memories[path].content) for path in files) <= _SMALL_FOLDER_CHARS
    }


def _with_neighbours(
    group: Group, small: Mapping[str, Sequence[str]], memories: Mapping[str, Memory], policy: ConsolidatePolicy
) -> Group:
    """Return a group with the rest of its small folders, as far as one call has room."""
    shown = [memory.path for memory in (*group.changed, *group.related)]
    folders = dict.fromkeys(_folder(memory.path) for memory in group.changed)
    others = [path for folder in folders for path in small.get(folder, ()) if path not in shown]
    return replace(group, beside=_within_cap(shown, others, memories, policy)) if others else group


def _find_relatives(
    memory: Memory,
    read: Callable[[str], ReadWords],
    index: TextIndex,
    folders: Counter[str],
    policy: ConsolidatePolicy,
) -> tuple[str, ...]:
    """Return the paths closest to a memory: all near-duplicates, then relatives up to the limit."""
    words = significant_words(f"{memory.path} {memory.content}", QUERY_WORDS)
    hits = index.search(words, policy.related_limit * _SEARCH_WIDTH + 1)
    own_score = dict(hits).get(memory.path) or max((score for _, score in hits), default=0.0)
    folder = _folder(memory.path)
    few = 0 < folders[folder] <= _MAX_SIBLINGS
    near, far = [], []
    for path, score in hits:
        is_sibling = few and _folder(path) == folder
        if path == memory.path or (score < own_score * _MIN_SHARE and not is_sibling):
            continue
        likeness = compare_texts(read(memory.path), read(path))
        if likeness >= NEAR_DUPLICATE:
            near.append(path)
        elif likeness >= (_SIBLING_LINKABLE if is_sibling else _LINKABLE):
            far.append(path)
    return tuple(near + far[: max(0, policy.related_limit - len(near))])


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _group(
    changed: Sequence[str],
    relatives: Mapping[str, Sequence[str]],
    memories: Mapping[str, Memory],
    hints: Sequence[PendingMerge],
    policy: ConsolidatePolicy,
) -> list[Group]:
    groups: list[Group] = []
    for domain in sorted({domain_of(path) for path in changed}):
        mine = [path for path in changed if domain_of(path) == domain]
        for number, part in enumerate(_split(mine, relatives, memories, policy)):
            shown = set(part)
            others = dict.fromkeys(other for path in part for other in relatives[path] if other not in shown)
            near_hints = tuple(hint for hint in hints if hint.source_path in shown)
            groups.append(
                Group(
                    key=f"{domain or '(root)'}#{number + 1}",
                    domain=domain,
                    changed=tuple(memories[path] for path in part),
                    related=_within_cap(part, list(others), memories, policy),
                    hints=near_hints,
                    links=tuple((path, tuple(relatives[path])) for path in part if relatives[path]),
                ),
            )
    return groups


def _split(
    paths: Sequence[str],
    relatives: Mapping[str, Sequence[str]],
    memories: Mapping[str, Memory],
    policy: ConsolidatePolicy,
) -> list[list[str]]:
    """Cut a domain into calls of bounded size. Relatives stay neighbours, so that a pair meets in one call."""
    parts: list[list[str]] = [[]]
    size = 0
    for path in _relatives_together(paths, relatives):
        length = len(memories[path].content)
        is_full = len(parts[-1]) >= policy.max_changed_per_call or size + length > policy.payload_cap_chars
        if is_full and parts[-1]:
            parts.append([])
            size = 0
        parts[-1].append(path)
        size += length
    return [part for part in parts if part]


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


def _within_cap(
    part: Sequence[str],
    others: Sequence[str],
    memories: Mapping[str, Memory],
    policy: ConsolidatePolicy,
) -> tuple[Memory, ...]:
    """Return related memories while they fit; changed ones are always kept."""
    left = policy.payload_cap_chars - sum(len(memories[path].content) for path in part)
    kept = []
    for path in others:
        left -= len(memories[path].content)
        if left < 0:
            break
        kept.append(memories[path])
    return tuple(kept)
