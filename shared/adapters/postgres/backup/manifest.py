"""The manifest of a backup, with which a restore checks that everything is there."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from shared.core.errors import BadInputError

#: The version of the file format. A later version can still read this one.
FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The facts of one backup.

    Attributes:
        made_at: when its snapshot was taken, by the database's clock.
        slowwave: the version of slowwave that made it.
        revision: the schema's revision.
        server: the major version of the PostgreSQL server.
        tool: the major version of the pg_dump that wrote it.
        owner: the role that owned the tables.
        tables: the number of rows in it, by table.
        functions: the functions that another role than the owner owns, with that role.
        roles: the roles with a right or a policy, which a dump does not create.
        dump_bytes: the length of the dump.
        dump_sha256: the digest of the dump.
    """

    made_at: str
    slowwave: str
    revision: str
    server: int
    tool: int
    owner: str
    tables: dict[str, int]
    functions: dict[str, str]
    roles: list[str]
    dump_bytes: int
    dump_sha256: str

    @property
    def rows(self) -> int:
        """The number of rows of all tables."""
        return sum(self.tables.values())

    def to_json(self) -> bytes:
        """Return the text of the manifest."""
        return json.dumps({"format": FORMAT} | asdict(self), indent=2, sort_keys=True).encode()


def read_manifest(raw: bytes) -> Manifest:
    """Return the manifest of a backup. Raises BadInputError."""
    try:
        said: dict[str, Any] = json.loads(raw)
        made_by = said.pop("format")
        if made_by != FORMAT:
            raise BadInputError(f"A newer slowwave made this backup (format {made_by!r}); restore it with that version")
        return Manifest(**said)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadInputError(f"The manifest of this backup cannot be read: {error}") from None
