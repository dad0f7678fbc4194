"""Read a lock file of pinned, hashed requirements."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
_PIN = re.compile(
    r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(?P<version>[^\s;\\]+)(?:\s*;\s*(?P<marker>[^\\]+?))?\s*\\?$"
)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One pinned release. `hashes` are the SHA-256 sums of its files; `marker` says where it is needed, or is empty."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]

    @property
    def purl(self) -> str:
        """Return its package URL, with the name in the index's normal form."""
        return f"pkg:pypi/{re.sub(r'[-_.]+', '-', self.name).lower()}@{self.version}"


def read_pins(lock: str) -> Iterator[Pin]:
    """Yield the pins of a lock file's text. Raises ValueError for a line that is neither a pin nor a hash."""
    for entry in lock.replace("\\\n", " ").splitlines():
        words = entry.split("--hash=", 1)[0].strip()
        if not words or words.startswith("#"):
            continue
        found = _PIN.match(words)
        if found is None:
            raise ValueError(f"No pin with a version: {words[:100]}")
        yield Pin(
            name=found["name"],
            version=found["version"],
            marker=(found["marker"] or "").strip(),
            hashes=tuple(_HASH.findall(entry)),
        )
