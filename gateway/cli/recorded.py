"""What commands say that record something from outside, and list it: feedback, workflow runs."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from gateway.cli.output import print_json, print_table, say

T = TypeVar("T")


def say_recorded(added: int, what: str, where: str, external_id: str, *, as_json: bool) -> None:
    """Say whether one thing was new."""
    if as_json:
        print_json({"added": added, "known": 1 - added})
    else:
        say(f"{what} recorded for {where}" if added else f"{external_id} was recorded before")


def print_recorded(
    found: Sequence[T],
    where: str,
    columns: Sequence[str],
    row: Callable[[T], tuple[object, ...]],
    *,
    empty: str,
    as_json: bool,
) -> None:
    """Print what was recorded in a store."""
    if as_json:
        print_json(found)
    elif not found:
        say(empty)
    else:
        print_table(where, columns, [row(one) for one in found])


def in_one_line(text: str, max_chars: int) -> str:
    """Return the beginning of a text without its line breaks."""
    line = " ".join(text.split())
    return line if len(line) <= max_chars else f"{line[:max_chars]}…"
