"""The SDK's server with stricter errors: unknown arguments are refused by name, and every error is a sentence."""

from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import ValidationError
from starlette.requests import Request

from gateway.mcp.callers import Admission
from shared.core.inputs.wrong_values import tell_wrong

_SHOWN = 5
_NAME_CHARS = 60


class StrictServer(MCPServer[Admission]):
    """Refuses unknown arguments. Errors never repeat an argument's value, which may be a memory's text."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Admission, Request] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Raises ToolError with a sentence that says what to do instead."""
        tool = self._tool_manager.get_tool(name)
        if tool is None:
            names = ", ".join(one.name for one in self._tool_manager.list_tools())
            raise ToolError(f"There is no tool {name[:_NAME_CHARS]!r}; there are {names}.")
        known = tool.parameters.get("properties", {})
        unknown = [one[:_NAME_CHARS] for one in arguments if one not in known]
        if unknown:
            said = ", ".join(map(repr, unknown[:_SHOWN]))
            raise ToolError(f"{name} has no argument {said}; it takes {', '.join(known) or 'none'}.")
        try:
            return await super().call_tool(name, arguments, context)
        except UnexpectedToolError as error:
            said = f"Something went wrong in slowwave while it ran {name}; its log says what."
            raise UnexpectedToolError(said) from error.__cause__ or error
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(_describe(name, error.__cause__)) from error.__cause__
            raise ToolError(_as_sentence(str(error).removeprefix(f"Error executing tool {name}: "))) from error


def _describe(name: str, error: ValidationError) -> str:
    found = tell_wrong(error.errors(include_url=False, include_input=False, include_context=False))
    reasons = [f"{where or 'the arguments'}: {_lowered(why)}" for where, why in found]
    return f"{name} cannot use its arguments: {'; '.join(reasons[:_SHOWN])}."


def _lowered(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


def _as_sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
