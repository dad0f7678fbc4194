"""Read a folder of skills: `<name>/SKILL.md` with the text files beside it, in the layout of the agent ecosystem."""

from collections.abc import Iterator
from pathlib import Path

from shared.adapters.files.found import FoundFile, Refusal, RefusedFile, refuse, why_failed
from shared.adapters.files.layout import Layout, MemoryRoot
from shared.adapters.files.read_folder import DEFAULT_MAX_BYTES, read_entry
from shared.adapters.files.walk import Entry, walk_root
from shared.core.errors import BadInputError
from shared.core.memory.model import SKILL_NAME, SKILLS_FOLDER


def read_skills(folder: Path, *, max_bytes: int = DEFAULT_MAX_BYTES) -> Iterator[FoundFile | RefusedFile]:
    """Yield every file of a folder of skills, or of one skill, at the path that it has in a store.

    Raises:
        BadInputError: it is no folder, or may not be listed.
    """
    root = _get_root(folder)
    skills = {
        entry.path.removesuffix(SKILL_NAME)
        for entry in walk_root(root)
        if isinstance(entry, Entry) and entry.name == SKILL_NAME
    }
    for entry in walk_root(root):
        if isinstance(entry, RefusedFile):
            yield entry
        elif not any(entry.path.startswith(skill) for skill in skills):
            reason = f"No folder above it has a {SKILL_NAME}, so it belongs to no skill."
            yield refuse(entry.path, Refusal.NOT_A_SKILL, reason)
        else:
            name = f"{root.root.name}/" if "" in skills else ""
            yield read_entry(entry, f"{SKILLS_FOLDER}/{name}{entry.path}", max_bytes)


def _get_root(folder: Path) -> MemoryRoot:
    try:
        root = folder.resolve(strict=True)
        is_folder = root.is_dir()
    except (OSError, RuntimeError) as error:  # RuntimeError: how Python 3.11 reports a loop of links
        why = why_failed(error) if isinstance(error, OSError) else "its links form a loop"
        raise BadInputError(f"The folder {folder} cannot be read: {why}.") from error
    if not is_folder:
        raise BadInputError(f"{folder} is a file; name the folder that holds the skills.")
    return MemoryRoot(folder=root, root=root, layout=Layout.MARKDOWN, note="")
