"""A memory with a last day: agents no longer find it afterwards, a dream archives it, and all of that can be taken back."""

from datetime import UTC, datetime, timedelta

import pytest

from shared.all_ports import Ports
from shared.core.dream.operations import OperationKind
from shared.core.memory.expiry import read_expiry
from shared.core.memory.model import Author, MemoryState
from shared.services.memories.edit import Expected, MemoryEdit, edit_memory
from shared.services.memories.read import get_memory, search_memories
from shared.services.memories.search import search_together
from shared.services.operations.undo import undo_dream
from shared.services.tenants.configure import TenantChanges, configure_tenant
from tests.support.builders import a_store, get_operations, run_dream, write

OVER, AHEAD = "2026-03-01", "2999-01-01"


def a_note(expires: str, says: str = "The marmalade shelf is being painted.") -> str:
    return f"---\nexpires: {expires}\n---\n# Marmalade\n\n{says}\n"


def find(ports: Ports, tenant: str, words: str = "marmalade") -> list[str]:
    hits = search_memories(ports.db, ports.search, tenant, "default", words, 10, ports.meaning)
    places = search_together(ports.db, ports.search, tenant, "default", words, 10, ports.meaning)
    paths = [hit.path for hit in hits if not hit.is_generated]
    assert sorted(paths) == sorted(memory.path for place in places for memory in place.memories)
    return paths


def say_never(ports: Ports, tenant: str, path: str) -> None:
    memory = get_memory(ports.db, tenant, "default", path)
    edit_memory(
        ports.db, tenant, "default", memory.id, MemoryEdit(expires="never"), expected=Expected(), author=Author.USER
    )


def test_a_search_finds_what_holds_and_not_what_has_expired(ports: Ports, tenant: str) -> None:
    write(
        ports, tenant, {"a/over.md": a_note(OVER), "a/ahead.md": a_note(AHEAD), "a/lasting.md": "# Marmalade\n\nYes.\n"}
    )
    assert sorted(find(ports, tenant)) == ["a/ahead.md", "a/lasting.md"]


def test_what_no_longer_expires_is_found_again(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a/over.md": a_note(OVER)})
    assert find(ports, tenant) == []
    say_never(ports, tenant, "a/over.md")
    assert find(ports, tenant) == ["a/over.md"]


@pytest.mark.parametrize(("zone", "is_over"), [("Pacific/Kiritimati", True), ("Pacific/Pago_Pago", False)])
def test_the_last_day_ends_with_the_day_of_the_tenant(zone: str, is_over: bool, ports: Ports, tenant: str) -> None:
    # Of these zones, 25 hours apart, the one is always on a later day than the other.
    write(ports, tenant, {"a/today.md": a_note((datetime.now(UTC) - timedelta(hours=11)).date().isoformat())})
    configure_tenant(ports.db, tenant, changes=TenantChanges(time_zone=zone), actor="ada")
    assert find(ports, tenant) == ([] if is_over else ["a/today.md"])


def test_a_dream_archives_what_has_expired_says_why_and_leaves_it_out_of_the_index(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a/over.md": a_note(OVER), "a/ahead.md": a_note(AHEAD, "The pantry door is open.")})
    dream = run_dream(ports, tenant)
    (done,) = [one.operation for one in get_operations(ports, tenant, dream.id) if one.operation.kind == "EXPIRE"]
    assert done.reason == f"Archive 1: expired on {OVER}"
    gone = get_memory(ports.db, tenant, "default", "a/over.md", with_retired=True)
    assert (gone.state, gone.content) == (MemoryState.ARCHIVED, a_note(OVER))
    index = get_memory(ports.db, tenant, "default", "MEMORY.md").content
    assert "ahead.md" in index
    assert "over.md" not in index
    assert find(ports, tenant) == ["a/ahead.md"]


def test_an_index_leaves_out_what_has_expired_where_nothing_archives_it(ports: Ports, tenant: str) -> None:
    a_store(ports, tenant, overrides={"phases.maintain": False})
    write(ports, tenant, {"a/over.md": a_note(OVER), "a/ahead.md": a_note(AHEAD, "The pantry door is open.")})
    run_dream(ports, tenant)
    assert get_memory(ports.db, tenant, "default", "a/over.md").state is MemoryState.LIVE
    assert "over.md" not in get_memory(ports.db, tenant, "default", "MEMORY.md").content


def test_an_undo_brings_it_back_and_no_dream_archives_it_again_until_it_is_written(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a/over.md": a_note(OVER)})
    dream = run_dream(ports, tenant)
    undo_dream(ports.db, tenant, dream.id, actor="ada")
    assert read_expiry(get_memory(ports.db, tenant, "default", "a/over.md").content)
    assert kinds(ports, tenant, run_dream(ports, tenant).id) == []
    write(ports, tenant, {"a/over.md": a_note(OVER, "It was painted twice.")})
    assert kinds(ports, tenant, run_dream(ports, tenant).id) == [OperationKind.EXPIRE]


def test_what_a_person_wrote_is_archived_as_it_says_and_a_pinned_one_stays(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"a/theirs.md": a_note(OVER), "a/pinned.md": a_note(OVER, "Pinned.")}, author=Author.USER)
    pinned = get_memory(ports.db, tenant, "default", "a/pinned.md")
    edit_memory(
        ports.db, tenant, "default", pinned.id, MemoryEdit(pinned=True), expected=Expected(), author=Author.USER
    )
    run_dream(ports, tenant)
    gone = get_memory(ports.db, tenant, "default", "a/theirs.md", with_retired=True)
    kept = get_memory(ports.db, tenant, "default", "a/pinned.md")
    assert (gone.state, kept.state) == (MemoryState.ARCHIVED, MemoryState.LIVE)


def kinds(ports: Ports, tenant: str, dream_id: str) -> list[OperationKind]:
    found = [one.operation for one in get_operations(ports, tenant, dream_id)]
    return [one.kind for one in found if one.phase == "maintain"]


@pytest.mark.parametrize(
    ("field", "day"),
    [
        ("expires: 2026-10-12", "2026-10-12"),
        ('expires: "2026-10-12"', "2026-10-12"),
        ("expires: 2026-10-12T08:00:00+02:00", "2026-10-12"),
        ("expires: never", None),
        ("expires: next spring", None),
        ("expires: 12", None),
        ("expires: [2026-10-12]", None),
    ],
)
def test_a_last_day_is_a_day_and_everything_else_ends_nothing(field: str, day: str | None) -> None:
    found = read_expiry(f"---\n{field}\n---\nThe shelf is wet.\n")
    assert (found.isoformat() if found else None) == day


def test_a_text_about_what_expires_does_not_expire() -> None:
    assert read_expiry("# Tokens\n\nexpires: 2026-10-12\n") is None
