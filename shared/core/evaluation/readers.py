"""Two readers of a store, and what they find. They differ in what they load, and so in what a dream does to them.

`search` does what an agent does with the API and MCP: it searches, and reads the hits from the first on. `files` does what a coding
agent does: it loads `MEMORY.md`, and opens the files whose names and lines say most about the question. Both stop at an answer, or
when they have read as much as an agent would.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from shared.core.evaluation.needles import ReadLines, read_lines, says, says_as_superseded
from shared.core.evaluation.probes import Probe
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import GENERATED, ROOT_INDEX
from shared.core.memory.provenance import without_sources
from shared.core.search.bm25 import TextIndex, by_path

#: An agent reads no further hits, nor more characters (2,000 tokens) of them.
MAX_HITS, MAX_CHARS = 10, 8_000
#: A coding agent opens so many files of a question.
MAX_FILES = 3
#: Claude Code loads the first 200 lines or 25 kB of an index, whichever comes first.
INDEX_LINES, INDEX_CHARS = 200, 25_000
CHARS_PER_TOKEN = 4


class Reader(StrEnum):
    """The kinds of readers."""

    SEARCH = "search"
    FILES = "files"


#: The lines of texts that were read, by path, text, and the characters that there was room for.
ReadTexts = dict[tuple[str, str, int], ReadLines]
#: The words of a question and a number to the keys of so many texts, best first.
Rank = Callable[[Sequence[str], int], Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The texts of a store at one moment.

    Attributes:
        live: texts by path, with their frontmatter; the indexes, too.
        stubs: of the archived memories, by their path: the short cues by which they are still found.
    """

    live: Mapping[str, str]
    stubs: Mapping[str, str] = field(default_factory=dict)

    @property
    def topics(self) -> dict[str, str]:
        """Return the texts that hold knowledge, by path: no generated index."""
        return {path: text for path, text in self.live.items() if kind_of_text(path, text) not in GENERATED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The answer of one reader to one probe.

    Attributes:
        rank: 1 for the first text read; 0 for the index that is loaded at the start; None if it was not found.
        chars: what was read until then, or in vain; without the index.
        bytes: the same in UTF-8.
        stale: a text that only says it as superseded, or an archived one about it, was read before.
        twice: further texts among the hits that say the same.
        hits: the paths that were read, for people.
    """

    rank: int | None
    chars: int
    stale: bool
    twice: int
    hits: tuple[str, ...]
    bytes: int = 0


class HitReader:
    """The reader of a search's hits, best first, until one answers. Texts that several probes hit are read once. Not thread-safe."""

    def __init__(self, texts: Mapping[str, str], rank: Rank, read: ReadTexts | None = None) -> None:
        """Take texts that hold knowledge, what ranks them for a search, and what other readers have read."""
        self._texts, self._rank = texts, rank
        self._read: ReadTexts = {} if read is None else read

    def find(self, probe: Probe) -> str | None:
        """Return the path at which a search finds the answer, or None; no text behind it is read."""
        found = self.look(probe, self._rank(probe.words, MAX_HITS), to_answer=True)
        return None if found.rank is None else found.hits[found.rank - 1]

    def search(self, probe: Probe) -> Found:
        """Return what an agent finds that searches."""
        return self.look(probe, self._rank(probe.words, MAX_HITS))

    def look(self, probe: Probe, hits: Sequence[str], *, to_answer: bool = False) -> Found:
        """Return what is found in these texts; with `to_answer` nothing is read behind the answer."""
        rank: int | None = None
        read = size = twice = 0
        stale = False
        for place, path in enumerate(hits, start=1):
            room = MAX_CHARS - read if rank is None else MAX_CHARS
            if room <= 0 or (to_answer and rank is not None):
                break
            lines = self.lines(path, self._texts[path], room)
            found = says(lines, probe.needle)
            twice += found and rank is not None
            if rank is not None:
                continue
            read += min(room, len(self._texts[path]))
            size += len(self._texts[path][:room].encode())
            rank = place if found else None
            stale = stale or (not found and says_as_superseded(lines, probe.needle))
        return Found(rank=rank, chars=read, stale=stale, twice=twice, hits=tuple(hits), bytes=size)

    def lines(self, path: str, text: str, room: int) -> ReadLines:
        """Return the lines of a text that there is room for, which are read once."""
        key = (path, text, min(room, len(text)))
        if key not in self._read:
            self._read[key] = read_lines(path, text, room)
        return self._read[key]


class StoreReaders:
    """Both readers of one snapshot. Not thread-safe."""

    def __init__(self, snapshot: Snapshot, rank: Rank | None = None) -> None:
        """Take a snapshot, and what ranks its texts for a search (by default their words alone, BM25)."""
        topics = snapshot.topics
        texts = {**snapshot.stubs, **topics}
        self._hits = HitReader(
            texts, rank or rank_by_words(by_path((path, without_sources(text)) for path, text in texts.items()))
        )
        self._index = read_index(snapshot.live.get(ROOT_INDEX, ""))
        self._topics = topics

    @property
    def index(self) -> str:
        """The text that a coding agent loads before it is asked anything."""
        return self._index

    def ask(self, reader: Reader, probe: Probe) -> Found:
        """Return what a reader finds."""
        if reader is Reader.SEARCH:
            return self._hits.search(probe)
        if says(self._hits.lines(ROOT_INDEX, self._index, INDEX_CHARS), probe.needle):
            return Found(rank=0, chars=0, stale=False, twice=0, hits=(ROOT_INDEX,))
        return self._hits.look(probe, self._rank_files(probe.words, MAX_FILES))

    @cached_property
    def _rank_files(self) -> Rank:
        return rank_by_words(named_files(self._index, self._topics))


def rank_by_words(texts: Iterator[tuple[str, str]]) -> Rank:
    """Return a search by words over (key, text) pairs, which are indexed once."""
    index = TextIndex(texts)
    return lambda words, limit: [key for key, _ in index.search(words, limit)]


def read_index(text: str) -> str:
    """Return what a coding agent loads of `MEMORY.md`."""
    return "\n".join(text.splitlines()[:INDEX_LINES])[:INDEX_CHARS]


def named_files(index: str, paths: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each path with what a coding agent chooses it by before it opens it: its name, and the lines of the index about it."""
    lines = _lines_about(index, paths)
    return ((path, f"{path} {lines.get(path, '')}") for path in paths)


def _lines_about(index: str, topics: Collection[str]) -> dict[str, str]:
    """Return the lines of an index by the path that they name."""
    by_name: dict[str, list[str]] = {}
    for path in topics:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    found: dict[str, list[str]] = {}
    for line in index.splitlines():
        for name in _names_in(line):
            for path in by_name.get(name, ()):
                if path in line:
                    found.setdefault(path, []).append(line)
    return {path: " ".join(lines) for path, lines in found.items()}


def _names_in(line: str) -> set[str]:
    words = line.replace("(", " ").replace(")", " ").replace("]", " ").replace("[", " ").split()
    return {word.rpartition("/")[2].strip("`*,;:") for word in words}
