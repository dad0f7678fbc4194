"""The files of an export: live memories at their paths, optionally archived ones with their stubs, and open questions about them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from shared.core.dream.reviewed import find_reviewed
from shared.core.memory.frontmatter import build_frontmatter
from shared.core.memory.model import ExportFile, Memory, MemoryState
from shared.core.trust.inherit import Written
from shared.core.trust.sidecar import WRITERS_FILE, render_writers
from shared.ports.database import UnitOfWork
from shared.services.operations.waiting import OpenQuestion

_CHARS_A_TOKEN = 4
#: Where an export lists them: a folder that belongs to a tool, so that an import takes no memory from it.
QUESTIONS_FILE = ".slowwave/open-questions.md"
_HEAD = (
    "# Open questions\n\nWhat dreams ask a person about these memories, and what no person has answered: `slowwave review pending` lists"
    " them, too. This file is no memory; an import leaves it out.\n"
)


def render_questions(questions: tuple[OpenQuestion, ...]) -> ExportFile:
    """Return the file in which an export lists open questions."""
    lines = [f"- {', '.join(f'`{path}`' for path in one.paths)}: {one.question} ({one.id})\n" for one in questions]
    body = "".join(lines) or "None is open.\n"
    return ExportFile(path=QUESTIONS_FILE, content=f"{_HEAD}\n{body}", updated_at=None)


def render_writers_file(files: Sequence[ExportFile]) -> ExportFile:
    """Return the file that names the writers of the memories in these files."""
    known = {file.path: Written(file.content, file.writers) for file in files if file.writers is not None}
    return ExportFile(path=WRITERS_FILE, content=render_writers(known), updated_at=None)


def find_export_files(uow: UnitOfWork, store_id: str, *, archived: bool) -> list[ExportFile]:
    """Return the files of a store, ordered by path."""
    memories = uow.memories(store_id)
    return _files_of([*memories.find_live(), *(memories.find_retired() if archived else ())], archived=archived)


def find_all_files(uow: UnitOfWork, store_id: str, *, archived: bool) -> tuple[list[ExportFile], Mapping[str, str]]:
    """Return all files of a store."""
    return find_export_files(uow, store_id, archived=archived), {}


def find_reviewed_files(
    uow: UnitOfWork, store_id: str, *, archived: bool
) -> tuple[list[ExportFile], Mapping[str, str]]:
    """Return the files of a store as a person has approved it, and what is left out, with the reason, by path."""
    memories = uow.memories(store_id)
    found = find_reviewed([*memories.find_live(), *memories.find_retired()], uow.verdicts(store_id).find_unapproved())
    return _files_of(found.memories, archived=archived), found.left_out


def find_retired_files(
    uow: UnitOfWork, store_id: str, files: Sequence[ExportFile], left_out: Collection[str]
) -> list[ExportFile]:
    """Return the files of merged and archived memories, except at paths that this export writes or leaves out."""
    taken = {file.path for file in files} | set(left_out)
    retired = (one for one in uow.memories(store_id).find_retired() if one.path not in taken)
    return [ExportFile(path=one.path, content=one.content, updated_at=one.updated_at) for one in retired]


def _files_of(memories: Sequence[Memory], *, archived: bool) -> list[ExportFile]:
    live = [one for one in memories if one.state is MemoryState.LIVE]
    files = [_file_of(one) for one in live]
    if archived:
        retired = [memory for memory in memories if memory.state is MemoryState.ARCHIVED]
        files.extend(file for memory in retired for file in _archive_files(memory))
    return files


def _file_of(memory: Memory) -> ExportFile:
    return ExportFile(path=memory.path, content=memory.content, updated_at=memory.updated_at, writers=memory.writers)


def _archive_files(memory: Memory) -> Iterator[ExportFile]:
    """Yield the full text and the stub of an archived memory, in ByteRover's layout under `_archived/`."""
    stem = str(PurePosixPath(memory.path).with_suffix(""))
    full = f"_archived/{stem}.full.md"
    yield replace(_file_of(memory), path=full)
    fields = {
        "type": "archive_stub",
        "original_path": memory.path,
        "points_to": full,
        "evicted_importance": memory.signals.importance,
        "original_token_count": len(memory.content) // _CHARS_A_TOKEN,
    }
    stub = build_frontmatter(fields, f"{memory.stub or ''}\n")
    yield ExportFile(path=f"_archived/{stem}.stub.md", content=stub, updated_at=memory.updated_at)
