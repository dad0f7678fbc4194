"""Print the database and the retention that a deleting command uses, with the source of each.

They are printed to standard error before anything is deleted. A mistyped variable ends the command, since the default
would apply instead.
"""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from urllib.parse import urlsplit

from gateway.cli.console.output import warn
from gateway.variables import find_mistyped
from shared.core.errors import BadInputError
from shared.core.policy.retention import RetentionPolicy
from shared.env_file import source_of
from shared.settings import Settings

_PREFIX = "SLOWWAVE_"
_DATABASE, _RETENTION = f"{_PREFIX}DATABASE_URL", f"{_PREFIX}RETENTION"


def tell_database(settings: Settings) -> None:
    """Print which database a command is about to delete from. Raises BadInputError for a mistyped variable."""
    check_names(os.environ)
    source = source_of(_DATABASE)
    if source is None or settings.database_url is None:
        warn(f"Database: the embedded server in {settings.data_dir.resolve()}", "dim")
        return
    url = urlsplit(settings.database_url.get_secret_value())
    warn(f"Database: {url.hostname or 'this machine'}{url.path} ({source})", "dim")


def tell_retention(settings: Settings, own: Mapping[str, Mapping[str, int]]) -> None:
    """Print the days of each rule, their source, and the tenants that override them."""
    for line in describe_retention(settings.retention, source_of(_RETENTION), own):
        warn(line, "dim")


def describe_retention(
    policy: RetentionPolicy, source: str | None, own: Mapping[str, Mapping[str, int]]
) -> Iterable[str]:
    """Yield a line for each source of retention days."""
    given = set(json.loads(os.environ.get(_RETENTION) or "{}")) if source else set()
    days = asdict(policy)
    if given:
        yield f"Days by {source}: {_days({rule: days[rule] for rule in days if rule in given})}"
    yield f"Days by default: {_days({rule: days[rule] for rule in days if rule not in given}) or 'none'}"
    for tenant, numbers in own.items():
        yield f"Days of {tenant}'s own: {_days(numbers)}"


def _days(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{rule} {days}" for rule, days in numbers.items())


def check_names(environment: Mapping[str, str]) -> None:
    """Refuse a variable whose name is a mistyped setting. Raises BadInputError."""
    for name, meant in find_mistyped(environment).items():
        raise BadInputError(f"{name} is not a setting; did you mean {meant}? Nothing was deleted")
