"""Bad rules and harmless edits for a store, as a dream without a model could have them: each takes a store and returns it changed."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations

from shared.core.evaluation.readers import Snapshot
from shared.core.memory.frontmatter import body_of, set_fields
from shared.core.memory.headline import title_of
from shared.core.memory.model import ROOT_INDEX
from shared.core.merging.specifics import find_specifics
from shared.core.reading.placed import read_placed
from shared.core.text.words import cut

_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b")  # fmt: skip
_NUMBER = re.compile(r"\d+")
_DENIAL = re.compile(r"\b(?:not|never|no) ")
_ITEM = re.compile(r"\s*[-*] ")
_STUB_CHARS = 320
_CUT = 200
_SHOWN = 60
_ALIKE = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """The live texts of a store, and the archived ones, by path; its index is made anew for each reader."""

    live: Mapping[str, str]
    archived: Mapping[str, str] = field(default_factory=dict)

    @property
    def snapshot(self) -> Snapshot:
        """Return what readers see."""
        lines = [f"- [{title_of(path, text)}]({path}): {_opening(text)}" for path, text in sorted(self.live.items())]
        index = {ROOT_INDEX: "\n".join(("# Index\n", *lines, ""))}
        stubs = {path: text[:_STUB_CHARS] for path, text in self.archived.items()}
        return Snapshot(live={**self.live, **index}, stubs=stubs)


Rule = Callable[[Store], Store]


def _opening(text: str) -> str:
    """Return a line of a text, the same one in whatever order they stand."""
    lines = (_ITEM.sub("", line).strip() for line in body_of(text).splitlines() if not line.startswith("#"))
    return min((line for line in lines if line), default="")[:_SHOWN]


def _each(store: Store, change: Callable[[str], str]) -> Store:
    return replace(store, live={path: change(text) for path, text in store.live.items()})


def _archive(store: Store, paths: Iterator[str]) -> Store:
    gone = {path: store.live[path] for path in paths}
    live = {path: text for path, text in store.live.items() if path not in gone}
    return Store(live=live, archived={**store.archived, **gone})


def drop_the_fact(store: Store) -> Store:
    """Leave out the first statement of each text that has a number, a name or code in it."""

    def drop(text: str) -> str:
        first = next((one.text for one in read_placed(text) if find_specifics(one.text)), "")
        return text.replace(first, "", 1)

    return _each(store, drop)


def archive_what_is_short(store: Store) -> Store:
    """Archive the shorter half."""
    middle = sorted(map(len, store.live.values()))[len(store.live) // 2]
    return _archive(store, (path for path, text in store.live.items() if len(text) <= middle))


def archive_everything(store: Store) -> Store:
    """Archive all there is."""
    return _archive(store, iter(store.live))


def concatenate_everything(store: Store) -> Store:
    """Put all texts into one file."""
    return Store(live={"all.md": "\n\n".join(store.live.values())})


def merge_siblings(store: Store) -> Store:
    """Keep one of two texts whose words are nearly the same, as if they were about the same thing."""
    words = {path: frozenset(cut(text)) for path, text in store.live.items()}
    gone: set[str] = set()
    for first, second in combinations(sorted(store.live), 2):
        union = words[first] | words[second]
        if first not in gone and len(words[first] & words[second]) >= _ALIKE * len(union):
            gone.add(second)
    return replace(store, live={path: text for path, text in store.live.items() if path not in gone})


def reverse_the_dates(store: Store) -> Store:
    """Put the dates of each text in the opposite order."""

    def turn(text: str) -> str:
        dates = _DATE.findall(text)
        return _DATE.sub(lambda _: dates.pop(), text)

    return _each(store, turn)


def drop_every_second_item(store: Store) -> Store:
    """Leave out every second item of each list."""

    def thin(text: str) -> str:
        kept, count = [], 0
        for line in text.splitlines(keepends=True):
            count += bool(_ITEM.match(line))
            if not _ITEM.match(line) or count % 2:
                kept.append(line)
        return "".join(kept)

    return _each(store, thin)


def cut_texts(store: Store) -> Store:
    """Cut texts at 200 characters."""
    return _each(store, lambda text: text[:_CUT])


def take_the_neighbours_numbers(store: Store) -> Store:
    """Give each number of a text the place of the next one."""

    def shift(text: str) -> str:
        numbers = _NUMBER.findall(text)
        turned = iter([*numbers[1:], *numbers[:1]])
        return _NUMBER.sub(lambda _: next(turned), text)

    return _each(store, shift)


def delete_titles(store: Store) -> Store:
    """Leave out titles and headings."""
    return _each(store, lambda text: "".join(line for line in text.splitlines(keepends=True) if line[:1] != "#"))


def keep_the_first_sentence(store: Store) -> Store:
    """Leave of each text its title and its first statement."""

    def shorten(text: str) -> str:
        heads = [line for line in text.splitlines() if line.startswith("# ")]
        return "\n\n".join((*heads, *(one.text for one in read_placed(text)[:1])))

    return _each(store, shorten)


def supersede_the_first_half(store: Store) -> Store:
    """Call the first half of each text superseded."""

    def supersede(text: str) -> str:
        lines = text.splitlines()
        heads = [line for line in lines if line.startswith("# ")]
        rest = [line for line in lines if not line.startswith("# ")]
        middle = (len(rest) + 1) // 2
        return "\n".join((*heads, "", *rest[middle:], "", "## Superseded", "", *rest[:middle], ""))

    return _each(store, supersede)


def delete_the_oldest(store: Store) -> Store:
    """Delete every tenth text."""
    return replace(
        store, live={path: text for place, (path, text) in enumerate(sorted(store.live.items())) if place % 10}
    )


def give_all_one_title(store: Store) -> Store:
    """Give every text of the store the title of the first one."""
    title = next((title_of(path, text) for path, text in sorted(store.live.items())), "")
    return _each(store, lambda text: re.sub(r"\A# .*", f"# {title}", text))


def drop_denials(store: Store) -> Store:
    """Leave out every word that denies."""
    return _each(store, lambda text: _DENIAL.sub("", text))


#: Rules that lose knowledge, or bury it.
BAD: Mapping[str, Rule] = {
    rule.__name__.replace("_", " "): rule
    for rule in (
        drop_the_fact,
        archive_what_is_short,
        archive_everything,
        concatenate_everything,
        merge_siblings,
        reverse_the_dates,
        drop_every_second_item,
        cut_texts,
        take_the_neighbours_numbers,
        delete_titles,
        keep_the_first_sentence,
        supersede_the_first_half,
        delete_the_oldest,
        give_all_one_title,
        drop_denials,
    )
}


def change_nothing(store: Store) -> Store:
    """Return the store as it is."""
    return store


def list_in_another_order(store: Store) -> Store:
    """Hand the files over in the opposite order."""
    return replace(store, live=dict(reversed(list(store.live.items()))))


def add_links(store: Store) -> Store:
    """Name in each text the next one."""
    paths = sorted(store.live)
    following = dict(zip(paths, [*paths[1:], *paths[:1]], strict=True))
    live = {path: set_fields(text, {"related": [following[path]]}) for path, text in store.live.items()}
    return replace(store, live=live)


def rename_paths(store: Store) -> Store:
    """Put all files into a folder."""
    return replace(store, live={f"archive-of-notes/{path}": text for path, text in store.live.items()})


def turn_lists_round(store: Store) -> Store:
    """Write the items of each list in the opposite order."""

    def turn(text: str) -> str:
        items = [line for line in text.splitlines() if _ITEM.match(line)]
        return "\n".join(items.pop() if _ITEM.match(line) else line for line in text.splitlines())

    return _each(store, turn)


def use_other_marks(store: Store) -> Store:
    """Write lists with stars, and end each line with a blank."""
    return _each(store, lambda text: "".join(f"{_ITEM.sub('* ', line)} \n" for line in text.splitlines()))


def add_a_field(store: Store) -> Store:
    """Add frontmatter that says nothing."""
    return _each(store, lambda text: f"---\nreviewed: true\n---\n{text}")


#: Edits that lose nothing.
HARMLESS: Mapping[str, Rule] = {
    rule.__name__.replace("_", " "): rule
    for rule in (
        change_nothing,
        list_in_another_order,
        add_links,
        rename_paths,
        turn_lists_round,
        use_other_marks,
        add_a_field,
    )
}
