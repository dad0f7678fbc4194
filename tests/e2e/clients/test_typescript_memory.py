"""Anthropic's memory tool in the TypeScript client, by the SDK's own helper: it does and says what the Python client's does."""

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.all_ports import Ports
from shared.core.memory.model import Author
from tests.integration.clients.test_memory_tool import COMMANDS, outcome, plain, told, wanting
from tests.support.builders import a_store, write
from tests.support.clients.typescript import needs_node, run_program, run_script

pytestmark = [needs_node, pytest.mark.thorough]

#: Carries out commands, as JSON on standard input, and prints whether each was, and what was said.
_DRIVER = """
import { text } from "node:stream/consumers";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { Slowwave, StoreMemory } from "./dist/src/index.js";

const { SLOWWAVE, KEY, STORE, FOLDER } = process.env;
const tool = betaMemoryTool(new StoreMemory(new Slowwave(SLOWWAVE, KEY, { store: STORE }), { folder: FOLDER }));
const outcomes = [];
for (const command of JSON.parse(await text(process.stdin))) {
  try {
    outcomes.push([true, await tool.run(command)]);
  } catch (error) {
    outcomes.push([false, error.message]);
  }
}
console.log(JSON.stringify(outcomes));
"""
_MORE: list[dict[str, Any]] = [
    {"command": "view", "path": "/memories"},
    {"command": "view", "path": "/memories/b/d"},
    {"command": "view", "path": "/memories//a.md"},
    {"command": "view", "path": "/memories/a.md", "view_range": [0, 1]},
    {"command": "create", "path": "/memories/k.md", "file_text": "Key: AKIAIOSFODNN7QWERTYU\n"},
    {"command": "create", "path": "/memories/a\\b.md", "file_text": "x"},
    {"command": "create", "path": "/memories", "file_text": "x"},
    {"command": "create", "path": "/memories/e.md", "file_text": "\u00e9\U0001f600 aa aa\n"},
    {"command": "str_replace", "path": "/memories/e.md", "old_str": "aa", "new_str": "b"},
    {"command": "str_replace", "path": "/memories/e.md", "old_str": "\U0001f600 aa", "new_str": "\U0001f601"},
    {"command": "insert", "path": "/memories/e.md", "insert_line": -1, "insert_text": "x"},
    {"command": "rename", "old_path": "/memories", "new_path": "/memories/x"},
    {"command": "rename", "old_path": "/memories/b", "new_path": "/memories/b/c"},
    {"command": "rename", "old_path": "/memories/b", "new_path": "/memories"},
]  # fmt: skip


@pytest.fixture
def client(client_package: Any, address: str, key: str) -> Iterator[Any]:
    """The Python client, whose store is `python`."""
    with client_package.Slowwave(address, key, store="python") as found:
        yield found


def carry_out(folder: Path, address: str, key: str, commands: list[dict[str, Any]], inner: str) -> list[Any]:
    """Let the TypeScript client carry out commands over the store `node`; return whether it did, and what it said."""
    command = ["node", "--input-type=module", "--eval", _DRIVER]
    said = run_program(folder, command, json.dumps(commands), SLOWWAVE=address, KEY=key, STORE="node", FOLDER=inner)
    return list(json.loads(said))


@pytest.mark.parametrize("inner", ["", "/agents/one/"])
def test_it_does_and_says_what_the_python_client_does(
    typescript: Path, client: Any, ports: Ports, tenant: str, address: str, key: str, inner: str
) -> None:
    texts = {"a.md": 2_000, "b/c.md": 10, "b/d/e.md": 10, ".hidden/g.md": 5, "node_modules/h.md": 5}
    for store in ("python", "node"):
        laid = {f"{inner.strip('/')}/{path}".lstrip("/"): "x" * size for path, size in texts.items()}
        write(ports, tenant, laid, store=store, author=Author.IMPORT)
    commands = _MORE + COMMANDS
    tool = importlib.import_module("slowwave_client.memory_tool").StoreMemoryTool(client, folder=inner)
    expected = [outcome(tool, command) for command in commands]
    for command, (is_done, said), (was_done, was_said) in zip(
        commands, carry_out(typescript, address, key, commands, inner), expected, strict=True
    ):
        assert (is_done, plain(said)) == (was_done, plain(was_said)), command
    stands = [
        {line.path: client.memories.get(line.path, store=store).content for line in client.memories.list(store=store)}
        for store in ("node", "python")
    ]
    assert stands[0] == stands[1]


def test_the_sdks_runner_writes_a_memory_for_the_model(
    typescript: Path, llmock: Any, client: Any, ports: Ports, tenant: str, address: str, key: str
) -> None:
    a_store(ports, tenant)
    create = {"command": "create", "path": "/memories/likes.md", "file_text": "Likes tea\n"}
    wanting(llmock, {"command": "view", "path": "/memories"}, create, create)
    run_script(
        typescript, "memory",
        SLOWWAVE=address, KEY=key, ANTHROPIC_API_KEY="k", ANTHROPIC_BASE_URL=llmock.base_url("anthropic"),
    )  # fmt: skip
    assert told(llmock)[1:] == [
        ("File created successfully at: /memories/likes.md", False),
        ("Error: File /memories/likes.md already exists", True),
    ]
    assert client.memories.get("likes.md", store="default").content == "Likes tea\n"
