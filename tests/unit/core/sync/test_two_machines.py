"""A law: two machines that sync one store come to the same texts, and no line is lost that no side deleted."""

from dataclasses import dataclass, field
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from shared.core.sync.decide import Step, Stored, Synced, decide
from shared.core.text.duplicates import content_hash
from tests.support.laws import examples

PATHS = ("a.md", "b.md", "c.md")


@dataclass
class Side:
    """The texts of a folder or of the store, by path, and how their owners change them."""

    texts: dict[str, str] = field(default_factory=dict)

    def add(self, path: str, line: str, chance: Random) -> None:
        lines = self.texts.get(path, "# Title\n").splitlines()
        lines.insert(chance.randint(0, len(lines)), line)
        self.texts[path] = "\n".join(lines) + "\n"

    def drop_line(self, path: str, chance: Random) -> set[str]:
        lines = self.texts.get(path, "").splitlines()
        if not lines:
            return set()
        gone = lines.pop(chance.randrange(len(lines)))
        self.texts[path] = "\n".join(lines) + "\n"
        return {gone}

    def replace_line(self, path: str, line: str, chance: Random) -> set[str]:
        lines = self.texts.get(path, "# Title\n").splitlines() or [""]
        place = chance.randrange(len(lines))
        gone, lines[place] = lines[place], line
        self.texts[path] = "\n".join(lines) + "\n"
        return {gone}

    def delete(self, path: str) -> set[str]:
        return set(self.texts.pop(path, "").splitlines())

    def fold(self, path: str, into: str) -> None:
        """Merge one memory into another, as a dream does."""
        if path != into and path in self.texts:
            self.texts[into] = self.texts.get(into, "") + self.texts.pop(path)


@dataclass
class Machine(Side):
    """A folder with its record of the last sync and the files that keep a side of a conflict."""

    rows: dict[str, tuple[Synced, str]] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)

    def sync(self, store: Side, *, deletes: bool) -> set[Step]:
        done = set()
        for path in sorted({*self.texts, *store.texts, *self.rows}):
            held = store.texts.get(path)
            last, base = self.rows.get(path, (None, None))
            one = decide(last, self.texts.get(path), Stored(held, held), lambda base=base: base)  # type: ignore[misc]
            if one.step in {Step.DELETE_IN_STORE, Step.DELETE_IN_FOLDER} and not deletes:
                continue
            done.add(one.step)
            if one.aside is not None:
                self.kept.append(one.aside)
            _put(self.texts, path, one.folder)
            _put(store.texts, path, one.live)
            if one.folder is None or one.shown is None:
                self.rows.pop(path, None)
            else:
                self.rows[path] = (Synced(content_hash(one.folder), content_hash(one.shown)), one.shown)
        return done


def _put(texts: dict[str, str], path: str, text: str | None) -> None:
    if text is None:
        texts.pop(path, None)
    else:
        texts[path] = text


@given(
    seed=st.integers(0, 2**32),
    steps=st.lists(st.sampled_from(["add", "add", "drop", "replace", "delete", "fold", "sync", "sync"]), max_size=60),
)
@examples(600)
def test_two_machines_come_to_the_same_texts_and_no_line_is_lost(seed: int, steps: list[str]) -> None:
    chance, store, machines = Random(seed), Side(), (Machine(), Machine())
    written, deleted = set[str](), set[str]()
    for number, step in enumerate(steps):
        side, path, line = chance.choice([store, *machines]), chance.choice(PATHS), f"line {number}"
        match step:
            case "add":
                side.add(path, line, chance)
                written.add(line)
            case "replace":
                deleted |= side.replace_line(path, line, chance)
                written.add(line)
            case "drop":
                deleted |= side.drop_line(path, chance)
            case "delete":
                deleted |= side.delete(path)
            case "fold":
                store.fold(path, chance.choice(PATHS))
            case _:
                chance.choice(machines).sync(store, deletes=chance.random() < 0.5)
    for machine in machines * 2:
        machine.sync(store, deletes=True)
    assert [machine.sync(store, deletes=True) - {Step.SAME} for machine in machines] == [set(), set()]
    assert machines[0].texts == machines[1].texts == store.texts
    kept = [text for machine in machines for text in machine.kept]
    standing = {line for text in (*store.texts.values(), *kept) for line in text.splitlines()}
    assert written - deleted - standing == set()
