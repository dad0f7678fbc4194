"""The rules for paths of memories. A path is checked, never repaired: a silently changed path would be another memory."""

import hashlib
import re
import unicodedata

from shared.core.errors import UnsafePathError
from shared.core.memory.model import MemoryKind, kind_of

MAX_PATH_BYTES = 1_024
MAX_SEGMENTS = 256
MAX_SLUG_CHARS = 80
#: Of the 255 bytes that file systems allow; the rest is for a number and an ending.
MAX_STEM_BYTES = 240
_ENDINGS = (".md", ".markdown")
_ID = "mem_"
_DRIVE = re.compile(r"[A-Za-z]:")
#: Categories of control, format, surrogate and separator characters, such as bidi overrides and zero widths.
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
#: What is put behind a file's name for its copy: `deploy-copy`, `deploy copy 2`, `deploy (1)`. Not `-2`, `-old` or `-new`, which name things, too.
_COPY = re.compile(
    r"(?:[-_. ]{1,3}\(?(?:copy|kopie|copia)\)?(?:[-_ ]?\(?\d{1,2}\)?)?|[-_ ]?\(\d{1,2}\))(?=\.md$|$)", re.IGNORECASE
)
#: Names, folded, of files and folders that hosts load as instructions or settings, or run, wherever they lie in a path.
HOST_NAMES = frozenset({
    "agents.md", "agents.override.md", "claude.md", "claude.local.md", "copilot-instructions.md", "gemini.md", "qwen.md",
    "soul.md", ".agents", ".bashrc", ".claude", ".clinerules", ".codex", ".continue", ".cursor", ".cursorrules", ".devcontainer",
    ".envrc", ".gemini", ".git", ".gitattributes", ".github", ".gitmodules", ".husky", ".idea", ".kiro", ".mcp.json",
    ".opencode", ".profile", ".roo", ".roomodes", ".ssh", ".vscode", ".windsurf", ".windsurfrules", ".zshrc", "git~1",
})  # fmt: skip
_ENDS_A_WORD = re.compile(r"[^a-z0-9]+")
#: They stand within words, such as an apostrophe and what joins letters or chooses the look of one.
_WITHIN_WORDS = re.compile("(?<=\\w)['\u2019](?=\\w)|[\u00ad\u200c\u200d\u2060\u20e3\ufe00-\ufe0f\ufeff]")


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


def fold_path(path: str) -> str:
    """Fold a path like the file systems of macOS and Windows: two paths that fold alike are one file there."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())


def find_reserved(path: str, *, is_new: bool) -> str | None:
    """Return why only a person may write a text to a path, as the end of a sentence, or None if agents and dreams may, too.

    Hosts load or run what lies at some paths, so that an agent that was misled could give orders to others. A dot file of another name
    may be changed by anyone where it exists, but only a person may add one (`is_new`). Names are compared as file systems do that
    ignore case, compatibility forms, dots at the end and what follows a colon.
    """
    for segment in path.split("/"):
        name = fold_path(unicodedata.normalize("NFKC", segment)).partition(":")[0].rstrip(". ")
        if name in HOST_NAMES:
            return f"tools such as Claude Code, Cursor and Git load or run `{segment[:60]}` as instructions or settings"
        if is_new and name.startswith("."):
            return f"`{segment[:60]}` begins with a dot, as the settings of tools do"
    return None


def stem_of(title: str) -> str:
    """Return a stem for the file of a new memory: the title's slug, or another one if hosts load files of that name."""
    slug = slug_of(title)
    return f"{slug}-notes" if f"{slug}.md" in HOST_NAMES else slug


def slug_of(title: str, limit_chars: int = MAX_SLUG_CHARS) -> str:
    """Return a file name stem of the title's words in lower case, with hyphens, in Unicode's composed form (NFC).

    It has letters and digits of every script, at most `limit_chars` characters and `MAX_STEM_BYTES` bytes of UTF-8. A title without
    any becomes `untitled-` and 8 hex digits.
    """
    composed = unicodedata.normalize("NFC", _WITHIN_WORDS.sub("", title).lower())
    words = "".join(sign if unicodedata.category(sign)[0] in "LMN" else " " for sign in composed).split()
    return _cut_slug("-".join(words), limit_chars) or _untitled(title)


def ascii_slug_of(title: str, limit_chars: int = MAX_SLUG_CHARS) -> str:
    """Return a name of `[a-z0-9-]`, for what may have no other characters: skills, stores, and the folders they are mounted at."""
    return _cut_slug(_ENDS_A_WORD.sub("-", title.lower()), limit_chars) or _untitled(title)


def fit_stem(stem: str) -> str:
    """Return the beginning of a file name without its ending that leaves room for a number and an ending on every file system."""
    return stem[:MAX_STEM_BYTES].encode("utf-8", "ignore")[:MAX_STEM_BYTES].decode("utf-8", "ignore").rstrip("- ")


def _cut_slug(slug: str, limit_chars: int) -> str:
    return fit_stem(slug.strip("-")[:limit_chars])


def _untitled(title: str) -> str:
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


def original_of(path: str) -> str:
    """Return the path of the file that this one is named as a copy of, or its own."""
    name = path.rpartition("/")[2]
    original = _COPY.sub("", name)
    return path if original in {"", ".md", name} else path.removesuffix(name) + original
