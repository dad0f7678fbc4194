"""Corrections of a memory by its name: which memory can be corrected, and the feedback that the next dream corrects it by."""

from shared.core.errors import BadInputError
from shared.core.learning.feedback import MAX_NAME_CHARS, FeedbackKind, NewFeedback
from shared.core.learning.skills import skill_name_of
from shared.core.memory.index_text import kind_of_text
from shared.core.memory.model import GENERATED, Memory, MemoryKind, MemoryState, kind_of
from shared.core.memory.writers import Rank
from shared.core.sessions.orders import is_memory_order
from shared.ports.database import Database
from shared.services.memories.read import get_memory


def find_wrong(db: Database, tenant_id: str, store_name: str, id_or_path: str) -> Memory:
    """Return the live memory that is wrong. Raises NotFoundError, and BadInputError if it is not live, or is generated."""
    found = get_memory(db, tenant_id, store_name, id_or_path)
    if found.state is not MemoryState.LIVE:
        raise BadInputError(f"{found.path} is no longer live; name the memory that agents read today")
    if kind_of_text(found.path, found.content) in GENERATED:
        raise BadInputError(f"{found.path} is generated from other memories; name the one that is wrong")
    return found


def subject_of(memory: Memory) -> str:
    """Return the name by which feedback is about a memory."""
    return memory.path if len(memory.path) <= MAX_NAME_CHARS else memory.id


def correction_of(memory: Memory | None, text: str, *, rank: Rank, about: str = "", note_id: str = "") -> NewFeedback:
    """Return the correction of a memory, or of what `about` names. Raises BadInputError for a request to delete memories."""
    if is_memory_order(text):
        raise BadInputError("A request to delete memories is not a correction; say what is wrong and what is right")
    is_skill = memory is not None and kind_of(memory.path) is MemoryKind.SKILL
    return NewFeedback(
        kind=FeedbackKind.CORRECTION,
        text=text,
        subject=subject_of(memory) if memory else about,
        skill=skill_name_of(memory.path) if memory and is_skill else "",
        external_id=note_id,
        rank=rank,
    )
