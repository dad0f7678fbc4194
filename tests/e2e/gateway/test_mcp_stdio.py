"""`slowwave mcp` as an agent's configuration starts it: the official client over standard input and output."""

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

from mcp import StdioServerParameters
from mcp.client import Client

from shared.adapters.embedded.endpoints import Endpoints
from tests.e2e.cli.cli_support import Cli, a_cli_beside
from tests.e2e.workers.worker_support import ROOT

CONFIGURATIONS = [
    json.loads(found) for found in re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "mcp.md").read_text(), re.DOTALL)
]


def test_an_agent_uses_memory_through_the_command_of_the_docs(servers: Endpoints, tmp_path: Path) -> None:
    with a_cli_beside(servers, tmp_path) as cli:
        cli.json("tenants", "create", "acme")
        issued = cli.json("keys", "create", "acme", "--role", "agent")
        asyncio.run(_converse(cli, issued["token"]))
        assert cli.json("feedback", "list", "--tenant", "acme")[0]["text"] == "No, on Tuesdays."
        cli.run("keys", "revoke", "acme", issued["id"])
        refused = cli.run("mcp", expect=1, SLOWWAVE_KEY=issued["token"])
        assert "no valid key" in refused.err
        assert refused.out == ""


def test_without_a_key_the_command_says_how_to_make_one(servers: Endpoints, tmp_path: Path) -> None:
    with a_cli_beside(servers, tmp_path) as cli:
        assert "slowwave keys create" in cli.run("mcp", expect=1).err


async def _converse(cli: Cli, token: str) -> None:
    configured = CONFIGURATIONS[0]["mcpServers"]["slowwave"]
    assert configured["args"] == ["mcp"]
    environment = cli.environment(**dict.fromkeys(configured["env"], token))
    program = StdioServerParameters(
        command=sys.executable, args=["-m", "gateway.cli", *configured["args"]], env=environment, cwd=ROOT
    )
    async with Client(program) as client:
        noted: Any = await client.call_tool("note_correction", {"text": "No, on Tuesdays."})
        assert noted.structured_content == {"recorded": True, "memory": None, "likely": [], "masked": []}
        found: Any = await client.call_tool("search_memory", {"query": "anything"})
        assert found.structured_content == {"memories": [], "note": None}
        refused: Any = await client.call_tool("approve_review", {"operation_id": "op_0"})
        assert refused.is_error
        assert "agent may not review" in refused.content[0].text
