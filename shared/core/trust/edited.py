"""Keep the writers of an edited text by a look at what differs: most of it is as it was, and agents wait for the answer."""

from collections.abc import Iterable, Mapping

from shared.core.memory.writers import Writer, Writers
from shared.core.trust.statements import Piece, key_of, list_pieces, statements_in, words_of


def inherit_edit(content: str, before: str, writers: Writers, new: Writer) -> Writers | None:
    """Return the writers of a text that an editor made of another one; None if that needs a look at all statements.

    Args:
        content: the text.
        before: the text that was edited.
        writers: those of its statements.
        new: the editor.
    """
    olds, nows = dict.fromkeys(list_pieces(before)), dict.fromkeys(list_pieces(content))
    gone, came = _keyed(one for one in olds if one not in nows), _keyed(one for one in nows if one not in olds)
    fresh = {key: text for key, text in came.items() if key not in gone}
    vanished = {key: text for key, text in gone.items() if key not in came}
    if _may_stand(fresh, before) or _may_stand(vanished, content):
        return None
    marks = {key: writers.by[place] for key, place in writers.marks if key not in vanished}
    if new != writers.by[0]:
        marks |= dict.fromkeys(fresh, new)
    kept = [one for one in nows if one in olds]
    if len(marks) > len(kept) or not any(key_of(text) not in marks for one in kept for text in statements_in(one)):
        return None
    by = tuple(dict.fromkeys((writers.by[0], *marks.values())))
    places = {writer: place for place, writer in enumerate(by)}
    return Writers(by, tuple((key, places[writer]) for key, writer in marks.items()))


def _keyed(pieces: Iterable[Piece]) -> dict[str, str]:
    return {key: text for piece in pieces for text in statements_in(piece) if (key := key_of(text))}


def _may_stand(statements: Mapping[str, str], content: str) -> bool:
    """Tell whether any of these statements may stand in a text: certainly none whose words do not."""
    if not statements:
        return False
    words = words_of(content)
    return any(words_of(one) in words for one in statements.values())
