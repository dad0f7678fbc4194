"""Any two options of a command that writes either both hold, or are refused by name before anything is done.

Every pair of every such command is tried. The table says which contradict each other; any other pair that is refused has to be
refused by name, too.
"""

from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from gateway.cli.app import app
from gateway.cli.console import session as cli_session
from shared.core.errors import BadInputError
from tests.architecture.test_command_options import COMMANDS
from tests.integration.tenancy.test_audit_cli import QUIET

_NOWHERE = {
    "SLOWWAVE_DATABASE_URL": "postgresql+psycopg://owner@127.0.0.1:9/none",
    "SLOWWAVE_OWNER_DATABASE_URL": "postgresql+psycopg://owner@127.0.0.1:9/none",
    "SLOWWAVE_REDIS_URL": "redis://127.0.0.1:9/0",
}
#: They change how a command asks or answers, and go with everything.
_SPOKEN = frozenset({"--json", "--help", "--yes"})
#: A valid value of each option that takes one; `FILE` and `FOLDER` are there.
_VALUES = {
    "--at": "2026-11-01T10:00:00Z", "--autonomy": "flag", "--base-url": "https://llm.example.com", "--batch": "on", "--days": "3",
    "--event": "dream.finished", "--expires-days": "3", "--file": "FILE", "--for": "3", "--format": "jsonl", "--grace-hours": "3",
    "--grace-minutes": "3", "--if-version": "3", "--importance": "3", "--kind": "correction", "--llm": "anthropic", "--locale": "en",
    "--max-concurrent": "3", "--message": "MESSAGE", "--home": "FOLDER", "--model-calls-at-once": "3", "--model-calls-per-minute": "3", "--only": "digest", "--outcome": "success",
    "--pending": "3", "--profile": "default", "--quiet-hours": "", "--rate": "3", "--rating": "good", "--role": "agent", "--set": "gates.min_hours=4",
    "--since": "24h", "--time-zone": "UTC", "--tokens-per-day": "3", "--dreams": "3", "--families": "FOLDER", "--questions": "3", "--max-usd": "3", "--usd-per-day": "3", "--usd-per-month": "3",
}  # fmt: skip
#: Where an option of that name takes something else.
_OTHER_VALUES = {
    "retention set --days": "versions=91", "review approve --kind": "merge", "review reject --kind": "merge",
    "review approve --confidence": "low", "review reject --confidence": "low",
    "evaluate --format": "junit", "evaluate --model": "offline", "evaluate --without": "prune", "evaluate --probes": "PROBES",
}  # fmt: skip
#: Without one of several options there is nothing to do; one of them is always given.
_ALWAYS = {
    "memory edit": ["--move-to", "b.md"],
    "review approve": ["--all"],
    "review reject": ["--all"],
    "hook": ["--message", "MESSAGE"],
    "memory forget": ["--text", "something"],
}
_WORDS = {
    "file": "FILE",
    "folder": "FOLDER",
    "place": "FOLDER",
    "tool": "FOLDER",
    "percent": "30",
    "version": "1",
    "hook tool": "claude-code",
}


def _pairs(ones: set[str], others: set[str]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in product(ones, others) if len(set(pair)) == 2}


_FORGOTTEN = {"--text", "--memory", "--session", "--person"}
_NEW_DREAM = {"--detach", "--dry-run", "--only", "--again", "--batch", "--estimate"}
#: Words in capitals stand for an argument that may be left out.
REFUSED: dict[str, set[frozenset[str]]] = {
    "dream": _pairs({"--undo", "--redo"}, _NEW_DREAM | {"--undo", "--redo"})
    | _pairs({"DREAM_ID"}, _NEW_DREAM | {"--force", "--store"})  # which of the two goes with it is missing
    | _pairs({"--dry-run"}, {"--again", "--batch"})
    | _pairs({"--only"}, {"--batch"})
    | _pairs({"--estimate"}, _NEW_DREAM - {"--dry-run"}),
    "dreams redrive": _pairs({"DREAM_ID"}, {"--all"}),
    "evaluate": _pairs(
        {"--replay"}, {"--profile", "--without", "--ablate", "--probes", "--html", "--format", "--detach"}
    )
    | _pairs({"--detach"}, {"--html", "--format"})
    | _pairs({"--ablate"}, {"--dreams"})
    # Only with --replay, which needs --model: pairs have no third option.
    | _pairs({"--families", "--questions"}, {"--profile", "--detach", "--dreams"}),
    "memory forget": _pairs(_FORGOTTEN, _FORGOTTEN - {"--text"}),
    "pause": _pairs({"--all"}, {"TENANT", "--store"}),
    "resume": _pairs({"--all"}, {"TENANT", "--store"}),
    "workers drain": _pairs({"WORKER"}, {"--all"}),
    # A delivery stands alone, and of those that failed the time is always given.
    "webhooks replay": _pairs({"DELIVERY", "--endpoint"}, {"--failed", "--since", "--endpoint"}),
}


class _Reached(Exception):  # noqa: N818 - no error: the command has found nothing to refuse
    """The command asks for its servers now."""


def value_of(name: str, option: str) -> str:
    """A valid value of an option."""
    return _OTHER_VALUES.get(f"{name} {option}", _VALUES.get(option, "something"))


def given_things(name: str, command: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield what may be given or left out: each option, and each argument that is not required, with a valid value."""
    required = {one.name for one in command.params if one.param_type_name == "argument" and one.required}
    arguments = {one.name for one in command.params if one.param_type_name == "argument"}
    if "store" in arguments:  # TENANT/STORE in one word
        arguments.add("tenant")
    for one in command.params:
        option = one.opts[0]
        if one.param_type_name == "argument":
            if one.name not in required:
                yield one.name.upper(), ["acme" if one.name == "tenant" else f"{one.name}_1"]
        elif not one.required and option not in _SPOKEN and option.removeprefix("--") not in arguments:
            yield option, [option] if one.is_flag else [option, value_of(name, option)]


def required_words(name: str, command: Any) -> list[str]:
    """Return the required parameters of a command."""
    found = [
        _WORDS.get(f"{name} {one.name}", _WORDS.get(one.name, "acme"))
        for one in command.params
        if one.param_type_name == "argument" and one.required
    ]
    for one in command.params:
        if one.param_type_name == "option" and one.required:
            found += [one.opts[0], value_of(name, one.opts[0])]
    return found + (["--yes"] if any("--yes" in one.opts for one in command.params) else [])


@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - QUIET))
def test_two_options_both_hold_or_are_refused_by_name(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def reach(*_: object, **__: object) -> None:
        raise _Reached

    monkeypatch.setattr(cli_session, "make_ports", reach)
    for variable, value in _NOWHERE.items():
        monkeypatch.setenv(variable, value)
    (tmp_path / "a.md").write_text("# A\n")
    (tmp_path / "message.json").write_text('{"hook_event_name": "SessionStart", "cwd": "/a"}')
    (tmp_path / "probes.jsonl").write_text('{"question": "Which port?", "evidence": "port 8080"}')
    places = {"PROBES": "probes.jsonl", "FILE": "a.md", "FOLDER": ".", "MESSAGE": "message.json"}
    places = {word: str(tmp_path / place) for word, place in places.items()}
    base = required_words(name, COMMANDS[name]) + _ALWAYS.get(name, [])
    seen: set[frozenset[str]] = set()
    for one, other in combinations(sorted(given_things(name, COMMANDS[name])), 2):  # capitals, so arguments, come last
        words = [places.get(word, word) for word in [*name.split(), *base, *other[1], *one[1]]]
        done = CliRunner().invoke(app, words)
        if isinstance(done.exception, _Reached) or done.exit_code == 0:  # 0: it needs no server for that
            continue
        said = f"{done.output} {done.exception}"
        assert done.exit_code == 2 or isinstance(done.exception, BadInputError), (words, said)
        assert any(thing.removeprefix("--").lower().split("_")[0] in said.lower() for thing in (one[0], other[0])), said
        seen.add(frozenset({one[0], other[0]}))
    assert seen >= REFUSED.get(name, set()), "a pair that contradicts itself is not refused any more"


def test_the_table_names_commands_that_write() -> None:
    assert REFUSED.keys() <= COMMANDS.keys() - QUIET


def test_days_without_a_preview_are_refused_before_anything_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    def reach(*_: object, **__: object) -> None:
        raise _Reached

    monkeypatch.setattr(cli_session, "make_ports", reach)
    done = CliRunner().invoke(app, ["stores", "set", "acme", "--days", "3", "--set", "gates.min_hours=4"])
    assert done.exit_code == 2
    assert "--preview" in done.output
