"""Shared parts of the commands that record and list feedback and workflow runs."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, TypeVar

import typer

from gateway.cli.console.output import print_json, print_list, safe, say
from gateway.masking import tell_kinds
from shared.core.errors import BadInputError
from shared.core.sessions.transcript import parse_moment
from shared.services.sessions.feedback import Recorded

T = TypeVar("T")
At = Annotated[str | None, typer.Option("--at", help="When it happened (ISO 8601). Default: now.")]
ExternalId = Annotated[str, typer.Option("--id", help="The id from its source; an id is recorded only once.")]
SessionId = Annotated[str, typer.Option("--session", help="The source's id of the session.")]


def moment_of(raw: str | None) -> datetime | None:
    """Parse the time of an option. Raises BadInputError if it is not one."""
    moment = parse_moment(raw) if raw is not None else None
    if raw is not None and moment is None:
        msg = f"--at takes an ISO 8601 time such as 2026-03-02T10:00:00Z, not {raw[:40]!r}"
        raise BadInputError(msg)
    return moment


def say_recorded(done: Recorded, what: str, where: str, external_id: str, *, as_json: bool) -> None:
    """Print that an entry was recorded, or that it was recorded before."""
    if as_json:
        print_json({"added": done.added, "known": 1 - done.added, "masked": done.masked})
    else:
        told = f"{what} recorded for {where}" if done.added else f"{external_id} was recorded before"
        say(safe(told + tell_kinds(done.masked)))


def print_recorded(
    found: Sequence[T],
    where: str,
    columns: Sequence[str],
    row: Callable[[T], tuple[object, ...]],
    *,
    empty: str,
    limit: int,
    as_json: bool,
) -> None:
    """Print what was recorded in a store, up to a limit; `found` may be one more, which only tells that there are more."""
    has_more, found = len(found) > limit, found[:limit]
    if as_json:
        print_json(found)
    elif not found:
        say(empty)
    else:
        print_list(where, columns, [row(one) for one in found], has_more=has_more)


def in_one_line(text: str, max_chars: int) -> str:
    """Return the beginning of a text without its line breaks."""
    line = " ".join(text.split())
    return line if len(line) <= max_chars else f"{line[:max_chars]}…"
