"""Options that several commands share.

Also the actor that the audit log records for the command line, and the times that options accept.
"""

import getpass
import os
import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from shared.core.errors import BadInputError
from shared.core.listings.period import Period

Tenant = Annotated[str, typer.Argument(envvar="SLOWWAVE_TENANT", help="The tenant.", metavar="TENANT")]
TenantOption = Annotated[str, typer.Option("--tenant", "-t", envvar="SLOWWAVE_TENANT", help="The tenant.")]
StoreOption = Annotated[str, typer.Option("--store", "-s", help="The store.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
OverwriteEdits = Annotated[bool, typer.Option("--force", help="Overwrite later edits, which then wait for a review.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Overwrite memories changed here since the last import.")]


def cli_actor() -> str:
    """Return `cli:` and the name of the account, or its number where it has no name."""
    try:
        return f"cli:{getpass.getuser()}"
    except (OSError, KeyError):  # a container may run under a number that stands in no file
        return f"cli:{os.getuid()}"


_SPAN = re.compile(r"(\d{1,5})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

Since = Annotated[
    str | None, typer.Option("--since", help="Only from this time on: 30m, 24h, 7d, 2w, or 2026-03-05T10:00Z.")
]
Until = Annotated[
    str | None, typer.Option("--until", help="Only before this time, in the same forms. A date means its first moment.")
]


def read_moment(raw: str, option: str = "--since") -> datetime:
    """Return the moment that `24h` or an ISO date or time means; without a zone it is UTC. Raises BadInputError."""
    if found := _SPAN.fullmatch(raw.strip()):
        return datetime.now(UTC) - timedelta(**{_UNITS[found[2]]: int(found[1])})
    try:
        moment = datetime.fromisoformat(raw.strip())
    except ValueError:
        msg = f"{option} takes 30m, 24h, 7d, 2w, 2026-03-05 or 2026-03-05T10:00Z, not {raw[:60]!r}"
        raise BadInputError(msg) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def read_period(since: str | None, until: str | None) -> Period:
    """Return the period between --since and --until. Raises BadInputError, also if it ends before it begins."""
    return Period(
        since=None if since is None else read_moment(since),
        until=None if until is None else read_moment(until, "--until"),
    )
