"""Check a split: every original line is in the hub or in one part, exactly once, and the parts contain nothing else.

Headings may move up, links may lead to another file, and the hub has a list of its parts. The check runs before
anything is written, however the split was planned.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping

from shared.core.memory.frontmatter import split_frontmatter
from shared.core.splitting.plain_lines import is_definition, read_plain
from shared.core.text.clip import clip

#: A line of the hub's list: a link to a part, and the headings in it.
_LISTED = re.compile(r"- \[[^\[\]]{1,100}\]\(([^()\s]+)\)(?:: .{1,2000})?$")
_LIST_HEADING = "Parts"


def find_lost_by_split(before: str, hub: str, parts: Mapping[str, str]) -> str | None:
    """Describe the text that a split would lose or add, as the end of a sentence; None if there is none.

    Args:
        before: the whole text of the memory.
        hub: the text that stays at its path.
        parts: the texts of the new memories, by path.
    """
    old, new = split_frontmatter(before), split_frontmatter(hub)
    if old.raw != new.raw:
        return "it would change the frontmatter of the hub"
    said = _count(old.body)
    kept, moved = _count(new.body), _count("\n".join(split_frontmatter(text).body for text in parts.values()))
    lost = said - (kept + moved)
    if lost:
        return f'it would no longer say "{_show(lost)}"'
    names = {path.rpartition("/")[2] for path in parts}
    added = Counter({line: n for line, n in ((kept + moved) - said).items() if not _may_add(line, names, said)})
    return f'it would add "{_show(added)}"' if added else None


def find_changed_text(before: str, after: str) -> str | None:
    """Return the first changed line of another memory in which more than the target of a link changed, or None."""
    lines = zip(before.split("\n"), after.split("\n"), strict=False)
    changed = [new for old, new in lines if old != new and read_plain(old) != read_plain(new)]
    if before.count("\n") != after.count("\n"):
        return "it would add or drop lines of a memory that links to it"
    return f'it would write "{clip(changed[0])}"' if changed else None


def _count(body: str) -> Counter[str]:
    return Counter(plain for line in body.split("\n") if (plain := read_plain(line)))


def _may_add(line: str, names: Container[str], said: Container[str]) -> bool:
    """Tell whether a line is a definition that another part also needs, or belongs to the list of parts."""
    listed = _LISTED.match(line)
    if listed is not None:
        return listed[1].replace("%20", " ").replace("%28", "(").replace("%29", ")") in names
    return line == _LIST_HEADING or (line in said and is_definition(line))


def _show(lines: Iterable[str]) -> str:
    return clip(next(iter(lines)))
