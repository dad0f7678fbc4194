"""The record of a synced folder, in the folder itself: what both sides had after the last sync.

It lies beside the files that it is about, so it moves and is copied with them. It names the store, so that a folder is
never compared with another store's memories, which would look like deletions.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import orjson

from shared.adapters.files.found import RefusedFile
from shared.adapters.files.open_safely import read_regular
from shared.adapters.files.place_file import place_file
from shared.core.errors import BadInputError

STATE_FILE = ".slowwave-sync.json"
_FORMAT = 1
_MAX_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncedRow:
    """One path: the hashes of both texts, and the memory with its version.

    `text` is the store's text where no version of the memory has it: without the changes that wait for a review.
    """

    file: str
    store: str
    memory: str = ""
    version: int = 0
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncState:
    """The store that a folder was synced with, by names and its id; whether it got only what waits for no review; and each path."""

    tenant: str
    store: str
    store_id: str
    reviewed: bool = True
    rows: Mapping[str, SyncedRow] = field(default_factory=dict)


def read_state(folder: int) -> SyncState | None:
    """Return the record of an open folder; None if it was never synced.

    Raises:
        BadInputError: the record cannot be read.
    """
    raw = read_regular(STATE_FILE, STATE_FILE, dir_fd=folder, max_bytes=_MAX_BYTES)
    if isinstance(raw, RefusedFile):
        if raw.code == "vanished":
            return None
        raise BadInputError(f"{STATE_FILE} cannot be used: {raw.reason}")
    try:
        return _parse(orjson.loads(raw.data))
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        msg = (
            f"{STATE_FILE} is damaged ({error}). Remove it and sync again: files that are as in the store are recognized, "
            "and of the others both texts are kept"
        )
        raise BadInputError(msg) from error


def write_state(folder: int, state: SyncState) -> None:
    """Write the record of an open folder. Raises BadInputError if that is impossible."""
    rows = {path: {name: value for name, value in asdict(row).items() if value} for path, row in state.rows.items()}
    whole = {name: getattr(state, name) for name in ("tenant", "store", "store_id", "reviewed")}
    data = orjson.dumps({"format": _FORMAT, **whole, "rows": rows}, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    written = place_file(folder, STATE_FILE, data, mtime_ns=None, is_lasting=True)
    if isinstance(written, RefusedFile):
        raise BadInputError(f"{STATE_FILE} cannot be written: {written.reason}")


def _parse(whole: Any) -> SyncState:  # noqa: ANN401 - what a file holds
    if whole["format"] != _FORMAT:
        raise ValueError(f"format {whole['format']}")
    rows = {path: SyncedRow(**{"file": "", "store": "", **row}) for path, row in whole["rows"].items()}
    return SyncState(
        tenant=whole["tenant"], store=whole["store"], store_id=whole["store_id"], reviewed=whole["reviewed"], rows=rows
    )
