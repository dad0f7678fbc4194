"""List who wrote which statements of a memory, to show to people and programs."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from shared.core.memory.writers import Writer
from shared.core.trust.inherit import Written, statements_by_key, writers_by_key

_HEADING = re.compile(r"^#{1,6}\s+(.*)$", re.DOTALL)


class Share(NamedTuple):
    """A writer of a memory, and the current statements and headings that are theirs, in the order of the text; a heading without its marks."""

    writer: Writer
    statements: tuple[str, ...]


def find_shares(written: Written) -> tuple[Share, ...]:
    """Return who wrote which statements of a memory, in the order of their first ones; a text without any has one share."""
    told = statements_by_key(written.content)
    shares: dict[Writer, list[str]] = {}
    for key, writer in writers_by_key(written, told).items():
        shares.setdefault(writer, []).append(_HEADING.sub(r"\1", told[key]))
    if not shares:
        shares[written.writers.by[0]] = []
    return tuple(Share(writer, tuple(statements)) for writer, statements in shares.items())


def take_first(shares: Sequence[Share], most: int) -> tuple[list[Share], int]:
    """Return the shares with at most so many statements in all, and the number of statements that are left out."""
    taken: list[Share] = []
    room = most
    for share in shares:
        taken.append(share._replace(statements=share.statements[:room]))
        room -= len(taken[-1].statements)
    return taken, sum(len(share.statements) for share in shares) - (most - room)
