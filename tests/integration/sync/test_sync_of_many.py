"""A folder of ten thousand notes, with names that file systems confuse and with links: what is carried, told and left alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from shared.adapters.files.sync_state import STATE_FILE
from shared.all_ports import Ports
from shared.core.sync.decide import Step
from tests.integration.sync.sync_support import files_of, lay, live, sync
from tests.support.builders import write

MANY = 10_000
#: In the composed form, which a store takes: Greek, Cyrillic, Han, Hangul, Arabic, a flag, an accent.
STEMS = ("λόγος", "заметка", "記憶", "기억", "ذاكرة", "🇪🇺", "café")
#: For a sync that changes nothing, or a few notes; a statement for each note would be 10,000.
FEW = 100


def a_note(number: int) -> str:
    return f"# Pump {number}\n\nIt stands in hall {number}.\n"


def many_notes() -> dict[str, str]:
    """Return the notes in a hundred folders; each tenth has a name in another script."""
    stems = (STEMS[number // 10 % len(STEMS)] if number % 10 == 0 else "note" for number in range(MANY))
    return {f"topic {number % 100:02}/{stem}-{number}.md": a_note(number) for number, stem in enumerate(stems)}


@contextmanager
def statements() -> Iterator[list[str]]:
    """Collect the statements that this process sends to the database."""
    sent: list[str] = []

    def take(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", take)
    try:
        yield sent
    finally:
        event.remove(Engine, "before_cursor_execute", take)


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_ten_thousand_notes_are_carried_both_ways_and_what_a_file_system_would_confuse_is_told(
    ports: Ports, tenant: str, tmp_path: Path
) -> None:
    notes = many_notes()
    here, there = tmp_path / "here", tmp_path / "there"
    lay(here, notes)
    lay(tmp_path, {"aside/inside.md": "# Inside\n"})
    (here / "linked.md").symlink_to(tmp_path / "aside" / "inside.md")
    (here / "linked").symlink_to(tmp_path / "aside")
    lay(here, {"Case.md": a_note(1), "case.md": a_note(2), "cafe\u0301.md": a_note(3)})
    told = sync(ports, tenant, here)
    carried = notes | {"Case.md": a_note(1), "case.md": a_note(2)}
    assert live(ports, tenant) == carried
    assert told.alike == [("Case.md", "case.md")]
    assert {one.path for one in told.refused} == {"linked.md", "linked", "cafe\u0301.md"}

    with statements() as sent:
        assert sync(ports, tenant, here).done == {}
    assert len(sent) < FEW

    given = sync(ports, tenant, there)  # a second machine, whose file system may confuse two of the names
    assert files_of(there) == {path: text for path, text in carried.items() if path != "case.md"}
    assert [one.path for one in given.refused] == ["case.md"]

    first, second, third, fourth = list(notes)[::2_500]
    lay(here, {first: notes[first].replace("hall", "yard"), fourth: notes[fourth].replace("hall", "yard")})
    write(ports, tenant, {second: "# Pump\n\nIt is blue.\n", fourth: notes[fourth].replace("Pump", "Tank")})
    (here / third).unlink()
    with statements() as sent:
        done = sync(ports, tenant, here, deletes=True).done
    assert done == {
        first: Step.TO_STORE, second: Step.TO_FOLDER, third: Step.DELETE_IN_STORE, fourth: Step.MERGED,
    }  # fmt: skip
    assert len(sent) < FEW

    (here / STATE_FILE).unlink()
    assert sync(ports, tenant, here, deletes=True).done == {}
    sync(ports, tenant, there, deletes=True)
    assert {path: text for path, text in live(ports, tenant).items() if path != "case.md"} == files_of(there)
