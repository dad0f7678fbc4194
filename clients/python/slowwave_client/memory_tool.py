"""Anthropic's memory tool over a store, for the SDK's own tool runner. Needs `slowwave-client[anthropic]`.

What the model writes is dreamt over like every memory: merged, dated and linked while the agent is idle, reviewable and undoable.
"""

from __future__ import annotations

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.types.beta import (
    BetaCacheControlEphemeralParam,
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from slowwave_client.calls import Steps
from slowwave_client.client import AsyncSlowwave, Slowwave
from slowwave_client.errors import SlowwaveError
from slowwave_client.memory_files import MemoryFiles


class StoreMemoryTool(BetaAbstractMemoryTool):
    """The memory tool whose `/memories` is a store: pass it in `tools` to `client.beta.messages.tool_runner`.

    Args:
        client: a client whose key may write.
        store: the store; by default the client's own.
        folder: the folder of the store that is `/memories`; by default the whole store.
        cache_control: where the prompt cache ends, as for every tool.
    """

    def __init__(
        self,
        client: Slowwave,
        *,
        store: str | None = None,
        folder: str = "",
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client = client
        self._files = MemoryFiles(store or client.store, folder)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file or a folder."""
        return self._run(self._files.view(command.path, command.view_range))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Create a file."""
        return self._run(self._files.create(command.path, command.file_text))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that stands in a file once."""
        return self._run(self._files.str_replace(command.path, command.old_str, command.new_str))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines."""
        return self._run(self._files.insert(command.path, command.insert_line, command.insert_text))

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Archive a file or a folder."""
        return self._run(self._files.delete(command.path))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder."""
        return self._run(self._files.rename(command.old_path, command.new_path))

    def clear_all_memory(self) -> str:
        """Archive all files."""
        return self._run(self._files.clear())

    def _run(self, steps: Steps[str]) -> str:
        try:
            return self._client.run(steps)
        except SlowwaveError as error:
            raise ToolError(str(error)) from error


class AsyncStoreMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same with `await`, for `AsyncAnthropic` and `AsyncSlowwave`. The arguments are those of `StoreMemoryTool`."""

    def __init__(
        self,
        client: AsyncSlowwave,
        *,
        store: str | None = None,
        folder: str = "",
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client = client
        self._files = MemoryFiles(store or client.store, folder)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a file or a folder."""
        return await self._run(self._files.view(command.path, command.view_range))

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Create a file."""
        return await self._run(self._files.create(command.path, command.file_text))

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that stands in a file once."""
        return await self._run(self._files.str_replace(command.path, command.old_str, command.new_str))

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines."""
        return await self._run(self._files.insert(command.path, command.insert_line, command.insert_text))

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Archive a file or a folder."""
        return await self._run(self._files.delete(command.path))

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a folder."""
        return await self._run(self._files.rename(command.old_path, command.new_path))

    async def clear_all_memory(self) -> str:
        """Archive all files."""
        return await self._run(self._files.clear())

    async def _run(self, steps: Steps[str]) -> str:
        try:
            return await self._client.run(steps)
        except SlowwaveError as error:
            raise ToolError(str(error)) from error
