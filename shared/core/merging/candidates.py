"""Find by search what a changed memory should be compared with, before any model is asked.

A model never sees a whole store. A changed memory is shown with its near-duplicates and its closest relatives, and beside
them the rest of its folder, where that is small: what is said in other words shares no words to search by. One without any of
these, without a hint and without a relative date has nothing to decide, so it is not shown. How much of each is shown, and in
which call, is decided in `calls.py`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from shared.core.dates.mentions import has_relative_date
from shared.core.memory.model import domain_of
from shared.core.memory.provenance import without_sources
from shared.core.merging.calls import Group, Load, ToShow, folder_of, lay_out
from shared.core.policy.policy import ConsolidatePolicy
from shared.core.search.bm25 import TextIndex, by_path
from shared.core.search.fusion import score_rankings
from shared.core.tenants.store import PendingMerge
from shared.core.text.similarity import NEAR_DUPLICATE, RELATED, ReadWords, read_words, significant_words, similarity_of

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
_NOTHING_ALIKE: Mapping[str, Sequence[str]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The groups to ask about, and how many changed memories had nothing to be compared with."""

    groups: tuple[Group, ...]
    settled: int


def index_entries(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what the search among these texts by path looks at: as in every search, not the quotes of their sources."""
    return ((path, without_sources(text)) for path, text in texts.items())


def find_candidates(
    texts: Mapping[str, str],
    changed: Sequence[str],
    hints: Sequence[PendingMerge],
    policy: ConsolidatePolicy,
    load: Load,
    index: TextIndex | None = None,
    alike: Mapping[str, Sequence[str]] = _NOTHING_ALIKE,
) -> Candidates:
    """Group changed memories by domain with their relatives.

    Args:
        texts: every live knowledge memory's text by path.
        changed: the paths of the changed set; sources of hints are added by the caller.
        hints: merge suggestions whose files still exist.
        policy: limits.
        load: reads the memories that are shown, by path.
        index: an existing index of `index_entries` of these texts, if any.
        alike: by path the paths that are alike in meaning, nearest first, where there are embeddings.
    """
    if index is None:
        index = TextIndex(by_path(index_entries(texts)))
    found = _find_all_relatives(texts, changed, policy, index, alike)
    relatives = {path: one.paths for path, one in found.items()}
    _add_hinted(relatives, hints)
    shown = _choose_shown(texts, changed, found, relatives, hints, policy)
    shown = replace(shown, close=shown.close | _find_nearest_pairs(alike))
    groups = lay_out(shown, texts, load, policy)
    return Candidates(groups=groups, settled=len(changed) - sum(len(group.changed) for group in groups))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Relatives:
    """The paths closest to a memory, and those about the same thing, its own among them: a merge may rewrite these."""

    paths: tuple[str, ...]
    close: tuple[str, ...] = ()
    near: int = 0  # the number of near-duplicates among the paths, which come first


def _choose_shown(
    texts: Mapping[str, str],
    changed: Sequence[str],
    found: Mapping[str, _Relatives],
    relatives: Mapping[str, Sequence[str]],
    hints: Sequence[PendingMerge],
    policy: ConsolidatePolicy,
) -> ToShow:
    """Return the changed memories about which there is something to decide, and what is shown with them."""
    small = _find_small_folders(texts, changed, policy)
    dated = {path for path in changed if has_relative_date(texts[path])}
    worth_asking = dated.union(_find_linked_back(relatives), (hint.source_path for hint in hints))
    close = frozenset(frozenset((path, other)) for path, one in found.items() for other in one.close if other != path)
    return ToShow(
        asked=tuple(path for path in changed if relatives[path] or path in worth_asking or folder_of(path) in small),
        relatives=relatives,
        beside=small,
        to_change=dated.union(*close, *((hint.source_path, hint.target_path) for hint in hints)),
        hints=tuple(hints),
        close=close,
    )


def _find_nearest_pairs(alike: Mapping[str, Sequence[str]]) -> frozenset[frozenset[str]]:
    """Return each memory with the nearest one by its meaning: what says the same in other words is that one."""
    return frozenset(frozenset((path, others[0])) for path, others in alike.items() if others)


def _find_all_relatives(
    texts: Mapping[str, str],
    changed: Sequence[str],
    policy: ConsolidatePolicy,
    index: TextIndex,
    alike: Mapping[str, Sequence[str]],
) -> dict[str, _Relatives]:
    folders = Counter(folder_of(path) for path in texts if "/" in path)
    read = lru_cache(_KEPT_READ)(lambda path: read_words(texts[path]))
    by_words = {path: _find_relatives(path, texts[path], read, index, folders, policy) for path in changed}
    if not alike:
        return by_words
    return {path: _add_alike(one, alike.get(path, ()), policy) for path, one in by_words.items()}


def _add_alike(found: _Relatives, alike: Sequence[str], policy: ConsolidatePolicy) -> _Relatives:
    """Return the near-duplicates, and up to the limit what words or meaning rank first."""
    near, far = found.paths[: found.near], found.paths[found.near :]
    fused = [path for path, _ in score_rankings(far, [path for path in alike if path not in near])]
    paths = near + tuple(fused[: max(0, policy.related_limit - len(near))])
    own, *close = found.close or ("",)
    return replace(found, paths=paths, close=(own, *kept) if (kept := [one for one in close if one in paths]) else ())


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
    texts: Mapping[str, str], changed: Sequence[str], policy: ConsolidatePolicy
) -> dict[str, list[str]]:
    """Return the paths in each folder of a changed memory that has more than one file and is small enough to be shown."""
    inside: dict[str, list[str]] = {folder: [] for folder in map(folder_of, changed)}
    for path in sorted(texts):
        if (files := inside.get(folder_of(path))) is not None and len(files) <= policy.small_folder_files:
            files.append(path)
    return {
        folder: files
        for folder, files in inside.items()
        if 1 < len(files) <= policy.small_folder_files
        and sum(len(texts[path]) for path in files) <= _SMALL_FOLDER_CHARS
    }


def _find_relatives(
    path: str,
    text: str,
    read: Callable[[str], ReadWords],
    index: TextIndex,
    folders: Counter[str],
    policy: ConsolidatePolicy,
) -> _Relatives:
    """Return the paths closest to a memory: all near-duplicates, then relatives up to the limit."""
    words = significant_words(f"{path} {text}", QUERY_WORDS)
    hits = index.search(words, policy.related_limit * _SEARCH_WIDTH + 1)
    own_score = dict(hits).get(path) or max((score for _, score in hits), default=0.0)
    folder = folder_of(path)
    few = 0 < folders[folder] <= _MAX_SIBLINGS
    near, far, close = [], [], []
    for other, score in hits:
        is_sibling = few and folder_of(other) == folder
        if other == path or (score < own_score * _MIN_SHARE and not is_sibling):
            continue
        likeness = similarity_of(read(path), read(other))
        if likeness >= RELATED:
            close.append(other)
        if likeness >= NEAR_DUPLICATE:
            near.append(other)
        elif likeness >= (_SIBLING_LINKABLE if is_sibling else _LINKABLE):
            far.append(other)
    paths = tuple(near + far[: max(0, policy.related_limit - len(near))])
    close = [other for other in close if other in paths]
    return _Relatives(paths=paths, close=(path, *close) if close else (), near=len(near))
