"""The kinds of personal data that a store can keep out: `kinds.toml`."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from shared.core.errors import BadInputError


@dataclass(frozen=True)
class Kind:
    """One way to write one kind of personal data; `kinds.toml` says what its fields mean."""

    name: str
    source: str
    pattern: str
    check: str = ""
    near: Sequence[str] | str = ()
    edges: bool = True


@cache
def read_kinds() -> Sequence[Kind]:
    """Return the rows of `kinds.toml`."""
    with Path(__file__).with_name("kinds.toml").open("rb") as file:
        return [Kind(**one) for one in tomllib.load(file)["kinds"]]


@cache
def kind_names() -> Sequence[str]:
    """Return the names of the kinds, each once, in their order."""
    return list(dict.fromkeys(one.name for one in read_kinds()))


@cache
def choose_kinds(names: str) -> frozenset[str]:
    """Return the kinds that a policy names between commas; all of them if it names none.

    Raises:
        BadInputError: there is no such kind.
    """
    known = {name.casefold(): name for name in kind_names()}
    wanted = [one.strip() for one in names.split(",") if one.strip()]
    unknown = [one for one in wanted if one.casefold() not in known]
    if unknown:
        raise BadInputError(f"There is no kind of personal data {unknown[0]!r}; choose of {', '.join(kind_names())}")
    return frozenset(known[one.casefold()] for one in wanted) or frozenset(known.values())
