"""Every command has a help text for each option, and `--json`."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.command_tree import load_command_tree

#: They serve until they are stopped, or show something to a person.
_WITHOUT_JSON = frozenset({"demo", "up", "serve", "mcp", "serve-metrics"})


def find_commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield every command with its whole name."""
    below = getattr(command, "commands", None)
    if not below:
        yield " ".join(path), command
    for name, one in (below or {}).items():
        yield from find_commands(one, (*path, name))


COMMANDS = dict(find_commands(load_command_tree()))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_it_does_and_what_each_option_is_for(name: str) -> None:
    command = COMMANDS[name]
    assert command.help
    assert [parameter.opts for parameter in command.params if not getattr(parameter, "help", None)] == []


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - _WITHOUT_JSON))
def test_a_command_that_ends_by_itself_prints_json_on_request(name: str) -> None:
    assert "--json" in {option for parameter in COMMANDS[name].params for option in parameter.opts}
