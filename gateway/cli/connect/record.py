"""The record of what is connected on this machine, in `~/.config/slowwave/connections.json`, which only its owner can read."""

from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from gateway.cli.connect.configs import Addition, Change, replace_file
from shared.core.errors import BadInputError


@dataclass(slots=True, kw_only=True)
class Connection:
    """One connected tool: its tenant, its key, the changes of its configuration, and the folders that are synced."""

    tenant: str
    key_id: str = ""
    changes: list[Change] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Record:
    """All connected tools by name; the store of each project by its root; and until when each store's notice was told."""

    path: Path
    tools: dict[str, Connection] = field(default_factory=dict)
    stores: dict[str, str] = field(default_factory=dict)
    told: dict[str, datetime] = field(default_factory=dict)

    def save(self) -> None:
        """Write the record. Raises BadInputError if that is impossible."""
        whole = {
            "tools": {name: asdict(one) for name, one in self.tools.items()},
            "stores": self.stores,
            "told": self.told,
        }
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self.path, orjson.dumps(whole, option=orjson.OPT_INDENT_2).decode(), 0o600)
        except OSError as error:
            raise BadInputError(f"{self.path} cannot be written: {error.strerror}") from error


def read_record(home: Path) -> Record:
    """Return the record of a home folder; an empty one if nothing is connected. Raises BadInputError for a damaged one."""
    path = home / ".config" / "slowwave" / "connections.json"
    if not path.exists():
        return Record(path=path)
    try:
        whole = orjson.loads(path.read_bytes())
        tools = {name: _connection(one) for name, one in whole["tools"].items()}
        told = {store: datetime.fromisoformat(at) for store, at in whole["told"].items()}
        return Record(path=path, tools=tools, stores=whole["stores"], told=told)
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise BadInputError(f"{path} is damaged ({error}); correct or remove it") from error


def _connection(one: dict[str, Any]) -> Connection:
    return Connection(**{**one, "changes": [_change(change) for change in one["changes"]]})


def _change(one: dict[str, Any]) -> Change:
    additions = tuple(Addition(**{**added, "path": tuple(added["path"])}) for added in one["additions"])
    return Change(**{**one, "additions": additions, "known": tuple(one["known"])})
