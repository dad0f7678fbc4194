"""Prices are a dated file, and an operator's own come before the shipped ones."""

from datetime import date
from pathlib import Path

import pytest

from shared.core.errors import BadInputError
from shared.prices.price_list import SHIPPED, find_list, find_prices, parse_price_file
from shared.settings import load_settings

OWN = """\
date = 2026-11-20
source = "our contract"

[models]
llama = { input = 1, output = 2, cache_read = 0.1, cache_write = 1.5, batch = 0.4 }
claude-haiku-4-5 = { input = 0.5, output = 2.5, cache_read = 0.05, cache_write = 0.6 }
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "prices.toml"
    path.write_text(text)
    return path


def test_each_shipped_price_has_a_day_and_a_source() -> None:
    found = parse_price_file(SHIPPED.read_text(), "prices.toml", is_own=False)
    assert found
    assert all(one.date > date(2026, 1, 1) and one.source and not one.is_own for one in found.values())


def test_an_operators_own_prices_come_before_the_shipped_ones(tmp_path: Path) -> None:
    found = find_list(write(tmp_path, OWN))
    assert (found["llama"].price.output_usd, found["llama"].price.batch_factor) == (2, 0.4)
    assert (found["claude-haiku-4-5"].price.input_usd, found["claude-haiku-4-5"].is_own) == (0.5, True)
    assert found["claude-sonnet-4-6"] == find_list()["claude-sonnet-4-6"]
    assert find_prices()["claude-haiku-4-5"].input_usd == 1


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("llama =", "llama", "prices.toml: Expected '=' after a key in a key/value pair (at line 5, column 7)"),
        ("output = 2,", "", "prices.toml, line 5: llama: output is missing"),
        ("input = 0.5", "input = -1", "prices.toml, line 6: claude-haiku-4-5: input must be a number, 0 or more"),
        ("input = 0.5", "input = nan", "prices.toml, line 6: claude-haiku-4-5: input must be a number, 0 or more"),
        ("input = 0.5", "input = true", "prices.toml, line 6: claude-haiku-4-5: input must be a number, 0 or more"),
        ("batch = 0.4", "bulk = 1", "prices.toml, line 5: llama: there is no 'bulk'; there are input, output"),
        ("2026-11-20", '"soon"', "prices.toml, line 1: date must be a day such as 2026-10-31"),
        ('"our contract"', '""', "prices.toml, line 2: source must say where the prices come from"),
        ("[models]", "[model]", "prices.toml, line 1: there must be a table [models]"),
    ],
)
def test_a_malformed_file_is_refused_with_its_line_and_the_reason(old: str, new: str, reason: str) -> None:
    with pytest.raises(BadInputError) as error:
        parse_price_file(OWN.replace(old, new), "prices.toml", is_own=True)
    assert str(error.value).startswith(reason)


def test_no_process_starts_with_a_file_of_prices_that_cannot_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLOWWAVE_PRICES_FILE", str(tmp_path / "missing.toml"))
    with pytest.raises(BadInputError, match=r"SLOWWAVE_PRICES_FILE: .*missing\.toml cannot be read"):
        load_settings()
    broken = write(tmp_path, OWN.replace("input = 1,", ""))
    monkeypatch.setenv("SLOWWAVE_PRICES_FILE", str(broken))
    with pytest.raises(BadInputError, match=r"prices\.toml, line 5: llama: input is missing"):
        load_settings()
