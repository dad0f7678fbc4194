"""One memory is read by its id or by its path; a path leads to a retired memory only on wish."""

import pytest

from shared.all_ports import Ports
from shared.core.errors import NotFoundError
from shared.services.memories.edit import Expected, archive_memory
from shared.services.memories.history import find_versions, get_history
from shared.services.memories.read import get_memory
from tests.support.builders import write


def test_a_memory_is_read_by_its_id_and_by_its_path(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"style.md": "Tabs."})
    by_path = get_memory(ports.db, tenant, "default", "style.md")
    assert by_path.content == "Tabs."
    assert get_memory(ports.db, tenant, "default", by_path.id) == by_path


def test_an_archived_memory_is_found_by_its_id_and_on_wish_by_the_path_it_had(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"style.md": "Tabs."})
    memory = get_memory(ports.db, tenant, "default", "style.md")
    gone = archive_memory(ports.db, tenant, "default", memory.id, expected=Expected(), actor="ada")
    assert get_memory(ports.db, tenant, "default", memory.id) == gone
    with pytest.raises(NotFoundError):
        get_memory(ports.db, tenant, "default", "style.md")
    assert get_memory(ports.db, tenant, "default", "style.md", with_retired=True) == gone
    assert get_history(ports.db, tenant, "default", "style.md", limit=None).memory == gone


def test_a_path_that_was_written_anew_leads_to_the_live_memory(ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"style.md": "Tabs."})
    first = get_memory(ports.db, tenant, "default", "style.md")
    archive_memory(ports.db, tenant, "default", first.id, expected=Expected(), actor="ada")
    write(ports, tenant, {"style.md": "Spaces."})
    assert get_memory(ports.db, tenant, "default", "style.md", with_retired=True).content == "Spaces."


def test_versions_are_paged_newest_first(ports: Ports, tenant: str) -> None:
    for text in ("one", "two", "three"):
        write(ports, tenant, {"style.md": text})
    newest = find_versions(ports.db, tenant, "default", "style.md", limit=2)
    older = find_versions(ports.db, tenant, "default", "style.md", below=newest[-1].version, limit=2)
    assert [one.content for one in newest + older] == ["three", "two", "one"]


@pytest.mark.parametrize("name", ["mem_0", "gone.md"])
def test_an_unknown_id_or_path_is_not_found(name: str, ports: Ports, tenant: str) -> None:
    write(ports, tenant, {"style.md": "Tabs."})
    for read in (get_memory, lambda *where: get_history(*where, limit=None)):
        with pytest.raises(NotFoundError, match=f"no memory '{name}'"):
            read(ports.db, tenant, "default", name)
