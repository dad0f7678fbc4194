"""Changes of dreams come into a synced folder once they wait for no review, and two machines lose nothing over 200 steps."""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from shared.adapters.llm.scripted import ScriptedLlm
from shared.all_ports import Ports
from shared.core.dream.model import ReviewState
from shared.core.dream.operations import OperationKind
from shared.core.errors import ConflictError
from shared.core.memory.model import Author
from shared.core.sync.decide import Step
from shared.services.memories.edit import Expected, MemoryEdit, archive_memory, edit_memory
from shared.services.memories.read import get_memory
from shared.services.operations.review import approve_operation
from tests.integration.sync.sync_support import files_of, kept_in, live, merge_first_two, sync
from tests.integration.undo.undo_support import (
    COOKIES,
    DATED,
    DATED_SINCE,
    a_rich_store,
    dream_of_everything,
    find_operation,
)
from tests.support.builders import a_store, get_operations, run_dream, write

_STEPS = 200
_PATHS = ("web/cookies.md", "web/login.md", "api/tokens.md", "api/keys.md")
#: What a dream of the rich store does that needs no review: an explicit wish is kept, and a long page is split.
_UNFLAGGED = ("notes/remember-that-the-garden-gate-opens-at-seven.md", "web/pages-more.md", "web/pages.md")
_SHARED = "The login page signs its cookies and sends them over secure connections."


def test_a_dreams_change_comes_into_the_folder_once_it_is_approved(ports: Ports, tenant: str, tmp_path: Path) -> None:
    a_rich_store(ports, tenant)
    sync(ports, tenant, tmp_path)
    dream = dream_of_everything(ports, tenant)
    assert sync(ports, tenant, tmp_path).done == dict.fromkeys(_UNFLAGGED, Step.TO_FOLDER)
    before = files_of(tmp_path)
    merged = find_operation(ports, tenant, dream, OperationKind.MERGE)
    approve_operation(ports.db, ports.ids, tenant, merged, actor="ann")
    told = sync(ports, tenant, tmp_path)
    assert told.done["web/cookies.md"] is Step.TO_FOLDER
    assert told.waiting == {"web/cookies-twin.md": Step.DELETE_IN_FOLDER}
    after = files_of(tmp_path)
    assert after["web/cookies.md"] == live(ports, tenant)["web/cookies.md"] != COOKIES
    assert {path for path in before if before[path] != after[path]} == {"web/cookies.md"}


def test_an_index_comes_into_the_folder_when_nothing_waits_any_more(ports: Ports, tenant: str, tmp_path: Path) -> None:
    a_rich_store(ports, tenant)
    sync(ports, tenant, tmp_path)
    dream = dream_of_everything(ports, tenant)
    waiting = [one.id for one in get_operations(ports, tenant, dream.id) if one.review is ReviewState.PENDING]
    for count, operation in enumerate(waiting, start=1):
        approve_operation(ports.db, ports.ids, tenant, operation, actor="ann")
        sync(ports, tenant, tmp_path, deletes=True)
        assert ("web/_index.md" in files_of(tmp_path)) == (count == len(waiting))
    assert files_of(tmp_path) == live(ports, tenant)


def test_all_changes_of_dreams_come_at_once_where_that_is_wanted(ports: Ports, tenant: str, tmp_path: Path) -> None:
    a_rich_store(ports, tenant)
    sync(ports, tenant, tmp_path)
    dream_of_everything(ports, tenant)
    sync(ports, tenant, tmp_path, reviewed=False, deletes=True)
    assert files_of(tmp_path) == live(ports, tenant)
    assert sync(ports, tenant, tmp_path, deletes=True).done == {}  # as last time


def test_what_a_folder_adds_while_a_change_waits_for_its_review_goes_on_top_of_it(
    ports: Ports, tenant: str, tmp_path: Path
) -> None:
    a_rich_store(ports, tenant)
    sync(ports, tenant, tmp_path)
    dream_of_everything(ports, tenant)
    note, added = tmp_path / "api/rollout.md", "\nA line of the folder.\n"
    note.write_text(DATED + added)
    assert sync(ports, tenant, tmp_path).done["api/rollout.md"] is Step.TO_STORE
    assert live(ports, tenant)["api/rollout.md"] == DATED_SINCE + added
    assert note.read_text() == DATED + added
    assert sync(ports, tenant, tmp_path).done == {}


def test_what_a_folder_changes_where_a_change_waits_for_its_review_is_held(
    ports: Ports, tenant: str, tmp_path: Path
) -> None:
    a_rich_store(ports, tenant)
    sync(ports, tenant, tmp_path)
    dream_of_everything(ports, tenant)
    note, mine = tmp_path / "api/rollout.md", DATED.replace("every customer", "no customer")
    note.write_text(mine)
    assert sync(ports, tenant, tmp_path).held == ["api/rollout.md"]
    assert (note.read_text(), live(ports, tenant)["api/rollout.md"]) == (mine, DATED_SINCE)


@dataclass
class TwoMachines:
    """Two folders and a store, whose owners write marks, and the marks that they deleted themselves."""

    ports: Ports
    tenant: str
    roots: tuple[Path, Path]
    chance: Random
    written: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    log: list[str] = field(default_factory=list)
    approved: int = 0
    seen: set[Step] = field(default_factory=set)

    def step(self, number: int) -> None:
        kind = self.chance.choice(
            ("edit",) * 6 + ("delete", "agent", "agent", "archive", "dream", "approve") + ("sync",) * 5
        )
        path, mark = self.chance.choice(_PATHS), f"mark{number:03}x{self.chance.randrange(1 << 40):010x}"
        self.log.append(f"{number} {kind} {path} {mark}")
        match kind:
            case "edit":
                file = self.chance.choice(self.roots) / path
                file.parent.mkdir(exist_ok=True, parents=True)
                file.write_text(self.change(file.read_text() if file.exists() else "", mark))
            case "delete":
                file = self.chance.choice(self.roots) / path
                if file.exists():
                    self.deleted |= _marks(file.read_text())
                    file.unlink()
            case "agent" | "archive":
                self.act(kind, path, mark)
            case "dream":
                run_dream(self.ports, self.tenant, ScriptedLlm(merge_first_two))
            case "approve":
                self.approve()
            case _:
                self.sync(self.chance.choice(self.roots), deletes=self.chance.random() < 0.5)

    def change(self, text: str, mark: str) -> str:
        """Add a line with a mark anywhere, or put it in the place of another line."""
        lines = text.splitlines() or ["# Cookies", "", _SHARED]
        place = self.chance.randint(min(3, len(lines)), len(lines))
        if place < len(lines) and self.chance.random() < 0.3:
            self.deleted |= _marks(lines.pop(place))
        lines.insert(place, f"The shelf of {mark} is full.")
        self.written.add(mark)
        return "\n".join(lines) + "\n"

    def act(self, kind: str, path: str, mark: str) -> None:
        held = live(self.ports, self.tenant).get(path)
        if held is None:
            return
        memory = get_memory(self.ports.db, self.tenant, "default", path)
        if kind == "archive":
            self.deleted |= _marks(held)
            archive_memory(self.ports.db, self.tenant, "default", memory.id, expected=Expected(), actor="an agent")
        else:
            edit = MemoryEdit(content=self.change(held, mark))
            edit_memory(
                self.ports.db, self.tenant, "default", memory.id, edit, expected=Expected(), author=Author.AGENT
            )

    def approve(self) -> None:
        with self.ports.db.transaction(self.tenant) as uow:
            dreams = uow.dreams.find_recent(limit=20)
        open_ones = [
            one
            for dream in dreams
            for one in get_operations(self.ports, self.tenant, dream.id)
            if one.review is not ReviewState.APPROVED
        ]
        if open_ones:
            try:
                approve_operation(
                    self.ports.db, self.ports.ids, self.tenant, self.chance.choice(open_ones).id, actor="ann"
                )
                self.approved += 1
            except ConflictError:
                self.log.append("  refused")

    def sync(self, root: Path, *, deletes: bool, reviewed: bool | None = None) -> None:
        report = sync(self.ports, self.tenant, root, deletes=deletes, reviewed=reviewed)
        self.seen.update(report.done.values())
        self.log.append(
            f"  {root.name} {report.done} held {report.held} refused {[one.path for one in report.refused]}"
        )

    def standing(self) -> set[str]:
        kept = [text for root in self.roots for text in kept_in(root)]
        return {mark for text in (*live(self.ports, self.tenant).values(), *kept) for mark in _marks(text)}


def _marks(text: str) -> set[str]:
    return {word for word in text.replace(".", " ").split() if word.startswith("mark")}


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_two_machines_come_to_the_same_texts_over_200_steps_and_nothing_is_lost(
    ports: Ports, tenant: str, tmp_path: Path, seed: int
) -> None:
    a_store(ports, tenant, profile="swarmclaw", overrides={"gates.enabled": True, "phases.consolidate": True})
    roots = (tmp_path / "one", tmp_path / "two")
    both = TwoMachines(ports, tenant, roots, Random(seed))
    for root in roots:
        root.mkdir()
    write(ports, tenant, {_PATHS[0]: f"# Cookies\n\n{_SHARED}\n"})
    for number in range(_STEPS):
        both.step(number)
    for root in (*roots, *roots):
        both.sync(root, deletes=True, reviewed=False)
    assert both.approved, both.log
    assert both.seen >= {*Step} - {Step.HELD, Step.SAME}, both.log
    assert files_of(roots[0]) == files_of(roots[1]) == live(ports, tenant), both.log
    assert both.written - both.deleted - both.standing() == set(), both.log
