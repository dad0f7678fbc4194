"""Measure one snapshot of a store by its probes, and compare two snapshots: what was found, what it cost, what is gone."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from shared.core.dream.recall import ProbeKind
from shared.core.evaluation.intervals import Interval, Paired, compare
from shared.core.evaluation.needles import ReadLines, comes_close, needle_of, read_lines, says
from shared.core.evaluation.probes import Probe
from shared.core.evaluation.readers import (
    CHARS_PER_TOKEN,
    MAX_HITS,
    Found,
    Rank,
    Reader,
    Snapshot,
    StoreReaders,
    rank_by_words,
)
from shared.core.memory.frontmatter import body_of
from shared.core.memory.headline import title_of
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import GENERATED, ROOT_INDEX
from shared.core.memory.provenance import without_sources
from shared.core.reading.placed import read_placed
from shared.core.search.bm25 import by_path
from shared.core.sessions.statement_text import current_of, superseded_of
from shared.core.text.similarity import significant_words
from shared.core.text.words import cut

RANKS = (1, 5, 10)
_STATEMENT_WORDS = 24
#: The answers of these are not the store's own words.
_FROM_PEOPLE = frozenset({ProbeKind.OWN, ProbeKind.SAID})
#: Lines of fewer words, such as `- see below`, are alike by chance.
_FEWEST_COPIED = 5
#: A dream that leaves more statements unsaid harms, whatever else says them.
_MOST_REWORDED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One snapshot, measured.

    Attributes:
        found: by reader, by the key of a probe.
        chars_at_start: what a coding agent loads before it is asked anything; `bytes_at_start` the same in UTF-8.
        orphans: paths that no index names.
        copied: lines that stand in more than one memory; a heading does not count, nor does a line of a few words.
    """

    found: Mapping[Reader, Mapping[str, Found]]
    chars_at_start: int
    orphans: tuple[str, ...]
    bytes_at_start: int = 0
    copied: int = 0


def measure(probes: Sequence[Probe], snapshot: Snapshot, rank: Rank | None = None) -> Measured:
    """Ask both readers every probe; `rank` as of `StoreReaders`."""
    readers = StoreReaders(snapshot, rank)
    return Measured(
        found={reader: {one.key: readers.ask(reader, one) for one in probes} for reader in Reader},
        chars_at_start=len(readers.index),
        orphans=tuple(_find_orphans(snapshot)),
        bytes_at_start=len(readers.index.encode()),
        copied=_count_copied(snapshot),
    )


def _find_orphans(snapshot: Snapshot) -> Iterator[str]:
    topics = snapshot.topics
    indexes = "\n".join(text for path, text in snapshot.live.items() if path not in topics or path == ROOT_INDEX)
    if not indexes:
        return
    for path in topics:
        if path.rpartition("/")[2] not in indexes:
            yield path


def _count_copied(snapshot: Snapshot) -> int:
    places: Counter[str] = Counter()
    for text in snapshot.topics.values():
        lines = {line.strip() for line in body_of(without_sources(text)).splitlines() if not line.startswith("#")}
        places.update({" ".join(words) for line in lines if len(words := cut(line)) >= _FEWEST_COPIED})
    return sum(count > 1 for count in places.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The figures of one reader for one kind of probes, at one time.

    Attributes:
        at: the share of probes found among the first 1, 5 and 10 texts (files: of the index and three files).
        tokens: what is read for one probe that is found, in tokens; all reading counts, also what was in vain.
        bytes: the same in bytes of UTF-8.
        stale: probes for which something superseded was read first.
        twice: further texts that say the same, over all probes.
    """

    n: int
    at: Mapping[int, float]
    tokens: float
    stale: int
    twice: int
    bytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One reader and one kind of probes, before and after."""

    reader: Reader
    kind: ProbeKind
    before: Side
    after: Side
    interval: Interval


def summarise(found: Sequence[Found]) -> Side:
    """Return the figures of one reader and kind."""
    held = [one for one in found if one.rank is not None]
    return Side(
        n=len(found),
        at={
            rank: len([one for one in held if (one.rank or 0) <= rank]) / len(found) if found else 0.0 for rank in RANKS
        },
        tokens=sum(one.chars for one in found) / CHARS_PER_TOKEN / max(1, len(held)),
        stale=sum(one.stale for one in found),
        twice=sum(one.twice for one in found),
        bytes=sum(one.bytes for one in found) / max(1, len(held)),
    )


def compare_measured(probes: Sequence[Probe], before: Measured, after: Measured) -> tuple[Comparison, ...]:
    """Return one comparison for each reader and each kind that has probes."""
    return tuple(
        _compare([one for one in probes if one.kind is kind], reader, kind, before, after)
        for reader in Reader
        for kind in ProbeKind
        if any(one.kind is kind for one in probes)
    )


def _compare(probes: Sequence[Probe], reader: Reader, kind: ProbeKind, before: Measured, after: Measured) -> Comparison:
    earlier = [before.found[reader][one.key] for one in probes]
    later = [after.found[reader][one.key] for one in probes]
    rows = [
        Paired(one.cluster, old.rank is not None, new.rank is not None)
        for one, old, new in zip(probes, earlier, later, strict=True)
    ]
    return Comparison(
        reader=reader, kind=kind, before=summarise(earlier), after=summarise(later), interval=compare(rows)
    )


def find_gone(before: Snapshot, after: Snapshot, retired: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return (path, statement) of what no live memory says any more, and no archived one either.

    What stands as superseded is not gone. `retired` has the archived texts by path: an archived memory is found by its stub.
    """
    kept = {**retired, **after.topics}
    changed = {path: text for path, text in before.topics.items() if kept.get(path) != text}
    if not changed:
        return ()
    look = _Kept(kept)
    return tuple(
        (path, one.text)
        for path, text in changed.items()
        for one in read_placed(without_sources(text))
        if not look.says(one.text)
    )


def find_reworded(
    gone: Iterable[tuple[str, str]], after: Snapshot, rewritten: Mapping[str, Collection[str]]
) -> tuple[tuple[str, str, str], ...]:
    """Return (path, statement, what is said now) of the gone statements that a rewrite left out because another one says the same.

    One line of the rewritten memories has its numbers, names and code, half of its words, and denies as it does. That is for a person to
    judge, and no loss by itself.

    Args:
        gone: (path, statement) of what nothing says any more.
        after: the store after the dream.
        rewritten: by path the memories that were written with it by operations that may leave out what another statement says.
    """
    found = []
    lines = {place: after.topics.get(place, "").splitlines() for places in rewritten.values() for place in places}
    for path, said in islice(gone, _MOST_REWORDED):
        needle, told = needle_of(said), (line for place in rewritten.get(path, ()) for line in lines[place])
        now = next((line for line in told if comes_close(line, needle)), None)
        if now is not None:
            found.append((path, said, now.strip(" -*#")))
    return tuple(found)


def find_superseded(before: Snapshot, after: Snapshot) -> tuple[tuple[str, str, str], ...]:
    """Return (path, statement, what is said now) of what the store said before and its memories now say as superseded, with the reason.

    A statement that a person or a later session replaced is no answer any more, so that a search need not find it. It counts only where
    the memory has a new statement that shares half of its telling words; whether the new one is right is for a person to judge. Where
    another memory still says it, it still is an answer.
    """
    found = []
    for path, text in after.live.items():
        if text == before.live.get(path) or kind_of_text(path, text) in GENERATED:
            continue
        said, earlier = body_of(without_sources(text)), body_of(without_sources(before.live.get(path, "")))
        listed = frozenset(superseded_of(earlier))
        old = [one for one in superseded_of(said) if one not in listed]
        known = frozenset(earlier.splitlines()) if old else frozenset()
        lines = [line for line in current_of(said).splitlines() if line.strip() and line not in known] if old else []
        fresh = [(frozenset(cut(line)), line) for line in lines]
        found += [(path, one, now.strip(" -*#")) for one in old if (now := _find_newer(one, fresh))]
    still = [current_of(text) for text in after.topics.values()] if found else []
    return tuple(one for one in found if not any(one[1] in text for text in still))


def _find_newer(old: str, fresh: Sequence[tuple[frozenset[str], str]]) -> str:
    words = frozenset(needle_of(old).subject)
    shared, newer = max(((len(words & told), line) for told, line in fresh), default=(0, ""))
    return newer if 2 * shared >= len(words) > 0 else ""


def without_superseded(probes: Sequence[Probe], superseded: Iterable[tuple[str, str, str]]) -> list[Probe]:
    """Return the probes whose answer still holds: a person's and a session's own answers, and those that no dream superseded."""
    outdated = [frozenset(cut(old)) for _, old, _ in superseded]
    return [
        one
        for one in probes
        if one.kind in _FROM_PEOPLE or not any(old.issuperset(cut(one.needle.quote)) for old in outdated)
    ]


class _Kept:
    """The texts that are still there, to look for statements in; each is read once."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        bodies = {path: f"{title_of(path, text)}\n{body_of(without_sources(text))}" for path, text in texts.items()}
        self._lines = frozenset(" ".join(cut(line)) for body in bodies.values() for line in body.splitlines())
        self._flat = {path: f" {' '.join(cut(body))} " for path, body in bodies.items()}
        self._rank = rank_by_words(by_path(bodies.items()))
        self._read: dict[str, ReadLines] = {}

    def says(self, statement: str) -> bool:
        words = tuple(cut(statement))
        if not words or " ".join(words) in self._lines:
            return True
        quoted, needle = f" {' '.join(words)} ", needle_of(statement)
        hits = self._rank(significant_words(statement, _STATEMENT_WORDS) or words, MAX_HITS)
        return any(quoted in self._flat[path] or says(self._lines_of(path), needle) for path in hits)

    def _lines_of(self, path: str) -> ReadLines:
        if path not in self._read:
            self._read[path] = read_lines(path, self._texts[path], len(self._texts[path]))
        return self._read[path]
