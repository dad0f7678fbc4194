"""The options of `tenants set`: limits, budgets and clock. `none` takes a budget in dollars back."""

from typing import Annotated, Any

import typer

from shared.core.errors import BadInputError

MaxConcurrent = Annotated[
    int | None, typer.Option(min=1, max=10_000, help="Dreams at once; never the installation's last slot.")
]
TokensPerDay = Annotated[int | None, typer.Option(min=0, help="Model tokens a day.")]
UsdPerDay = Annotated[str | None, typer.Option(help="Dollars a day (UTC) for model calls; none: no limit.")]
UsdPerMonth = Annotated[str | None, typer.Option(help="Dollars a calendar month (UTC); none: no limit.")]
TimeZone = Annotated[str | None, typer.Option(help="Its clock: Europe/Berlin, UTC.")]
QuietHours = Annotated[str | None, typer.Option(help='When nothing starts on its own: 22:00-06:00; "" for never.')]
Locale = Annotated[str | None, typer.Option(help="The language of its memories: en, de, da.")]
CallsPerMinute = Annotated[int | None, typer.Option(min=1, help="Model calls a minute.")]
CallsAtOnce = Annotated[int | None, typer.Option(min=1, help="Model calls at once.")]
_NONE = "none"


def split_budgets(**given: str | None) -> dict[str, Any]:
    """Return the changes to the budgets that were given by name, and the names of those taken back. Raises BadInputError."""
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
