"""Write files with secrets: readable by their owner only, replaced atomically."""

import os
from pathlib import Path


def write_private_file(path: Path, text: str) -> None:
    """Write the text with mode 0600 under a temporary name, then rename it, so that no reader sees half a file."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
