"""Ask a store as its agents do, by both readers, and say why each text is found, what is left out, and who wrote its lines.

Nothing is noted as an agent's search: what a person tries here teaches the evaluation nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from shared.core.evaluation.readers import (
    CHARS_PER_TOKEN,
    MAX_CHARS,
    MAX_FILES,
    MAX_HITS,
    Reader,
    named_files,
    read_index,
)
from shared.core.memory.frontmatter import title_of
from shared.core.memory.model import ROOT_INDEX, Memory
from shared.core.memory.provenance import without_sources
from shared.core.memory.writers import Writer
from shared.core.search.bm25 import terms_of
from shared.core.text.words import cut
from shared.core.trust.hidden import is_shown, least_of, rank_of, say_setting
from shared.core.trust.inherit import Written, statements_by_key, writers_by_key
from shared.core.trust.orders import is_line_order
from shared.ports.database import Database, UnitOfWork
from shared.ports.memories import MemoryVersion
from shared.ports.memory_search import Meaning, MemorySearch
from shared.services.index_cache import IndexCache
from shared.services.memories.read import Hit, find_generated, query_words, search_memories

#: So many texts that were found and are not read are named, with the reason.
_BESIDE = 10
#: A line that is older than so many versions says no version.
_VERSIONS = 20
#: What files are chosen by, of the stores that were asked last: to index a large one takes most of the time of an answer.
_NAMES = IndexCache(max_texts=200_000)
#: How headings begin, and the marks around a generated index.
_NO_STATEMENT = ("#", "<!--")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLine:
    """A statement of a text: words of the question in it, its writer, and the version and dream that brought it.

    `version` is None if the line is older than the newest versions that are looked through.
    """

    text: str
    words: tuple[str, ...]
    writer: Writer
    version: int | None
    dream_id: str | None
    is_order: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """A text that a reader opens, or leaves out for a reason.

    Attributes:
        place: 1 for the first one found; 0 for the index that is loaded at the start.
        words: of the question, those by which it was found; none if its meaning alone is near.
        is_generated: it repeats other memories, so that a correction belongs into these.
        score: of a search; None for files, which have only an order.
        tokens: what an agent loads of it; 0 if it is left out.
        left_out: why it is not read; empty if it is.
    """

    place: int
    id: str
    path: str
    title: str
    words: tuple[str, ...]
    is_meant: bool
    is_archived: bool
    is_generated: bool
    score: float | None
    trust: str
    day: str
    tokens: int = 0
    left_out: str = ""
    lines: tuple[ReadLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The finds of a reader: the texts that it opens, in its order, and the others with the reasons why it does not."""

    reader: Reader
    opened: tuple[ReadText, ...]
    left_out: tuple[ReadText, ...]

    @property
    def tokens(self) -> int:
        """Return what an agent loads for this question, the index included."""
        return sum(one.tokens for one in self.opened)

    @property
    def found(self) -> int:
        """Return how many texts are opened because of the question."""
        return sum(one.place > 0 for one in self.opened)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The answers of both readers to a question, the words that it was asked by, and how many live memories there are."""

    words: tuple[str, ...]
    answers: tuple[Answer, ...]
    memories: int


def ask_store(
    db: Database, search: MemorySearch, tenant_id: str, store_name: str, question: str, meaning: Meaning | None = None
) -> Asked:
    """Return what agents find for a question, as the store is now. Raises NotFoundError."""
    words = query_words(question)
    place = (db, search, tenant_id, store_name, question)
    shown = search_memories(*place, MAX_HITS, meaning)
    every = search_memories(*place, MAX_HITS + _BESIDE, meaning, with_hidden=True)
    with db.transaction(tenant_id) as uow:
        store = uow.stores.get(store_name)
        reading = _Reading(uow, store.id, words)
        least = least_of(store.policy.recall)
        hidden = f"hidden from agents: {say_setting(least)}"
        shown_ids = {hit.id for hit in shown}
        others = [
            (hit, _behind(MAX_HITS, "hits") if is_shown(hit.path, rank_of(hit.trust), least) else hidden)
            for hit in every
            if hit.id not in shown_ids
        ]
        paths = [path for _, path in uow.catalog(store.id).find_paths("")]
        by_search = reading.read_hits(shown, others)
        by_files = reading.read_files(paths)
    return Asked(words=tuple(words), answers=(by_search, by_files), memories=len(paths))


def _behind(most: int, things: str) -> str:
    """Return the reason of what stands behind those that a reader opens."""
    return f"behind the first {most} {things}"


class _Reading:
    """Opens texts of one store in one transaction, for one question."""

    def __init__(self, uow: UnitOfWork, store_id: str, words: Sequence[str]) -> None:
        self._uow = uow
        self._store_id = store_id
        self._words = words
        self._terms = frozenset(terms_of(words))

    def read_hits(self, shown: Sequence[Hit], others: Iterable[tuple[Hit, str]]) -> Answer:
        """Return what an agent reads of the hits of a search, from the first on, until it has read enough."""
        texts = {one.id: one for one in self._uow.memories(self._store_id).find_live([hit.id for hit in shown])}
        opened: list[ReadText] = []
        left_out: list[ReadText] = []
        room = MAX_CHARS
        for place, hit in enumerate(shown, start=1):
            memory = texts.get(hit.id)
            text = memory.content if memory else hit.excerpt
            found = without_sources(text) if memory else f"{hit.title} {text}"
            read = self._hit(hit, place, self._match(f"{hit.path} {found}"))
            if room <= 0:
                left_out.append(_leave_out(read, _spent()))
                continue
            opened.append(_open(read, min(len(text), room), self._lines(memory, text) if memory else ()))
            room -= len(text)
        places = enumerate(others, start=len(shown) + 1)
        left_out += [
            _leave_out(self._hit(hit, place, self._match(f"{hit.path} {hit.title} {hit.excerpt}")), why)
            for place, (hit, why) in places
        ]
        return Answer(reader=Reader.SEARCH, opened=tuple(opened), left_out=tuple(left_out))

    def read_files(self, paths: Sequence[str]) -> Answer:
        """Return what a coding agent loads at its start, and the files that it then opens by their names."""
        memories = self._uow.memories(self._store_id)
        root = memories.find_by_path(ROOT_INDEX)
        index = read_index(root.content) if root else ""
        generated = find_generated(self._uow, self._store_id, paths)
        names = dict(named_files(index, [path for path in paths if path not in generated]))
        with _NAMES.borrow(self._store_id, names.items()) as named:
            ranked = [path for path, _ in named.search(self._words, MAX_FILES + _BESIDE)]
        known = memories.find_by_paths(ranked)
        opened = [_open(self._file(root, 0, self._match(index)), len(index), self._lines(root, index))] if root else []
        left_out: list[ReadText] = []
        room = MAX_CHARS
        for place, memory in enumerate((known[path] for path in ranked if path in known), start=1):
            read = self._file(memory, place, self._match(names[memory.path]))
            if place > MAX_FILES or room <= 0:
                left_out.append(_leave_out(read, _behind(MAX_FILES, "files") if place > MAX_FILES else _spent()))
                continue
            opened.append(_open(read, min(len(memory.content), room), self._lines(memory, memory.content)))
            room -= len(memory.content)
        return Answer(reader=Reader.FILES, opened=tuple(opened), left_out=tuple(left_out))

    def _match(self, text: str) -> tuple[str, ...]:
        """Return the words of the question that a text holds, in the question's order."""
        held = self._terms.intersection(cut(text))
        return tuple(dict.fromkeys(word for one in self._words for word in cut(one) if word in held))

    def _lines(self, memory: Memory, text: str) -> tuple[ReadLine, ...]:
        """Return the statements of a text, each with its writer and the version that brought it."""
        told = statements_by_key(text)
        writers = writers_by_key(Written(text, memory.writers), told)
        versions = self._uow.memories(self._store_id).find_history(memory.id, limit=_VERSIONS)
        brought = _find_brought(versions, told)
        return tuple(
            ReadLine(
                text=line,
                words=self._match(line),
                writer=writers[key],
                version=brought[key].version if key in brought else None,
                dream_id=brought[key].dream_id if key in brought else None,
                is_order=is_line_order(line),
            )
            for key, line in told.items()
            if not line.startswith(_NO_STATEMENT)
        )

    def _hit(self, hit: Hit, place: int, words: tuple[str, ...]) -> ReadText:
        return ReadText(
            place=place,
            id=hit.id,
            path=hit.path,
            title=hit.title,
            words=words,
            is_meant=hit.is_meant,
            is_archived=hit.is_archived,
            is_generated=hit.is_generated,
            score=hit.score,
            trust=hit.trust,
            day=hit.day,
        )

    def _file(self, memory: Memory, place: int, words: tuple[str, ...]) -> ReadText:
        return ReadText(
            place=place,
            id=memory.id,
            path=memory.path,
            title=title_of(memory.path, memory.content),
            words=words,
            is_meant=False,
            is_archived=False,
            is_generated=not place,
            score=None,
            trust=memory.writers.lowest.rank.word,
            day=memory.writers.newest_day,
        )


def _find_brought(versions: Sequence[MemoryVersion], keys: Iterable[str]) -> dict[str, MemoryVersion]:
    """Return by the key of each statement the version that brought it, of versions from the newest on; none for older ones."""
    looked_for = set(keys)
    brought: dict[str, MemoryVersion] = {}
    for version in versions:
        held = looked_for.intersection(statements_by_key(version.content))
        brought |= dict.fromkeys(held, version)
        looked_for = held
    is_whole = not versions or versions[-1].version == 1
    return brought if is_whole else {key: one for key, one in brought.items() if one is not versions[-1]}


def _open(read: ReadText, chars: int, lines: tuple[ReadLine, ...]) -> ReadText:
    return replace(read, tokens=-(-chars // CHARS_PER_TOKEN), lines=lines)


def _leave_out(read: ReadText, why: str) -> ReadText:
    return replace(read, left_out=why)


def _spent() -> str:
    return f"{MAX_CHARS // CHARS_PER_TOKEN:,} tokens were read before it"
