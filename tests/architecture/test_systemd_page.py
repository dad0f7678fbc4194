"""docs/systemd.md installs what the units expect: their paths, their user, files that exist, and settings that are read."""

import re
import shlex
from pathlib import Path

import pytest

from shared.env_file import parse_env_file
from shared.settings import Settings
from tests.architecture.sources import ROOT
from tests.architecture.test_deploy_files import FLOWER_OPTIONS, SETTINGS, UNITS
from tests.architecture.texts.test_documented_commands import find_mistake

PAGE = (ROOT / "docs" / "systemd.md").read_text()
#: The lines of blocks without a language, which a person runs.
COMMANDS = [
    line
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
    if not language
]
FILES = dict(re.findall(r"^`(/etc/slowwave/\w+\.env)`[^\n]*\n\n```ini\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))


def test_every_file_of_the_page_is_made_and_read_like_a_file_of_settings() -> None:
    assert len(FILES) == 3
    for path, text in FILES.items():
        assert any(line.startswith("install -m 0600") and line.endswith(f" {path}") for line in COMMANDS)
        assert parse_env_file(text).keys() <= SETTINGS | FLOWER_OPTIONS


def test_the_settings_of_the_page_are_valid() -> None:
    given = {name: value for text in FILES.values() for name, value in parse_env_file(text).items()}
    own = {n.removeprefix("SLOWWAVE_").lower(): v for n, v in given.items() if n.startswith("SLOWWAVE_")}
    Settings.model_validate(own | {"secrets_key": "0" * 64})


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_finds_what_the_page_has_installed(unit: Path) -> None:
    text = unit.read_text()
    assert any(line.startswith("systemctl enable") and unit.stem in line.split() for line in COMMANDS)
    (user,) = re.findall(r"^User=(.+)$", text, re.MULTILINE)
    assert any(line.startswith("useradd") and line.split()[-1] == user for line in COMMANDS)
    (folder,) = re.findall(r"^WorkingDirectory=(.+)$", text, re.MULTILINE)
    assert f"git clone REPOSITORY {folder}" in COMMANDS
    assert set(re.findall(r"/etc/slowwave/\w+\.env", re.sub("^#.*", "", text, flags=re.MULTILINE))) <= FILES.keys()
    assert f"SLOWWAVE_DATA_DIR={parse_env_file(FILES['/etc/slowwave/slowwave.env'])['SLOWWAVE_DATA_DIR']}" in text


def test_commands_of_slowwave_on_the_page_exist() -> None:
    ours = [line.partition("/opt/slowwave/slowwave ")[2] for line in COMMANDS if "/opt/slowwave/slowwave " in line]
    assert len(ours) > 3
    without = [re.sub(r"^--env-file \S+ ", "", line) for line in ours]
    assert {line: mistake for line in without if (mistake := find_mistake(line))} == {}


def test_every_file_that_the_systemd_page_copies_is_in_the_checkout() -> None:
    copied = [word for line in COMMANDS if line.startswith("cp ") for word in shlex.split(line)[1:-1]]
    assert copied
    for word in copied:
        assert list(ROOT.glob(word.removeprefix("/opt/slowwave/")))
