"""The policy of ranks: what may stand beside, and in the place of, a statement of another writer.

| | may do without a review |
|---|---|
| stand in a page that a person wrote, a pinned or a core one | nothing that a dream brings (`find_guarded`) |
| stand in any other live page | what an owner, a user or an agent said |
| take the place of a statement, or of a whole page | what was said by a writer of at least the same rank |
"""

from collections.abc import Iterator, Sequence

from shared.core.memory.model import Memory, MemoryState
from shared.core.memory.writers import Rank, Writer
from shared.core.text.clip import clip
from shared.core.text.words import cut
from shared.core.trust.inherit import MOST_COMPARED, Written, find_nearest, statements_by_key, writers_by_key

#: What was said from below this rank enters no page by itself.
LEAST_OF_PAGE = Rank.AGENT
#: A memory as it was before an operation, None if there was none, and as it is after it.
Change = tuple[Memory | None, Memory]


def find_outranked(changes: Sequence[Change]) -> str | None:
    """Describe what an operation would put in the place of a more trusted writer's words, as the end of a sentence, or None."""
    written = [after for before, after in changes if _is_written(before, after)]
    known = [before for before, _ in changes if before is not None]
    lowest = min((one.writers.lowest.rank for one in written), default=Rank.OWNER)
    highest = max((one.writers.highest.rank for one in known), default=Rank.MACHINE)
    if lowest >= LEAST_OF_PAGE and lowest >= highest:
        return None
    return _find_entering(changes) or next(_find_replaced(known, written), None)


def _is_written(before: Memory | None, after: Memory) -> bool:
    return after.state is MemoryState.LIVE and (before is None or before.content != after.content)


def _written(memory: Memory) -> Written:
    return Written(memory.content, memory.writers)


def _find_entering(changes: Sequence[Change]) -> str | None:
    for before, after in changes:
        if not _is_written(before, after):
            continue
        stands = statements_by_key(before.content) if before is not None else {}
        told = statements_by_key(after.content)
        for key, writer in writers_by_key(_written(after), told).items():
            if key not in stands and writer.rank < LEAST_OF_PAGE:
                return f"it would bring what {writer.told} said into {after.path}: “{clip(told[key])}”"
    return None


def _find_replaced(known: Sequence[Memory], written: Sequence[Memory]) -> Iterator[str]:
    """Yield each statement in whose place a less trusted writer's would stand: the one that comes closest to it."""
    stays = _read_standing(written)
    if len(stays) > MOST_COMPARED:
        yield "it is too long to tell whose statements it would put in the place of whose"
        return
    for before in known:
        told = statements_by_key(before.content)
        others = [(frozenset(cut(text)), writer) for key, (text, writer) in stays.items() if key not in told]
        for key, writer in writers_by_key(_written(before), told).items():
            nearest = find_nearest(told[key], others) if key not in stays else None
            if nearest is not None and nearest.rank < writer.rank:
                yield (
                    f"it would put what {nearest.told} said in the place of “{clip(told[key])}” in {before.path}, which "
                    f"{writer.told} said"
                )


def _read_standing(written: Sequence[Memory]) -> dict[str, tuple[str, Writer]]:
    """Return the statements of the written memories by their keys, each with the most trusted of its writers."""
    stays: dict[str, tuple[str, Writer]] = {}
    for memory in written:
        told = statements_by_key(memory.content)
        for key, writer in writers_by_key(_written(memory), told).items():
            if key not in stays or stays[key][1].rank < writer.rank:
                stays[key] = told[key], writer
    return stays
