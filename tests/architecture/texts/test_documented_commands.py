"""Every command that a page or a message names exists: slowwave's with their options, and units, modules, targets, services."""

import importlib.util
import re
import shlex
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from shared.env_file import VARIABLE as ENV_FILE
from shared.settings import Settings
from tests.architecture.sources import ROOT, name_of, tracked
from tests.support.command_tree import load_command_tree

PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy" / "runbooks").glob("*.md"), ROOT / "README.md"])
#: In a sentence between backticks; in a block at the beginning of a line, maybe after a prompt.
_QUOTED = re.compile(r"`(?:\./)?slowwave ([^`\n]+)`")
_CONSOLE = re.compile(r"^\s*(?:\$ (?:\./)?|\./)slowwave ([^\n]+)$", re.MULTILINE)
_OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")
#: What programs tell people to do: advice of the doctor, hints of errors, notices of the console.
SOURCES = [
    path
    for path in (*tracked(".py"), *tracked(".html"), *tracked(".yaml"))
    if name_of(path).split("/")[0] not in {"tests", "benchmarks"}
]
_SAID = re.compile(r"(?:`(?:\./)?|\./|Run: |&& )slowwave ([a-z][^`\"\n<,;]*)")
_LINE = re.compile(r"^\s*\$ ([^\n]+)$", re.MULTILINE)
#: Units of other packages, on the machine that the runbooks are about.
_OTHER_UNITS = frozenset({"postgresql", "redis-server"})
_UNITS = frozenset(path.stem for path in (ROOT / "deploy" / "systemd").glob("*.service")) | _OTHER_UNITS
_TARGETS = frozenset(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
#: The tag that the image's own file and compose.yaml give it.
_IMAGE = "slowwave:0.1.0"
_DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text()
_SETTINGS = frozenset(f"SLOWWAVE_{name.upper()}" for name in Settings.model_fields)
_SERVICES = frozenset(yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())["services"])


def find_commands(page: Path) -> list[str]:
    """Return the commands that a page shows; in a block, text after two spaces is an explanation."""
    text = page.read_text(encoding="utf-8")
    blocks = [re.split(r"\s{2,}|\s2?>|\s\|\s", line)[0] for line in _CONSOLE.findall(text)]
    return _QUOTED.findall(text) + blocks


def find_mistake(line: str) -> str:
    """Return the fault of a command, or an empty text. `[--all]` and `list|show` stand for commands and options."""
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


def find_foreign_mistake(line: str) -> str:
    """Return the fault of a console line that is not slowwave's own, or an empty text."""
    program, *rest = shlex.split(re.split(r"\s{2,}#", line)[0])
    if program == "systemctl":
        return "" if rest[-1] in _UNITS else f"there is no unit {rest[-1]}"
    if program == "python":
        return "" if rest[0] == "-m" and importlib.util.find_spec(rest[1]) else f"there is no module {rest[-1]}"
    if program == "make":
        return ", ".join(f"there is no target {name}" for name in rest if "=" not in name and name not in _TARGETS)
    if program == "export":
        name = rest[0].partition("=")[0]
        return "" if name in {"PATH", ENV_FILE} else f"there is no setting {name}"
    if program == "docker":
        return _find_compose_mistake(rest) if rest[0] == "compose" else find_container_mistake(rest)
    return "" if program in {"slowwave", "./slowwave"} else f"the machine may not have {program}"


def _find_compose_mistake(words: list[str]) -> str:
    service = next((place for place, word in enumerate(words) if word in _SERVICES), None)
    if service is None:
        return f"no service of compose.yaml is in {' '.join(words)}"
    return find_mistake(" ".join(words[service + 1 :])) if "run" in words[:service] else ""


def find_container_mistake(words: list[str]) -> str:
    """Return the fault of a `docker build`, `run` or `exec`, by the image's own file, or an empty text."""
    if words[0] == "build":
        return "" if words[1:] == ["-f", "deploy/Dockerfile", "-t", _IMAGE, "."] else "it does not build the image"
    if words[0] == "run" and _IMAGE in words:
        options, command = words[: words.index(_IMAGE)], words[words.index(_IMAGE) + 1 :]
        volumes = [word.rpartition(":")[2] for before, word in pairwise(options) if before == "-v"]
        unknown = [word for before, word in pairwise(options) if before == "-e" and word.split("=")[0] not in _SETTINGS]
        wrong = [f"the image has no volume {one}" for one in volumes if f"VOLUME {one}" not in _DOCKERFILE]
        wrong += [f"there is no setting {one}" for one in unknown]
        return ", ".join(wrong) or find_mistake(" ".join(command))
    program, given = "python -m gateway.cli ", " ".join(words)
    return find_mistake(given.partition(program)[2]) if words[0] == "exec" and program in given else "it is not checked"


def test_what_is_given_to_the_image_is_a_command() -> None:
    assert 'ENTRYPOINT ["python", "-m", "deploy.entry"]' in _DOCKERFILE
    assert find_foreign_mistake(f"docker run --rm {_IMAGE} demonstrate") == "there is no command demonstrate"
    assert find_foreign_mistake(f"docker run -v x:/data {_IMAGE} up") == "the image has no volume /data"
    assert find_foreign_mistake(f"docker run -e SLOWWAVE_HOST=x {_IMAGE} up") == "there is no setting SLOWWAVE_HOST=x"
    assert find_foreign_mistake("docker exec slowwave python -m gateway.cli halt") == "there is no command halt"
    page = (ROOT / "docs" / "install.md").read_text()
    assert f"docker run --rm -it {_IMAGE} demo" in page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_units_modules_targets_and_services_of_a_page_exist(page: Path) -> None:
    lines = _LINE.findall(page.read_text(encoding="utf-8"))
    assert {line: mistake for line in lines if (mistake := find_foreign_mistake(line))} == {}


def test_messages_name_commands_and_options_that_exist() -> None:
    said = {(path.name, line) for path in SOURCES for line in _SAID.findall(path.read_text(encoding="utf-8"))}
    assert len(said) > 30
    assert {one: mistake for one in said if (mistake := find_mistake(one[1]))} == {}


def test_mistakes_of_other_programs_are_seen() -> None:
    assert find_foreign_mistake("systemctl stop slowwave-nothing") == "there is no unit slowwave-nothing"
    assert find_foreign_mistake("python -m deploy.nothing") == "there is no module deploy.nothing"
    assert find_foreign_mistake("make nothing") == "there is no target nothing"
    assert find_foreign_mistake("docker compose run --rm migrate halt") == "there is no command halt"
    assert find_foreign_mistake("pg_dump --format=custom") == "the machine may not have pg_dump"


def test_mistakes_are_seen() -> None:
    assert find_mistake("dreams halt TENANT") == "there is no command halt"
    assert find_mistake("reconcile --again") == "there is no option --again"
    assert sum(len(find_commands(page)) for page in PAGES) > 100
