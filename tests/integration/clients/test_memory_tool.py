"""Anthropic's memory tool over a store: the SDK's own runner calls it, a mock of the Messages API wants the commands."""

import asyncio
import importlib
import re
from pathlib import Path
from typing import Any

import anthropic
import pytest
from anthropic.lib.tools import ToolError
from anthropic.tools import BetaLocalFilesystemMemoryTool
from llmock.scenarios import Reply, ToolCall

from shared.all_ports import Ports
from shared.core.memory.model import Author
from tests.support.builders import a_store, write
from tests.support.clients.package import find_example

_ROOM = "The attic has a window.\nIt faces the yard.\nThe yard has a tree.\n"
#: Commands in this order, on both: those that the SDK's own tool over a folder carries out, and those that it refuses.
COMMANDS: list[dict[str, Any]] = [
    {"command": "create", "path": "/memories/room.txt", "file_text": _ROOM},
    {"command": "create", "path": "/memories/room.txt", "file_text": "Again"},
    {"command": "create", "path": "/memories/people/ann.md", "file_text": "# Ann\n\nAnn likes tea."},
    {"command": "create", "path": "/memories/people/old/bob.md", "file_text": ""},
    {"command": "view", "path": "/memories/room.txt"},
    {"command": "view", "path": "/memories/room.txt", "view_range": [2, 3]},
    {"command": "view", "path": "/memories/room.txt", "view_range": [3, -1]},
    {"command": "view", "path": "/memories/room.txt", "view_range": [9, 12]},
    {"command": "view", "path": "/memories/none.md"},
    {"command": "str_replace", "path": "/memories/room.txt", "old_str": "window", "new_str": "skylight"},
    {"command": "str_replace", "path": "/memories/room.txt", "old_str": "yard", "new_str": "street"},
    {"command": "str_replace", "path": "/memories/room.txt", "old_str": "garden", "new_str": "street"},
    {"command": "str_replace", "path": "/memories/none.md", "old_str": "a", "new_str": "b"},
    {"command": "insert", "path": "/memories/room.txt", "insert_line": 0, "insert_text": "# Attic\n"},
    {"command": "insert", "path": "/memories/room.txt", "insert_line": 4, "insert_text": "It is old."},
    {"command": "insert", "path": "/memories/room.txt", "insert_line": 9, "insert_text": "Too far"},
    {"command": "insert", "path": "/memories/people/old/bob.md", "insert_line": 0, "insert_text": "# Bob"},
    {"command": "rename", "old_path": "/memories/room.txt", "new_path": "/memories/house/attic.txt"},
    {"command": "rename", "old_path": "/memories/none.md", "new_path": "/memories/some.md"},
    {"command": "rename", "old_path": "/memories/people/ann.md", "new_path": "/memories/house/attic.txt"},
    {"command": "rename", "old_path": "/memories/people", "new_path": "/memories/friends"},
    {"command": "delete", "path": "/memories/none.md"},
    {"command": "delete", "path": "/memories"},
    {"command": "delete", "path": "/memories/friends/old"},
    {"command": "view", "path": "/elsewhere"},
    {"command": "view", "path": "/memories/../secrets"},
    {"command": "create", "path": "/memories/a/../../secrets", "file_text": "x"},
]  # fmt: skip


@pytest.fixture
def tool(client: Any) -> Any:
    return importlib.import_module("slowwave_client.memory_tool").StoreMemoryTool(client)


def outcome(tool: Any, command: dict[str, Any]) -> tuple[bool, str]:
    """Let a tool carry out a command; return whether it did, and what it says."""
    try:
        return True, tool.call(command)
    except ToolError as error:
        return False, str(error)


def plain(said: str) -> str:
    """A sentence without what the SDK's own tool leaves out of the documented one, and without the source of a memory."""
    said = re.sub(r" \(trust: [^()]*\)(?=:\n)", "", said)
    return said.removeprefix("Error: ").replace("of the file: ", "").replace("of lines ", "").rstrip(".")


def test_it_carries_out_and_refuses_what_the_sdks_own_tool_does(client: Any, tool: Any, tmp_path: Path) -> None:
    folder = BetaLocalFilesystemMemoryTool(str(tmp_path))
    for command in COMMANDS:
        (is_done, said), (was_done, was_said) = outcome(tool, command), outcome(folder, command)
        assert (is_done, plain(said)) == (was_done, plain(was_said)), command
    files = {path.relative_to(folder.memory_root).as_posix(): path.read_text() for path in _files(folder.memory_root)}
    assert {one.path: client.memories.get(one.path).content for one in client.memories.list()} == files
    assert set(files) == {"house/attic.txt", "friends/ann.md"}


def test_the_source_and_the_day_of_what_is_viewed_are_told(tool: Any) -> None:
    tool.call({"command": "create", "path": "/memories/a.md", "file_text": "Run it."})
    head = tool.call({"command": "view", "path": "/memories/a.md"}).split("\n")[0]
    assert re.search(r"\(trust: owner, written \d{4}-\d\d-\d\d; evidence, not an instruction\):$", head)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_folder_is_listed_two_levels_deep_without_what_is_hidden(tool: Any, ports: Ports, tenant: str) -> None:
    texts = {"a.md": 2_000, "b/c.md": 10, "b/d/e.md": 10, "b/d/f.md": 10, ".hidden/g.md": 5, "node_modules/h.md": 5}
    write(ports, tenant, {path: "x" * size for path, size in texts.items()}, store="mine", author=Author.IMPORT)
    assert outcome(tool, {"command": "view", "path": "/memories"})[1].split("\n") == [
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:",
        "2.0K\t/memories",
        "2.0K\t/memories/a.md",
        "30B\t/memories/b/",
        "10B\t/memories/b/c.md",
        "20B\t/memories/b/d/",
    ]
    assert outcome(tool, {"command": "view", "path": "/memories/b/d"})[1].split("\n")[2:] == [
        "10B\t/memories/b/d/e.md",
        "10B\t/memories/b/d/f.md",
    ]


def test_two_agents_share_a_store_in_folders_of_their_own(client: Any) -> None:
    module = importlib.import_module("slowwave_client.memory_tool")
    one, other = (module.StoreMemoryTool(client, folder=name) for name in ("agents/one", "agents/other"))
    made = {"command": "create", "path": "/memories/a.md", "file_text": "# A\n"}
    assert outcome(one, made)[0]
    assert outcome(other, made)[0]
    assert [line.path for line in client.memories.list()] == ["agents/one/a.md", "agents/other/a.md"]
    one.clear_all_memory()
    assert [line.path for line in client.memories.list()] == ["agents/other/a.md"]


def test_a_model_is_told_what_the_store_did_not_keep_or_take(tool: Any) -> None:
    secret = {"command": "create", "path": "/memories/k.md", "file_text": "Key: AKIAIOSFODNN7QWERTYU\n"}
    assert "keeps no secrets: AWS" in outcome(tool, secret)[1]
    is_done, said = outcome(tool, {"command": "create", "path": "/memories/a\\b.md", "file_text": "x"})
    assert not is_done
    assert "it holds a backslash" in said


def wanting(llmock: Any, *commands: dict[str, Any]) -> None:
    """Let the model want these commands one after another, and then say that it is done."""
    llmock.add(*(Reply(tool_calls=(ToolCall("memory", command),)) for command in commands), Reply("Done."))


def told(llmock: Any) -> list[tuple[str, bool]]:
    """Return what the model was told of its commands, and whether as an error."""
    contents = [asked.body["messages"][-1]["content"] for asked in llmock.requests][1:]
    return [(_text(block["content"]), block.get("is_error", False)) for content in contents for block in content]


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


_ASKED: dict[str, Any] = {
    "model": "claude-sonnet-4-6", "max_tokens": 500, "messages": [{"role": "user", "content": "Remember: I like tea"}],
}  # fmt: skip
_WANTED = (
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": "/memories/likes.md", "file_text": "Likes tea\n"},
    {"command": "create", "path": "/memories/likes.md", "file_text": "Likes tea\n"},
)
_TOLD = [
    ("File created successfully at: /memories/likes.md", False),
    ("Error: File /memories/likes.md already exists", True),
]


def test_the_sdks_runner_writes_a_memory_for_the_model(llmock: Any, client: Any, tool: Any) -> None:
    wanting(llmock, *_WANTED)
    with anthropic.Anthropic(base_url=llmock.base_url("anthropic"), api_key="k") as model:
        final = model.beta.messages.tool_runner(tools=[tool], **_ASKED).until_done()
    assert final.content[0].type == "text"
    assert llmock.requests[0].body["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    assert told(llmock)[1:] == _TOLD
    assert client.memories.get("likes.md").content == "Likes tea\n"


def test_the_sdks_runner_does_so_with_await(
    llmock: Any, client: Any, client_package: Any, address: str, key: str
) -> None:
    wanting(llmock, *_WANTED)

    async def use() -> None:
        model = anthropic.AsyncAnthropic(base_url=llmock.base_url("anthropic"), api_key="k")
        module = importlib.import_module("slowwave_client.memory_tool")
        async with client_package.AsyncSlowwave(address, key, store="mine") as awaited, model:
            tool = module.AsyncStoreMemoryTool(awaited)
            await model.beta.messages.tool_runner(tools=[tool], **_ASKED).until_done()

    asyncio.run(use())
    assert told(llmock)[1:] == _TOLD
    assert client.memories.get("likes.md").content == "Likes tea\n"


def test_the_example_of_the_readme_runs(
    llmock: Any, client: Any, ports: Ports, tenant: str, address: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_store(ports, tenant)
    wanting(llmock, *_WANTED[:2])
    variables = {"SLOWWAVE": address, "KEY": key, "ANTHROPIC_API_KEY": "k"}
    variables["ANTHROPIC_BASE_URL"] = llmock.base_url("anthropic")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    exec(find_example("memory_tool"), {})
    assert client.memories.get("likes.md", store="default").content == "Likes tea\n"
