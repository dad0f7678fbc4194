"""Keep the writer of each statement while texts are edited, merged and split.

A statement is known by its words: in every memory that takes it, it stays its writer's. What stands nowhere yet is the new
writer's, or that of the writer whose statement it rewords.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from shared.core.memory.writers import DREAM, Said, Writer, Writers
from shared.core.text.words import cut
from shared.core.trust.edited import inherit_edit
from shared.core.trust.statements import key_of, list_pieces, statements_in

#: A statement rewords another one with which it shares this part of the words of the shorter.
_SHARE = 0.5
#: Beyond so many statements on a side, none is looked for that another one rewords.
MOST_COMPARED = 500


class Written(NamedTuple):
    """A text and its writers."""

    content: str
    writers: Writers


def statements_by_key(content: str) -> dict[str, str]:
    """Return the current statements and headings of a memory by their keys, which do not change with place, marks or case."""
    told = (text for piece in list_pieces(content) for text in statements_in(piece))
    return {key: text for text in told if (key := key_of(text))}


def writers_by_key(written: Written, statements: Mapping[str, str] | None = None) -> dict[str, Writer]:
    """Return who wrote each current statement of a memory, by the statement's key."""
    by, marks = written.writers.by, dict(written.writers.marks)
    keys = statements_by_key(written.content) if statements is None else statements
    return {key: by[marks.get(key, 0)] for key in keys}


def writer_of(written: Written, statement: str) -> Writer:
    """Return who wrote a statement of a memory."""
    marks = dict(written.writers.marks)
    return written.writers.by[marks.get(key_of(statement), 0) if marks else 0]


def assign(content: str, known: Mapping[str, Writer], other: Writer) -> Writers:
    """Return the writers of a text: the known ones of its statements, by key, and another one of the rest."""
    return _pack({key: known.get(key, other) for key in statements_by_key(content)}, other)


def inherit(
    content: str, sources: Sequence[Written], said: Sequence[Said] = (), *, new: Writer | None = None
) -> Writers:
    """Return the writers of a text that was made of others.

    Args:
        content: the text.
        sources: the memories that it was made of; of equal statements the most trusted writer counts.
        said: what else went into it, such as words of a session. What is left belongs to the writer of the statement that it
            rewords, else to the least trusted writer of these words, or of the sources.
        new: the editor of the text: what stands in no source is theirs, even if it rewords a statement.
    """
    if len(sources) == 1 and (sources[0].content == content or sources[0].writers.by == (new,)):
        return sources[0].writers
    every = {writer for source in sources for writer in source.writers.by}
    every |= {one.writer for one in said} | ({new} if new else set())
    if len(every) <= 1:
        return Writers(tuple(every or {DREAM}))
    if new and len(sources) == 1 and not said:
        edited = inherit_edit(content, sources[0].content, sources[0].writers, new)
        if edited is not None:
            return edited
    stands = statements_by_key(content)
    known = _find_known(sources)
    for one in said:
        known |= {key: one.writer for key in (key_of(one.text), *statements_by_key(one.text)) if key not in known}
    gone = [] if new else [(words, known[key]) for one in sources for key, words in _read_gone(one, stands)]
    gone += [(frozenset(cut(one.text)), one.writer) for one in said]
    if max(len(gone), len(stands)) > MOST_COMPARED:
        gone = []
    lowest = new or min(
        [one.writer for one in said] or [one.writers.lowest for one in sources], key=lambda one: one.rank, default=DREAM
    )
    return _pack({key: known.get(key) or find_nearest(text, gone) or lowest for key, text in stands.items()}, lowest)


def _find_known(sources: Sequence[Written]) -> dict[str, Writer]:
    known: dict[str, Writer] = {}
    for source in sources:
        for key, writer in writers_by_key(source).items():
            if key not in known or known[key].rank < writer.rank:
                known[key] = writer
    return known


def _read_gone(source: Written, stands: Mapping[str, str]) -> Iterator[tuple[str, frozenset[str]]]:
    return ((key, frozenset(cut(text))) for key, text in statements_by_key(source.content).items() if key not in stands)


def find_nearest(text: str, others: Sequence[tuple[frozenset[str], Writer]]) -> Writer | None:
    """Return the writer of the statement that shares the most words with a text, if it shares enough; of equals the least trusted."""
    words = frozenset(cut(text))
    best: tuple[float, int, Writer] | None = None
    for held, writer in others:
        share = len(words & held) / max(1, min(len(words), len(held)))
        if share >= _SHARE and (best is None or (share, -writer.rank) > best[:2]):
            best = (share, -writer.rank, writer)
    return None if best is None else best[2]


def _pack(found: Mapping[str, Writer], empty: Writer) -> Writers:
    """Return the writers with marks at the statements of all but the most frequent one."""
    counted = Counter(found.values())
    by = tuple(writer for writer, _ in counted.most_common()) or (empty,)
    places = {writer: place for place, writer in enumerate(by)}
    return Writers(by, tuple((key, places[writer]) for key, writer in found.items() if places[writer]))
