"""Additions to a tool's configuration: the value that was meant, whatever signs a path has, and no other change."""

import tomllib
from pathlib import Path

import pytest
import yaml

from gateway.cli.connect.configs import Addition, plan_change, take_back, write_change
from gateway.cli.connect.tools import Format

SERVER = {"command": '/srv/ann "o\'hara" smith/é/slow\\wave', "args": ["mcp", "it's"], "env": {"SLOWWAVE_DATA_DIR": "a \"b\" 'c'"}}  # fmt: skip
TEXTS = {Format.TOML: 'model = "x"  # mine\n', Format.YAML: "model: x  # mine\n"}


@pytest.mark.parametrize("kind", TEXTS)
def test_a_server_reads_back_as_it_was_meant_and_goes_without_a_trace(tmp_path: Path, kind: Format) -> None:
    file = tmp_path / f"config.{kind}"
    file.write_text(TEXTS[kind])
    change, text = plan_change(file, kind, (Addition(path=("mcp_servers", "slowwave"), value=SERVER),))
    write_change(change, text)
    found = (tomllib.loads if kind is Format.TOML else yaml.safe_load)(file.read_text())
    assert found == {"model": "x", "mcp_servers": {"slowwave": SERVER}}
    take_back(change)
    assert file.read_text() == TEXTS[kind]
    assert [one.name for one in tmp_path.iterdir()] == [file.name]
