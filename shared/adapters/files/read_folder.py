"""Read a memory folder: every file is yielded, as a memory or as a refusal with its reason."""

import os
from collections.abc import Iterator
from dataclasses import dataclass

from shared.adapters.files.found import FoundFile, Refusal, RefusedFile, refuse, why_failed
from shared.adapters.files.hints import read_dates, read_signals
from shared.adapters.files.layout import EXPORT_ENDINGS, Layout, MemoryRoot
from shared.adapters.files.open_safely import RawFile, open_folder, read_regular
from shared.adapters.files.read_export import read_export
from shared.adapters.files.walk import Entry, walk_root
from shared.core.errors import BadInputError, UnsafePathError
from shared.core.memory.frontmatter import MAX_CONTENT_CHARS, read_fields, split_frontmatter
from shared.core.memory.model import MemoryKind, kind_of
from shared.core.memory.paths import check_memory_path

#: The largest file that is read, in bytes: more than 10 MB, the largest expected memory.
DEFAULT_MAX_BYTES = 16 * 1024 * 1024
_MARKDOWN_ENDINGS = (".md", ".markdown")
#: What Anthropic's memory tool and API keep beside markdown.
_TEXT_ENDINGS = (*_MARKDOWN_ENDINGS, ".txt", ".json", ".xml")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_folder(
    root: MemoryRoot, *, max_bytes: int = DEFAULT_MAX_BYTES, any_ending: bool = False
) -> Iterator[FoundFile | RefusedFile]:
    """Yield every file of a memory folder in the order of its path, one at a time; texts are verbatim.

    With `any_ending` files that end in .txt, .json or .xml are memories, too.

    Raises:
        BadInputError: the memory folder itself is gone or may not be listed, or a file is no known export.
    """
    if root.layout is Layout.EXPORT:
        yield from read_export(root.root)
        return
    for entry in walk_root(root):
        if isinstance(entry, RefusedFile):
            yield entry
        else:
            yield read_entry(entry, entry.path, max_bytes, any_ending=any_ending)


def count_files(root: MemoryRoot) -> int:
    """Count what `read_folder` will yield, refusals included, so that a progress bar ends at its total."""
    return sum(1 for _ in (read_export(root.root) if root.layout is Layout.EXPORT else walk_root(root)))


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFile:
    """A file whose path and bytes a store can hold, and when it was last written, in nanoseconds since 1970."""

    path: str
    content: str
    mtime_ns: int


def read_entry(entry: Entry, path: str, max_bytes: int, *, any_ending: bool = False) -> FoundFile | RefusedFile:
    """Return one file as the memory of this path, or its refusal."""
    text = read_text(entry, path, max_bytes, any_ending=any_ending)
    return text if isinstance(text, RefusedFile) else read_hints(text)


def read_text(
    entry: Entry, path: str, max_bytes: int = DEFAULT_MAX_BYTES, *, any_ending: bool = False
) -> TextFile | RefusedFile:
    """Return one file without a look at its frontmatter, or its refusal."""
    refusal = _check_name(path, any_ending=any_ending)
    if refusal is not None:
        return refusal
    raw = read_regular(path, entry.name, dir_fd=entry.dir_fd, max_bytes=max_bytes)
    if isinstance(raw, RefusedFile):
        return raw
    content = _decode(path, raw)
    return content if isinstance(content, RefusedFile) else TextFile(path=path, content=content, mtime_ns=raw.mtime_ns)


def read_beside(root: MemoryRoot, path: str, max_bytes: int = DEFAULT_MAX_BYTES) -> str | None:
    """Return the text of a file in a folder beside the memories; None if it is not there. Raises BadInputError if it cannot be read."""
    folder, name = path.split("/")
    if not root.root.is_dir() or not (root.root / path).exists():
        return None
    try:
        fd = open_folder(root.root / folder)
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {why_failed(error)}.") from error
    try:
        raw = read_regular(path, name, dir_fd=fd, max_bytes=max_bytes)
    finally:
        os.close(fd)
    text = raw if isinstance(raw, RefusedFile) else _decode(path, raw)
    if isinstance(text, RefusedFile):
        raise BadInputError(f"{path} cannot be read. {text.reason}")
    return text


def read_hints(text: TextFile) -> FoundFile:
    """Return a file with the signals and dates of its frontmatter."""
    fields = read_fields(text.content)
    created_at, updated_at = read_dates(fields, mtime_ns=text.mtime_ns)
    return FoundFile(
        path=text.path,
        content=text.content,
        signals=read_signals(fields),
        created_at=created_at,
        updated_at=updated_at,
        doubt=find_doubt(text.content),
    )


def find_doubt(content: str) -> str:
    """Return what a person should know of a text that is taken; empty if there is nothing to say."""
    if not content.strip():
        return "It is empty, so that dreams have nothing to read in it."
    if len(content) > MAX_CONTENT_CHARS:
        return f"It has {len(content):,} characters, more than a model reads at once; dreams use it better in parts."
    if not split_frontmatter(content).is_valid:
        return "Its frontmatter is no valid YAML: its fields are not read or changed. Mend it and import it again."
    return ""


def _check_name(path: str, *, any_ending: bool) -> RefusedFile | None:
    """Refuse files that are not markdown by their name, and those whose path a store could not hold."""
    endings = _TEXT_ENDINGS if any_ending else _MARKDOWN_ENDINGS
    if not path.lower().endswith(endings) and kind_of(path) is not MemoryKind.SKILL_FILE:
        why = "Only files that end in .md or .markdown are memories."
        if path.lower().endswith(EXPORT_ENDINGS):
            why += " A transcript is imported by `slowwave sessions import`; a file in which another program keeps its memories, by its own name."
        return refuse(path, Refusal.NOT_MARKDOWN, why)
    try:
        path.encode("utf-8")
        check_memory_path(path, any_ending=any_ending)
    except UnicodeEncodeError:
        return refuse(path, Refusal.ODD_NAME, "Its name is not UTF-8; rename it and import again.")
    except UnsafePathError as error:
        return refuse(path, Refusal.ODD_NAME, str(error))
    return None


def _decode(path: str, raw: RawFile) -> str | RefusedFile:
    """Decode strictly: other text than UTF-8 could not be returned byte for byte, and PostgreSQL cannot store NUL."""
    try:
        text = raw.data.decode("utf-8")
    except UnicodeDecodeError as error:
        kind = "It looks like UTF-16" if raw.data.startswith(_UTF16_MARKS) else "It is not UTF-8"
        bad = raw.data[error.start]
        return refuse(path, Refusal.NOT_UTF8, f"{kind}: byte {error.start:,} is 0x{bad:02x}; save it as UTF-8.")
    if "\0" in text:
        return refuse(path, Refusal.NUL_BYTE, f"Byte {raw.data.index(0):,} is NUL, which no text may contain.")
    return text
