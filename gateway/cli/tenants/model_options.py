"""The options of `tenants set` and `stores set` that choose models. An empty value resets a setting."""

from typing import Annotated

import typer

from gateway.cli.console.unknown_models import find_names, warn_of_models
from shared.core.errors import BadInputError
from shared.core.tenants.model_settings import ADAPTERS
from shared.core.tenants.phase_models import OF_PHASE
from shared.prices.price_list import find_prices
from shared.settings import Settings

Adapter = Annotated[str | None, typer.Option(help=f"{', '.join(ADAPTERS)}.")]
Models = Annotated[
    list[str] | None,
    typer.Option(help="The model's name, or PHASE=NAME for one phase; may be repeated."),
]
BetterModel = Annotated[str | None, typer.Option(help="The model to ask again when an answer is unsure or unusable.")]
BaseUrl = Annotated[str | None, typer.Option(help="The URL of another endpoint.")]
Region = Annotated[str | None, typer.Option(help="The cloud region, for bedrock and vertex.")]
Project = Annotated[str | None, typer.Option(help="The Google Cloud project, for vertex.")]
KeyVariable = Annotated[str | None, typer.Option(help="The workers' environment variable that contains the key.")]
Batch = Annotated[
    str | None,
    str | None,
    typer.Option(
        help="on: send questions in Message Batches, at half the price and within a day. off: ask directly. never: no dream may use them."
    ),
]


def list_chosen(
    adapter: str | None,
    models: list[str] | None,
    better_model: str | None,
    base_url: str | None,
    region: str | None,
    project: str | None,
    api_key_variable: str | None,
    batch: str | None,
) -> dict[str, str]:
    """Return the settings that were given, by their names. Raises BadInputError."""
    if adapter not in {None, "", *ADAPTERS}:
        raise BadInputError(f"--llm takes {', '.join(ADAPTERS[:-1])} or {ADAPTERS[-1]}, not {adapter!r}")
    given = {
        "adapter": adapter,
        "better_model": better_model,
        "base_url": base_url,
        "region": region,
        "project": project,
        "api_key_variable": api_key_variable,
        "batch": batch,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    for one in models or []:
        phase, equals, model = one.partition("=")
        chosen |= {f"{OF_PHASE}{phase.strip()}": model.strip()} if equals else {"model": one}
    return chosen


def warn_of_unknown(chosen: dict[str, str], settings: Settings) -> None:
    """Warn of models that were just set and have no known price: their cost is not counted."""
    warn_of_models(find_names(chosen), find_prices(settings.prices_file))
