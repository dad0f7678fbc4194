"""Plan the changes of a merge: one memory takes over the lineage, times and lists of those that it replaces.

A model may refine the category and the tags of a merged text (RockBot: `general` becomes something specific). Categories
with a meaning to upkeep are out of its reach: it can neither set one nor take one away.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from shared.core.dream.operations import Change, Create, Retire, Rewrite
from shared.core.learning.preferences import ANTI_PATTERNS, INFERRED
from shared.core.memory.doc_type import category_of
from shared.core.memory.frontmatter import items_of, read_fields, set_fields, strings_of, with_body
from shared.core.memory.model import Memory, MemoryState
from shared.core.memory.paths import slug_of
from shared.core.memory.provenance import FIELD as SOURCES_FIELD
from shared.core.merging.times import merge_facts, subject_fields
from shared.core.upkeep.decay import EXEMPT_CATEGORIES

_MAX_TAGS = 12
_CATEGORY = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}(?:/[a-z0-9][a-z0-9_-]{0,39}){0,3}")
_MEANS_MORE = re.compile(rf"^(?:{INFERRED}|{ANTI_PATTERNS}|episodic)(?:$|/)")
_LIST_FIELDS = ("tags", "keywords", "related", SOURCES_FIELD)


def merge_changes(
    memories: Sequence[Memory], target: str, body: str, now: datetime, *, category: str = "", tags: Sequence[str] = ()
) -> tuple[Change, ...]:
    """Return the changes that put one text in place of several memories.

    Args:
        memories: the memories that become one; all but the one at `target` are superseded by it.
        target: the path of the merged memory, one of theirs or a new one.
        body: its text, without frontmatter.
        now: the time.
        category: a more specific category, if a model gave one.
        tags: more tags.

    Raises:
        UneditableFrontmatterError: the frontmatter of the memory that is kept cannot be changed safely.
    """
    sources = [memory for memory in memories if memory.path != target]
    keeper = next((memory for memory in memories if memory.path == target), None)
    facts = merge_facts(memories)
    content = _merged_content(keeper or memories[0], memories, [one.path for one in sources], body, now)
    content = set_fields(content, find_refined_fields(content, category, tags))
    content = set_fields(content, subject_fields(facts.subject))
    written: Change = (
        Create(path=target, content=content, signals=facts.signals, created_at=facts.created_at)
        if keeper is None
        else Rewrite(
            memory_id=keeper.id, version=keeper.version, path=target, content=content,
            signals=facts.signals, created_at=facts.created_at,
        )
    )  # fmt: skip
    retired = tuple(
        Retire(
            memory_id=memory.id, version=memory.version, path=memory.path,
            state=MemoryState.SUPERSEDED, superseded_by=target,
        )
        for memory in sources
    )  # fmt: skip
    return (written, *retired)


def find_refined_fields(content: str, category: str, tags: Sequence[str]) -> dict[str, object]:
    """Return the fields of the frontmatter that change; nothing for a category that is none or means more than a topic."""
    found: dict[str, object] = {}
    wanted, current = category.strip().lower(), category_of(content)
    if wanted != current and _is_topic(wanted) and (not current or _is_topic(current)):
        found["category"] = wanted
    mine = strings_of(read_fields(content).get("tags"))
    fresh = [slug for tag in tags if tag.strip() and _is_topic(slug := slug_of(tag)) and slug not in mine]
    united = list(dict.fromkeys([*mine, *fresh]))[: max(_MAX_TAGS, len(mine))]
    if united != mine:
        found["tags"] = united
    return found


def _is_topic(name: str) -> bool:
    return _CATEGORY.fullmatch(name) is not None and name not in EXEMPT_CATEGORIES and _MEANS_MORE.search(name) is None


def _lineage(keeper: Memory, memories: Sequence[Memory], sources: Sequence[str]) -> list[object]:
    """Return the lineage of all that goes into a merge, the keeper's first; ByteRover's entries with dates stay as they are."""
    found: list[object] = []
    for memory in (keeper, *(one for one in memories if one is not keeper)):
        known = read_fields(memory.content).get("consolidated_from")
        found += [one for one in (known if isinstance(known, list) else [known]) if one and one not in found]
    return [*found, *(path for path in sources if path not in found)]


def _merged_content(
    keeper: Memory, memories: Sequence[Memory], sources: Sequence[str], body: str, now: datetime
) -> str:
    """Return the kept frontmatter with lineage and the united lists, and the merged body."""
    text = with_body(keeper.content, body)
    gone = {memory.path for memory in memories}
    lineage = _lineage(keeper, memories, sources)
    fields: dict[str, object] = {
        "consolidated_at": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "consolidated_from": lineage,
    }
    for name in _LIST_FIELDS:
        mine = items_of(read_fields(keeper.content).get(name))
        others = [item for memory in memories for item in items_of(read_fields(memory.content).get(name))]
        united = {str(item): item for item in [*reversed(others), *reversed(mine)]}  # the keeper's own spelling wins
        kept = [united[key] for key in dict.fromkeys(str(item) for item in [*mine, *others]) if key not in gone]
        if kept != mine:
            fields[name] = kept
    return set_fields(text, fields)
