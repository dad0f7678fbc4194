"""Check what every operation changes; one that goes too far is proposed to a person, never applied.

An operation changes only what its kind allows. It brings no statement of others into a page that a person wrote, a pinned or
a core one, nor does it hide such a page. This is the last check before an operation is applied. It compares the memories
before and after, no matter which phase planned the operation and what a model answered.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from shared.core.dream.dated_text import ends_no_statement, find_undated_change, keeps_line
from shared.core.dream.effects import Effect
from shared.core.dream.operations import KINDS, Extent, OperationKind
from shared.core.memory.doc_type import GENERATED_BY
from shared.core.memory.expiry import read_expiry
from shared.core.memory.frontmatter import body_of, read_fields
from shared.core.memory.index_text import by_hand, is_marked
from shared.core.memory.links import without_bare_paths
from shared.core.memory.model import ROOT_INDEX, Author, Memory, MemoryKind, MemoryState, kind_of
from shared.core.memory.paths import find_reserved
from shared.core.memory.yaml_read import BOM
from shared.core.merging.calls import folder_of
from shared.core.merging.loss_cap import BY_PERSON, reason_guarded
from shared.core.merging.specifics import find_missing_specifics
from shared.core.reading.placed import STATED_FIELDS
from shared.core.splitting.kept_lines import find_changed_text, find_lost_by_split
from shared.core.text.clip import clip
from shared.core.text.duplicates import is_same_text
from shared.core.text.tokens import find_tokens, tidy

#: A link of an index with its target.
_LINKED = re.compile(r"\]\(([^()\s]{1,400})\)")
#: Frontmatter fields that an extent may set; any other field stays as it is.
_FIELDS: dict[Extent, frozenset[str]] = {
    Extent.ADDS: frozenset({"gathered_from", "consolidated_at"}),
    Extent.CORRECTS: frozenset({"gathered_from", "consolidated_at"}),
    Extent.DATES: frozenset({"category", "tags"}),
    Extent.LINKS: frozenset({"related", "see-also"}),
    Extent.UPDATES: frozenset({"related", *STATED_FIELDS}),
}


def find_excess(kind: OperationKind, effects: Sequence[Effect]) -> str | None:
    """Describe a change that the kind of an operation does not allow, as the end of a sentence, or None."""
    extent = KINDS[kind].extent
    if any(one.after.path == ROOT_INDEX and one.after.state is not MemoryState.LIVE for one in effects):
        return f"it would hide {ROOT_INDEX}, which agents always read"
    if extent in _TOGETHER:
        return _TOGETHER[extent](effects) or (_find_astray(effects) if kind is OperationKind.MERGE else None)
    return next((why for effect in effects if (why := _find_one(extent, effect)) is not None), None)


#: What these write stood in the page already, or in its generated part.
_OWN_TEXT = frozenset({Extent.NOTHING, Extent.CREATES, Extent.LINKS, Extent.SPLITS, Extent.INDEXES})


def find_guarded(kind: OperationKind, effects: Sequence[Effect]) -> str | None:
    """Describe what an operation would do to a page that waits for a person, as the end of a sentence, or None.

    A page is guarded if a person ever wrote it, or if it is pinned or core. Pages that a person wrote last may be merged
    with each other; dates may be added, which `find_excess` has checked; an exact duplicate may be folded into a guarded
    page that stays as it is; and a page that is not pinned may be archived once the last day is over that it names itself.
    Whatever its kind, it writes nothing to a path at which hosts load or run files.
    """
    if (reserved := next(filter(None, map(_find_reserved, effects)), None)) is not None:
        return reserved
    extent = KINDS[kind].extent
    if extent in _OWN_TEXT:
        return None
    known = [(effect.before, effect.after) for effect in effects if effect.before is not None]
    is_persons = extent is Extent.JOINS and all(before.author is Author.USER for before, _ in known)
    staying = {before.id: before for before, after in known if _stays(before, after)}
    for before, after in known:
        why = reason_guarded(before.signals)
        if why is None or _stays(before, after) or (is_persons and why == BY_PERSON):
            continue
        if after.state is MemoryState.LIVE:
            if not (extent is Extent.DATES and _adds_dates_only(before, after)):
                return f"it would change {after.path} ({why})"
        elif not (_names_its_end(kind, before) or _is_held(before, staying.get(after.superseded_by or ""))):
            return f"it would hide {after.path} ({why})"
    return None


def _find_reserved(effect: Effect) -> str | None:
    before, after = effect.before, effect.after
    if after.state is not MemoryState.LIVE or (before is not None and before.content == after.content):
        return None
    why = find_reserved(after.path, is_new=before is None)
    return None if why is None else f"it would write {after.path}, and {why}"


def _stays(before: Memory, after: Memory) -> bool:
    return after.state is MemoryState.LIVE and after.content == before.content


def _names_its_end(kind: OperationKind, before: Memory) -> bool:
    return kind is OperationKind.EXPIRE and not before.signals.pinned and read_expiry(before.content) is not None


def _is_held(before: Memory, keeper: Memory | None) -> bool:
    """Tell whether a guarded memory that stays says the same as a hidden one."""
    is_guarded = keeper is not None and reason_guarded(keeper.signals) is not None
    return keeper is not None and is_guarded and is_same_text(before.content, keeper.content)


def _adds_dates_only(before: Memory, after: Memory) -> bool:
    same_fields = read_fields(before.content) == read_fields(after.content)
    return same_fields and ends_no_statement(body_of(before.content), body_of(after.content))


def _find_one(extent: Extent, effect: Effect) -> str | None:
    before, after = effect.before, effect.after
    if extent is Extent.INDEXES:
        return _find_not_indexed(before, after)
    if before is None:
        may_create = extent in {Extent.CREATES, Extent.ADDS, Extent.CORRECTS}
        return None if may_create else f"it would write the new memory {after.path}"
    if extent in {Extent.HIDES, Extent.FORGETS}:
        return _find_said_anew(extent, before, after)
    if after.state is not MemoryState.LIVE:
        return f"it would hide {after.path}"
    if extent is Extent.REWRITES:
        return None
    if extent in {Extent.NOTHING, Extent.CREATES}:
        return None if after.content == before.content else f"it would change what {after.path} says"
    return _find_changed_fields(extent, before, after) or _BODIES[extent](before, after)


def _find_said_anew(extent: Extent, before: Memory, after: Memory) -> str | None:
    """Return why an effect does more than hide a memory or, where something is forgotten, take statements out of it."""
    if extent is Extent.FORGETS and after.state is MemoryState.LIVE:
        added = _count_words(body_of(after.content)) - _count_words(body_of(before.content))
        return f"it would add {', '.join(list(added)[:3])} to {after.path}" if added else None
    return None if after.content == before.content else f"it would change what {after.path} says"


def _find_not_indexed(before: Memory | None, after: Memory) -> str | None:
    """Return why an effect is more than that of a generated index: in an index, too, what stands there by hand stays."""
    if kind_of(after.path) is not MemoryKind.INDEX:
        return f"it would change {after.path}, which is not an index"
    if before is None or (
        read_fields(before.content).get("generated_by") == GENERATED_BY and not is_marked(before.content)
    ):
        return None
    lines = iter(by_hand(after.content).split("\n"))
    lost = next((line for line in by_hand(before.content).split("\n") if line not in lines), None)
    return None if lost is None else f'it would no longer say "{clip(lost)}", which stands in {after.path} by hand'


def _find_lost_successor(effects: Sequence[Effect]) -> str | None:
    """Return why an operation is no valid merge: every hidden memory must name the written one as its successor."""
    written = [effect.after for effect in effects if effect.after.state is MemoryState.LIVE]
    if len(written) != 1:
        return f"it would write {len(written)} memories in place of others"
    for effect in effects:
        before, after = effect.before, effect.after
        if after.id == written[0].id:
            continue
        if after.superseded_by != written[0].id:
            return f"it would hide {after.path}, and {written[0].path} does not take its place"
        if before is None or before.content != after.content:
            return f"it would change what {after.path} says"
    return None


def _find_astray(effects: Sequence[Effect]) -> str | None:
    """Return why a merged note has no place where a model put it: it belongs beside one of its sources."""
    folders = {folder_of(effect.before.path) for effect in effects if effect.before is not None}
    made = next((one.after.path for one in effects if one.before is None), None)
    if made is None or not folders or folder_of(made) in folders:
        return None
    return f"it would write {made}, in a folder that holds none of its sources"


def _find_unfaithful_split(effects: Sequence[Effect]) -> str | None:
    """Return why an operation is no valid split: the first effect is the hub's, the others are parts and links."""
    hub, others = (effects[0], effects[1:]) if effects else (None, ())
    if hub is None or hub.before is None:
        return "it would split no memory"
    hidden = next((one.after.path for one in effects if one.after.state is not MemoryState.LIVE), None)
    if hidden is not None:
        return f"it would hide {hidden}"
    parts = {one.after.path: one.after.content for one in others if one.before is None}
    linking = (find_changed_text(one.before.content, one.after.content) for one in others if one.before is not None)
    lost = find_lost_by_split(hub.before.content, hub.after.content, parts)
    return lost or next((why for why in linking if why is not None), None)


_TOGETHER: dict[Extent, Callable[[Sequence[Effect]], str | None]] = {
    Extent.JOINS: _find_lost_successor,
    Extent.SPLITS: _find_unfaithful_split,
}


def _find_changed_fields(extent: Extent, before: Memory, after: Memory) -> str | None:
    ours, theirs = read_fields(before.content), read_fields(after.content)
    changed = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    foreign = [name for name in changed if name not in _FIELDS[extent]]
    return f"it would change {', '.join(foreign[:3])} in the frontmatter of {after.path}" if foreign else None


def _find_dropped_line(before: Memory, after: Memory) -> str | None:
    """Return the first line that is no longer there; dates after relative phrases may be added to it."""
    lines = _flat_lines(body_of(after.content))
    for line in _flat_lines(body_of(before.content)):
        if not any(keeps_line(line, other) for other in lines):
            return f'it would no longer say "{clip(line)}"'
    return None


def _flat_lines(body: str) -> Iterator[str]:
    """Return an iterator over the lines, so that lines are only found in their order. A byte order mark moves before new frontmatter."""
    return iter([line.rstrip() for line in body.removeprefix(BOM).splitlines() if line.strip()])


def _find_dropped_words(before: Memory, after: Memory) -> str | None:
    """Return the first missing word: a correction keeps the replaced text in the superseded part."""
    lost = _count_words(body_of(before.content)) - _count_words(body_of(after.content))
    return f"it would lose {', '.join(list(lost)[:3])} of {after.path}" if lost else None


def _find_lost_specifics(before: Memory, after: Memory) -> str | None:
    """Return the first specific that is gone: replaced statements stay in the superseded part, and repeats stand elsewhere.

    So do replaced descriptions. Lines that only lead to another file say nothing themselves: a pointer to a file that is gone may go, and a
    line of an index may say something else of a file that it still names.
    """
    is_index = kind_of(before.path) is MemoryKind.INDEX
    told = without_bare_paths(body_of(before.content)).splitlines()
    kept = body_of(after.content)
    if is_index:
        gone = set(_LINKED.findall("\n".join(told))) - set(_LINKED.findall(kept))
        if gone:
            return f"it would lose the pointer to {min(gone)} of {after.path}"
        told = [line for line in told if not _LINKED.search(line)]
    ours, theirs = read_fields(before.content), read_fields(after.content)
    described = [str(ours[name]) for name in STATED_FIELDS if ours.get(name) != theirs.get(name) and ours.get(name)]
    lost = find_missing_specifics(kept, ["\n".join(told), *described])
    return f"it would lose {', '.join(lost[:3])} of {after.path}" if lost else None


def _count_words(body: str) -> Counter[str]:
    return Counter(token.text for line in tidy(body).splitlines() for token in find_tokens(line))


def _find_other_body(before: Memory, after: Memory) -> str | None:
    changed = body_of(before.content) != body_of(after.content)
    return f"it would change the text of {after.path}" if changed else None


def _find_beyond_dates(before: Memory, after: Memory) -> str | None:
    return find_undated_change(body_of(before.content), body_of(after.content), before)


_BODIES: dict[Extent, Callable[[Memory, Memory], str | None]] = {
    Extent.ADDS: _find_dropped_line,
    Extent.CORRECTS: _find_dropped_words,
    Extent.DATES: _find_beyond_dates,
    Extent.UPDATES: _find_lost_specifics,
    Extent.LINKS: _find_other_body,
}
