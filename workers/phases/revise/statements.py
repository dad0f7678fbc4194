"""Find the statements that a model names, with what the host knows of each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from shared.core.checks.updates import Cited
from shared.core.dates.anchor import find_written_day
from shared.core.memory.headline import title_of
from shared.core.memory.model import Memory
from shared.core.memory.provenance import read_sources
from shared.core.reading.placed import Placed, name_document, read_placed

#: A path of a file in a folder, as a text names it.
_PATH = re.compile(r"(?<![\w./-])(?:[\w.-]{1,80}/){1,8}[\w.-]{1,80}\.md(?![\w/-])")
_NAMED = re.compile(r"\s*\[?([a-z]{1,4})(\d{1,5})\]?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateView:
    """The facts that the plan decides by.

    Attributes:
        memories: the memories that were shown by statements, in the order of their letters.
        listed: those that were only listed, which may be linked.
        series: paths of files that are one of a row of dated or numbered ones.
        live_paths: of all live memories.
        flagged: what a person was asked already.
    """

    memories: tuple[Memory, ...]
    listed: tuple[Memory, ...] = ()
    series: frozenset[str] = frozenset()
    live_paths: frozenset[str] = frozenset()
    flagged: frozenset[str] = frozenset()


class Statements:
    """Finds statements by their names."""

    def __init__(self, view: UpdateView) -> None:
        self._view = view
        self._by_letters = {name_document(number): memory for number, memory in enumerate(view.memories)}
        #: The letters of each memory, by its path.
        self.letters: Mapping[str, str] = {memory.path: letters for letters, memory in self._by_letters.items()}
        self._read: dict[str, tuple[Placed, ...]] = {}

    def find(self, name: str) -> tuple[Memory, Cited] | None:
        """Return the memory and the statement with this name; None if there is none."""
        found = _NAMED.fullmatch(name.lower())
        memory = self._by_letters.get(found[1]) if found else None
        if found is None or memory is None:
            return None
        placed, number = self.read(memory), int(found[2])
        if not 1 <= number <= len(placed):
            return None
        return memory, self.cite(memory, placed[number - 1])

    def read(self, memory: Memory) -> tuple[Placed, ...]:
        """Return the statements of a memory."""
        if memory.path not in self._read:
            self._read[memory.path] = read_placed(memory.content)
        return self._read[memory.path]

    def cite(self, memory: Memory, placed: Placed) -> Cited:
        """Return a statement of a memory with what the host knows of it."""
        return Cited(
            path=memory.path,
            placed=placed,
            title=title_of(memory.path, memory.content),
            said_on=_find_day(memory, placed),
            is_series=memory.path in self._view.series,
            gone=find_gone(placed.text, self._view.live_paths),
        )


def find_gone(text: str, live_paths: frozenset[str]) -> tuple[str, ...]:
    """Return the files that a text names, in a folder of the store, and that are not there.

    A path in a folder that the store does not have names something else, such as a file of a repository.
    """
    named = dict.fromkeys(found[0].removeprefix("./") for found in _PATH.finditer(text)) if ".md" in text else {}
    missing = [path for path in named if path not in live_paths]
    if not missing:
        return ()
    folders = {path.rpartition("/")[0] for path in live_paths}
    return tuple(path for path in missing if path.rpartition("/")[0] in folders)


def _find_day(memory: Memory, placed: Placed) -> date | None:
    """Return the day on which a statement was said: its heading's, its file name's, or that of the sessions that said it.

    The day on which a file was last written says nothing about each of its statements.
    """
    named = (find_written_day("", heading) for heading in reversed(placed.under))
    day = next((day for day in named if day is not None), None) or find_written_day(memory.path, "")
    if day is not None:
        return day
    said = {source.day for source in read_sources(memory.content)}
    return date.fromisoformat(said.pop()) if len(said) == 1 else None
