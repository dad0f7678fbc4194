"""The list prices of models: a dated file shipped with slowwave, overridden by the operator's own.

A file is read once per process. A malformed file is refused with its line and the reason when the settings are loaded.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from shared.core.errors import BadInputError
from shared.core.questions.prices import ModelPrice

SHIPPED = Path(__file__).with_name("prices.toml")
_NEEDED = ("input", "output", "cache_read", "cache_write")
_OPTIONAL = ("batch", "long_prompt_tokens", "long_prompt_factor", "regional")
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPrice:
    """The price of a model, with its date and its source, and whether it is the operator's own."""

    model: str
    price: ModelPrice
    date: date
    source: str
    is_own: bool = False


def find_list(own: Path | None = None) -> Mapping[str, ListedPrice]:
    """Return the listed prices by model; those of the operator's file override the shipped ones.

    Raises:
        BadInputError: the file cannot be read, or is malformed.
    """
    return _shipped() if own is None else {**_shipped(), **_read_own(own)}


@lru_cache(maxsize=4)
def find_prices(own: Path | None = None) -> Mapping[str, ModelPrice]:
    """Return the prices by model. Raises BadInputError."""
    return {model: listed.price for model, listed in find_list(own).items()}


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, ListedPrice]:
    return parse_price_file(SHIPPED.read_text(encoding="utf-8"), "prices.toml", is_own=False)


@lru_cache(maxsize=4)
def _read_own(path: Path) -> Mapping[str, ListedPrice]:
    try:
        with path.open("rb") as file:
            raw = file.read(_MAX_BYTES + 1)
        if len(raw) > _MAX_BYTES:
            raise BadInputError(f"{path} is too large for a list of prices")
        return parse_price_file(raw.decode(), str(path), is_own=True)
    except (OSError, UnicodeDecodeError) as error:
        reason = "is not text" if isinstance(error, UnicodeDecodeError) else f"cannot be read: {error.strerror}"
        raise BadInputError(f"{path} {reason}") from None


def parse_price_file(text: str, name: str, *, is_own: bool) -> dict[str, ListedPrice]:
    """Return the prices of a file by model.

    Raises:
        BadInputError: names the file, the line and the reason.
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:  # says the line itself
        raise BadInputError(f"{name}: {error}") from None
    stated, source, models = found.get("date"), found.get("source"), found.get("models")
    if type(stated) is not date:
        raise _wrong(text, name, "date", "date must be a day such as 2026-10-31")
    if not isinstance(source, str) or not source.strip():
        raise _wrong(text, name, "source", "source must say where the prices come from")
    if not isinstance(models, dict):
        raise _wrong(text, name, "models", "there must be a table [models]")
    return {
        model: ListedPrice(
            model=model, price=_price(text, name, model, entry), date=stated, source=source.strip(), is_own=is_own
        )
        for model, entry in models.items()
    }


def _price(text: str, name: str, model: str, entry: Any) -> ModelPrice:  # noqa: ANN401 - whatever the file holds
    if not isinstance(entry, dict):
        raise _wrong(text, name, model, f"{model} must be a table of prices")
    unknown = sorted(entry.keys() - {*_NEEDED, *_OPTIONAL})
    if unknown:
        raise _wrong(
            text, name, model, f"{model}: there is no {unknown[0]!r}; there are {', '.join(_NEEDED + _OPTIONAL)}"
        )
    missing = [key for key in _NEEDED if key not in entry]
    if missing:
        raise _wrong(text, name, model, f"{model}: {missing[0]} is missing")
    for key, value in entry.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value < 1e9:
            raise _wrong(text, name, model, f"{model}: {key} must be a number, 0 or more")
    return ModelPrice(
        **{f"{key}_usd": float(entry[key]) for key in _NEEDED},
        batch_factor=float(entry.get("batch", 0.5)),
        long_prompt_tokens=int(entry["long_prompt_tokens"]) if "long_prompt_tokens" in entry else None,
        long_prompt_factor=float(entry.get("long_prompt_factor", 1.0)),
        regional_factor=float(entry.get("regional", 1.0)),
    )


def _wrong(text: str, name: str, key: str, reason: str) -> BadInputError:
    """Return the error for a key, with its line, or the first line if the key is missing."""
    pattern = re.compile(rf"\s*(\[\s*)?(models\s*\.\s*)?[\"']?{re.escape(key)}[\"']?\s*[\]=]")
    line = next((number for number, one in enumerate(text.splitlines(), 1) if pattern.match(one)), 1)
    return BadInputError(f"{name}, line {line}: {reason}")
