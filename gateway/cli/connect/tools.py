"""The tools that keep memories on this machine: one row for each, with where its memories, its sessions and its configuration lie."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from shared.core.errors import BadInputError


class Format(StrEnum):
    """The formats of configuration files."""

    JSON = "json"
    TOML = "toml"
    YAML = "yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """The hooks of a tool: the JSON file that they stand in, relative to the home folder, and the names of its two events.

    `timeouts` are those of the start and the end, in the unit of the tool. With `is_flat` an entry is the command itself, not
    a group of commands, and so is the answer. `empty` is the text of a file without hooks. `todo` is what a person has to do yet.
    """

    file: str
    starts: str = "SessionStart"
    ends: str = "SessionEnd"
    timeouts: tuple[int, int] = (60, 60)
    is_flat: bool = False
    empty: str = "{}\n"
    todo: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool. Places are relative to the home folder; `*` stands for one folder of a project, and a place without it holds all.

    `servers` is the path of the object of MCP servers in the file `config`.
    """

    name: str
    title: str
    memories: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    config: str
    format: Format = Format.JSON
    servers: tuple[str, ...] = ("mcpServers",)
    hooks: Hooks | None = None
    is_combined: bool = False  # command and arguments are one list, as opencode has it


TOOLS = (
    Tool(
        name="claude-code", title="Claude Code", memories=(".claude/projects/*/memory",), sessions=(".claude/projects/*",),
        config=".claude.json", hooks=Hooks(file=".claude/settings.json"),
    ),
    Tool(
        name="codex", title="Codex", memories=(".codex/memories",), sessions=(".codex/sessions",),
        config=".codex/config.toml", format=Format.TOML, servers=("mcp_servers",),
        # https://developers.openai.com/codex/hooks: since 0.145 with an end; more than 3 s for it is told at each start
        hooks=Hooks(
            file=".codex/hooks.json", timeouts=(60, 3),
            todo="Codex runs the hooks once you have trusted them: type /hooks in Codex. Before 0.145 it has none for the end",
        ),
    ),
    Tool(
        name="cursor", title="Cursor", sessions=(".cursor/projects/*/agent-transcripts",), config=".cursor/mcp.json",
        # https://cursor.com/docs/agent/hooks
        hooks=Hooks(
            file=".cursor/hooks.json", starts="sessionStart", ends="sessionEnd", is_flat=True, empty='{\n  "version": 1\n}\n'
        ),
    ),
    Tool(
        name="openclaw", title="OpenClaw", memories=(".openclaw/workspace",), sessions=(".openclaw/agents/*/sessions",),
        config=".openclaw/openclaw.json", servers=("mcp", "servers"),
    ),
    Tool(
        name="hermes", title="Hermes", memories=(".hermes/memories",), sessions=(".hermes/sessions",),
        config=".hermes/config.yaml", format=Format.YAML, servers=("mcp_servers",),
    ),
    Tool(
        name="gemini", title="Gemini CLI", sessions=(".gemini/tmp/*/chats",), config=".gemini/settings.json",
        # https://geminicli.com/docs/hooks/reference: milliseconds
        hooks=Hooks(file=".gemini/settings.json", timeouts=(60_000, 60_000)),
    ),
    Tool(
        name="opencode", title="opencode", sessions=(".local/share/opencode/storage",),
        config=".config/opencode/opencode.json", servers=("mcp",), is_combined=True,
    ),
)  # fmt: skip


def find_tool(name: str) -> Tool | None:
    """Return a tool by its name; None for the path of a folder.

    Raises:
        BadInputError: it is neither.
    """
    found = next((tool for tool in TOOLS if tool.name == name), None)
    if found is None and not Path(name).is_dir():
        raise BadInputError(f"{name!r} is neither a folder nor one of {', '.join(tool.name for tool in TOOLS)}")
    return found
