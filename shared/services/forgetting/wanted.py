"""Read a target (a text, a memory, a session or a person) as the phrases that are to be forgotten."""

from dataclasses import dataclass, field
from enum import StrEnum

from shared.core.errors import BadInputError
from shared.core.forgetting.told import phrases_of, said_in, sentences_of
from shared.core.forgetting.words import MIN_LETTERS, Finder, Phrases, letters_of
from shared.core.memory.model import Memory
from shared.core.memory.provenance import Source, read_sources
from shared.core.tenants.store import Store
from shared.ports.database import UnitOfWork
from shared.services.left_out import name_of_session
from shared.services.memories.read import find_in_store

#: A sentence of a conversation that is shorter is said by others, too.
_MIN_SAID = 24
#: More is no quote; a whole memory or session is named instead.
MAX_TEXT_CHARS = 4_000


class Kind(StrEnum):
    """The kinds of targets."""

    TEXT = "text"
    MEMORY = "memory"
    SESSION = "session"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Target:
    """A target: the words, the memory's id or path, the session's id, or the person's name or actor."""

    kind: Kind
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The phrases and rows that a target comes to in a store.

    Attributes:
        phrases: texts that go wherever they stand.
        buried: those of them that no later write brings back.
        memories: the ids of memories that go as a whole.
        session_id: a session that is deleted.
        speaker: a person whose events are emptied.
    """

    phrases: frozenset[str]
    buried: frozenset[str]
    memories: frozenset[str] = frozenset()
    session_id: str = ""
    speaker: str = ""
    find: Finder = field(init=False)

    def __post_init__(self) -> None:
        """Make what finds the phrases."""
        object.__setattr__(self, "find", Phrases(self.phrases))

    def is_meant(self, source: Source) -> bool:
        """Tell whether a memory's source is what is to be forgotten."""
        by_person = bool(self.speaker) and letters_of(source.speaker) == letters_of(self.speaker)
        return by_person or (bool(self.session_id) and source.session_id == self.session_id)


def read_wanted(uow: UnitOfWork, store: Store, target: Target) -> Wanted:
    """Return what a target comes to.

    Raises:
        BadInputError: it has too few letters to be told from other words, or it is too long for a quote.
        NotFoundError: there is no such memory or session.
    """
    value = target.value.strip()
    if target.kind in {Kind.TEXT, Kind.PERSON} and len(letters_of(value)) < MIN_LETTERS:
        raise BadInputError(f"{value!r} has fewer than {MIN_LETTERS} letters or digits; it would be found everywhere")
    if len(value) > MAX_TEXT_CHARS:
        raise BadInputError(
            f"What is to be forgotten has at most {MAX_TEXT_CHARS:,} characters; name its memory or its session"
        )
    if target.kind is Kind.TEXT:
        return Wanted(phrases=frozenset({value}), buried=frozenset({value}))
    if target.kind is Kind.MEMORY:
        return _of_memory(uow, store, find_in_store(uow, store, value))
    return _of_session(uow, store, value) if target.kind is Kind.SESSION else _of_person(uow, store, value)


def _of_memory(uow: UnitOfWork, store: Store, memory: Memory) -> Wanted:
    versions = uow.memories(store.id).find_history(memory.id)
    phrases = frozenset(one for text in (memory.content, *(v.content for v in versions)) for one in phrases_of(text))
    paths = _names_of(uow, store, memory, {memory.path, *(version.path for version in versions)})
    return Wanted(phrases=phrases | paths, buried=phrases, memories=frozenset({memory.id}))


def _names_of(uow: UnitOfWork, store: Store, memory: Memory, paths: set[str]) -> frozenset[str]:
    """Return the paths of a memory, and the file names by which its folder's index links to it, unless others have them."""
    memories = uow.memories(store.id)
    heads = [(one.id, one.path) for one in memories.find_heads()]
    retired = [(one.id, one.path) for one in memories.find_retired()]
    others = {path for other_id, path in heads + retired if other_id != memory.id}
    taken = {path.rpartition("/")[2] for path in others}
    names = {path.rpartition("/")[2] for path in paths if path} - taken
    return frozenset(name for name in (paths - others) | names if len(letters_of(name)) >= MIN_LETTERS)


def _of_session(uow: UnitOfWork, store: Store, name: str) -> Wanted:
    session = uow.sessions(store.id).get(name)
    only_from_it, said = _find_derived(
        uow, store, Wanted(phrases=frozenset(), buried=frozenset(), session_id=session.id)
    )
    texts = uow.forgetting(store.id).find_said_in(session.id)
    spoken = {one for text in texts for one in sentences_of(text, _MIN_SAID)}
    return Wanted(
        phrases=frozenset(said | spoken),
        buried=frozenset(said | {name_of_session(session.external_id)}),
        memories=only_from_it,
        session_id=session.id,
    )


def _of_person(uow: UnitOfWork, store: Store, name: str) -> Wanted:
    repository = uow.forgetting(store.id)
    only_theirs, said = _find_derived(uow, store, Wanted(phrases=frozenset(), buried=frozenset(), speaker=name))
    spoken = {one for text in repository.find_said_by(name) for one in sentences_of(text, _MIN_SAID)}
    written = frozenset(repository.find_written_by(name))
    current = uow.memories(store.id)
    texts = [one.content for one in (*current.find_live(written), *current.find_retired(written))]
    said |= {one for text in texts for one in phrases_of(text)}
    return Wanted(
        phrases=frozenset({name} | said | spoken),
        buried=frozenset({name} | said),
        memories=only_theirs | written,
        speaker=name,
    )


def _find_derived(uow: UnitOfWork, store: Store, wanted: Wanted) -> tuple[frozenset[str], set[str]]:
    """Return the memories that came from it alone, and what others say that came from it, with the quotes."""
    memories = uow.memories(store.id)
    whole: set[str] = set()
    said: set[str] = set()
    for memory in (*memories.find_live(), *memories.find_retired()):
        sources = read_sources(memory.content)
        meant = [one for one in sources if wanted.is_meant(one)]
        if not meant:
            continue
        quotes = {one for source in meant for one in sentences_of(source.quote)}
        if len(meant) == len(sources):
            whole.add(memory.id)
            said |= quotes | phrases_of(memory.content)
        else:
            said |= quotes | said_in(memory.content, meant)
    return frozenset(whole), said
