"""The manifest of a backup, by which a restore can tell whether everything came back."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from shared.core.errors import BadInputError

#: Of the file as a whole. A later version that changes it can still read this one.
FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The facts of one backup.

    Attributes:
        made_at: when its snapshot was taken, as the database says.
        slowwave: the version that made it.
        revision: the schema's revision.
        server: the major version of the PostgreSQL that it is from.
        tool: the major version of the pg_dump that wrote it.
        owner: the role that owned the tables.
        tables: how many rows of each table are in it.
        functions: which functions another role than the owner owns, and which role that is.
        roles: the roles that hold a right or a policy; a dump does not make them.
        dump_bytes: how long the dump is.
        dump_sha256: its digest.
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
