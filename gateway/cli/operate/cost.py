"""`slowwave cost`: the cost of model calls. `slowwave prices`: the price of model tokens."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from gateway.cli.console.options import AsJson
from gateway.cli.console.output import print_json, print_table, say
from gateway.cli.console.session import open_session
from shared.core.questions.prices import say_cost, say_usd
from shared.core.tenants.forecast import Forecast
from shared.ports.tenants import Cost, CostBy
from shared.prices.price_list import ListedPrice, find_list
from shared.services.budgets.use import find_month_budgets, find_month_budgets_of_all
from shared.services.tenants.forecast import CostLine, find_cost_lines
from shared.settings import load_settings


def cost(
    tenant: Annotated[str | None, typer.Argument(help="Only this tenant. Default: all.", metavar="TENANT")] = None,
    by: Annotated[
        CostBy | None,
        typer.Option("--by", help="Group costs by this. Default: by tenant, or by store if a tenant is given."),
    ] = None,
    days: Annotated[int, typer.Option("--days", min=1, max=92, help="Number of days (UTC), up to today.")] = 30,
    as_json: AsJson = False,
) -> None:
    """Show the cost of model calls by tenant, store, phase, model or day, the most expensive first."""
    wanted = by or (CostBy.STORE if tenant else CostBy.TENANT)
    with open_session(tenant=tenant) as session:
        db = session.ports.db
        if tenant is None:
            budgets, today = find_month_budgets_of_all(db), datetime.now(UTC).date()
            found = find_cost_lines(db.installation.find_costs, days, wanted, today, budgets)
        else:
            with db.transaction(tenant) as uow:
                budgets, today = find_month_budgets(uow), uow.now().astimezone(UTC).date()
                found = find_cost_lines(uow.statistics.find_costs, days, wanted, today, budgets)
    if as_json:
        print_json([_json(line) for line in found])
    elif not found:
        say(f"No model was called in the last {days} days.")
    else:
        _print(found, wanted, days)


def _json(line: CostLine) -> dict[str, object]:
    """Return a line as JSON; the month is left out of a day's."""
    if line.forecast is None:
        return asdict(line.cost)
    return asdict(line.cost) | asdict(line.forecast) | {"month_budget_usd": line.month_budget_usd}


def _print(found: list[CostLine], by: CostBy, days: int) -> None:
    columns = (str(by), "calls", "tokens", "cost")
    if by is CostBy.DAY:
        print_table(f"Costs of {days} days", columns, [_row(line.cost) for line in found])
        return
    rows = [(*_row(line.cost), *_month_row(line.forecast), _say_budget(line)) for line in found]
    print_table(f"Costs of {days} days", (*columns, "this month", "forecast", "budget"), rows)
    say("At the month's end (UTC): so far, and for each day after today the mean of the last 7 full days.", "dim")


def _row(one: Cost) -> tuple[object, ...]:
    return one.name, one.model_calls, one.tokens, say_cost(one.cost_usd, one.tokens)


def _say_budget(line: CostLine) -> str:
    """Return the month's budget, and whether the forecast is above it."""
    if line.month_budget_usd is None:
        return ""
    end = line.forecast.month_end_usd if line.forecast is not None else None
    is_above = end is not None and end > line.month_budget_usd
    return f"{say_usd(line.month_budget_usd)}{' (above it)' if is_above else ''}"


def _month_row(forecast: Forecast | None) -> tuple[str, str]:
    if forecast is None or forecast.month_usd is None or forecast.month_end_usd is None:
        return "unknown", "unknown"
    return say_cost(forecast.month_usd, 0), say_cost(forecast.month_end_usd, 0)


def prices(as_json: AsJson = False) -> None:
    """List model prices per million tokens with their date and source, the operator's own prices first."""
    settings = load_settings()
    found = sorted(find_list(settings.prices_file).values(), key=lambda one: (not one.is_own, one.model))
    if as_json:
        print_json(found)
        return
    columns = ("model", "input", "output", "cache read", "cache write", "batch", "date", "from")
    print_table("USD per million tokens", columns, [_price_row(one) for one in found])
    for one in found:
        if one.price.long_prompt_tokens is not None:
            price = one.price
            say(
                f"{one.model}: prompts over {price.long_prompt_tokens:,} tokens cost {price.long_prompt_factor:g} times as much.",
                "dim",
            )
    for source in dict.fromkeys(f"{_origin(one)}, {one.date}: {one.source}" for one in found):
        say(source, "dim")
    say("Prices of other models are unknown. Set SLOWWAVE_PRICES_FILE to a file with your own.", "dim")


def _price_row(one: ListedPrice) -> tuple[object, ...]:
    price = one.price
    amounts = (price.input_usd, price.output_usd, price.cache_read_usd, price.cache_write_usd)
    return one.model, *(f"{usd:g}" for usd in amounts), f"{price.batch_factor:.0%}", one.date, _origin(one)


def _origin(one: ListedPrice) -> str:
    return "your file" if one.is_own else "slowwave"
