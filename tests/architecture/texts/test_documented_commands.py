"""Every command of slowwave that a page names exists, with the options that stand behind it."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.sources import ROOT
from tests.support.command_tree import load_command_tree

PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy" / "runbooks").glob("*.md"), ROOT / "README.md"])
#: In a sentence between backticks; in a block at the beginning of a line, maybe behind a prompt.
_QUOTED = re.compile(r"`(?:\./)?slowwave ([^`\n]+)`")
_CONSOLE = re.compile(r"^\s*(?:\$ (?:\./)?|\./)slowwave ([^\n]+)$", re.MULTILINE)
_OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")


def find_commands(page: Path) -> list[str]:
    """What a page says after `slowwave`; in a block, what stands behind two spaces is an explanation."""
    text = page.read_text(encoding="utf-8")
    blocks = [re.split(r"\s{2,}|\s2?>|\s\|\s", line)[0] for line in _CONSOLE.findall(text)]
    return _QUOTED.findall(text) + blocks


def find_mistake(line: str) -> str:
    """What is wrong with a command, empty when nothing is. `list|show` and `[--all]` are commands and options."""
    command: Any = load_command_tree()
    words = line.split()
    while hasattr(command, "commands") and words and not words[0].startswith(("-", "[")):
        names = words.pop(0).split("|")
        missing = [name for name in names if name not in command.commands]
        if missing:
            return f"there is no command {missing[0]}"
        command = command.commands[names[0]]
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    return ", ".join(
        f"there is no option {name}" for name in _OPTION.findall(" ".join(words)) if name not in known | {"--help"}
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_commands_and_options_that_exist(page: Path) -> None:
    mistakes = {line: mistake for line in find_commands(page) if (mistake := find_mistake(line))}
    assert mistakes == {}


def test_mistakes_are_seen() -> None:
    assert find_mistake("dreams halt TENANT") == "there is no command halt"
    assert find_mistake("reconcile --again") == "there is no option --again"
    assert sum(len(find_commands(page)) for page in PAGES) > 100
