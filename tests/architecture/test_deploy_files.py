"""The files in deploy/ fit the code: every variable is a setting, every path exists, nothing is secret, open or unpinned."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from flower.options import default_options

from deploy.pages.env import PAGE, render_env
from shared.env_file import VARIABLE
from shared.settings import Settings
from tests.architecture.sources import ROOT

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
COMPOSE_TEXT = (DEPLOY / "compose.yaml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(COMPOSE_TEXT)
OURS = {name: service for name, service in COMPOSE["services"].items() if "build" in service}
SETTINGS = {f"SLOWWAVE_{name.upper()}" for name in Settings.model_fields}
FLOWER_OPTIONS = {f"FLOWER_{name.upper()}" for name in default_options}
HARDENING = {
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "CapabilityBoundingSet": "",
    "SystemCallFilter": "@system-service",
}


def service_section(unit: Path) -> dict[str, str]:
    section = unit.read_text().split("[Service]")[1].split("[Install]")[0]
    pairs = [line.partition("=") for line in section.splitlines() if "=" in line and not line.startswith("#")]
    return {name: value for name, _, value in pairs}


def test_the_example_environment_is_made_from_the_settings() -> None:
    assert PAGE.read_text() == render_env(), "run: python -m deploy.pages.env"


def test_the_example_environment_names_every_setting_and_nothing_else() -> None:
    named = re.findall(r"^#?(\w+)=", PAGE.read_text(), re.MULTILINE)
    assert sorted(named) == sorted(SETTINGS)


@pytest.mark.parametrize("path", [DEPLOY / "compose.yaml", DEPLOY / "Dockerfile", *UNITS], ids=lambda path: path.name)
def test_every_variable_that_is_named_is_a_setting(path: Path) -> None:
    text = path.read_text()
    assert set(re.findall(r"\bSLOWWAVE_[A-Z_]+", text)) <= SETTINGS | {VARIABLE}
    assert set(re.findall(r"\bFLOWER_[A-Z_]+", text)) <= FLOWER_OPTIONS


def test_compose_holds_no_secret_and_starts_nothing_without_one() -> None:
    used = set(re.findall(r"\$\{(\w+)", COMPOSE_TEXT))
    assert used == set(re.findall(r"\$\{(\w+):\?", COMPOSE_TEXT)), "each one must be set"
    example = (DEPLOY / "secrets.env.example").read_text()
    assert sorted(re.findall(r"^(\w+)=$", example, re.MULTILINE)) == sorted(used), "and none has a value there"
    assert not re.search(r"://[^@\s]*:(?!\$\{)[^@\s]+@", COMPOSE_TEXT)


def test_every_service_comes_back_by_itself_except_the_migration() -> None:
    restarts = {name: service.get("restart") for name, service in COMPOSE["services"].items()}
    assert restarts.pop("migrate") == "no"
    assert set(restarts.values()) == {"unless-stopped"}


def test_the_owners_password_is_given_to_the_migration_only() -> None:
    for name, service in OURS.items():
        has_it = "POSTGRES_PASSWORD" in str(service.get("environment"))
        assert has_it == (name == "migrate"), name


def test_ports_are_open_on_this_machine_only() -> None:
    ports = [port for service in COMPOSE["services"].values() for port in service.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_no_image_is_whatever_is_newest() -> None:
    images = [service["image"] for service in COMPOSE["services"].values()]
    images += re.findall(r"^ARG BASE=(\S+)", DOCKERFILE, re.MULTILINE)
    assert all(re.search(r":\d", image) for image in images), images
    assert ":latest" not in DOCKERFILE + COMPOSE_TEXT


def test_the_image_ends_as_a_user_without_rights() -> None:
    last = DOCKERFILE.rsplit("FROM ", 1)[1]
    users = re.findall(r"^USER (\d+)", last, re.MULTILINE)
    assert len(users) == 1
    assert int(users[0]) > 0
    assert "--require-hashes" in DOCKERFILE
    assert '"gateway.cli", "probe"' in last


def test_the_image_copies_what_exists() -> None:
    copied = [shlex.split(line)[1:-1] for line in DOCKERFILE.splitlines() if re.match(r"COPY (?!--from)", line)]
    sources = [source for sources in copied for source in sources]
    assert {"shared", "workers", "scheduler", "gateway", "deploy"} <= set(sources)
    assert [source for source in sources if not (ROOT / source).exists()] == []
    allowed = re.findall(r"^!(.+)$", (DEPLOY / "Dockerfile.dockerignore").read_text(), re.MULTILINE)
    assert set(sources) <= set(allowed), "what is copied must not be ignored"


def test_files_that_compose_mounts_exist() -> None:
    mounts = [volume.split(":")[0] for service in COMPOSE["services"].values() for volume in service.get("volumes", [])]
    assert [mount for mount in mounts if mount.startswith("./") and not (DEPLOY / mount).exists()] == []
    assert {mount for mount in mounts if not mount.startswith("./")} == set(COMPOSE["volumes"])


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_a_unit_is_restarted_always_and_may_do_little(unit: Path) -> None:
    section = service_section(unit)
    assert section["Restart"] == "always"
    assert section["User"] == "slowwave"
    assert {name: section.get(name) for name in HARDENING} == HARDENING
    assert section["ExecStart"].endswith(f"-m deploy.entry {unit.stem.removeprefix('slowwave-')}")


def test_every_process_may_open_enough_files() -> None:
    for unit in UNITS:
        assert "LimitNOFILE=65536" in unit.read_text().splitlines(), unit.name
    assert {str(one.get("ulimits")) for one in OURS.values()} == {"{'nofile': {'soft': 65536, 'hard': 65536}}"}


def test_there_is_a_unit_for_each_program() -> None:
    names = {unit.stem.removeprefix("slowwave-") for unit in UNITS}
    assert names == {"beat", "flower", "serve", "serve-metrics", "worker"}


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_systemd_finds_nothing_wrong_with_a_unit(unit: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed here")
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text().replace("/opt/slowwave/.venv/bin/python", sys.executable))
    done = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if unit.name in line]
    assert (done.returncode, said) == (0, [])
