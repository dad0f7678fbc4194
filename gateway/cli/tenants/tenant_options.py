"""The options of `tenants set`: limits, budgets and clock. `none` removes a budget in dollars."""

from typing import Annotated, Any

import typer

from shared.core.errors import BadInputError

MaxConcurrent = Annotated[
    int | None,
    typer.Option(
        min=1, max=10_000, help="Maximum number of dreams at once; a tenant never gets the installation's last slot."
    ),
]
TokensPerDay = Annotated[int | None, typer.Option(min=0, help="Maximum number of model tokens per day.")]
UsdPerDay = Annotated[
    str | None, typer.Option(help="Maximum cost of model calls per day (UTC), in dollars; none for no limit.")
]
UsdPerMonth = Annotated[
    str | None,
    typer.Option(help="Maximum cost of model calls per calendar month (UTC), in dollars; none for no limit."),
]
TimeZone = Annotated[str | None, typer.Option(help="The tenant's time zone, such as Europe/Berlin or UTC.")]
QuietHours = Annotated[
    str | None, typer.Option(help='Hours in which no dream starts by itself, such as 22:00-06:00; "" for none.')
]
Locale = Annotated[str | None, typer.Option(help="The language of the tenant's memories, such as en, de or da.")]
CallsPerMinute = Annotated[int | None, typer.Option(min=1, help="Maximum number of model calls per minute.")]
CallsAtOnce = Annotated[int | None, typer.Option(min=1, help="Maximum number of model calls at once.")]
_NONE = "none"


def split_budgets(**given: str | None) -> dict[str, Any]:
    """Return the budgets that were set, by name, and the names of those that were removed. Raises BadInputError."""
    wanted = {name: value.strip().lower() for name, value in given.items() if value is not None}
    taken_back = tuple(name for name, value in wanted.items() if value == _NONE)
    dollars = {name: _dollars(name, value) for name, value in wanted.items() if value != _NONE}
    return {**dollars, "taken_back": taken_back}


def _dollars(name: str, value: str) -> float:
    try:
        return float(value.removeprefix("$"))
    except ValueError:
        option = f"--{name.replace('_', '-')}"
        raise BadInputError(f"{option} takes dollars, such as 2.50, or none, not {value[:40]!r}") from None
