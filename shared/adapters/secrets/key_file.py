"""The key that seals webhook secrets: of a setting, or of a file in the data directory."""

import secrets
from pathlib import Path

from shared.adapters.embedded.private_file import write_private_file

_FILE = "secrets.key"


def find_keys(setting: str | None, data_dir: Path) -> list[str]:
    """Return the installation's keys, the sealing one first: from the setting, else from the data directory."""
    if setting is not None:
        return [one.strip() for one in setting.split(",")]
    file = key_file(data_dir)
    return [file.read_text(encoding="utf-8").strip()] if file.exists() else []


def key_file(data_dir: Path) -> Path:
    """Return the path of a data directory's own key."""
    return data_dir / _FILE


def ensure_key_file(data_dir: Path) -> None:
    """Create the key of a data directory if it has none, readable by its owner only."""
    file = key_file(data_dir)
    if not file.exists():
        write_private_file(file, secrets.token_hex(32) + "\n")
