"""A file of variables means the same by hand, under systemd and in compose; what they would read differently is refused."""

import json
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest

from deploy.pages.env import PAGE
from gateway.cli.console.sources import check_names, describe_retention
from gateway.cli.main import bring_forward
from shared.core.errors import BadInputError
from shared.env_file import apply_env_file, parse_env_file
from shared.settings import Settings, load_settings

JSON = '{"versions": 90, "calls": 7}'


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("A=plain", "plain"),
        ("A = spaced out ", "spaced out"),
        ("A=", ""),
        ("A=''", ""),
        (f"A={JSON}", JSON),
        (f"A='{JSON}'", JSON),
        ("A='a # in it and a $sign'", "a # in it and a $sign"),
        ("A=colour#7", "colour#7"),
        ('A="two words"', "two words"),
        (r'A="{\"versions\": 90}"', '{"versions": 90}'),
        ("A='back\\slash'", "back\\slash"),
        ("A=postgresql+psycopg://u:p%40@h:5432/d?sslmode=require", "postgresql+psycopg://u:p%40@h:5432/d?sslmode=require"),
    ],
)  # fmt: skip
def test_a_value_is_what_stands_there(line: str, value: str) -> None:
    assert parse_env_file(f"# a comment\n\n{line}\n") == {"A": value}


@pytest.mark.parametrize(
    "line",
    ["A=ten # or so", "A=pa$$word", "A=a\\b", "A='it''s'", "A='open", 'A="$HOME"', "A='a' # why", '{"versions":'],
)
def test_a_line_that_readers_take_differently_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(BadInputError, match="line 2: "):
        parse_env_file(f"B=1\n{line}\n")


def test_a_line_of_a_shell_script_is_refused() -> None:
    with pytest.raises(BadInputError, match="without `export`"):
        parse_env_file("export A=1")


def test_every_default_of_the_example_is_read_alike_by_a_shell(tmp_path: Path) -> None:
    lines = [line[1:] for line in PAGE.read_text().splitlines() if line.startswith("#SLOWWAVE_")]
    file = tmp_path / "slowwave.env"
    file.write_text("\n".join(lines) + "\n")
    ours = parse_env_file(file.read_text())
    shell = subprocess.run(["sh", "-c", f"set -a; . {file}; env -0"], capture_output=True, check=True, env={"PATH": "/usr/bin:/bin"})  # fmt: skip
    theirs = dict(one.split("=", 1) for one in shell.stdout.decode().split("\0") if one.startswith("SLOWWAVE_"))
    assert ours == theirs
    assert json.loads(ours["SLOWWAVE_RETENTION"]) == asdict(Settings.model_fields["retention"].default)


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "slowwave.env"
    file.write_text("SLOWWAVE_LLM=anthropic\nSLOWWAVE_LOG_LEVEL=DEBUG\nSLOWWAVE_OWNER_DATABASE_URL=the owner's\n")
    environment = {"SLOWWAVE_ENV_FILE": str(file), "SLOWWAVE_LLM": "offline", "SLOWWAVE_OWNER_DATABASE_URL": ""}
    apply_env_file(environment)
    assert environment["SLOWWAVE_LLM"] == "offline"
    assert environment["SLOWWAVE_LOG_LEVEL"] == "DEBUG"
    assert environment["SLOWWAVE_OWNER_DATABASE_URL"] == "", "compose keeps it from the processes that do not migrate"


def test_a_file_that_is_not_there_is_an_error_and_not_the_defaults() -> None:
    with pytest.raises(BadInputError, match=r"/nowhere/slowwave.env cannot be read: No such file"):
        apply_env_file({"SLOWWAVE_ENV_FILE": "/nowhere/slowwave.env"})


@pytest.mark.parametrize("value", ['{"undo":', "{undo: 30}", '{"wersions": 90}', '{"versions": "many"}', "90"])
def test_retention_that_is_not_what_was_meant_ends_the_command(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_RETENTION", value)
    with pytest.raises(BadInputError, match="SLOWWAVE_RETENTION"):
        load_settings()


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        (["doctor", "--env-file", "f", "--json"], ["--env-file", "f", "doctor", "--json"]),
        (["doctor", "--env-file=f"], ["--env-file=f", "doctor"]),
        (["feedback", "add", "--", "--env-file", "f"], ["feedback", "add", "--", "--env-file", "f"]),
        (["doctor"], ["doctor"]),
    ],
)
def test_the_file_may_be_named_anywhere_on_the_command_line(given: list[str], taken: list[str]) -> None:
    assert bring_forward(given) == taken


def test_each_retention_period_says_where_its_number_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_RETENTION", '{"versions": 90}')
    policy = load_settings().retention
    given, default, own = describe_retention(policy, "SLOWWAVE_RETENTION in a file", {"acme": {"calls": 3}})
    assert given == "Days by SLOWWAVE_RETENTION in a file: versions 90"
    assert default.startswith("Days by default: undo 30, archived 365,")
    assert own == "Days of acme's own: calls 3"


def test_a_mistyped_variable_ends_a_command_that_deletes() -> None:
    check_names({"SLOWWAVE_RETENTION": "{}", "SLOWWAVE_LLM_API_KEY_ACME": "k", "SLOWWAVE_ENV_FILE": "f", "HOME": "/"})
    with pytest.raises(BadInputError, match=r"SLOWWAVE_RETENTON is not a setting; did you mean SLOWWAVE_RETENTION\?"):
        check_names({"SLOWWAVE_RETENTON": "{}"})
