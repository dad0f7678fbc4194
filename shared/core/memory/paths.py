"""The rules for paths of memories. A path is checked, never repaired: a silently changed path would be another memory."""

import hashlib
import re
import unicodedata

from shared.core.errors import UnsafePathError
from shared.core.memory.model import MemoryKind, kind_of

MAX_PATH_BYTES = 1_024
MAX_SEGMENTS = 256
MAX_SLUG_CHARS = 80
_ENDINGS = (".md", ".markdown")
_ID = "mem_"
_DRIVE = re.compile(r"[A-Za-z]:")
#: Categories of control, format, surrogate and separator characters, such as bidi overrides and zero widths.
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_NOT_SLUG = re.compile(r"[^a-z0-9]+")


def check_memory_path(path: str, *, any_ending: bool = False) -> str:
    """Return the path as it is if it is a relative markdown path, or a skill's file, that stays inside its store.

    With `any_ending` its name may have any ending, as Anthropic's API allows.

    Raises:
        UnsafePathError: with the reason, for anything else. Names that Windows reserves are allowed.
    """
    reason = _find_fault(path, any_ending=any_ending)
    if reason is not None:
        raise UnsafePathError(f"The path {path[:120]!r} is refused: {reason}.")
    return path


def is_memory_id(id_or_path: str) -> bool:
    """Tell an id from a path: an id begins with `mem_` and holds no dot or slash."""
    return id_or_path.startswith(_ID) and "." not in id_or_path and "/" not in id_or_path


def slug_of(title: str, limit_chars: int = MAX_SLUG_CHARS) -> str:
    """Return a file name stem of `[a-z0-9-]`; a title without such characters becomes `untitled-` and 8 hex digits."""
    slug = _NOT_SLUG.sub("-", title.lower()).strip("-")[:limit_chars].strip("-")
    if slug:
        return slug
    digest = hashlib.sha256(title.encode("utf-8", "surrogatepass")).hexdigest()
    return f"untitled-{digest[:8]}"


def _find_fault(path: str, *, any_ending: bool) -> str | None:
    if any(unicodedata.category(sign) in _HIDDEN_CATEGORIES for sign in path):
        return "it holds control, direction or invisible characters"
    if len(path.encode()) > MAX_PATH_BYTES or path.count("/") >= MAX_SEGMENTS:
        return f"it is longer than {MAX_PATH_BYTES:,} bytes or {MAX_SEGMENTS} segments"
    if "\\" in path:
        return "it holds a backslash; segments are separated by `/`"
    if path.startswith("/") or _DRIVE.match(path):
        return "it is absolute"
    if not unicodedata.is_normalized("NFC", path):
        return "it is not in Unicode's composed form (NFC), so it could look like another path"
    if not any_ending and not path.lower().endswith(_ENDINGS) and kind_of(path) is not MemoryKind.SKILL_FILE:
        return "it does not end in .md or .markdown"
    return next((fault for fault in map(_find_segment_fault, path.split("/")) if fault), None)


def _find_segment_fault(segment: str) -> str | None:
    if not segment:
        return "it has an empty segment"
    if segment in (".", ".."):
        return f"it has a `{segment}` segment"
    if segment != segment.strip():
        return "a segment begins or ends with a space"
    if segment.lower() in _ENDINGS:
        return "the file has no name before its ending"
    return None
