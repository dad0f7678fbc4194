"""Write an index as one short pointer a line, within a budget; the same memories always give the same text."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple

from shared.core.memory.model import DOMAIN_INDEX, ROOT_DOMAIN, MemoryHead, domain_of, is_ordinary_domain
from shared.core.memory.pointer import WORD_END, link_of, name_by_file, plain, pointer_to, short_title, without_labels
from shared.core.memory.writers import Rank
from shared.core.policy.policy import IndexPolicy
from shared.core.trust.orders import without_orders

#: A list of more pointers costs an agent more than it gives: it searches instead.
_MOST_LISTED = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Lines and UTF-8 bytes that an index may still grow by."""

    lines: int
    bytes: int

    def take(self, text: str, lines: int = 1) -> "Budget | None":
        """Return what is left after one more line (or several in one text), or None when it does not fit."""
        left = Budget(lines=self.lines - lines, bytes=self.bytes - len(text.encode()) - 1)
        return left if left.lines >= 0 and left.bytes >= 0 else None


def rank(head: MemoryHead) -> tuple[float, str]:
    """Return the sorting key of a memory: the most important first, then by path."""
    return (-head.signals.importance, head.path)


class Shown(NamedTuple):
    """A memory in the words that an index may say of it. Only `show` makes one, and only it becomes a line."""

    path: str
    title: str
    summary: str


def pointer(shown: Shown, prefix: str, policy: IndexPolicy) -> str:
    """Return one line that leads to a memory, cut to the pointer's length."""
    return pointer_to(*shown, prefix, policy)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The lines of an index, and whether they are pointers to every memory."""

    lines: list[str]
    is_complete: bool = False


def show(heads: Iterable[MemoryHead], prefix: str) -> list[Shown]:
    """Return memories in the words of an index, of which no two under one heading have one title.

    Pages that share theirs are called by their files; what such pages say alike tells nothing of each of them.
    """
    plain = [Shown(head.path, *_words_of(head)) for head in heads]
    called = [(_folder(one.path, prefix), one.title.casefold()) for one in plain]
    titles = Counter(called)
    said = Counter((*name, one.summary) for name, one in zip(called, plain, strict=True))
    return [
        one
        if titles[name] == 1
        else Shown(one.path, name_by_file(one.path, one.title), one.summary if said[*name, one.summary] == 1 else "")
        for name, one in zip(called, plain, strict=True)
    ]


def _words_of(head: MemoryHead) -> tuple[str, str]:
    """Return a title and a summary without stamps and labels, which tell nothing, and without orders but those of owners.

    Each agent reads an index, and takes what stands there for true.
    """
    title, summary = head.title, head.summary
    if head.trust < Rank.OWNER:
        title, summary = without_orders(head.path, title, summary)
    return without_labels(head.path, title, summary)


def index_block(heads: Sequence[MemoryHead], prefix: str, budget: Budget, policy: IndexPolicy, more: str = "") -> Block:
    """Return the pointers to these memories: all of them, without details if need be; else folders, themes and the best ones.

    Args:
        heads: the memories, ordered by path.
        prefix: the folder that the index lies in, with its slash; empty for the root.
        budget: what the block may take.
        policy: how long a pointer is.
        more: the line that leads to an index with every pointer; it comes last when not all of them fit here.
    """
    everything = _everything(heads, prefix, budget, policy)
    if everything is not None:
        return Block(lines=everything, is_complete=True)
    room = budget.take(more) if more else budget
    if room is None:
        return Block(lines=[])
    inside = group_by_folder(heads, prefix)
    folders = folder_lines(inside, prefix, policy)
    lines = name_by_theme(inside, folders, prefix, room, policy) if _fits(folders.values(), room) else []
    for line in lines:
        room = room.take(line) or room
    for shown in show(nsmallest(max(0, room.lines), heads, key=rank), prefix):
        rest = room.take(line := pointer(shown, prefix, policy))
        if rest is None:
            break
        lines.append(line)
        room = rest
    return Block(lines=[*lines, more] if more else lines)


def _everything(heads: Sequence[MemoryHead], prefix: str, budget: Budget, policy: IndexPolicy) -> list[str] | None:
    """Return a pointer to each memory, with or without details, or None when they do not fit."""
    if len(heads) > budget.lines:
        return None
    shown = show(heads, prefix)
    for told in (shown, [one._replace(summary="") for one in shown]):
        lines = _all_lines(told, prefix, policy)
        if _fits(lines, budget):
            return lines
    return None


def list_everything(heads: Sequence[MemoryHead], complete: Collection[str], policy: IndexPolicy) -> list[str]:
    """Return the lines of an index that leaves no memory out of up to 2,000; of more, it names the folders.

    Args:
        heads: the memories, ordered by path.
        complete: the folders whose own index has a pointer to each memory: one line is enough for each, if there is no room.
        policy: the budget of an index, and how long a pointer is.
    """
    everything = _everything(heads, "", Budget(lines=policy.max_lines, bytes=policy.max_bytes), policy)
    if everything is not None:
        return everything
    inside = group_by_folder(heads, "")
    lines: list[str] = []
    for folder, line in folder_lines(inside, "", policy).items():
        lines.append(line)
        if folder not in complete and len(heads) <= _MOST_LISTED:
            lines += [pointer(one._replace(summary=""), "", policy) for one in show(inside[folder], "")]
    return lines


#: The names of a folder's files by what they begin with, and a way to write lines of them.
_Themes = Mapping[str, Sequence[str]]
_ListNames = Callable[[_Themes, IndexPolicy], Iterator[str]]


def name_by_theme(
    inside: Mapping[str, Sequence[MemoryHead]],
    folders: Mapping[str, str],
    prefix: str,
    budget: Budget,
    policy: IndexPolicy,
) -> list[str]:
    """Return the folders' lines, with the names of what lies where no index of its own lists it, as far as half the room goes."""
    half = Budget(lines=budget.lines // 2, bytes=budget.bytes // 2)
    bare = [folder for folder in folders if prefix or not is_ordinary_domain(folder)]
    themes = {folder: _by_theme(inside[folder]) for folder in bare}
    for list_names in (_names_of_themes, _themes):
        lines = _take_all(_with_names(folders, themes, list_names, policy), half)
        if lines is not None:
            return lines
    return list(folders.values())


def _with_names(
    folders: Mapping[str, str], themes: Mapping[str, _Themes], list_names: _ListNames, policy: IndexPolicy
) -> Iterator[str]:
    """Yield the folders' lines, each with the names of what lies there where no index of its own lists it."""
    for folder, line in folders.items():
        yield line
        if folder in themes:
            yield from list_names(themes[folder], policy)


def _take_all(lines: Iterable[str], budget: Budget) -> list[str] | None:
    """Return all lines when they fit; the first one that does not ends it, so that no others are written in vain."""
    taken: list[str] = []
    left = budget
    for line in lines:
        rest = left.take(line)
        if rest is None:
            return None
        left = rest
        taken.append(line)
    return taken


def _by_theme(heads: Sequence[MemoryHead]) -> _Themes:
    """Return the names of files by what their names begin with: `feedback`, `project`; a single one has no theme."""
    themes: dict[str, list[str]] = {}
    for head in heads:
        stem = head.path.rpartition("/")[2].removesuffix(".md")
        themes.setdefault(WORD_END.split(stem, maxsplit=1)[0][:40], []).append(stem)
    single = [names[0] for names in themes.values() if len(names) == 1]
    found = {theme: names for theme, names in themes.items() if len(names) > 1}
    return {**found, **({"": single} if single else {})}


def _names_of_themes(themes: _Themes, policy: IndexPolicy) -> Iterator[str]:
    """Yield every name, in as many lines for a theme as they take."""
    for theme, names in themes.items():
        start = line = f"- {plain(theme) or 'other'}:"
        for name in names:
            more = f"{line}{'' if line == start else ','} {plain(name)}"
            if len(more) > policy.pointer_chars and line != start:
                yield line
                more = f"{start} {plain(name)}"
            line = more[: policy.pointer_chars]
        yield line


def _themes(themes: _Themes, policy: IndexPolicy) -> Iterator[str]:
    """Yield one line for each theme: how its files' names begin, and the first of them."""
    for theme, names in themes.items():
        start = f"- {plain(theme) + '*' if theme else 'other'} — {len(names)} memories: "
        line, more = start, ""
        for name in names:
            line, more = f"{line}{more}{plain(name)}", ", "
            if len(line) > policy.pointer_chars:
                break
        yield line[: policy.pointer_chars].rstrip(", ")


def group_by_folder(heads: Iterable[MemoryHead], prefix: str) -> dict[str, list[MemoryHead]]:
    """Return the memories of each folder below the prefix."""
    inside: dict[str, list[MemoryHead]] = {}
    for head in heads:
        inside.setdefault(_folder(head.path, prefix), []).append(head)
    return inside


def folder_lines(inside: Mapping[str, Sequence[MemoryHead]], prefix: str, policy: IndexPolicy) -> dict[str, str]:
    """Return one line for each folder, by folder."""
    return {folder: _folder_line(folder, inside[folder], prefix, policy) for folder in sorted(inside)}


def _all_lines(shown: Iterable[Shown], prefix: str, policy: IndexPolicy) -> list[str]:
    folders: defaultdict[str, list[str]] = defaultdict(list)
    for one in shown:
        folders[_folder(one.path, prefix)].append(pointer(one, prefix, policy))
    lines: list[str] = []
    for folder in sorted(folders):
        if folder != ROOT_DOMAIN:
            lines.append(f"## {plain(folder)}")
        lines.extend(folders[folder])
    return lines


def _folder(path: str, prefix: str) -> str:
    return domain_of(path.removeprefix(prefix))


def _folder_line(folder: str, inside: Sequence[MemoryHead], prefix: str, policy: IndexPolicy) -> str:
    """Return a line for a folder; it is a link only where the folder has an index of its own."""
    has_index = not prefix and is_ordinary_domain(folder)
    name = f"{plain(folder)}/" if folder else "(top level)"
    shown = f"[{name}]({link_of(folder)}/{DOMAIN_INDEX})" if has_index else name
    start = f"- {shown} — {len(inside)} memories"
    best = ", ".join(short_title(one.title, 40) for one in show(nsmallest(3, inside, key=rank), prefix))
    room = policy.pointer_chars - len(start) - 2
    return f"{start}: {best[:room]}" if room > 0 else start


def _fits(lines: Iterable[str], budget: Budget) -> bool:
    left: Budget | None = budget
    for line in lines:
        left = left.take(line) if left else None
    return left is not None
