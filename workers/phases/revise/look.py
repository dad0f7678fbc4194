"""Open what an answer wants to see before it decides: files of the table of contents, or those that a search of three words finds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.core.memory.doc_type import is_digest
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import ROOT_INDEX, Memory, MemoryKind
from shared.core.merging.candidates import index_entries
from shared.core.policy.policy import BYTES_A_TOKEN
from shared.core.text.similarity import significant_words
from shared.ports.memories import TextLine
from shared.services.index_cache import INDEX_CACHE
from workers.phase.by_reference import Statements, UpdateView
from workers.phase.shape import PhaseContext
from workers.phases.revise.answer import LookItem

MAX_OPENED, SEARCH_WORDS, _MAX_FOUND = 20, 3, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The memories that an answer opens, and what it wanted to see beside.

    Attributes:
        opened: the memories that are shown whole.
        again: paths of what the first question showed and that is shown again, because it makes them wanted.
        unopened: how many memories were wanted beside, and wait: they are too many, or do not fit.
        unknown: how many paths were named that were not listed.
    """

    opened: tuple[Memory, ...] = ()
    again: tuple[str, ...] = ()
    unopened: int = 0
    unknown: int = 0


def open_wanted(context: PhaseContext, view: UpdateView, wish: LookItem, changed: Sequence[str], tokens: int) -> Look:
    """Return what a look shows.

    Args:
        context: the store.
        view: what the first question showed.
        wish: what its answer wants to see.
        changed: the paths of what changed, shown again if the answer names no statement that makes it look.
        tokens: the budget of what is shown again and opened.
    """
    shown, listed = {one.path for one in view.memories}, {one.path for one in view.listed}
    named = dict.fromkeys(wish.files)
    found = [path for path in _search_store(context, wish.search, len(shown)) if path not in shown]
    wanted = list(dict.fromkeys([*(path for path in named if path in listed), *found[:_MAX_FOUND]]))
    texts = context.uow.memories(context.store.id).find_by_paths(wanted[:MAX_OPENED])
    statements = Statements(view)
    reasons = {known[0].path for name in wish.by if (known := statements.find(name)) is not None}
    again = [one for one in view.memories if one.path in (reasons or changed)]
    left = tokens - sum(count_tokens(one.content) for one in again)
    opened = []
    for memory in (texts[path] for path in wanted[:MAX_OPENED] if path in texts):
        if (size := count_tokens(memory.content)) <= left:
            left -= size
            opened.append(memory)
    return Look(
        opened=tuple(opened),
        again=tuple(one.path for one in again),
        unopened=len(wanted) - len(opened),
        unknown=len(named.keys() - listed),
    )


def _search_store(context: PhaseContext, words: str, shown: int) -> Sequence[str]:
    if not (query := significant_words(words, SEARCH_WORDS)):
        return ()
    return search_lines(context, find_lines(context), [query], shown + _MAX_FOUND)[0]


def find_lines(context: PhaseContext) -> dict[str, TextLine]:
    """Return by their paths the texts that are shown to a model: knowledge, and the root index."""
    return {one.path: one for one in context.uow.memories(context.store.id).find_texts() if _is_shown(one)}


def _is_shown(one: TextLine) -> bool:
    kind = kind_of_text(one.path, one.text)
    is_knowledge = kind in {MemoryKind.TOPIC, MemoryKind.LOG} or one.path == ROOT_INDEX
    return is_knowledge and not is_digest(one.text)


def search_lines(
    context: PhaseContext, lines: Mapping[str, TextLine], queries: Sequence[Sequence[str]], limit: int
) -> list[list[str]]:
    """Return for each query the paths of the topics that fit it best, the best first."""
    # The same texts that consolidate searches, so that a large store is indexed once.
    texts = {path: one.text for path, one in lines.items() if kind_of_text(path, one.text) is MemoryKind.TOPIC}
    with INDEX_CACHE.borrow(context.store.id, index_entries(texts)) as index:
        return [[path for path, _ in index.search(query, limit)] for query in queries]


def count_tokens(text: str) -> int:
    """Return about how many tokens a text has."""
    return int(len(text.encode()) / BYTES_A_TOKEN) + 1
