"""Every command has a help text for each option, examples that it can read, one way to name a store, and `--json`."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gateway.cli.commands import COMMANDS as TABLE
from gateway.cli.commands import OPERATE, SERVE, USE
from gateway.cli.console.examples import EXAMPLES
from gateway.cli.console.naming import bring_names
from tests.support.command_tree import load_command_tree

#: They serve until they are stopped, or show something to a person; a tool reads the line of `hook`.
_WITHOUT_JSON = frozenset({"demo", "up", "serve", "mcp", "serve-metrics", "hook"})


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


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_examples_that_the_command_can_read(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-dream.md").touch()
    command = COMMANDS[name]
    assert EXAMPLES[name]
    for example in EXAMPLES[name]:
        assert f"$ slowwave {example}" in command.epilog
        words = shlex.split(example.removeprefix(name))
        assert command.make_context(name, bring_names(command, words)).params is not None


def test_no_example_is_of_a_command_that_is_gone() -> None:
    assert EXAMPLES.keys() == COMMANDS.keys()


def test_the_help_of_a_group_has_examples_too() -> None:
    groups: list[Any] = [one for one in load_command_tree().commands.values() if hasattr(one, "commands")]
    assert [group.name for group in groups if f"$ slowwave {group.name} " not in group.epilog] == []


def test_the_commands_stand_in_three_panels() -> None:
    panels = [entry.panel for entry in TABLE]
    assert panels == sorted(panels, key=[USE, OPERATE, SERVE].index)
    assert set(panels) == {USE, OPERATE, SERVE}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_names_a_tenant_by_the_same_options(name: str) -> None:
    forms = {one.name: set(one.opts) for one in COMMANDS[name].params if one.param_type_name == "option"}
    words = {one.name for one in COMMANDS[name].params if one.param_type_name == "argument"}
    if words & {"tenant", "store"} or "store" in forms:
        assert forms["tenant"] == {"--tenant", "-t"}
    if "store" in words | forms.keys():
        assert forms["store"] == {"--store", "-s"}
