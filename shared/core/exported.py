"""One memory on its way into a folder."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFile:
    """One memory to write; `updated_at` becomes the file's modification time."""

    path: str
    content: str
    updated_at: datetime | None = None
