"""Importing the same folder again: what dreams and agents did meanwhile stays, what its author changed comes in."""

from dataclasses import replace

import pytest

from shared.all_ports import Ports
from shared.core.memory.model import Author, MemoryState
from shared.core.tenants.store import DEFAULT_STORE
from shared.ports.memories import MemoryWrite
from shared.services.memories.write import NewText, WriteCounts, ensure_store, write_memories
from tests.support.builders import write

_OF_SOURCE, _OF_DREAM = "# Plan\n\nThe plan of the source.\n", "# Plan\n\nThe plan, as a dream left it.\n"


def _import(ports: Ports, tenant: str, content: str, *, path: str = "plan.md", overwrite: bool = False) -> WriteCounts:
    ensure_store(ports.db, tenant, DEFAULT_STORE)
    batch = [NewText(path=path, content=content, overwrites=overwrite)]
    return write_memories(ports.db, ports.ids, tenant, DEFAULT_STORE, batch, Author.IMPORT)


def _retire(ports: Ports, tenant: str, state: MemoryState) -> None:
    with ports.db.transaction(tenant) as uow:
        memories = uow.memories(uow.stores.get(DEFAULT_STORE).id)
        memory = memories.find_by_path("plan.md")
        assert memory is not None
        gone = replace(memory, state=state, version=memory.version + 1, author=Author.DREAM)
        memories.write([MemoryWrite(memory=gone, change="archive")])


def _live(ports: Ports, tenant: str) -> dict[str, str]:
    with ports.db.transaction(tenant) as uow:
        return {m.path: m.content for m in uow.memories(uow.stores.get(DEFAULT_STORE).id).find_live()}


@pytest.mark.parametrize("author", [Author.DREAM, Author.AGENT, Author.USER])
def test_a_file_that_did_not_change_takes_back_nothing_that_was_written_since(
    ports: Ports, tenant: str, author: Author
) -> None:
    _import(ports, tenant, _OF_SOURCE)
    write(ports, tenant, {"plan.md": _OF_DREAM}, author=author)
    assert _import(ports, tenant, _OF_SOURCE) == WriteCounts(kept=1)
    assert _live(ports, tenant) == {"plan.md": _OF_DREAM}


@pytest.mark.parametrize("state", [MemoryState.ARCHIVED, MemoryState.SUPERSEDED])
def test_a_file_that_did_not_change_does_not_bring_back_what_was_archived_or_merged(
    ports: Ports, tenant: str, state: MemoryState
) -> None:
    _import(ports, tenant, _OF_SOURCE)
    _retire(ports, tenant, state)
    assert _import(ports, tenant, _OF_SOURCE) == WriteCounts(retired=1)
    assert _live(ports, tenant) == {}


@pytest.mark.parametrize("author", [Author.DREAM, Author.AGENT, Author.USER])
def test_a_file_that_was_edited_goes_over_what_was_written_here_since_only_on_request(
    ports: Ports, tenant: str, author: Author
) -> None:
    _import(ports, tenant, _OF_SOURCE)
    write(ports, tenant, {"plan.md": _OF_DREAM}, author=author)
    assert _import(ports, tenant, "# Plan\n\nEdited.\n") == WriteCounts(changed_here=("plan.md",))
    assert _live(ports, tenant) == {"plan.md": _OF_DREAM}
    assert _import(ports, tenant, "# Plan\n\nEdited.\n", overwrite=True) == WriteCounts(updated=1)


def test_a_file_goes_over_no_memory_that_was_only_ever_written_here(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"plan.md": _OF_DREAM}, author=Author.AGENT)
    assert _import(ports, tenant, _OF_SOURCE) == WriteCounts(changed_here=("plan.md",))


def test_a_file_with_the_text_that_was_written_here_is_nothing_to_refuse(ports: Ports, tenant: str) -> None:
    _import(ports, tenant, _OF_SOURCE)
    write(ports, tenant, {"plan.md": _OF_DREAM}, author=Author.AGENT)
    assert _import(ports, tenant, _OF_DREAM) == WriteCounts(unchanged=1)


def test_a_file_that_was_edited_comes_back_although_its_memory_was_archived(ports: Ports, tenant: str) -> None:
    _import(ports, tenant, _OF_SOURCE)
    _retire(ports, tenant, MemoryState.ARCHIVED)
    assert _import(ports, tenant, "# Plan\n\nEdited.\n") == WriteCounts(created=1)


def test_a_file_whose_author_went_back_to_an_older_text_is_taken(ports: Ports, tenant: str) -> None:
    for content in (_OF_SOURCE, "# Plan\n\nEdited.\n"):
        _import(ports, tenant, content)
    assert _import(ports, tenant, _OF_SOURCE) == WriteCounts(updated=1)


def test_an_export_of_last_week_does_not_take_back_what_a_dream_did_since(ports: Ports, tenant: str) -> None:
    _import(ports, tenant, _OF_SOURCE)
    for content in (_OF_DREAM, "# Plan\n\nThe next dream's.\n"):
        write(ports, tenant, {"plan.md": content}, author=Author.DREAM)
    assert _import(ports, tenant, _OF_DREAM) == WriteCounts(kept=1)


def test_overwriting_on_request_takes_the_folders_text(ports: Ports, tenant: str) -> None:
    _import(ports, tenant, _OF_SOURCE)
    write(ports, tenant, {"plan.md": _OF_DREAM}, author=Author.DREAM)
    assert _import(ports, tenant, _OF_SOURCE, overwrite=True) == WriteCounts(updated=1)
    _retire(ports, tenant, MemoryState.ARCHIVED)
    assert _import(ports, tenant, _OF_SOURCE, overwrite=True) == WriteCounts(created=1)


def test_an_import_into_another_path_is_not_taken_for_an_old_one(ports: Ports, tenant: str) -> None:
    _import(ports, tenant, _OF_SOURCE)
    write(ports, tenant, {"plan.md": _OF_DREAM}, author=Author.DREAM)
    assert _import(ports, tenant, _OF_SOURCE, path="other.md") == WriteCounts(created=1)


def test_a_file_that_did_not_change_goes_over_nothing_that_was_written_in_place_of_what_was_archived(
    ports: Ports, tenant: str
) -> None:
    _import(ports, tenant, _OF_SOURCE)
    _retire(ports, tenant, MemoryState.ARCHIVED)
    write(ports, tenant, {"plan.md": _OF_DREAM}, author=Author.AGENT)
    assert _import(ports, tenant, _OF_SOURCE) == WriteCounts(kept=1)
    assert _live(ports, tenant) == {"plan.md": _OF_DREAM}
    assert _import(ports, tenant, "# Plan\n\nEdited.\n", overwrite=True) == WriteCounts(updated=1)
    assert _import(ports, tenant, _OF_SOURCE) == WriteCounts(updated=1)  # its author went back to it
