"""The words of pydantic about wrong values, for people. Nothing else reads its messages."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

_OWN = re.compile(r"(?:Value error|Assertion failed), ")


class Wrong(NamedTuple):
    """A wrong value: its place, such as `gates.min_hours`, empty for the whole, and what is wrong with it."""

    where: str
    why: str


def say_wrong(message: str) -> str:
    """Return a message of pydantic without the name of the Python exception that carried it."""
    return _OWN.sub("", message)


def tell_wrong(errors: Iterable[Mapping[str, Any]]) -> list[Wrong]:
    """Return what the `errors()` of a ValidationError say, without the values."""
    return [Wrong(".".join(map(str, one["loc"])), say_wrong(one["msg"])) for one in errors]
