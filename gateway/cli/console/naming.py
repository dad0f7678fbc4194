"""One way to name a tenant and a store on every command: `--tenant TENANT --store STORE`, or TENANT/STORE in one word.

Commands declare different parameters: a leading TENANT, a TENANT/STORE, or the options. This module rewrites the words of
a command line to the form that its command declares, so that every command accepts every form.
"""

import os
from functools import cache
from typing import Annotated, Any

import typer
from typer.main import get_command

from shared.core.errors import BadInputError

VARIABLE = "SLOWWAVE_TENANT"
NAMES = "Every command accepts --tenant TENANT --store STORE, or TENANT/STORE as its first word. SLOWWAVE_TENANT sets the default tenant."
_FORMS = {"tenant": ("--tenant", "-t"), "store": ("--store", "-s")}


def _declare(
    tenant: Annotated[str, typer.Option("--tenant", "-t", help="The tenant, instead of the first argument.")] = "",
    store: Annotated[str, typer.Option("--store", "-s", help="The tenant's store; or TENANT/STORE.")] = "",
) -> None:
    """Declare options that replace a command's first word, for its help page."""


def accept_names(command: Any) -> None:  # noqa: ANN401 - typer has no public name for its commands
    """Let the help of a command show the options by which its first word can be given."""
    command.params += [one for one in _options() if one.name in _missing(command)]


@cache
def _options() -> tuple[Any, ...]:
    declaring = typer.Typer(add_completion=False)
    declaring.command()(_declare)
    options: list[Any] = [one for one in get_command(declaring).params if one.name in _FORMS]
    for option in options:
        option.expose_value = False  # `bring_names` has taken its value
    return tuple(options)


def bring_names(command: Any, words: list[str]) -> list[str]:  # noqa: ANN401 - as above
    """Return the words of a command line as its command declares them.

    Raises:
        BadInputError: a tenant or a store is named twice, or a store without its tenant.
    """
    first = _find_first(command)
    hidden = _missing(command)
    given: dict[str, str] = {}
    rest = list(words)
    for name in hidden:
        rest, given[name] = _take(rest, name)
    if first is not None and any(given.values()):
        rest = [_join(first.name, given), *rest]
    if first is None and _has_own(command, "tenant"):
        rest = _bring_first(command, rest)
    return _split(command, first, rest) if _has_own(command, "store") else rest


def _bring_first(command: Any, words: list[str]) -> list[str]:  # noqa: ANN401 - as above
    """Make the first word the value of --tenant if there is one word more than the command takes otherwise."""
    taken = [one for one in command.params if one.param_type_name == "argument"]
    places = _find_plain(command, words)
    if any(one.nargs != 1 for one in taken) or len(places) != len(taken) + 1 or _names_tenant(words):
        return words
    return [*words[: places[0]], "--tenant", words[places[0]], *words[places[0] + 1 :]]


def _names_tenant(words: list[str]) -> bool:
    return any(word.partition("=")[0] in _FORMS["tenant"] for word in words)


def _find_first(command: Any) -> Any:  # noqa: ANN401 - as above
    """Return the parameter that takes TENANT or TENANT/STORE as the first word; None if the command has none."""
    words = [one for one in command.params if one.param_type_name == "argument"]
    return words[0] if words and words[0].name in _FORMS else None


def _has_own(command: Any, name: str) -> bool:  # noqa: ANN401 - as above
    return any(one.param_type_name == "option" and one.expose_value and one.name == name for one in command.params)


def _missing(command: Any) -> list[str]:  # noqa: ANN401 - as above
    """Return the names that the command takes as its first word only: `tenant`, or `tenant` and `store`."""
    first = _find_first(command)
    if first is None:
        return []
    return ["tenant", "store"] if first.name == "store" else ["tenant"]


def _take(words: list[str], name: str) -> tuple[list[str], str]:
    """Remove an option from the words; return them and the option's value."""
    kept, found, rest = [], "", iter(words)
    for word in rest:
        if word == "--":
            kept += [word, *rest]
            break
        option, equals, value = word.partition("=")
        if option not in _FORMS[name]:
            kept.append(word)
            continue
        taken = value if equals else next(rest, "")
        if not taken or found:
            raise BadInputError(f"--{name} takes one {name.upper()}, once")
        found = taken
    return kept, found


def _join(wanted: str, given: dict[str, str]) -> str:
    tenant, store = given["tenant"] or os.environ.get(VARIABLE, ""), given.get("store", "")
    if not tenant:
        raise BadInputError("--store needs --tenant (or SLOWWAVE_TENANT), or write TENANT/STORE")
    if store and "/" in tenant:
        raise BadInputError(f"The store is named twice: in {tenant!r}, and as --store {store}")
    return f"{tenant}/{store}" if wanted == "store" and store else tenant


def _split(command: Any, first: Any, words: list[str]) -> list[str]:  # noqa: ANN401 - as above
    """Split TENANT/STORE into a tenant and --store, if the command declares --store."""
    place = _find_tenant(command, first, words)
    if place is None:
        return words
    option, equals, value = words[place].partition("=") if words[place].startswith("--") else ("", "", words[place])
    tenant, slash, store = value.partition("/")
    if not slash:
        return words
    if any(word.partition("=")[0] in _FORMS["store"] for word in words):
        raise BadInputError(f"The store is named twice: in {value!r}, and by --store")
    return [*words[:place], f"{option}{equals}{tenant}", "--store", store, *words[place + 1 :]]


def _find_tenant(command: Any, first: Any, words: list[str]) -> int | None:  # noqa: ANN401 - as above
    """Return the position of the tenant among the words: the value of --tenant, or the first positional word."""
    for place, word in enumerate(words):
        if word == "--":
            break
        if word.startswith("--tenant="):
            return place
        if word in _FORMS["tenant"]:
            return place + 1 if place + 1 < len(words) else None
    plain = _find_plain(command, words) if first is not None else []
    return plain[0] if plain else None


def _find_plain(command: Any, words: list[str]) -> list[int]:  # noqa: ANN401 - as above
    """Return the positions of the words that are neither options nor values of options."""
    valued = {
        name for one in command.params if one.param_type_name == "option" and not one.is_flag for name in one.opts
    }
    found, place = [], 0
    while place < len(words) and words[place] != "--":
        if not words[place].startswith("-"):
            found.append(place)
        place += 2 if words[place] in valued else 1
    return found
