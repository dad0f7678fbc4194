"""A tenant and a store can be named in each form on each command; what a command declares is one of them."""

from typing import Any

import pytest

from gateway.cli.console.naming import bring_names
from shared.core.errors import BadInputError
from tests.support.command_tree import load_command_tree


def find(name: str) -> Any:
    command = load_command_tree()
    for word in name.split():
        command = command.commands[word]
    return command


def read(name: str, line: str) -> dict[str, Any]:
    """Return the parameters that a command understands from its words."""
    command = find(name)
    return dict(command.make_context(name, bring_names(command, line.split())).params)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("dream", "acme --store bot"),
        ("dream", "acme/bot"),
        ("dream", "--tenant acme --store bot"),
        ("dream", "--force -t acme/bot"),
        ("dream", "--only digest --tenant=acme/bot"),
        ("dream", "--store bot -t acme"),
        ("memory list", "acme/bot --json"),
        ("memory list", "--tenant acme -s bot"),
        ("sessions list", "--tenant acme/bot"),
        ("sessions list", "-t acme/bot"),
        ("sessions list", "--tenant=acme --store=bot"),
        ("import", "notes --tenant acme/bot"),
        ("import", "--tenant acme/bot notes"),
        ("sessions list", "acme/bot"),
        ("sessions list", "--limit 3 acme --store bot"),
        ("sessions show", "acme/bot chat-1"),
        ("import", "acme/bot notes --overwrite"),
        ("pause", "acme/bot"),
    ],
)
def test_each_form_names_the_same_store(name: str, line: str) -> None:
    found = read(name, line)
    assert (found["tenant"], found["store"]) == ("acme", "bot")


@pytest.mark.parametrize("line", ["acme/bot", "--tenant acme --store bot", "-s bot -t acme", "--json -t acme/bot"])
def test_each_form_names_the_store_of_a_command_about_stores(line: str) -> None:
    assert read("stores show", line)["store"] == "acme/bot"


def test_a_tenant_by_its_option_stands_before_the_other_words() -> None:
    found = read("memory show", "deploy.md --tenant acme --history")
    assert (found["tenant"], found["path"], found["store"], found["history"]) == ("acme", "deploy.md", "default", True)
    assert read("keys list", "--tenant acme")["tenant"] == "acme"
    assert read("tenants set", "--model m -t acme")["tenant"] == "acme"


def test_a_slash_in_another_word_is_no_store() -> None:
    found = read("memory show", "acme ops/deploy.md")
    assert (found["tenant"], found["path"], found["store"]) == ("acme", "ops/deploy.md", "default")
    assert read("import", "some/notes --tenant acme")["folder"].as_posix() == "some/notes"
    assert read("memory search", "--tenant acme -- --store").get("query") == "--store"


@pytest.mark.parametrize(
    ("name", "line", "why"),
    [
        ("dream", "acme/bot --store other", "named twice"),
        ("stores show", "--tenant acme/bot --store other", "named twice"),
        ("stores show", "--tenant acme --tenant other", "once"),
        ("stores show", "--tenant", "takes one TENANT"),
        ("stores show", "--store bot", "needs --tenant"),
    ],
)
def test_a_name_that_is_doubtful_is_refused(name: str, line: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLOWWAVE_TENANT", raising=False)
    with pytest.raises(BadInputError, match=why):
        read(name, line)


def test_the_tenant_of_the_environment_holds_where_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_TENANT", "acme")
    assert read("stores show", "--store bot")["store"] == "acme/bot"
    assert read("memory list", "--store bot")["tenant"] == "acme"
