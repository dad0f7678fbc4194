"""Sync again whenever a file changes, and from time to time for what changed in the store."""

from collections.abc import Callable, Iterator
from pathlib import Path

from watchfiles import Change, watch

from gateway.cli.console.output import warn
from shared.adapters.files.sync_state import STATE_FILE
from shared.adapters.files.walk import TOOL_FOLDERS
from shared.core.errors import BadInputError, SlowwaveError

_OWN = ".slowwave-"


def keep_syncing(root: Path, sync: Callable[[], object], *, every_seconds: float) -> None:
    """Sync at once, at each change of a file, and every few seconds, until Ctrl-C. An error is told, and tried again.

    Raises:
        BadInputError: the folder is gone.
    """
    for _ in _turns(root, every_seconds):
        if not root.is_dir():
            raise BadInputError(f"The folder {root} is gone")
        try:
            sync()
        except SlowwaveError as error:
            warn(f"{error} It is tried again.")


def _turns(root: Path, every_seconds: float) -> Iterator[None]:
    yield None
    for _ in watch(
        root,
        watch_filter=_is_of_the_folder,
        rust_timeout=int(every_seconds * 1000),
        yield_on_timeout=True,
    ):
        yield None


def _is_of_the_folder(_change: Change, path: str) -> bool:
    """Tell whether a change is worth a sync: not the sync's own record, nor a tool's folder."""
    parts = Path(path).parts
    return parts[-1] != STATE_FILE and not parts[-1].startswith(_OWN) and not TOOL_FOLDERS.intersection(parts)
